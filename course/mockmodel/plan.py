"""Which calls a wish needs, which of them were made, and what is next. Computed anew from every request."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from course.mockmodel.fill import Context, Filled, fill, refers_back
from course.mockmodel.history import Call
from course.mockmodel.offers import Offer, Param, Shelf
from course.mockmodel.reaction import RETRIES, Failure, mended, read_failure
from course.mockmodel.results import facts_of
from course.mockmodel.wish import Part
from course.mockmodel.words import alike, spread, terms

__all__ = ["Plan", "Step", "make_plan"]

DEEPEST = 3
ANAPHOR = re.compile(r"\b(?:it|them|that|those|one|ones|him|her|his|their|its)\b|그것|그거|그걸", re.IGNORECASE)
NEXT_BEST = 0.7  # another tool may stand in when it scores this share of the one that failed


@dataclass(frozen=True)
class Step:
    """One call that the wish needs.

    needs: numbers of the steps that must have worked before. attempts: the calls in the history that were made for it.
    state: `done`, `failed`, `call` (its arguments are `input`), `lack` (required arguments are missing), `wait`,
    `dropped`.
    """

    part: Part
    offer: Offer
    filled: Filled
    input: Mapping[str, Any]
    needs: tuple[int, ...] = ()
    attempts: tuple[Call, ...] = ()
    state: str = "wait"
    failure: Failure | None = None
    why: str = ""


@dataclass(frozen=True)
class Plan:
    """Every step of a wish, in order."""

    steps: tuple[Step, ...] = ()

    def of(self, *states: str) -> list[Step]:
        """Return the steps in one of these states."""
        return [step for step in self.steps if step.state in states]


@dataclass
class _Pool:
    """Calls of this round that no step has claimed yet."""

    calls: list[Call] = field(default_factory=list)

    def take(self, name: str, wanted: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> Call | None:
        """Claim the call with these arguments, else the first of the tool that is no other step's."""
        mine = [call for call in self.calls if call.name == name]
        same = [call for call in mine if call.input == wanted]
        free = [call for call in mine if call.input not in others]
        for call in (same or free)[:1]:
            self.calls.remove(call)
            return call
        return None

    def follow(self, call: Call, mend: Callable[[], Mapping[str, Any] | None]) -> Call | None:
        """Claim the next attempt after a failed call: the same arguments again, or mended ones."""
        later = [other for other in self.calls if other.name == call.name and other.turn > call.turn]
        again = [other for other in later if other.input == call.input]
        if not again and later:
            better = mend()
            again = [other for other in later if other.input == better]
        for other in again[:1]:
            self.calls.remove(other)
            return other
        return None


