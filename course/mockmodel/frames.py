"""One wish, several calls of one tool: "in Paris and Rome", "6 feet and 80 kg, also 5.6 feet and 60 kg"."""

import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from course.mockmodel.offers import Param
from course.mockmodel.pairing import aspect, assign, value_of
from course.mockmodel.span import Span

__all__ = ["further_calls"]

MOST = 12  # calls
CLOSE = 0.35  # a further value must fit nearly as well as the first
RESPECTIVELY = re.compile(r"\brespectively\b|각각", re.IGNORECASE)
SURE = {"place", "id", "email", "path", "ticker", "expression", "currency", "date", "url", "language", "person", "name"}
FORMED = {"place", "id", "email", "path", "code", "expression", "date", "language", "url", "currency"}
ALONE = {"content", "title"}  # a second text is no second call


def further_calls(
    params: Sequence[Param],
    first: Mapping[str, tuple[Span, float]],
    spans: Sequence[Span],
    used: Collection[tuple[int, str]],
    text: str,
    root: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Return the arguments in which each further call differs from the first.

    first: the values of the first call with how well each fits. used: what is taken, as `assign` wants it.
    """
    open_ = [p for p in params if p.name in first and not p.many and p.role not in ALONE]
    lists = _lists(open_, first, spans, used, root)
    if not lists:
        return []
    values = {
        name: [value_of(next(p for p in open_ if p.name == name), span, root) for span in row]
        for name, row in lists.items()
    }
    if _crossed(lists, text):
        names = list(values)
        rows = [dict(zip(names, row, strict=True)) for row in itertools.product(*values.values())]
    else:
        length = max(len(row) for row in values.values())
        rows = [{name: row[n] for name, row in values.items() if n < len(row)} for n in range(length)]
    own = {name: value_of(next(p for p in open_ if p.name == name), first[name][0], root) for name in values}
    return [row for row in rows[:MOST] if any(row[name] != own[name] for name in row)]


def _lists(
    open_: Sequence[Param],
    first: Mapping[str, tuple[Span, float]],
    spans: Sequence[Span],
    used: Collection[tuple[int, str]],
    root: Mapping[str, Any],
) -> dict[str, list[Span]]:
    """The values of each parameter that has several, in the order of the text."""
    rows = {param.name: [first[param.name][0]] for param in open_}
    taken = set(used)
    for _ in range(MOST):
        again = assign(open_, spans, root, used=taken)
        again = {name: got for name, got in again.items() if _like(got, first[name])}
        if not again:
            break
        for name, (span, _score) in again.items():
            rows[name].append(span)
            taken.add(aspect(next(p for p in open_ if p.name == name), span))
    many = {name: sorted(row, key=lambda s: s.start) for name, row in rows.items() if len(row) > 1}
    listed = {name: row for name, row in many.items() if len({span.group for span in row}) == 1}
    lengths = {len(row) for row in many.values()}
    if len(many) > 1 and len(lengths) == 1:
        return many
    if listed:
        return listed
    sure = [param for param in open_ if param.name in many and param.role in SURE and param.required]
    alone = len([param for param in open_ if param.required]) == 1
    if not alone or len(sure) != 1:
        return {}
    row = [span for span in many[sure[0].name] if span.kind in FORMED]
    return {sure[0].name: row} if len(row) > 1 else {}


def _like(got: tuple[Span, float], first: tuple[Span, float]) -> bool:
    """Whether a value may stand where the first one does: it is of the same list, or fits nearly as well."""
    return got[0].group == first[0].group or got[1] >= first[1] - CLOSE


def _crossed(lists: Mapping[str, Sequence[Span]], text: str) -> bool:
    """Whether each value of one list goes with each of the other: two whole lists, one after the other."""
    if len(lists) != 2 or RESPECTIVELY.search(text):
        return False
    one, two = sorted(lists.values(), key=lambda row: row[0].start)
    whole = all(len({span.group for span in row}) == 1 for row in (one, two))
    return whole and one[-1].start < two[0].start and one[0].kind != two[0].kind
