"""A form of the practice exam in a notebook cell: the exam's clock and grading behind the view of the quiz.

Answers are kept as they come, and nothing is told before the form is handed in.
"""

import secrets
from collections import deque
from typing import Any

from course.facts import say
from course.lesson.desk import desk
from course.lesson.sentence import Sentence, framed, in_html, in_words, mark
from course.quiz.attempts import Exam, started_exams
from course.quiz.blueprint import blueprint
from course.quiz.errors import AttemptError, QuizError
from course.quiz.feedback import Feedback
from course.quiz.grading import is_blank
from course.quiz.issue import issue_text
from course.quiz.items import in_language

__all__ = ["InCell", "Reviewed", "form_in_cell"]

NOTHING: dict[str, Any] = {
    "score": 0.0,
    "parts": (),
    "explanation": "",
    "exam_says": "",
    "docs_say": "",
    "sources": (),
    "lessons": (),
    "misconceptions": (),
}


class InCell:
    """One attempt as the quiz view wants it: question by question, skipped ones once more at the end."""

    def __init__(self, exam: Exam) -> None:
        self.exam = exam
        rows = exam.status()["questions"]
        self._total = len(rows)
        self._queue = deque(row["number"] for row in rows if not row["answered"])
        self._skipped: set[int] = set()
        self._answered = False

    def current(self) -> dict[str, Any] | None:
        """Return the question as JSON without its key; None once the form is handed in or its time is up."""
        while self._queue and not self.exam.status()["finished"]:
            question = self.exam.question(self._queue[0])
            if question["item"] is None:
                self._queue.popleft()
                continue
            minutes = max(1, round(question["left"] / 60))
            return {
                "attempt": self.exam.attempt,
                "position": question["number"],
                "total": self._total,
                "state": "answered" if self._answered else "asking",
                "item": question["item"],
                "why": say("lesson.sit.left", minutes=minutes),
                "badges": [question["scenario"]] if question["scenario"] else [],
                "flagged": question["flagged"],
                "note": question["note"],
                "hints": [],
                "hints_left": 0,
                "later": True,
                "feedback": None,
            }
        self.exam.finish()
        return None

    def answer(self, response: Any, confidence: int | None = None) -> Feedback:
        """Keep an answer. It is told that it is kept, not what it is worth; a form asks for no confidence."""
        item = self.exam.form.entries[self._queue[0] - 1].item
        if is_blank(response):
            return Feedback(item=item, verdict="blank", words=say("lesson.sit.blank"), done=False, **NOTHING)
        try:
            self.exam.answer(self._queue[0], response)
        except AttemptError as why:
            return Feedback(item=item, verdict="invalid", words=str(why), done=False, **NOTHING)
        self._answered = True
        return Feedback(item=item, verdict="kept", words=say("lesson.sit.kept"), done=True, **NOTHING)

    def next(self) -> dict[str, Any] | None:
        """Go on; a question without an answer comes once more at the end."""
        if self._queue:
            number = self._queue.popleft()
            if not self._answered and number not in self._skipped:
                self._skipped.add(number)
                self._queue.append(number)
        self._answered = False
        return self.current()

    def hint(self) -> None:
        """Give none: a form has no hints."""

    def flag(self, on: bool = True) -> None:
        """Mark the question."""
        self.exam.flag(self._queue[0], on)

    def note(self, text: str) -> None:
        """Keep a note on the question."""
        self.exam.note(self._queue[0], text)

    def report(self, comment: str) -> str:
        """Return a ready issue text about the question."""
        entry = self.exam.form.entries[self._queue[0] - 1]
        return issue_text(self.exam.bank.item(entry.item), comment, response=None, order=entry.order)

    def summary(self) -> dict[str, Any]:
        """Return right, total, and the missed items with where to read again."""
        rows = [row for row in self.exam.review() if row["right"] is not None]
        missed = [row for row in rows if not row["right"]]
        return {
            "right": len(rows) - len(missed),
            "total": len(rows),
            "missed": [{"item": row["item"]["id"], "lessons": list(row["feedback"]["lessons"])} for row in missed],
        }


class Reviewed:
    """A form that is handed in: every question with its verdict and its reasons. Shows itself."""

    def __init__(self, exam: Exam) -> None:
        self.rows = [row for row in exam.review() if row["feedback"]]

    def head(self) -> str:
        """Return the result, with the range in which the real share lies."""
        from course.quiz.scores import wilson

        right = sum(bool(row["right"]) for row in self.rows)
        low, high = wilson(right, len(self.rows))
        return say("lesson.sit.result", right=right, total=len(self.rows), low=f"{low:.0%}", high=f"{high:.0%}")

    def __repr__(self) -> str:
        rows = [f"{mark(_state(row))} {row['number']}. " + "\n  ".join(map(in_words, _lines(row))) for row in self.rows]
        return "\n\n".join([in_words(self.head()), *rows])

    def _repr_html_(self) -> str:
        rows = []
        for row in self.rows:
            stem, *rest = map(in_html, _lines(row))
            rows.append(framed(_state(row), f"<b>{mark(_state(row))} {row['number']}.</b> {stem}", rest))
        return f"<div><p>{in_html(self.head())}</p>{''.join(rows)}</div>"


def _state(row: dict[str, Any]) -> Any:
    return "right" if row["right"] else "wrong"


def _lines(row: dict[str, Any]) -> list[str]:
    told = row["feedback"]
    parts = [
        f"{part['heading']}:\n" * bool(part["heading"]) + "\n".join(filter(None, (part["label"], part["text"])))
        for part in told["parts"]
    ]
    return [row["item"]["stem"], told["words"], *parts, *filter(None, (told["explanation"],))]


def form_in_cell(name: str, begin: bool, again: bool) -> Any:
    """Return a form to sit, the review of the one that was handed in, or (without `begin`) what would begin."""
    from course.quiz.bank import QUIZZES, load_bank
    from course.widgets import QuizView

    plan = blueprint(name)
    if not begin:
        return Sentence(say("lesson.sit.about", about=in_language(plan.about), name=name))
    bank, store = load_bank(QUIZZES), desk().store()

    def newest(*, finished: bool) -> Exam | None:
        ids = [e.attempt for e in started_exams(store, finished=finished) if e.data["form"]["blueprint"] == plan.id]
        return Exam(ids[-1] or "", bank, store) if ids else None

    def view(exam: Exam) -> QuizView:
        session: Any = InCell(exam)
        return QuizView(session)

    exam = newest(finished=False)
    if exam and not exam.status()["finished"]:
        return view(exam)
    if not again and (exam := newest(finished=True)):
        return Reviewed(exam)
    try:
        return view(Exam.start(plan, bank, store, seed=secrets.token_hex(3)))
    except QuizError as error:
        return Sentence(str(error))