class _Planner:
    def __init__(
        self, shelf: Shelf, context: Context, calls: Sequence[Call], before: Mapping[str, Any], wish: str, today: date
    ):
        self.shelf = shelf
        self.context = context
        self.pool = _Pool(list(calls))
        self.before = before
        self.wish = wish
        self.today = today
        self.steps: list[Step] = []

    def add(self, part: Part, offer: Offer, needs: tuple[int, ...], depth: int = 0) -> list[int]:
        """Add the steps for one tool, with those it depends on before it; return the numbers of its own."""
        given_needs = needs
        for rule in offer.rules:
            if rule.kind == "only" and rule.first and depth < DEEPEST and not set(rule.called) & set(self.before):
                first = next((o for name in rule.called if (o := self.shelf.named(name))), None)
                planned = [n for n, step in enumerate(self.steps) if step.offer.name in rule.called]
                if planned:
                    needs = (*needs, *planned)
                elif first is not None and first.name != offer.name:
                    needs = (*needs, *self.add(part, first, given_needs, depth + 1))
        filled = fill(offer, part, self.context)
        for param in filled.missing:
            if depth < DEEPEST:
                needs = (*needs, *self._producers(part, offer, param, given_needs, depth))
        needs = tuple(dict.fromkeys(needs))
        inputs = [filled.input]
        inputs += [{**filled.input, **row} for row in filled.others]
        numbers = []
        for given in inputs:
            if any(step.offer is offer and step.input == given and not step.filled.missing for step in self.steps):
                continue
            numbers.append(len(self.steps))
            self.steps.append(Step(part, offer, filled, given, needs))
        return numbers

    def _producers(self, part: Part, offer: Offer, param: Param, needs: tuple[int, ...], depth: int) -> list[int]:
        """Steps whose result may hold a missing argument: one that is planned, else one to be planned."""
        planned = [n for n, step in enumerate(self.steps) if step.offer is not offer and _gives(step.offer, param)]
        if not planned and self.steps and refers_back(part, param):
            planned = [len(self.steps) - 1]
        if planned:
            return planned[-1:]
        order = {score.offer.name: place for place, score in enumerate(part.ranked)}
        for _, number in sorted(
            (*self._rated(other, param, order), number) for number, other in self._makers(offer, param)
        ):
            other = self.shelf.offers[number]
            if self._fillable(other, part, depth + 1):
                return self.add(part, other, needs, depth + 1)
        return [len(self.steps) - 1] if self.steps and ANAPHOR.search(part.mask) else []

    def _makers(self, offer: Offer, param: Param) -> list[tuple[int, Offer]]:
        """The tools whose result may hold an argument: they look something up, and do not want it themselves."""
        return [
            (number, other)
            for number, other in enumerate(self.shelf.offers)
            if other is not offer
            and (not other.acts or other.acts == ("create",))
            and all(own.name != param.name for own in other.required)
            and _gives(other, param)
        ]

    def _fillable(self, offer: Offer, part: Part, depth: int) -> bool:
        """Whether a tool can be called with what the part says and what planned or further calls bring."""
        filled = fill(offer, part, self.context)
        fits = any(score.offer is offer and score.fits for score in part.ranked)
        told = any(
            "at" in source or source["from"] == "result" or (fits and source["from"] == "wish")
            for source in filled.sources.values()
        )
        for param in filled.missing:
            planned = any(step.offer is not offer and _gives(step.offer, param) for step in self.steps)
            if not planned:
                makers = self._makers(offer, param) if depth < DEEPEST else []
                if not any(self._fillable(other, part, depth + 1) for _, other in makers):
                    return False
        return told or bool(filled.missing) or not offer.params

    @staticmethod
    def _rated(other: Offer, param: Param, order: Mapping[str, int]) -> tuple[tuple[int, int]]:
        return ((-_gives(other, param), order.get(other.name, len(order))),)

    def settle(self) -> None:
        """Tie calls of the history to steps, and say of each step what is next. May add a stand-in for a failed one."""
        number = 0
        while number < len(self.steps):
            self.steps[number] = self._settled(number)
            step = self.steps[number]
            if step.state == "failed" and (other := self._other(step)) is not None and len(self.steps) < 40:
                self.steps[number] = replace(step, state="dropped", why="another tool")
                added = self.add(step.part, other, step.needs, DEEPEST)
                for later in range(number + 1, len(self.steps)):
                    if number in self.steps[later].needs:
                        swapped = (*(n for n in self.steps[later].needs if n != number), *added)
                        self.steps[later] = replace(self.steps[later], needs=swapped)
            number += 1

    def _settled(self, number: int) -> Step:
        step = self.steps[number]
        others = [other.input for n, other in enumerate(self.steps) if n != number and other.offer is step.offer]
        states = [self.steps[need].state for need in step.needs if need < number]
        attempts: list[Call] = []
        call = self.pool.take(step.offer.name, step.input, others)
        while call is not None:
            attempts.append(call)
            if not call.is_error:
                return replace(step, attempts=tuple(attempts), input=call.input, state="done")
            call = self.pool.follow(
                call,
                lambda last=call: mended(step.offer, last.input, last.text, self.wish, self.today),  # type: ignore[misc]
            )
        if attempts:
            return self._after_failure(step, attempts)
        if any(state in ("failed", "dropped") for state in states):
            return replace(step, state="dropped", why="a step before it failed")
        if any(state != "done" for state in states):
            return replace(step, state="wait")
        if self._refused(step):
            return replace(step, state="dropped", why="a condition is not met")
        if step.filled.missing:
            return replace(step, state="lack")
        return replace(step, state="call")

    def _refused(self, step: Step) -> bool:
        """Whether a result says no to what a rule asks for: `verified: false` where it wants a verified customer."""
        for rule in step.offer.rules:
            if rule.kind == "only" and rule.first:
                told = {term.stem for term in terms(rule.text)}
                for need in step.needs:
                    before = self.steps[need]
                    if before.offer.name in rule.called and before.attempts:
                        facts = facts_of(before.offer.name, before.attempts[-1].text)
                        if any(f.value is False and told & {t.stem for t in terms(spread(f.key))} for f in facts):
                            return True
        return False

    def _after_failure(self, step: Step, attempts: list[Call]) -> Step:
        last = attempts[-1]
        failure = read_failure(last.text)
        step = replace(step, attempts=tuple(attempts), failure=failure, input=last.input)
        if last.server:
            return replace(step, state="failed", why="server")
        tried = sum(call.input == last.input for call in attempts)
        if failure.retry and tried <= RETRIES:
            return replace(step, state="call", why="again")
        if failure.kind in ("invalid", "unclear") and len(attempts) <= RETRIES + 1:
            better = mended(step.offer, last.input, last.text, self.wish, self.today)
            if better is not None and all(better != call.input for call in attempts):
                return replace(step, state="call", input=better, why="mended")
        return replace(step, state="failed", why="gave up" if failure.retry else failure.kind)

    def _other(self, step: Step) -> Offer | None:
        """Another tool for a failed step: one that the error names, else (unless it was refused) the next best."""
        tried = {other.offer.name for other in self.steps}
        told = step.attempts[-1].text
        for offer in self.shelf.offers:
            if offer.name not in tried and re.search(rf"(?<!\w){re.escape(offer.name)}(?!\w)", told):
                return offer
        if step.failure is None or step.failure.kind == "denied" or not step.part.ranked:
            return None
        best = step.part.ranked[0].score
        for score in step.part.ranked[1:4]:
            fitting = score.fits and score.score >= NEXT_BEST * best and score.offer.name not in tried
            if fitting and not score.offer.acts and not fill(score.offer, step.part, self.context).missing:
                return score.offer
        return None


