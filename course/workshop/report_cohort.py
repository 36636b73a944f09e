"""A cohort: the answers of many hand-ins, each person once, each answer once, graded with the bank at hand.

A person is a history: two people of one name stay two, one person with two files is one. Lines without a history (a
poll) belong to the only history of that name, else to the name. Where two files hold the same answer, the one made last
counts. An answer to the bank's own version of a question is graded anew; other versions keep the recorded score.
Kinds whose grading runs what was handed in keep it, too: nothing a learner wrote is executed here.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from course.facts import say
from course.quiz.bank import Bank
from course.quiz.grading import grade
from course.quiz.handin import Line
from course.workshop.results import HandIn, Problem

__all__ = ["Cohort", "Given", "Person", "cohort"]

GRADED_HERE = frozenset({"single", "select_n", "order", "match", "spot_block", "numeric"})


@dataclass(frozen=True)
class Given:
    """One answer. who: an id that no report shows. exact: it belongs to the bank's version of the question."""

    who: str
    item: str
    try_number: int
    response: Any
    score: float
    confidence: int | None
    at: datetime
    source: str
    form: str | None
    exact: bool
    misconceptions: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        """True for a full score."""
        return self.score >= 1


@dataclass(frozen=True)
class Person:
    """One person: the names used, how many answers count, and whether all files were signed."""

    who: str
    names: tuple[str, ...]
    answers: int
    signed: bool


@dataclass(frozen=True)
class Cohort:
    """Everybody's answers, oldest first, and what is to be looked at. left_out: answers that can't count here.

    trust: "signed", "self" (self-reported) or "some" (of either).
    """

    people: tuple[Person, ...]
    answers: tuple[Given, ...]
    problems: tuple[Problem, ...]
    left_out: int = 0
    forms: tuple[str, ...] = ()
    trust: str = "self"


@dataclass(frozen=True)
class _Found:
    """One line of one file."""

    who: str
    file: str
    number: int
    line: Line
    signed: bool


def cohort(hand_ins: Sequence[HandIn], bank: Bank, problems: Iterable[Problem] = ()) -> Cohort:
    """Put hand-ins together and grade them."""
    told = list(problems)
    rows = _union(_identified(hand_ins, told), told)
    marked = [_graded(row, bank, told) for row in rows]
    answers = [given for given in marked if given is not None]
    told += _versions(rows, bank)
    counts = Counter(given.who for given in answers)
    names: dict[str, set[str]] = {}
    signed: dict[str, bool] = {}
    for row in rows:
        names.setdefault(row.who, set()).add(row.line.learner)
        signed[row.who] = signed.get(row.who, True) and row.signed
    people = tuple(Person(who, tuple(sorted(names[who])), counts[who], signed[who]) for who in sorted(counts))
    marks = {person.signed for person in people}
    return Cohort(
        people=people,
        answers=tuple(sorted(answers, key=lambda given: (given.at, given.who, given.item, given.try_number))),
        problems=tuple(sorted(set(told))),
        left_out=len(rows) - len(answers),
        forms=tuple(sorted({given.form for given in answers if given.form})),
        trust="some" if len(marks) == 2 else "signed" if marks == {True} else "self",
    )


def _identified(hand_ins: Sequence[HandIn], told: list[Problem]) -> list[_Found]:
    """Say of every line whose it is, the file made last first."""
    owners: dict[str, dict[str, set[str]]] = {}
    for handed in hand_ins:
        if handed.history:
            for name in {line.learner for _, line in handed.lines}:
                owners.setdefault(name, {}).setdefault(handed.history, set()).add(handed.file)
    known_as: dict[str, dict[str, set[str]]] = {}
    for name, histories in owners.items():
        for history, held in histories.items():
            known_as.setdefault(history, {})[name] = held
        if len(histories) > 1:
            files = ", ".join(sorted(set().union(*histories.values())))
            told.append(_told("", 0, "names", count=len(histories), name=name, files=files))
    for names in known_as.values():
        if len(names) > 1:
            files = ", ".join(sorted(set().union(*names.values())))
            told.append(_told("", 0, "renamed", names=", ".join(sorted(names)), files=files))
    found = []
    for handed in reversed(hand_ins):
        for number, line in handed.lines:
            only = owners.get(line.learner, {})
            owner = handed.history or (next(iter(only)) if len(only) == 1 else None)
            who = f"history {owner}" if owner else f"name {line.learner}"
            found.append(_Found(who, handed.file, number, line, handed.signed))
    return found


def _union(rows: Iterable[_Found], told: list[Problem]) -> list[_Found]:
    """Return each answer once; of two that differ, the one in the file made last."""
    kept: dict[tuple[Any, ...], _Found] = {}
    for row in rows:
        mark = (row.who, row.line.item, row.line.at, row.line.source, row.line.try_number)
        if mark not in kept:
            kept[mark] = row
        elif kept[mark].line.response != row.line.response:
            told.append(
                _told(row.file, row.number, "changed", file=kept[mark].file, item=row.line.item, at=row.line.at)
            )
    return list(kept.values())


def _graded(row: _Found, bank: Bank, told: list[Problem]) -> Given | None:
    """Return the answer with the score that counts; None, and a word, where it can't count."""
    line, item = row.line, bank.items.get(row.line.item)
    if item is None or item.kind == "open":
        return None
    score, misconceptions = float(line.score), tuple[str, ...]()
    exact = item.version == line.version
    if exact and item.kind in GRADED_HERE:
        result = grade(item, line.response, mode="exam" if line.source == "exam" else "practice")
        if result.verdict == "invalid":
            told.append(_told(row.file, row.number, "invalid", item=item.id))
            return None
        if abs(result.score - score) > 1e-6:
            values = {"item": item.id, "was": f"{score:g}", "now": f"{result.score:g}"}
            told.append(_told(row.file, row.number, "regraded", **values))
        score, misconceptions = result.score, result.misconceptions
    return Given(
        who=row.who,
        item=item.id,
        try_number=line.try_number,
        response=line.response,
        score=score,
        confidence=line.confidence,
        at=datetime.fromisoformat(line.at),
        source=line.source,
        form=line.form,
        exact=exact,
        misconceptions=misconceptions,
    )


def _versions(rows: Sequence[_Found], bank: Bank) -> list[Problem]:
    """Tell, once for each question, which answers are to another version, or to no question of the bank."""
    strange: dict[tuple[str, int], None] = {}
    for row in rows:
        item = bank.items.get(row.line.item)
        if item is None or item.version != row.line.version:
            strange[row.line.item, row.line.version] = None
    told = []
    for id, version in sorted(strange):
        if item := bank.items.get(id):
            told.append(_told("", 0, "version", item=id, given=version, known=item.version))
        else:
            told.append(_told("", 0, "unknown", item=id))
    return told


def _told(file: str, line: int, name: str, /, **values: Any) -> Problem:
    return Problem(
        file,
        line,
        say(f"report.merge.{name}", **values),
        say(f"report.merge.{name}_todo", count=values.get("count", "")),
    )
