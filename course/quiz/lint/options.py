"""Rules about the options of an item: their reasons, their wording, and what gives the key away."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from course.quiz.items import Item, Option
from course.quiz.kinds import Match, Order, SelectN, Single
from course.quiz.lint.finding import Hit
from course.quiz.lint.words import ABSOLUTES, FREQUENCIES, HEDGES, count, english, fold, tokens, words

__all__ = ["option_rules"]

SHORTEST_REASON = 40
LENGTH_BAND, LENGTH_SLACK = 0.25, 12
TELLING_ID = re.compile(r"(correct|incorrect|right|wrong|true|false|key|distractor)(_|-|\d|$)")
PILE = re.compile(
    r"\b(all|none|both|any|neither)\b( two| three)? of (the|these|those) ?(above|options|others|answers)\b|"
    r"\ball of them\b"
)
NEGATION = re.compile(r"\b(not|no|never|n't|without|cannot|doesn't|don't|isn't|won't)\b")
RANGE = re.compile(r"^\D{0,12}(\d+(?:\.\d+)?)\s*(?:-|–|to)\s*(\d+(?:\.\d+)?)\D*$")
NUMBER = re.compile(r"^`?[-+]?\d[\d,.]*`?( \w+)?$")


def option_rules(item: Item) -> Iterator[Hit]:
    """Yield every broken rule about options, rows and steps."""
    if isinstance(item, Match):
        yield from _reasons([("rows", place, english(row.why)) for place, row in enumerate(item.rows)])
        if len(item.targets) == len(item.rows) and len({row.answer for row in item.rows}) == len(item.rows):
            yield "W22", ("targets",), {}
        return
    if not isinstance(item, Single | SelectN | Order):
        return
    options: Sequence[Option] = item.options
    texts = [english(option.text) for option in options]
    yield from _reasons([("options", place, english(option.why)) for place, option in enumerate(options)])
    for place, option in enumerate(options):
        if TELLING_ID.match(option.id):
            yield "E16", ("options", place, "id"), {"id": option.id}
        if PILE.search(texts[place].lower()):
            yield "E04", ("options", place, "text"), {}
    yield from _twins(texts)
    if not isinstance(item, Order):
        yield from _cues(item, texts)
        yield from _form(item, texts)


def _reasons(reasons: Sequence[tuple[str, int, str]]) -> Iterator[Hit]:
    seen: dict[str, int] = {}
    for field, place, why in reasons:
        if len(why) < SHORTEST_REASON:
            yield "E03", (field, place, "why"), {"length": len(why), "least": SHORTEST_REASON}
        folded = fold(why)
        if folded in seen:
            yield "E03b", (field, place, "why"), {"other": seen[folded] + 1}
        seen[folded] = place


def _twins(texts: Sequence[str]) -> Iterator[Hit]:
    seen: dict[str, int] = {}
    for place, text in enumerate(texts):
        folded = fold(text) or text
        if folded in seen:
            yield "E02", ("options", place, "text"), {"other": seen[folded] + 1}
        seen[folded] = place


def _cues(item: Single | SelectN, texts: Sequence[str]) -> Iterator[Hit]:
    """What a test-wise reader sees without knowing the subject: absolutes, hedges, length, echoes of the stem."""
    keys = [place for place, option in enumerate(item.options) if option.correct]
    others = [place for place in range(len(texts)) if place not in keys]
    for code, pattern in (("E13", ABSOLUTES), ("E14", HEDGES)):
        has = [count(pattern, text) > 0 for text in texts]
        if len(others) > 1 and (
            (all(has[key] for key in keys) and not any(has[other] for other in others))
            or (not any(has[key] for key in keys) and all(has[other] for other in others))
        ):
            yield code, ("options", keys[0], "text"), {}
    mean = sum(map(len, texts)) / len(texts)
    slack = max(LENGTH_BAND * mean, LENGTH_SLACK)
    for place, text in enumerate(texts):
        if abs(len(text) - mean) > slack:
            yield (
                "E15",
                ("options", place, "text"),
                {"length": len(text), "low": round(mean - slack), "high": round(mean + slack)},
            )
    stem = words(english(item.stem))
    elsewhere = frozenset[str]().union(*(words(texts[other]) for other in others))
    for key in keys:
        if len(echo := sorted((words(texts[key]) & stem) - elsewhere)) >= 3:
            yield "W04", ("options", key, "text"), {"words": ", ".join(echo)}
    if isinstance(item, SelectN) and keys == list(range(len(keys))):
        yield "W20", ("options",), {"n": len(keys)}


def _form(item: Single | SelectN, texts: Sequence[str]) -> Iterator[Hit]:
    """Form: number of options, parallel shape, order of numbers, ranges, opposite pairs."""
    low, high = (4, 4) if isinstance(item, Single) else (5, 6)
    if not low <= len(texts) <= high:
        yield "W18", ("options",), {"given": len(texts), "wanted": str(low) if low == high else f"{low}–{high}"}
    if len({text.rstrip()[-1] in ".?!" for text in texts}) > 1:
        yield "W07", ("options",), {}
    if all(NUMBER.match(text) for text in texts):
        values = [float("".join(ch for ch in text.split()[0] if ch.isdigit() or ch == ".") or 0) for text in texts]
        if values != sorted(values):
            yield "W08", ("options",), {}
    spans = [(float(found[1]), float(found[2])) for text in texts if (found := RANGE.match(text))]
    spans.sort()
    if any(later[0] < earlier[1] for earlier, later in pairwise(spans)):
        yield "W09", ("options",), {}
    folded = [frozenset(tokens(NEGATION.sub(" ", text.lower()))) for text in texts]
    negated = [bool(NEGATION.search(text.lower())) for text in texts]
    for first in range(len(texts)):
        for second in range(first + 1, len(texts)):
            if folded[first] == folded[second] and negated[first] != negated[second]:
                yield "W10", ("options", second, "text"), {"other": first + 1}
    for place, text in enumerate(texts):
        if count(FREQUENCIES, text):
            yield "W11", ("options", place, "text"), {}
    named = [option.misconception for option in item.options if option.misconception]
    if len(set(named)) < len(named):
        yield "W16", ("options",), {}
    if item.difficulty != "easy":
        mean = sum(len(text.split()) for text in texts) / len(texts)
        if mean > 28:
            yield "W19", ("options",), {"mean": round(mean)}
