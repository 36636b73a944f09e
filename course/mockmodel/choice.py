"""Which tool fits a piece of the wish: retrieval over names, descriptions and parameters, and the rules they state."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from course.mockmodel.offers import Offer, Param, Shelf
from course.mockmodel.rules import Rule
from course.mockmodel.span import Span
from course.mockmodel.words import WEAK, Term, data, spread, stem, table, terms

__all__ = ["Past", "Pull", "Score", "applies", "fitting", "pull_of", "rank"]

ASKED = re.compile(
    r"^\W*(?:please\s+)?(?:which|what|how many|whose|list|show|get|give|find|tell|fetch|look up|pull up)\b",
    re.IGNORECASE,
)
FOCUS = 1.5  # how much more the first thing asked for counts
NOUN_BEFORE = re.compile(
    r"\b(?:the|my|her|his|their|our|your|this|that|which|what|whose|by|of|last|latest|new|with|many)\s+$", re.IGNORECASE
)
SEEKING = re.compile(
    r"^\W*(?:please\s+)?(?:can you |could you |i'm |i am |we're )?(?:look(?:ing)?|search(?:ing)?|shop(?:ping)?|hunt(?:ing)?) for\b",
    re.IGNORECASE,
)
COVERED = 0.1  # evidence for a tool that every word of weight points to
SOUGHT = 0.6  # evidence for a search by words where the wish says that it looks for something
ABSORBED = 0.08  # for each value of the wish that a tool has a place for
CARRIED = frozenset(
    [
        "quoted",
        "date",
        "time",
        "email",
        "id",
        "path",
        "money",
        "place",
        "code",
        "language",
        "currency",
        "url",
        "expression",
        "sql",
        "room",
    ]
)
FORMED = frozenset(
    [
        "place",
        "date",
        "datetime",
        "id",
        "email",
        "path",
        "number",
        "currency",
        "language",
        "sql",
        "expression",
        "url",
        "phone",
        "ticker",
        "unit",
        "timezone",
    ]
)
UNSUPPLIED = 0.15  # how far a tool is held back when nothing that it requires is there
BEGINNING = 0.7  # how much of the longer word has to be the same
ENOUGH_TOLD = 1.2
SEEK = ("seek",)
ENOUGH = 0.5  # evidence below this: no tool fits
CONCEPT, PREFIX = 0.75, 0.6  # how much a synonym, or a word with the same beginning, counts beside the word itself
TIE = 0.03  # scores this close (as a share of the best) are alike: the seed decides
LAST_RESORT = ("a question", "search over everything")
SPECIAL = {
    "email",
    "path",
    "url",
    "expression",
    "sql",
    "id",
    "currency",
    "ticker",
    "phone",
    "language",
    "cuisine",
    "unit",
}


@dataclass(frozen=True)
class Past:
    """What was called before, in the history that was sent: tool -> terms of the arguments of each call that worked."""

    calls: Mapping[str, tuple[frozenset[str], ...]] = field(default_factory=dict)

    def holds(self, rule: Rule, words: frozenset[str]) -> bool:
        """Whether one of the rule's tools was called before (and, where it says so, for the same question)."""
        names = tuple(self.calls) if rule.called == ("any",) else rule.called
        return any(
            not rule.same or 2 * len(words & told) >= len(words) for name in names for told in self.calls.get(name, ())
        )


