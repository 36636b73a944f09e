"""What the events tell about answers, and how a corrected question re-scores them.

An answer keeps its raw response with the versions of item and grader. When an item's key or a grader changes, its
version counts up, and `regrade` scores the old responses again: the old grade stays, a new one is added.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from course.quiz.bank import Bank
from course.quiz.events import Event
from course.quiz.grading import GRADER_VERSION, grade
from course.quiz.grading.grade import Grade
from course.quiz.store import Store

__all__ = ["OF_ANSWERS", "Answer", "Correction", "answers", "flagged", "graded_event", "missed", "regrade"]

OF_ANSWERS = ("answered", "graded", "regraded")
"""The kinds of events that `answers` reads."""
GRADED_BY = "graded_by"


@dataclass(frozen=True)
class Answer:
    """One answer with its newest grade.

    key: of the `answered` event. verdict: None while it is not graded (an exam under way). score: 0…1.
    counts: it belongs in a score. order: the option ids as they were shown. was: score before a re-grading.
    """

    seq: int
    key: str
    at: datetime
    item: str
    attempt: str
    mode: str
    response: Any
    item_version: int
    try_number: int = 1
    seconds: float = 0.0
    confidence: int | None = None
    hints: int = 0
    order: tuple[str, ...] = ()
    score: float = 0.0
    verdict: str | None = None
    counts: bool = True
    misconceptions: tuple[str, ...] = ()
    grader_version: int = 0
    was: float | None = None

    @property
    def right(self) -> bool:
        """True for a full score."""
        return self.verdict == "correct"


def answers(events: Iterable[Event]) -> list[Answer]:
    """Return the answers among `events` in the order they were given, each with its newest grade."""
    given: dict[str, Event] = {}
    marks: dict[str, list[Event]] = {}
    for event in events:
        if event.kind == "answered":
            given[event.key] = event
        elif event.kind in ("graded", "regraded"):
            marks.setdefault(event.data.get("of", ""), []).append(event)
    return [_answer(event, marks.get(key, ())) for key, event in given.items()]


def _answer(event: Event, marks: Sequence[Event]) -> Answer:
    """Put an answer together: what was given, the newest grade, and the score before the first re-grading."""
    data, mark = event.data, marks[-1].data if marks else None
    was = next((graded.data["was"] for graded in marks if graded.kind == "regraded"), None)
    return Answer(
        seq=event.seq,
        key=event.key,
        at=event.at,
        item=event.item or "",
        attempt=event.attempt or "",
        mode=data["mode"],
        response=data["response"],
        item_version=mark["item_version"] if mark else data["item_version"],
        try_number=data["try"],
        seconds=data["seconds"],
        confidence=data.get("confidence"),
        hints=data.get("hints", 0),
        order=tuple(data.get("order", ())),
        score=mark["score"] if mark else 0.0,
        verdict=mark["verdict"] if mark else None,
        counts=mark.get("counts", True) if mark else True,
        misconceptions=tuple(mark.get("misconceptions", ())) if mark else (),
        grader_version=mark["grader_version"] if mark else 0,
        was=was,
    )


def missed(found: Iterable[Answer]) -> tuple[str, ...]:
    """Return the items whose newest answer was not right, the surest first; an open answer is no miss."""
    newest = {answer.item: answer for answer in found if answer.verdict is not None and answer.counts}
    wrong = [answer for answer in newest.values() if not answer.right]
    return tuple(answer.item for answer in sorted(wrong, key=lambda answer: -(answer.confidence or 0)))


def flagged(events: Iterable[Event]) -> tuple[str, ...]:
    """Return the items that are flagged, in practice or in an exam."""
    marks = {event.item: event.data["on"] for event in events if event.kind == "flagged"}
    return tuple(item for item, on in marks.items() if item and on)


def graded_event(answer_key: str, result: Grade, attempt: str, at: datetime, try_number: int) -> Event:
    """Return the event that records the grade of the answer `answer_key`."""
    return Event("graded", f"graded:{answer_key}", at, attempt, result.item_id, _marks(answer_key, result, try_number))


def _marks(answer_key: str, result: Grade, try_number: int) -> dict[str, Any]:
    return {
        "of": answer_key,
        "item_version": result.item_version,
        "grader_version": result.grader_version,
        "score": result.score,
        "verdict": result.verdict,
        "counts": result.counts,
        "misconceptions": list(result.misconceptions),
        "mode": result.mode,
        "try": try_number,
    }


@dataclass(frozen=True)
class Correction:
    """An answer whose score changed because its question or grader was mended. `verdict` is the new one."""

    item: str
    on: datetime
    attempt: str
    was: float
    now: float
    verdict: str


def regrade(store: Store, bank: Bank) -> list[Correction]:
    """Score again every answer that was graded by an older version; return those whose score changed.

    An answer the mended item can't grade any more (an option is gone) keeps its grade. A question that has left
    the bank keeps its grades, too. While no version has changed since the last time, the history is not read.
    """
    versions = _versions(bank)
    if store.setting(GRADED_BY) == versions:
        return []
    corrections, events = [], []
    for answer in answers(store.events(OF_ANSWERS)):
        item = bank.items.get(answer.item)
        if item is None or answer.verdict is None:
            continue
        if (answer.item_version, answer.grader_version) == (item.version, GRADER_VERSION):
            continue
        result = grade(item, answer.response, mode="exam" if answer.mode == "exam" else "practice")
        if result.verdict == "invalid" and answer.verdict != "invalid":
            continue
        key = f"regraded:{answer.key}:{item.version}.{GRADER_VERSION}"
        data = _marks(answer.key, result, answer.try_number) | {"was": answer.score}
        events.append(Event("regraded", key, store.clock(), answer.attempt, item.id, data))
        if result.score != answer.score:
            corrections.append(
                Correction(item.id, answer.at, answer.attempt, answer.score, result.score, result.verdict)
            )
    store.append_all(events)
    store.set(GRADED_BY, versions)
    return corrections


def _versions(bank: Bank) -> str:
    """Return a text that changes with the version of any item, and of the graders."""
    items = ",".join(f"{item.id}={item.version}" for item in bank)
    return f"{GRADER_VERSION}:{sha256(items.encode()).hexdigest()[:16]}"
