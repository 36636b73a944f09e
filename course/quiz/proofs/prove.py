"""Prove an item: let its proof find the answer, and compare that with the key."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from course.facts import say
from course.quiz.grading import Grade, grade, key
from course.quiz.items import Item
from course.quiz.kinds import FadedCode, Mistake, RepairJson, SpotBlock, WriteSchema
from course.quiz.offline import broken_rules, full_request
from course.quiz.proofs.registry import ProofFailure, proofs, sheet

__all__ = ["Result", "prove"]


@dataclass(frozen=True)
class Result:
    """Whether an item is proven. `problems` says what was observed instead; `proven` is False where nothing ran."""

    item: str
    proven: bool
    problems: tuple[str, ...] = ()


def prove(item: Item) -> Result:
    """Run every proof `item` has. A proof that breaks down is a problem, too, never an exception."""
    problems: list[str] = []
    checks = list(_checks(item))
    for check in checks:
        try:
            problems += check(item)
        except Exception as error:
            problems.append(say("quiz.lint.proof.broke", error=f"{type(error).__name__}: {error}"))
    return Result(item.id, bool(checks) and not problems, tuple(problems))


def _checks(item: Item) -> Iterator[Any]:
    if item.proof:
        yield _named
    if isinstance(item, SpotBlock):
        yield _one_defect
    if isinstance(item, RepairJson | WriteSchema | FadedCode):
        yield _solved_and_unsolved


def _named(item: Item) -> Iterator[str]:
    assert item.proof
    try:
        function = proofs()[item.proof.name]
    except KeyError:
        yield say("quiz.lint.proof.unknown", name=item.proof.name)
        return
    try:
        found = function(sheet(item), **item.proof.params)
    except ProofFailure as failure:
        yield str(failure)
        return
    result = grade(item, found, mode="exam")
    if result.verdict != "correct":
        yield say("quiz.lint.proof.other", found=found, key=key(item), why=_why(result))


def _one_defect(item: Item) -> Iterator[str]:
    """The API must report the rule of the answer at its place, and nothing that lies apart from it.

    One fault often breaks two rules (a result under the wrong id also leaves its call unanswered), so what else is
    broken must be in the messages next to it.
    """
    assert isinstance(item, SpotBlock)
    broken = broken_rules(full_request({**item.request, "messages": list(item.trace)}))
    if not broken:
        yield say("quiz.lint.proof.sound")
        return
    place, *rest = (tuple(step for step in one.place if isinstance(step, int))[:2] for one in broken)
    if broken[0].rule != item.answer.rule:
        yield say("quiz.lint.proof.rule", found=broken[0].rule, key=item.answer.rule)
    if not any(answer[: len(place)] == place for answer in item.answer.places):
        yield say("quiz.lint.proof.place", found=list(place), key=[list(answer) for answer in item.answer.places])
    if not place or any(not other or abs(other[0] - place[0]) > 1 for other in rest):
        yield say("quiz.lint.proof.defects", rules=", ".join(f"{one.rule} {list(one.place)}" for one in broken))


def _solved_and_unsolved(item: Item) -> Iterator[str]:
    """The solution passes, the start doesn't, and every listed mistake is refused by the check it names."""
    assert isinstance(item, RepairJson | WriteSchema | FadedCode)
    solved = grade(item, key(item))
    if solved.verdict != "correct":
        yield say("quiz.lint.proof.unsolved", why=_why(solved))
    start = getattr(item, "start", "")
    if start and grade(item, start).verdict == "correct":
        yield say("quiz.lint.proof.start_passes")
    for place, mistake in enumerate(item.mistakes):
        yield from _refused(item, place, mistake)


def _refused(item: Item, place: int, mistake: Mistake) -> Iterator[str]:
    given = mistake.response
    result = grade(item, given if item.kind == "faded_code" else as_typed(given))
    if result.verdict == "correct":
        yield say("quiz.lint.proof.mistake_passes", n=place + 1)
        return
    failed = next((part.ref for part in result.parts if part.role == "check" and part.ok is False), result.verdict)
    if failed != mistake.fails:
        yield say("quiz.lint.proof.mistake_other", n=place + 1, found=failed, named=mistake.fails)


def as_typed(response: Any) -> str:
    """Return a response as the text a learner would type."""
    return response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)


def _why(result: Grade) -> str:
    bad = [f"{part.ref or part.label}: {part.text}" for part in result.parts if part.ok is False]
    return "; ".join(bad) or result.verdict