@dataclass(frozen=True)
class Pull:
    """What the system prompt says of tools: factor per tool number, and the words that did it."""

    factors: Mapping[int, float] = field(default_factory=dict)
    words: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


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

    found and values: terms and values of `text`. start: where `text` begins in the wish. general: a search over everything may be the last resort.
    told: the text tells something rather than asking for it, so more must speak for a tool.
    """
    focus = _focus(found, text)
    count = len(shelf.offers)
    evidence = [0.0] * count
    ranked = [0.0] * count
    words: list[list[tuple[str, str]]] = [[] for _ in range(count)]
    seen: set[str] = set()
    wanted_acts: dict[str, None] = {}
    for term in found:
        if term.acts and _is_verb(term, text, start):
            wanted_acts.update(dict.fromkeys(term.acts))
        if term.stem in seen:
            continue
        seen.add(term.stem)
        gains = _gains(term, shelf)
        rarity = 1.0 if count < 2 else 1.0 - 0.6 * (len(gains) - 1) / (count - 1)
        for number, (gain, where) in gains.items():
            evidence[number] += term.weight * gain
            ranked[number] += term.weight * gain * rarity * (FOCUS if term is focus else 1.0)
            words[number].append((term.stem.replace("_", " "), where))
    kinds = {span.kind for span in values}
    content = {
        t.stem.replace("_", " ")
        for t in found
        if t.weight > WEAK and not any(v.start <= t.start < v.end for v in values)
    }
    ids = [s for s in values if s.kind in ("id", "path") and any(fitting(p, s) for o in shelf.offers for p in o.params)]
    seeking = SEEKING.match(text) is not None
    result = []
    for number, offer in enumerate(shelf.offers):
        if offer.name in text and "_" in offer.name:
            evidence[number] += 3.0
            ranked[number] += 3.0
            words[number].append((offer.name, "named in the wish"))
        for gain, what in (*_fitting_values(offer, values, kinds), *_same_act(offer, wanted_acts, seen)):
            evidence[number] += gain
            ranked[number] += gain
            words[number].append((what, "value"))
        if (
            seeking
            and offer.concepts.get("seek", (0.0, ""))[1] == "name"
            and any(p.role == "query" for p in offer.required)
        ):
            evidence[number] += SOUGHT
            ranked[number] += SOUGHT
            words[number].append(("a search", "wish"))
        if not evidence[number]:
            continue
        ranked[number] += ABSORBED * _absorbed(offer, values)
        told_by = dict(words[number])
        if content and content <= told_by.keys() and "name" in told_by.values():
            evidence[number] += COVERED
        factor, fired, excluded = _judge(offer, found, frozenset(seen), past)
        factor *= _taking(offer, ids)
        factor *= _supplied(offer, values) * _number(offer, focus, text)
        factor *= _acting(offer, wanted_acts, ASKED.match(text) is not None) * pull.factors.get(number, 1.0)
        words[number].extend((word, "system prompt") for word in pull.words.get(number, ()))
        score = Score(
            number,
            offer,
            evidence[number],
            ranked[number] * factor,
            tuple(words[number]),
            fired,
            excluded,
            ENOUGH_TOLD if told else ENOUGH,
        )
        result.append(score)
    if not any(score.fits for score in result):
        result = _by_value(result, text, found, values)
    if general and not told and not any(score.fits for score in result):
        result = _catch_all(result, text, found, shelf, past, frozenset(seen))
    result.sort(key=lambda s: (s.excluded, -s.score, s.number))
    return _untie(result, text, seed)


def _is_verb(term: Term, text: str, start: int) -> bool:
    """Whether a word tells what to do: no "the order", and no "add 3 and 4" where something is to be made."""
    before, after = text[: term.start - start], text[term.end - start :]
    sum_ = term.stem == "add" and after.lstrip()[:1].isdigit()
    return NOUN_BEFORE.search(before) is None and not sum_


def _focus(found: Sequence[Term], text: str) -> Term | None:
    """The first thing that is asked for: "which **orders** …", "list the **orders** of the customer …"."""
    if ASKED.match(text) is None:
        return None
    return next((term for term in found if term.weight > WEAK), None)


def _gains(term: Term, shelf: Shelf) -> dict[int, tuple[float, str]]:
    """Return tool number -> (gain, field) for one word of the wish: the word itself, else a synonym, else a beginning."""
    gains: dict[int, tuple[float, str]] = {}

    def offer(entries: Sequence[tuple[int, float, str]], quality: float) -> None:
        for number, weight, where in entries:
            if weight * quality > gains.get(number, (0.0, ""))[0]:
                gains[number] = (weight * quality, where)

    offer(shelf.by_stem.get(term.stem, ()), 1.0)
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
    return param.role in SPECIAL and (param.role == span.kind or (param.role == "ticker" and span.kind == "code"))


def _led_apart(ends: Sequence[Param], values: Sequence[Span]) -> bool:
    """Whether two places stand where a tool's two ends want them: "from Bonn to Cologne"."""
    places = [span for span in values if span.kind in ("place", "name", "foreign", "phrase", "capital")]
    led = [{p.name for p in ends if p.before.intersection((*s.before[:1], *s.after[:1]))} for s in places]
    return any(a and b and (a != b or len(a | b) > 1) for n, a in enumerate(led) for b in led[n + 1 :])


def _same_act(offer: Offer, wanted: Mapping[str, None], seen: set[str]) -> list[tuple[float, str]]:
    """A verb that means the same as the tool's: "remove" for delete_file."""
    meant = next((act for act in offer.acts if act in wanted), None)
    said = any(where == "name" and word in seen for word, (_, where) in offer.stems.items()) if meant else False
    verb = stem(spread(offer.name).lower().split()[0]) if meant else ""
    return [(0.3, meant)] if meant and not (said and verb in seen) else []


def _absorbed(offer: Offer, values: Sequence[Span]) -> int:
    """How many of the values a tool has a place for, each parameter taking one (or many)."""
    fits = data()["fits"]
    free = list(offer.params)
    count = 0
    for span in values:
        if span.kind not in CARRIED:
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


