"""Read JSON out of what people paste: logs, Python reprs, comments, trailing commas, cut ends, strings in strings.

What is JSON as it stands is read as such; for the rest there is the lenient reader (`reader.py`), which counts and
names every departure, so that the doctor can say what was repaired.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from course.facts import say
from course.traces.encoding import Unreadable
from course.traces.reader import DEPTH, Reader
from course.traces.wrapping import from_yaml, unwrapped

__all__ = ["Salvage", "salvage"]


@dataclass(frozen=True)
class Salvage:
    """The JSON values found, in their order, and in words what had to be repaired to read them.

    names: words without quotes that were read as strings; they may be names of a program whose values were not given.
    gaps: `cut` and `elided`, where something of the text is not there.
    """

    values: tuple[Any, ...]
    repairs: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    gaps: frozenset[str] = frozenset()


def salvage(text: str) -> Salvage:
    """Return every JSON object and array in `text`. Raises Unreadable when there is none."""
    if not text.strip():
        raise Unreadable(say("traces.unreadable.empty"))
    strict = _strict(text)
    if strict is not None:
        return strict
    found = _leniently(text)
    if found.values:
        return found
    for kind, inner in unwrapped(text):
        found = _strict(inner) or _leniently(inner)
        if found.values:
            return replace(found, repairs=(say(f"traces.repair.{kind}"), *found.repairs))
    if (document := from_yaml(text)) is not None:
        return Salvage((document,), (say("traces.repair.yaml"),))
    raise Unreadable(say("traces.unreadable.no_json"))


def _strict(text: str) -> Salvage | None:
    """Return what is JSON as it stands: one document, a document in a string, or one a line."""
    twice: set[str] = set()
    strange: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            names = [name for name, _ in items]
            twice.update(name for name in names if names.count(name) > 1)
        return found

    def load(part: str) -> Any:
        return json.loads(part, object_pairs_hook=pairs, parse_constant=strange.append)

    repairs = []
    try:
        value = load(text)
        while isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"'):
            value = load(value)
            repairs = [say("traces.repair.encoded")]
    except RecursionError:
        raise Unreadable(say("traces.unreadable.deep", depth=DEPTH)) from None
    except ValueError:
        return _by_line(text, load)
    if not isinstance(value, dict | list):
        return None
    repairs += [say("traces.repair.twice", name=name) for name in sorted(twice)]
    repairs += [say("traces.repair.number", name=name) for name in sorted(set(strange))]
    return Salvage((value,), tuple(repairs))


def _by_line(text: str, load: Callable[[str], Any]) -> Salvage | None:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or not all(line.lstrip()[:1] in ("{", "[") for line in lines):
        return None
    try:
        return Salvage(tuple(load(line) for line in lines))
    except (ValueError, RecursionError):
        return None


def _leniently(text: str) -> Salvage:
    reader = Reader(text)
    values = tuple(reader.all())
    return Salvage(values, reader.said(), frozenset(reader.names), reader.gaps())
