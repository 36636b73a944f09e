"""What speaks for a tool: its words in the wish, values that it has a place for, the act that it does."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from course.mockmodel.offers import Offer, Param, Shelf
from course.mockmodel.span import Span
from course.mockmodel.words import WEAK, Term, data, in_english, is_hangul, spread, stem, table

__all__ = ["absorbed", "acting", "fitting", "fitting_values", "gains_of", "plurality", "same_act", "supplied", "taking"]

COMPLETE = 0.2  # for values of the right form for all that a tool requires
PLAIN = frozenset(["place", "date", "number", "enum", "boolean", "title", "content", "query", "text"])
WANTED = (  # a required parameter of this role is glad of a value of this kind
    ("date", "date"),
    ("place", "place"),
    ("place", "room"),
    ("person", "name"),
    ("name", "name"),
    ("code", "identifier"),
    ("query", "identifier"),
)
OPTION = 0.3  # for a value of an enum that the wish names
UNSUPPLIED = 0.15  # how far a tool is held back when nothing that it requires is there
BEGINNING = 0.7  # how much of the longer word has to be the same
SEEK = ("seek",)
TRANSLATED = 0.9  # how much the English word for a Korean one counts
CONCEPT, PREFIX = 0.75, 0.6  # how much a synonym, or a word with the same beginning, counts beside the word itself


@cache
def _kinds(group: str) -> frozenset[str]:
    """Return a group of kinds and roles: `carried`, `formed`, `special`."""
    return frozenset(data()["kinship"][group].split())


def gains_of(term: Term, shelf: Shelf) -> dict[int, tuple[float, str]]:
    """Return tool number -> (gain, field) for one word: the word itself, else a synonym, else a beginning."""
    gains: dict[int, tuple[float, str]] = {}

    def offer(entries: Sequence[tuple[int, float, str]], quality: float) -> None:
        for number, weight, where in entries:
            if weight * quality > gains.get(number, (0.0, ""))[0]:
                gains[number] = (weight * quality, where)

    offer(shelf.by_stem.get(term.stem, ()), 1.0)
    if is_hangul(term.stem) and (english := in_english(term.stem)) is not None:
        offer(shelf.by_stem.get(english, ()), TRANSLATED)
    for concept in term.concepts if term.weight > WEAK or term.concepts == SEEK else ():
        offer(shelf.by_concept.get(concept, ()), CONCEPT)
    if term.weight > WEAK and len(term.stem) >= 5:
        for other in shelf.by_prefix.get(term.stem[:5], ()):
            if other != term.stem and _alike(term.stem, other):
                offer(shelf.by_stem[other], PREFIX)
    return gains


def _alike(word: str, other: str) -> bool:
    """Whether two words begin alike for the most part."""
    same = 0
    while same < min(len(word), len(other)) and word[same] == other[same]:
        same += 1
    return same >= BEGINNING * max(len(word), len(other))


def fitting(param: Param, span: Span) -> bool:
    """Whether a value certainly belongs to a parameter by its form: an id of its pattern, an address, a path."""
    if param.pattern is not None and span.kind in ("id", "code", "number", "quoted", "phone"):
        return param.pattern.fullmatch(str(span.value)) is not None or param.pattern.search(str(span.value)) is not None
    if param.role == "id" and span.kind == "id":
        prefix = "".join(c for c in span.text.split("-")[0] if c.isalpha()).lower()
        return len(prefix) > 1 and any(word.startswith(prefix) for word in param.words)
    return param.role in _kinds("special") and (
        param.role == span.kind or (param.role == "ticker" and span.kind == "code")
    )


def fitting_values(
    offer: Offer, values: Sequence[Span], kinds: Collection[str], told: Collection[str]
) -> list[tuple[float, str]]:
    """Return (gain, value) for what a tool has a place for. told: stems and concepts of the words around the values."""
    found: list[tuple[float, str]] = []
    if not offer.options.isdisjoint(told):
        named = (next((word for word in told if word in param.options), "") for param in offer.params)
        found += [(OPTION, option) for option in named if option]
    if not values:
        return found
    special = _special_values(offer, values)
    found += special
    found += _numbers(offer, values)
    ends = [p for p in offer.required if p.role in ("place", "region")]
    if len(ends) > 1 and _led_apart(ends, values):
        found.append((0.5, "from … to …"))
    formed = len(offer.required) > 1 and offer.required_roles <= _kinds("formed")
    if special and formed and supplied(offer, values) == 1.0:
        found.append((COMPLETE, "all that it requires"))
    for role, kind in WANTED:
        if kind in kinds and role in offer.required_roles:
            found.append((0.15, next(span.text for span in values if span.kind == kind)))
    return found


def _special_values(offer: Offer, values: Sequence[Span]) -> list[tuple[float, str]]:
    """The values whose form alone tells that they belong to a parameter."""
    found: list[tuple[float, str]] = []
    used: list[Span] = []
    for param in offer.params:
        if param.role in PLAIN:
            continue
        span = next((span for span in values if span not in used and fitting(param, span)), None)
        if span is not None:
            used.append(span)
            strong = param.role in ("id", "expression", "sql")
            found.append((0.6 if strong and param.required else 0.35 if param.required else 0.15, span.text))
        elif param.role == "id" and param.pattern is None and (loose := [s for s in values if s.kind == "id"]):
            found.append((0.15, loose[0].text))
    return found


def _numbers(offer: Offer, values: Sequence[Span]) -> list[tuple[float, str]]:
    """The first number that the words around it give to a parameter."""
    counted = [span for span in values if span.kind in ("number", "money")]
    many = sum(span.kind == "number" for span in counted) > 1
    for param in offer.params if counted else ():
        if param.role != "number":
            continue
        if (param.many and many) or any(param.before.intersection(s.before[:2]) for s in counted):
            return [(0.35, param.name)]
        if any(s.after and s.after[0] in param.after for s in counted):
            return [(0.15, param.name)]
    return []


def _led_apart(ends: Sequence[Param], values: Sequence[Span]) -> bool:
    """Whether two places stand where a tool's two ends want them: "from Bonn to Cologne"."""
    places = [span for span in values if span.kind in ("place", "name", "foreign", "phrase", "capital")]
    led = [{p.name for p in ends if p.before.intersection((*s.before[:1], *s.after[:1]))} for s in places]
    return any(a and b and (a != b or len(a | b) > 1) for n, a in enumerate(led) for b in led[n + 1 :])


