"""How well a value found in the text fits a parameter, and which value goes to which parameter."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from course.mockmodel.convert import convert, counts_other
from course.mockmodel.days import day_count
from course.mockmodel.evidence import fitting
from course.mockmodel.offers import Param, typed
from course.mockmodel.schema import conform
from course.mockmodel.span import Span
from course.mockmodel.words import concepts_of, data, is_hangul, stem

__all__ = ["admits", "aspect", "assign", "pair", "value_of"]

FAIR = 0.3  # a value must fit at least this well
OPTIONAL = 0.9  # and for an optional parameter this well
NAMED_ONLY = {
    "text",
    "query",
    "content",
    "title",
    "person",
    "id",
    "number",
    "name",
    "unit",
}  # optional: only when named
FROM = (("from",), ("sourc",), ("bas",))
PATTERNED = {"currency", "date", "time"}  # roles whose values are brought into the pattern's form


def pair(param: Param, span: Span) -> float:
    """Return how well a value fits a parameter: 0 not at all, 1 by its kind, more when words around it say so."""
    if span.kind == "list":
        return 1.2 + _led(param, span) if param.many or param.role in ("array", "object") else 0.0
    base = data()["fits"].get(param.role, {}).get(span.kind, 0.0)
    if param.role == "number" and span.kind == "date" and "day" in param.after and day_count(span.text) is not None:
        base = 1.0
    if param.pattern is not None:
        if fitting(param, span):
            base = 1.2
        elif param.role not in PATTERNED:
            base = 0.0
    elif base and fitting(param, span):
        base += 0.2
    if not base:
        return 0.0
    if param.role == "number" and "year" in param.words:
        base = 1.2 if isinstance(span.value, int) and 1000 <= span.value <= 2100 else base - 0.5
    if span.kind == "money" and param.role == "number" and not _monetary().isdisjoint(param.words):
        base = 1.2
    base += _led(param, span)
    if param.role in ("unit", "currency") and param.words[:1] in FROM and _after_number(span):
        base += 0.5
    particle = span.after[0] if span.after and is_hangul(span.text) else ""
    if particle in param.before:
        base += 0.5
    elif param.role == "number" and span.after:
        if span.after[0] in param.after:
            base += 0.5
        elif span.after[1:] and span.after[1] in param.after:
            base += 0.25
        elif counts_other(param, span.after[0]):
            base -= 0.7
    return base


@cache
def _monetary() -> frozenset[str]:
    return frozenset(stem(word) for word in data()["monetary"].split())


def _after_number(span: Span) -> bool:
    """Whether a unit stands right after its number: "26.2 miles" is what is converted from."""
    return span.kind == "money" or (bool(span.before) and span.before[0].isdigit())


def _led(param: Param, span: Span) -> float:
    """What the words before a value say for a parameter: its own name, and a word that tells the direction."""
    named = led = 0.0
    for distance, word in enumerate(span.before[:4]):
        own = word in param.words or (param.role == "id" and not param.concepts.isdisjoint(concepts_of(word)))
        if own:
            named = max(named, 0.6 - 0.12 * distance) + (0.1 if named else 0.0)
        elif word in param.before and not led:
            led = 0.5 - 0.12 * distance
    return named + led


def admits(param: Param, span: Span, score: float) -> bool:
    """Whether a parameter takes a value that fits this well; an optional one wants to be sure."""
    if param.required:
        return score > FAIR
    named = not param.before.isdisjoint(span.before[:2]) or not set(param.words).isdisjoint(span.before[:3])
    counted = not param.after.isdisjoint(span.after[:2])
    return score >= OPTIONAL and (param.role not in NAMED_ONLY or named or counted or fitting(param, span))


def value_of(param: Param, span: Span, root: Mapping[str, Any]) -> Any:
    """Return a value as a parameter (or each item of one that takes many) wants it, or None."""
    if span.kind == "list":
        return conform(span.value, param.schema, root)
    inner = typed(param.schema.get("items"), root) if param.many else param.schema
    return convert(param, span, inner, root)


def assign(
    params: Sequence[Param],
    spans: Sequence[Span],
    root: Mapping[str, Any],
    *,
    used: Collection[tuple[int, str]] = (),
    share: float = 1.0,
) -> dict[str, tuple[Span, float]]:
    """Give each parameter the value that fits it best; every value goes to one, an amount of money to two.

    used: (start, aspect) of values that are taken. share: how much less values from here count.
    """
    pairs = []
    for number, param in enumerate(params):
        for place, span in enumerate(spans):
            score = pair(param, span) * share
            if admits(param, span, score):
                pairs.append((-score, not param.required, place, number))
    pairs.sort()
    taken = set(used)
    sizes = Counter(span.group for span in spans)
    lists: dict[int, str] = {}
    found: dict[str, tuple[Span, float]] = {}
    for score, _, place, number in pairs:
        param, span = params[number], spans[place]
        if param.name in found or aspect(param, span) in taken or lists.get(span.group, param.role) != param.role:
            continue
        if value_of(param, span, root) is None:
            continue
        if sizes[span.group] > 1:
            lists[span.group] = param.role
        found[param.name] = (span, -score)
        taken.add(aspect(param, span))
    return found


def aspect(param: Param, span: Span) -> tuple[int, str]:
    """What of a value a parameter uses up: all of it, or of money its number or its currency."""
    return (span.start, param.role if span.kind == "money" else "")