def _gives(offer: Offer, param: Param) -> int:
    """How sure it is that a tool's result holds this argument, 0 to 3."""
    if re.search(rf"(?<!\w){re.escape(offer.name)}(?!\w)", param.text):
        return 3
    words = [word for word in param.words if word not in ("to", "from", "new", "the")]
    if words and all(not alike(word).isdisjoint(offer.returns) for word in words):
        return 2
    nouns = [word for word in words if word not in ("id", "number", "no", "code", "ref", "reference", "uuid", "key")]
    named = offer.stems
    if param.role == "id" and nouns and all(named.get(word, (0.0, ""))[1] == "name" for word in nouns):
        return 1
    about = {concept for concept, (_, where) in offer.concepts.items() if where == "name"}
    if param.role in ("phone", "email") and about & {"customer", "person"}:
        return 1
    return int(param.role == "place" and "place" in about and not offer.required)


def make_plan(
    parts: Sequence[Part],
    shelf: Shelf,
    context: Context,
    calls: Sequence[Call],
    *,
    before: Mapping[str, Any],
    wish: str,
    today: date,
) -> Plan:
    """Return the plan for the parts of a wish. calls: those of this round; before: tools called in earlier rounds."""
    planner = _Planner(shelf, context, calls, before, wish, today)
    earlier: list[int] = []
    for part in parts:
        if part.best is None:
            continue
        first = len(planner.steps)
        ordered = part.after and (bool(part.best.offer.acts) or any(planner.steps[n].offer.acts for n in earlier))
        planner.add(part, part.best.offer, tuple(earlier) if ordered else ())
        earlier = list(range(first, len(planner.steps))) or earlier
    planner.settle()
    return Plan(tuple(planner.steps))