def _fitting_values(offer: Offer, values: Sequence[Span], kinds: set[str]) -> list[tuple[float, str]]:
    found: list[tuple[float, str]] = []
    used: list[Span] = []
    for param in offer.params:
        if param.role in ("place", "date", "number", "enum", "boolean", "title", "content", "query", "text"):
            continue
        for span in values:
            if span not in used and fitting(param, span):
                used.append(span)
                strong = param.role in ("id", "expression", "sql")
                found.append((0.6 if strong and param.required else 0.35 if param.required else 0.15, span.text))
                break
        else:
            if param.role == "id" and param.pattern is None and (loose := [s for s in values if s.kind == "id"]):
                found.append((0.15, loose[0].text))
    for param in offer.params:
        if param.many and param.role == "number" and sum(s.kind == "number" for s in values) > 1:
            found.append((0.35, param.name))
            break
        counted = [s for s in values if s.kind in ("number", "money")] if param.role == "number" else []
        if any(param.before.intersection(s.before[:2]) for s in counted):
            found.append((0.35, param.name))
            break
        if any(s.after and s.after[0] in param.after for s in counted):
            found.append((0.15, param.name))
            break
    ends = [p for p in offer.required if p.role in ("place", "region")]
    if len(ends) > 1 and _led_apart(ends, values):
        found.append((0.5, "from … to …"))
    if "date" in kinds and any(param.role == "date" and param.required for param in offer.params):
        found.append((0.15, next(span.text for span in values if span.kind == "date")))
    for role, kind in (
        ("place", "place"),
        ("place", "room"),
        ("person", "name"),
        ("name", "name"),
        ("code", "identifier"),
        ("query", "identifier"),
    ):
        if kind in kinds and any(param.role == role and param.required for param in offer.params):
            found.append((0.15, next(span.text for span in values if span.kind == kind)))
    return found


def _taking(offer: Offer, ids: Sequence[Span]) -> float:
    """Hold back a tool with no place for an id or path that another tool takes."""
    if not ids or any(fitting(param, span) for param in offer.params for span in ids):
        return 1.0
    return 0.7


def _supplied(offer: Offer, values: Sequence[Span]) -> float:
    """Hold back a tool whose required values of a certain form (a place, a date, an id) are not there."""
    formed = [p for p in offer.params if p.required and p.role in FORMED]
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


def _number(offer: Offer, focus: Term | None, text: str) -> float:
    """Prefer a tool for many where many are asked for: "which orders"."""
    if focus is None or offer.stems.get(focus.stem, (0.0, ""))[1] != "name":
        return 1.0
    if not _plural(text, focus.stem):
        return 1.0
    return 1.15 if _plural(offer.name, focus.stem) else 0.9


def _plural(text: str, base: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(base)}(?:e?s|ies)(?![a-z])", text.lower()) is not None


def _acting(offer: Offer, wanted: Mapping[str, None], asked: bool) -> float:
    """Hold back a tool that changes something when the wish asks for no such change, and the other way round."""
    if offer.acts:
        related = {other for act in wanted for other in table("related").get(act, ())}
        if any(act in wanted for act in offer.acts):
            return 1.5 if next(iter(wanted)) in offer.acts else 1.2
        return 1.0 if related.intersection(offer.acts) else 0.4 if asked else 0.6
    return 1.0


def applies(rule: Rule, found: Sequence[Term], words: frozenset[str], past: Past) -> float:
    """Return how far a rule's own condition is met by wish and history, 0 to 1."""
    if rule.called:
        return float(past.holds(rule, words))
    concepts = {concept for term in found for concept in term.concepts}
    best = 0.0
    for topic in rule.topics:
        met = sum(stem in words or bool(concepts.intersection(also)) for stem, also in topic)
        best = max(best, met / len(topic))
    return best


def _judge(
    offer: Offer, found: Sequence[Term], words: frozenset[str], past: Past
) -> tuple[float, tuple[str, ...], bool]:
    """Return (factor, sentences that spoke against it, whether it is ruled out)."""
    factor, fired, out = 1.0, [], False
    for rule in offer.rules:
        met = applies(rule, found, words, past)
        if rule.kind == "only" and rule.called:
            if not met and not rule.first:
                factor, out = factor * 0.1, True
                fired.append(rule.text)
        elif rule.kind == "only" and met < 0.3:
            factor *= 0.5
            fired.append(rule.text)
        elif rule.kind == "never" and met >= 0.34:
            factor *= 0.15 if met >= 0.6 else 0.75
            out = out or met >= 0.6
            fired.append(rule.text)
    return factor, tuple(fired), out


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
            factor, fired, out = _judge(offer, found, words, past)
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


def pull_of(system: str, shelf: Shelf) -> Pull:
    """Return what a system prompt does to the choice: its words lend weight to the tools that share them."""
    if not system or not shelf.offers:
        return Pull()
    gained = [0.0] * len(shelf.offers)
    words: list[list[str]] = [[] for _ in shelf.offers]
    seen: set[str] = set()
    for term in terms(system[:4000]):
        if term.weight < 1 or term.stem in seen:
            continue
        seen.add(term.stem)
        gains = _gains(term, shelf)
        if len(gains) == len(shelf.offers) > 1:
            continue
        for number, (gain, _) in gains.items():
            gained[number] += gain
            words[number].append(term.stem)
    best = max(gained)
    factors = {n: 1.0 + 0.4 * gain / max(best, 2.0) for n, gain in enumerate(gained) if gain}
    for number, offer in enumerate(shelf.offers):
        if offer.name in system:
            against = f"not use {offer.name}" in system or f"never use {offer.name}" in system
            factors[number] = 0.3 if against else 1.6
            words[number] = [offer.name]
    return Pull(factors, {n: tuple(w[:5]) for n, w in enumerate(words) if n in factors})