def same_act(offer: Offer, wanted: Mapping[str, None], seen: Collection[str]) -> list[tuple[float, str]]:
    """A verb that means the same as the tool's: "remove" for delete_file."""
    meant = next((act for act in offer.acts if act in wanted), None)
    said = any(where == "name" and word in seen for word, (_, where) in offer.stems.items()) if meant else False
    verb = stem(spread(offer.name).lower().split()[0]) if meant else ""
    return [(0.3, meant)] if meant and not (said and verb in seen) else []


def absorbed(offer: Offer, values: Sequence[Span]) -> int:
    """How many of the values a tool has a place for, each parameter taking one (or many)."""
    fits = data()["fits"]
    free = list(offer.params)
    count = 0
    for span in values:
        if span.kind not in _kinds("carried"):
            continue
        for param in free:
            if fits.get(param.role, {}).get(span.kind, 0.0) > 0.5 and (
                param.pattern is None or fitting(param, span) or param.role != "id"
            ):
                count += 1
                if not param.many:
                    free.remove(param)
                break
    return count


def taking(offer: Offer, ids: Sequence[Span], dated: bool) -> float:
    """Hold back a tool with no place for an id or path, or (dated) for a day, that another tool takes."""
    taken = not ids or any(fitting(param, span) for param in offer.params for span in ids)
    known = not dated or any(param.role in ("date", "datetime") for param in offer.params)
    return (1.0 if taken else 0.7) * (1.0 if known else 0.85)


def supplied(offer: Offer, values: Sequence[Span]) -> float:
    """Hold back a tool whose required values of a certain form (a place, a date, an id) are not there."""
    formed = [p for p in offer.params if p.required and p.role in _kinds("formed")]
    if not formed:
        return 1.0
    fits = data()["fits"]
    lacking = sum(
        not any(
            fitting(p, s) if p.pattern is not None and p.role == "id" else fits[p.role].get(s.kind, 0) > 0.4
            for s in values
        )
        for p in formed
    )
    return 1.0 - UNSUPPLIED * lacking / len(formed)


def plurality(offer: Offer, focus: Term | None, text: str) -> float:
    """Prefer a tool for many where many are asked for: "which orders"."""
    if focus is None or offer.stems.get(focus.stem, (0.0, ""))[1] != "name":
        return 1.0
    if not _plural(text, focus.stem):
        return 1.0
    return 1.15 if _plural(offer.name, focus.stem) else 0.9


def _plural(text: str, base: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(base)}(?:e?s|ies)(?![a-z])", text.lower()) is not None


def acting(
    offer: Offer, wanted: Mapping[str, None], asked: bool, values: Sequence[Span], opening: tuple[str, ...]
) -> float:
    """Hold back a tool that changes something when the wish asks for no such change, and the other way round.

    To want so many of a thing ("two balcony tickets") is to want what is done with it. opening: the first two words of
    the wish; where they stand together in what a tool says of itself, the wish asks for just that.
    """
    if opening in offer.pairs:
        return 1.0
    if offer.acts and not wanted and any(_counts(offer, span) for span in values):
        return 1.0
    if offer.acts:
        related = {other for act in wanted for other in table("related").get(act, ())}
        if any(act in wanted for act in offer.acts):
            return 1.5 if next(iter(wanted)) in offer.acts else 1.2
        return 1.0 if related.intersection(offer.acts) else 0.4 if asked else 0.6
    return 1.0


def _counts(offer: Offer, span: Span) -> bool:
    """Whether a number says how many of the thing that a tool is named after."""
    return span.kind in ("number", "count") and any(
        offer.stems.get(word, (0.0, ""))[1] == "name" for word in span.after[:2]
    )
