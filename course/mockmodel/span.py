"""A value in a text, and how one value parts into several."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from course.mockmodel.reading import number_of

__all__ = ["Span", "split_lists", "split_places", "split_sums"]


class Span(NamedTuple):
    """A value at [start, end) of a text.

    kind: what it looks like (`email`, `date`, `number`, `name`, …). value: as data (`date` an ISO string, `time`
    HH:MM, `number` a number, `money` a pair of number and currency code, else the text).
    before, after: up to three stems before (nearest first) and two after. group: spans with one number stand in one
    list ("Paris, Rome and Oslo").
    """

    start: int
    end: int
    text: str
    kind: str
    value: Any
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    group: int = -1


def split_lists(found: Sequence[Span]) -> list[Span]:
    """Part "(45, 60)" into its numbers, for tools that take them one by one."""
    result: list[Span] = []
    for span in found:
        if span.kind == "list" and all(isinstance(item, int | float) for item in span.value):
            rows = enumerate(span.value)
            result.extend(
                span._replace(start=span.start + n, kind="number", value=item, text=str(item)) for n, item in rows
            )
        else:
            result.append(span)
    return result


def split_sums(found: Sequence[Span]) -> list[Span]:
    """Part "443 * 349" into its numbers, for tools that take them one by one."""
    result: list[Span] = []
    for span in found:
        if span.kind == "expression":
            for match in re.finditer(r"\d[\d,]*(?:\.\d+)?", span.text):
                start, stop = span.start + match.start(), span.start + match.end()
                result.append(
                    span._replace(
                        start=start, end=stop, text=match.group(), kind="number", value=number_of(match.group())
                    )
                )
        else:
            result.append(span)
    return result


def split_places(found: Sequence[Span]) -> list[Span]:
    """Part "Tokyo, Japan" into a place and a region, for tools that want both by themselves."""
    result: list[Span] = []
    for span in found:
        if span.kind in ("place", "name") and "," in span.text:
            cut = span.text.index(",")
            place, region = span.text[:cut], span.text[cut + 1 :].strip()
            result.append(span._replace(end=span.start + cut, text=place, value=place, kind="place"))
            start = span.end - len(region)
            result.append(span._replace(start=start, text=region, value=region, kind="region", group=-2 - start))
        else:
            result.append(span)
    return result
