"""What a tool's own rules and the system prompt say for or against it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from course.mockmodel.evidence import gains_of
from course.mockmodel.offers import Offer, Shelf
from course.mockmodel.rules import Rule
from course.mockmodel.words import Term, terms

__all__ = ["Past", "Pull", "judge", "pull_of"]


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


def _applies(rule: Rule, found: Sequence[Term], words: frozenset[str], past: Past) -> float:
    """Return how far a rule's own condition is met by wish and history, 0 to 1."""
    if rule.called:
        return float(past.holds(rule, words))
    concepts = {concept for term in found for concept in term.concepts}
    best = 0.0
    for topic in rule.topics:
        met = sum(stem in words or bool(concepts.intersection(also)) for stem, also in topic)
        best = max(best, met / len(topic))
    return best


def judge(
    offer: Offer, found: Sequence[Term], words: frozenset[str], past: Past
) -> tuple[float, tuple[str, ...], bool]:
    """Return (factor, sentences that spoke against it, whether it is ruled out)."""
    factor, fired, out = 1.0, [], False
    for rule in offer.rules:
        met = _applies(rule, found, words, past)
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
        gains = gains_of(term, shelf)
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
