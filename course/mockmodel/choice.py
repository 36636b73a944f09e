"""Which tool fits a piece of the wish: retrieval over names, descriptions and parameters, and the rules they state."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from course.mockmodel.evidence import (
    absorbed,
    acting,
    fitting,
    fitting_values,
    gains_of,
    plurality,
    same_act,
    supplied,
    taking,
)
from course.mockmodel.offers import Offer, Shelf, pairs_of
from course.mockmodel.span import Span
from course.mockmodel.verdict import Past, Pull, judge
from course.mockmodel.words import WEAK, Term, data, stem

__all__ = ["Score", "rank"]

ASKED = re.compile(
    r"^\W*(?:please\s+)?(?:which|what|how many|whose|list|show|get|give|find|tell|fetch|look up|pull up)\b",
    re.IGNORECASE,
)
FOCUS = 1.5  # how much more the first thing asked for counts
NOUN_BEFORE = re.compile(
    r"\b(?:the|my|her|his|their|our|your|this|that|which|what|whose|by|of|last|latest|new|with|many)\s+$", re.IGNORECASE
)
SEEKING = re.compile(
    r"^\W*(?:please\s+)?(?:can you |could you |i'm |i am |we're )?(?:look(?:ing)?|search(?:ing)?"
    r"|shop(?:ping)?|hunt(?:ing)?) for\b",
    re.IGNORECASE,
)
MENTIONED = 3.0  # for a tool that the wish calls by its name
PAIR, MOST_PAIRS = 0.25, 3  # for two words that stand together here and there
COVERED = 0.1  # evidence for a tool that every word of weight points to
SOUGHT = 0.6  # evidence for a search by words where the wish says that it looks for something
ABSORBED = 0.08  # for each value of the wish that a tool has a place for
ENOUGH_TOLD = 1.2
ENOUGH = 0.5  # evidence below this: no tool fits
TIE = 0.03  # scores this close (as a share of the best) are alike: the seed decides
LAST_RESORT = ("a question", "search over everything")


@dataclass(frozen=True)
class Score:
    """How well one tool fits. evidence: what speaks for it at all; score: what ranks it among the others."""

    number: int
    offer: Offer
    evidence: float
    score: float
    words: tuple[tuple[str, str], ...]
    fired: tuple[str, ...] = ()
    excluded: bool = False
    enough: float = ENOUGH

    @property
    def last_resort(self) -> bool:
        """Whether it was taken only because it searches everything."""
        return self.words[:1] == (LAST_RESORT,)

    @property
    def fits(self) -> bool:
        return self.evidence >= self.enough and not self.excluded

    def explain(self) -> dict[str, Any]:
        """Return this score as JSON."""
        return {
            "tool": self.offer.name,
            "score": round(self.score, 3),
            "evidence": round(self.evidence, 3),
            "words": [f"{word} ({where})" for word, where in self.words],
            "rules": list(self.fired),
            "excluded": self.excluded,
        }


def rank(
    text: str,
    found: Sequence[Term],
    values: Sequence[Span],
    shelf: Shelf,
    *,
    past: Past,
    pull: Pull,
    seed: int,
    start: int = 0,
    general: bool = True,
    told: bool = False,
) -> list[Score]:
    """Return every tool that anything speaks for, best first.

    found and values: terms and values of `text`. start: where `text` begins in the wish. general: a search over
    everything may be the last resort. told: the text tells something rather than asking for it, so more must speak
    for a tool.
    """
    tally = _Tally(shelf)
    focus = focus_of(found, text)
    wanted = dict.fromkeys(act for term in found if is_verb(term, text, start) for act in term.acts)
    seen = frozenset(term.stem for term in found)
    tally.weigh_words(found, focus)
    tally.weigh_values(found, values, wanted)
    tally.weigh_mentions(text)
    tally.weigh_pairs(found)
    content = {
        term.stem.replace("_", " ")
        for term in found
        if term.weight > WEAK and not any(value.start <= term.start < value.end for value in values)
    }
    ids = [s for s in values if s.kind in ("id", "path") and any(fitting(p, s) for o in shelf.offers for p in o.params)]
    dated = tally.takes_day(values)
    opening = tuple(term.stem for term in found[:2])
    result = []
    for number, offer in enumerate(shelf.offers):
        if not tally.evidence[number]:
            continue
        tally.ranked[number] += ABSORBED * absorbed(offer, values)
        told_by = dict(tally.words[number])
        if content and content <= told_by.keys() and "name" in told_by.values():
            tally.evidence[number] += COVERED
        factor, fired, excluded = judge(offer, found, seen, past)
        factor *= taking(offer, ids, dated) * supplied(offer, values) * plurality(offer, focus, text)
        factor *= acting(offer, wanted, ASKED.match(text) is not None, values, opening) * pull.factors.get(number, 1.0)
        words = (*tally.words[number], *((word, "system prompt") for word in pull.words.get(number, ())))
        score = tally.ranked[number] * factor
        enough = ENOUGH_TOLD if told and not offer.records else ENOUGH
        result.append(Score(number, offer, tally.evidence[number], score, words, fired, excluded, enough))
    if not any(score.fits for score in result):
        result = _by_value(result, text, found, values)
    if general and not told and not any(score.fits for score in result):
        result = _catch_all(result, text, found, shelf, past, seen)
    result.sort(key=lambda s: (s.excluded, -s.score, s.number))
    return _untie(result, text, seed)


class _Tally:
    """What speaks for each tool of a shelf: evidence that it fits at all, weight in the ranking, and by which words."""

    def __init__(self, shelf: Shelf) -> None:
        count = len(shelf.offers)
        self.shelf = shelf
        self.evidence = [0.0] * count
        self.ranked = [0.0] * count
        self.words: list[list[tuple[str, str]]] = [[] for _ in range(count)]

    def weigh_words(self, found: Sequence[Term], focus: Term | None) -> None:
        """Count each word once; one that most tools share says less in the ranking."""
        count = len(self.shelf.offers)
        once: dict[str, Term] = {}
        for term in found:
            once.setdefault(term.stem, term)
        for term in once.values():
            gains = gains_of(term, self.shelf)
            rarity = 1.0 if count < 2 else 1.0 - 0.6 * (len(gains) - 1) / (count - 1)
            for number, (gain, where) in gains.items():
                self.evidence[number] += term.weight * gain
                self.ranked[number] += term.weight * gain * rarity * (FOCUS if term is focus else 1.0)
                self.words[number].append((term.stem.replace("_", " "), where))

    def weigh_values(self, found: Sequence[Term], values: Sequence[Span], wanted: Mapping[str, None]) -> None:
        """Count the values a tool has a place for, and the act that it does."""
        kinds = {span.kind for span in values}
        seen = {term.stem for term in found}
        told = dict.fromkeys(word for term in found for word in (term.stem, *term.concepts))
        for number, offer in enumerate(self.shelf.offers):
            for gain, what in (*fitting_values(offer, values, kinds, told), *same_act(offer, wanted, seen)):
                self._add(number, gain, what, "value")

    def weigh_mentions(self, text: str) -> None:
        """Count a tool that is called by its name, and a search where something is looked for."""
        seeking = SEEKING.match(text) is not None
        for number, offer in enumerate(self.shelf.offers):
            if offer.name in text and "_" in offer.name:
                self._add(number, MENTIONED, offer.name, "named in the wish")
            searches = offer.concepts.get("seek", (0.0, ""))[1] == "name"
            if seeking and searches and any(p.role == "query" for p in offer.required):
                self._add(number, SOUGHT, "a search", "wish")

    def weigh_pairs(self, found: Sequence[Term]) -> None:
        """Count words that stand together in the wish and in what a tool says of itself."""
        pairs = pairs_of([found])
        for number, offer in enumerate(self.shelf.offers):
            for one, two in sorted(pairs & offer.pairs)[:MOST_PAIRS]:
                self._add(number, PAIR, f"{one} {two}", "together")

    def takes_day(self, values: Sequence[Span]) -> bool:
        """Whether a day is told and a tool that fits requires one."""
        return any(span.kind == "date" for span in values) and any(
            evidence >= ENOUGH and any(param.role in ("date", "datetime") for param in offer.required)
            for evidence, offer in zip(self.evidence, self.shelf.offers, strict=True)
        )

    def _add(self, number: int, gain: float, what: str, where: str) -> None:
        self.evidence[number] += gain
        self.ranked[number] += gain
        self.words[number].append((what, where))


def is_verb(term: Term, text: str, start: int) -> bool:
    """Whether a word tells what to do: no "the order", no "books", and no "add 3 and 4" where something is made."""
    before, after = text[: term.start - start], text[term.end - start :]
    sum_ = term.stem == "add" and after.lstrip()[:1].isdigit()
    plural = text[term.start - start : term.end - start].lower().endswith("s")
    return NOUN_BEFORE.search(before) is None and not sum_ and not plural


def focus_of(found: Sequence[Term], text: str) -> Term | None:
    """The first thing that is asked for: "which **orders** …", "list the **orders** of the customer …"."""
    if ASKED.match(text) is None:
        return None
    return next((term for term in found if term.weight > WEAK), None)


def _by_value(result: list[Score], text: str, found: Sequence[Term], values: Sequence[Span]) -> list[Score]:
    """The wish is hardly more than a value ("Give me details about Paris"): the tool that takes such a value fits."""
    inside = {t.stem for t in found if t.weight == 1 and not any(v.start <= t.start < v.end for v in values)}
    asked = "?" in text or any(term.weight == WEAK for term in found)
    if inside or not asked:
        return result
    return [replace(s, evidence=s.evidence + ENOUGH) if any(w == "value" for _, w in s.words) else s for s in result]


def _catch_all(
    result: list[Score], text: str, found: Sequence[Term], shelf: Shelf, past: Past, words: frozenset[str]
) -> list[Score]:
    """Nothing fits by its words: a question may still go to a search over everything."""
    content = [term for term in found if term.weight > WEAK]
    asked = "?" in text or any(term.weight == WEAK for term in found)
    if not content or any(term.stem in _self_made() for term in found):
        return result
    general = any(offer.catch_all for offer in shelf.offers)
    for number, offer in enumerate(shelf.offers):
        if (asked and offer.catch_all) or (offer.finds_tools and not general):
            factor, fired, out = judge(offer, found, words, past)
            known = next((score for score in result if score.number == number), None)
            score = Score(number, offer, ENOUGH, ENOUGH * factor, (LAST_RESORT,), fired, out)
            result = [s for s in result if s is not known] + [score]
    return result


@cache
def _self_made() -> frozenset[str]:
    return frozenset(stem(word) for word in data()["self_made"].split())


def _untie(result: list[Score], text: str, seed: int) -> list[Score]:
    """Scores that are alike: which is first depends on the wish and the seed, as good as by chance."""
    open_ = [score for score in result if not score.excluded]
    alike = [score for score in open_ if score.score >= open_[0].score * (1 - TIE)] if open_ else []
    if len(alike) < 2:
        return result
    lots = {s.number: hashlib.blake2b(f"{seed}|{text}|{s.number}".encode(), digest_size=8).digest() for s in alike}
    return sorted(alike, key=lambda s: lots[s.number]) + [score for score in result if score not in alike]
