"""Practice: questions one by one, feedback at once. The session knows no view; views drive it and show what it says.

`current()` gives the question as JSON without its key, `answer(...)` a Feedback, `next()` the question after it.
Every answer is in the store before its feedback is shown; a session that was broken off goes on with `resume`.
"""

import random
import time
from collections.abc import Callable
from typing import Any

from course.facts import say
from course.quiz.bank import Bank
from course.quiz.errors import AttemptError, QuizError, StoreError
from course.quiz.events import Event, new_id
from course.quiz.feedback import Feedback, Render, feedback, lesson_links
from course.quiz.grading import grade
from course.quiz.history import OF_ANSWERS, Answer, answers, graded_event
from course.quiz.issue import issue_text
from course.quiz.items import Item, in_language
from course.quiz.kinds import Open
from course.quiz.public import choice_order, public
from course.quiz.schedule import cards, exam_date
from course.quiz.scores import tally
from course.quiz.selection import Pick, Selection, pick
from course.quiz.store import Store

__all__ = ["Session"]

IN_LESSONS = ("exercise_checked", "predicted")


class Session:
    """A run of practice questions.

    selection: what to practise. count: how many at most. rng: draws items. monotonic: measures seconds a question.
    render: turns an author's Markdown into what the view shows. last: the id of an item that closes the run, drawn or
    not. Times come from the store's clock.
    Raises QuizError when nothing matches the selection; the message says what there is instead.
    """

    def __init__(
        self,
        bank: Bank,
        store: Store,
        selection: Selection | None = None,
        *,
        count: int = 5,
        rng: random.Random | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        render: Render = str,
        last: str = "",
        _picks: list[Pick] | None = None,
        _attempt: str = "",
    ) -> None:
        self.bank, self.store, self.selection = bank, store, selection or Selection()
        self.attempt = _attempt or new_id(store.clock())
        self._monotonic, self._render = monotonic, render
        self._picks = _picks if _picks is not None else self._picked(count, rng or random.Random(), last)
        self._at = 0
        self._asked_at: float | None = None
        self._hints: dict[str, int] = {}
        self._given: dict[str, tuple[Answer, Feedback | None]] = {}
        if not _attempt:
            self._begin()

    @classmethod
    def resume(cls, bank: Bank, store: Store, attempt: str | None = None, **options: Any) -> "Session | None":
        """Go on with a session that was broken off (the last one, or `attempt`); None when there is none."""
        finished = {event.attempt for event in store.events("attempt_finished")}
        for started in reversed(store.events("attempt_started")):
            if started.data["mode"] != "practice" or started.attempt in finished:
                continue
            if attempt is None or started.attempt == attempt:
                return cls._resumed(bank, store, started, options)
        return None

    @classmethod
    def _resumed(cls, bank: Bank, store: Store, started: Event, options: dict[str, Any]) -> "Session":
        plan = [Pick(row["item"], row["why"]) for row in started.data["plan"] if row["item"] in bank.items]
        selection = Selection(**{name: _tuple(value) for name, value in started.data["selection"].items()})
        session = cls(bank, store, selection, _picks=plan, _attempt=started.attempt or "", **options)
        given = answers(store.events(OF_ANSWERS, attempt=started.attempt))
        session._given = {answer.item: (answer, None) for answer in given if answer.verdict is not None}
        for event in store.events("hint_used", attempt=started.attempt):
            session._hints[event.item or ""] = event.data["level"]
        session._skip_answered()
        return session

    def current(self) -> dict[str, Any] | None:
        """Return the question as JSON data, None after the last one.

        attempt, position (from 1), total, state ("asking" or "answered"), item (its public view), why (this one now),
        badges, flagged, note, hints (those shown so far), hints_left, feedback (once answered).
        """
        if self.done:
            return None
        if self._asked_at is None:
            self._asked_at = self._monotonic()
        item = self._item
        shown = self._hints.get(item.id, 0)
        _, told = self._given.get(item.id, (None, None))
        marks = self.store.events(("flagged", "noted"), item=item.id)
        return {
            "attempt": self.attempt,
            "position": self._at + 1,
            "total": len(self._picks),
            "state": "answered" if item.id in self._given else "asking",
            "item": public(item, self._order(item), render=self._render),
            "why": self._picks[self._at].why,
            "badges": badges(item),
            "flagged": next((event.data["on"] for event in reversed(marks) if event.kind == "flagged"), False),
            "note": next((event.data["text"] for event in reversed(marks) if event.kind == "noted"), ""),
            "hints": [self._render(in_language(hint)) for hint in item.hints[:shown]],
            "hints_left": len(item.hints) - shown,
            "feedback": told.as_json() if told else None,
        }

    def answer(self, response: Any, confidence: int | None = None) -> Feedback:
        """Grade and store an answer, and say what it was worth.

        response: as `grade` wants it for the kind. confidence: 1 (guessed) to 3 (sure), or None. A blank or invalid
        response is not stored: the question waits. A second answer to the same question gets the first feedback.
        """
        item = self._item
        if item.id in self._given and (told := self._given[item.id][1]):
            return told
        if confidence not in (None, 1, 2, 3):
            raise QuizError(say("quiz.practice.confidence_range", given=confidence))
        if isinstance(item, Open) and isinstance(response, dict) and response.get("points") is None:
            return self._to_mark(item, response)
        result = grade(item, response)
        if not result.answered:
            return feedback(item, result, render=self._render)
        answered, notice = self._answered(item, response, confidence), ""
        events = [answered, graded_event(answered.key, result, self.attempt, answered.at, try_number=1)]
        try:
            events = self.store.append_all(events)
        except StoreError as why:
            notice = str(why)
        if events[0].data["response"] != answered.data["response"]:
            notice = say("quiz.practice.elsewhere")
            result = grade(item, events[0].data["response"])
        told = feedback(
            item, result, confidence=confidence, again=self._again(item), notice=notice, render=self._render
        )
        self._given[item.id] = (answers(events)[0], told)
        return told

    def next(self) -> dict[str, Any] | None:
        """Go to the next question that waits for an answer, and return it; None after the last one."""
        self._at = min(self._at + 1, len(self._picks))
        self._skip_answered()
        self._asked_at = None
        if self.done:
            self._record("attempt_finished", f"finished:{self.attempt}", data={"reason": "done"})
        return self.current()

    def hint(self) -> str | None:
        """Return the next staged hint, None when there is no further one. A hint caps the schedule at Hard."""
        item = self._item
        level = self._hints.get(item.id, 0) + 1
        if level > len(item.hints):
            return None
        self._hints[item.id] = level
        self._record("hint_used", f"hint:{self.attempt}:{item.id}:{level}", item.id, {"level": level})
        return self._render(in_language(item.hints[level - 1]))

    def flag(self, on: bool = True) -> None:
        """Mark the question, to find it again; `on=False` takes the mark away."""
        self._record("flagged", f"flag:{self._item.id}:{new_id(self.store.clock())}", self._item.id, {"on": on})

    def note(self, text: str) -> None:
        """Keep a note of one's own on the question; a new one replaces it."""
        self._record("noted", f"note:{self._item.id}:{new_id(self.store.clock())}", self._item.id, {"text": text})

    def report(self, comment: str) -> str:
        """Return a ready issue text about the question, and remember that it was reported."""
        item = self._item
        given, _ = self._given.get(item.id, (None, None))
        text = issue_text(item, comment, response=given.response if given else None, order=self._order(item))
        self._record("reported", f"report:{item.id}:{new_id(self.store.clock())}", item.id, {"text": text})
        return text

    @property
    def done(self) -> bool:
        """True after the last question."""
        return self._at >= len(self._picks)

    def summary(self) -> dict[str, Any]:
        """Return what the session brought: right, total, left, and the missed items with where to read again."""
        given = [answer for answer, _ in self._given.values()]
        counted = [answer for answer in given if answer.counts]
        result = tally(answer.right for answer in counted)
        missed = [answer.item for answer in counted if not answer.right]
        return {
            "right": result.right,
            "total": result.total,
            "answered": len(given),
            "left": len(self._picks) - len(given),
            "missed": [
                {"item": id, "lessons": [dict(link) for link in lesson_links(self.bank.item(id))]} for id in missed
            ],
        }

    @property
    def _item(self) -> Item:
        if self.done:
            raise AttemptError(say("quiz.practice.over"))
        return self.bank.item(self._picks[self._at].item)

    def _skip_answered(self) -> None:
        while not self.done and self._picks[self._at].item in self._given:
            self._at += 1

    def _picked(self, count: int, rng: random.Random, last: str) -> list[Pick]:
        past = answers(self.store.events(OF_ANSWERS))

        def draw(selection: Selection, count: int) -> list[Pick]:
            return pick(
                self.bank,
                past,
                selection,
                rng=rng,
                now=self.store.clock(),
                count=count,
                exam_date=exam_date(self.store),
                begun={event.data.get("lesson", "") for event in self.store.events(IN_LESSONS)} - {"", "00"},
            )

        found = draw(self.selection, count)
        if not found:
            raise QuizError(say("quiz.practice.nothing_due" if self.selection.due else "quiz.practice.nothing"))
        if not last:
            return found
        group = self.bank.item(last).group
        others = [row for row in found if self.bank.item(row.item).group != group]
        return [*others[: count - 1], *draw(Selection(items=(last,)), 1)]

    def _begin(self) -> None:
        plan = [{"item": row.item, "why": row.why} for row in self._picks]
        data = {"mode": "practice", "selection": self.selection.as_json(), "plan": plan}
        self._record("attempt_started", f"started:{self.attempt}", data=data)

    def _record(self, kind: str, key: str, item: str | None = None, data: dict[str, Any] | None = None) -> None:
        self.store.append(kind, key=key, attempt=self.attempt, item=item, data=data)

    def _order(self, item: Item) -> tuple[str, ...]:
        return choice_order(item, self.attempt)

    def _answered(self, item: Item, response: Any, confidence: int | None) -> Event:
        started = self._asked_at if self._asked_at is not None else self._monotonic()
        data = {
            "item_version": item.version,
            "response": response,
            "mode": "practice",
            "try": 1,
            "seconds": round(self._monotonic() - started, 1),
            "confidence": confidence,
            "hints": self._hints.get(item.id, 0),
            "order": list(self._order(item)),
        }
        return Event(
            "answered", f"answered:{self.attempt}:{item.id}:1", self.store.clock(), self.attempt, item.id, data
        )

    def _again(self, item: Item) -> str:
        """Say when the concept comes back, and whether in another dress."""
        group = [other.id for other in self.bank if other.group == item.group and other.status != "retired"]
        given = [answer for id in group for answer in answers(self.store.events(OF_ANSWERS, item=id))]
        now = self.store.clock()
        known = cards(given, lambda id: item.group, exam_date=exam_date(self.store), today=now.date())
        if item.group not in known:
            return ""
        name = "variant" if len(group) > 1 else "same"
        return say(f"quiz.practice.again.{name}", due=f"{known[item.group].due:%Y-%m-%d}")

    def _to_mark(self, item: Open, response: dict[str, Any]) -> Feedback:
        """Show the model answer and the rubric; the writer marks the answer and sends it again with `points`."""
        result = grade(item, {**response, "points": []})
        told = feedback(item, result, render=self._render)
        if not result.answered:
            return told
        return Feedback(
            **{**vars(told), "verdict": "mark", "words": say("quiz.practice.verdict.mark"), "score": 0.0, "done": False}
        )


def badges(item: Item) -> list[str]:
    """Return what a learner should know about an item before answering, in words."""
    found = []
    if item.exam_task == "beyond":
        found.append(say("quiz.practice.badge.beyond"))
    else:
        found.append(say("quiz.practice.badge.task", task=item.exam_task))
    found.append(say(f"quiz.practice.badge.{item.difficulty}"))
    if item.status == "draft":
        found.append(say("quiz.practice.badge.draft"))
    return found


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
