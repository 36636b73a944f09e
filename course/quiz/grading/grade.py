"""What grading gives back: a score, a verdict, and named feedback."""

from typing import Literal

from course.quiz.items import Record

__all__ = ["GRADER_VERSION", "Grade", "Invalid", "Mode", "Part", "Verdict"]

GRADER_VERSION = 1
"""Counts up whenever a grader gives another score for the same item and response."""

Mode = Literal["practice", "exam"]
Verdict = Literal["correct", "partial", "incorrect", "blank", "invalid"]


class Invalid(Exception):
    """A response that can't be graded (wrong shape, unknown id, too few choices); the message says what to do."""


class Part(Record):
    """One piece of feedback, in the order in which a view shows them.

    role: "chosen" (what was answered), "missed" (right, but not chosen), "key" (the right answer), "check" (one
    rule that an executed answer keeps or breaks), "note" (anything else). ref: id of the option, row, hole or
    check. ok: whether it is right. label: the option's own text. text: the reason. misconception: its id, if any.
    """

    role: Literal["chosen", "missed", "key", "check", "note"]
    ref: str = ""
    ok: bool | None = None
    label: str = ""
    text: str = ""
    misconception: str | None = None


class Grade(Record):
    """The result of grading one response; JSON by `model_dump(mode="json")`.

    score: 0…1; 0 or 1 in exam mode. counts: False for what never enters a score (open items, blank and invalid
    answers in practice); an exam counts a blank as a missed point, which is the exam's business.
    """

    item_id: str
    item_version: int
    grader_version: int = GRADER_VERSION
    mode: Mode = "practice"
    score: float
    verdict: Verdict
    parts: tuple[Part, ...] = ()
    counts: bool = True

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """The misconceptions the response shows."""
        found = (part.misconception for part in self.parts if part.role != "key" and not part.ok and part.misconception)
        return tuple(dict.fromkeys(found))

    @property
    def answered(self) -> bool:
        """True unless the response was blank or could not be graded."""
        return self.verdict not in ("blank", "invalid")


Marks = tuple[float, tuple[Part, ...]]
