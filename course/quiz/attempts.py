"""Sitting a form: the clock, moving about, flags, pauses, and the review at the end.

All of it lies in the store, so a crash, a closed lid or a second window loses nothing that was acknowledged. The clock
runs on while the program is away, as in the real exam; only a pause stops it, where the form allows one.
"""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from course.facts import load, say
from course.quiz.bank import Bank
from course.quiz.blueprint import Blueprint
from course.quiz.errors import AttemptError
from course.quiz.events import Event, new_id
from course.quiz.feedback import Render, review_of
from course.quiz.forms import Entry, Form, assemble
from course.quiz.grading import grade, is_blank
from course.quiz.history import OF_ANSWERS, Answer, answers, graded_event
from course.quiz.items import Item
from course.quiz.public import public
from course.quiz.store import Store

__all__ = ["Exam", "started_exams"]


def started_exams(store: Store, *, finished: bool) -> list[Event]:
    """Return the `attempt_started` events of the exams that are finished, or of those that are not; oldest first."""
    ended = {event.attempt for event in store.events("attempt_finished")}
    started = [event for event in store.events("attempt_started") if event.data["mode"] == "exam"]
    return [event for event in started if (event.attempt in ended) == finished]


class Exam:
    """One attempt at a form. Questions are numbered from 1.

    monotonic: seconds that never run backwards; they guard the clock against a wall clock that is set back.
    Raises AttemptError where the attempt can't go on as asked; the message says why and what to do.
    """

    def __init__(
        self,
        attempt: str,
        bank: Bank,
        store: Store,
        *,
        monotonic: Callable[[], float] = time.monotonic,
        render: Render = str,
    ) -> None:
        self.attempt, self.bank, self.store = attempt, bank, store
        self._monotonic, self._render = monotonic, render
        self._events: list[Event] = []
        self._looked_at: dict[int, float] = {}
        self._opened = (monotonic(), store.clock())
        self._refresh()
        if not self._events or self._events[0].kind != "attempt_started" or "form" not in self._events[0].data:
            raise AttemptError(say("quiz.exam.no_attempt", attempt=attempt))
        self.form = Form.model_validate(self._events[0].data["form"])

    @classmethod
    def start(
        cls,
        plan: Blueprint,
        bank: Bank,
        store: Store,
        *,
        seed: str,
        mix: str | None = None,
        fresh: bool = True,
        **options: Any,
    ) -> "Exam":
        """Assemble a form, start its clock, and return the attempt. Raises FormError when it can't be filled."""
        form = assemble(plan, bank, seed, seen=_met(store), mix=mix, fresh=fresh)
        attempt = new_id(store.clock())
        data = {"mode": "exam", "form": form.model_dump(mode="json")}
        store.append("attempt_started", key=f"started:{attempt}", attempt=attempt, data=data)
        return cls(attempt, bank, store, **options)

    def status(self) -> dict[str, Any]:
        """Return where the attempt stands, as JSON: left (seconds), paused, pauses_left, finished, and per question
        {number, answered, flagged, scenario}. Ends the attempt when its time is up."""
        self._refresh()
        self._end_if_out_of_time()
        given, flagged = self._given(), self._flagged()
        return {
            "attempt": self.attempt,
            "form": self.form.blueprint,
            "left": self.left(),
            "minutes": self.form.minutes,
            "paused": self.paused,
            "pauses_left": self.form.pauses - self._count("attempt_paused"),
            "finished": self.finished,
            "questions": [
                {
                    "number": number,
                    "answered": entry.item in given and not is_blank(given[entry.item].response),
                    "flagged": entry.item in flagged,
                    "scenario": entry.scenario,
                }
                for number, entry in enumerate(self.form.entries, 1)
            ],
        }

    def question(self, number: int) -> dict[str, Any]:
        """Return question `number` as JSON without its key: item (None once it has left the bank), scenario (its
        title), response so far, rev (how often it was answered), flagged, note, total, left."""
        self._refresh()
        self._must_run()
        entry = self._entry(number)
        item = self.bank.items.get(entry.item)
        self._looked_at.setdefault(number, self._monotonic())
        given = self._given().get(entry.item)
        notes = [event.data["text"] for event in self._events if event.kind == "noted" and event.item == entry.item]
        return {
            "number": number,
            "total": len(self.form.entries),
            "item": self._shown(item, entry) if item else None,
            "scenario": scenario_title(entry.scenario),
            "response": given.response if given else None,
            "rev": given.try_number if given else 0,
            "flagged": entry.item in self._flagged(),
            "note": notes[-1] if notes else "",
            "left": self.left(),
        }

    def answer(self, number: int, response: Any, *, rev: int | None = None) -> int:
        """Keep an answer; None takes it back. Returns the new rev once it is on the disk.

        rev: as the view saw it in `question`; refused when another window has answered in between.
        """
        self._refresh()
        self._must_run()
        entry, item = self._entry(number), self._item(number)
        if (checked := grade(item, response, mode="exam")).verdict == "invalid":
            raise AttemptError(checked.parts[0].text)
        given = self._given().get(entry.item)
        seen = (given.try_number if given else 0) if rev is None else rev
        now = self._monotonic()
        data = {
            "item_version": item.version,
            "response": response,
            "mode": "exam",
            "try": seen + 1,
            "seconds": round(now - self._looked_at.pop(number, now), 1),
            "order": list(entry.order),
        }
        key = f"answered:{self.attempt}:{item.id}:{seen + 1}"
        stored = self.store.append("answered", key=key, attempt=self.attempt, item=item.id, data=data)
        self._refresh()
        self._must_run()
        if stored.data["response"] != response or self._given()[item.id].try_number != seen + 1:
            raise AttemptError(say("quiz.exam.elsewhere", number=number))
        return seen + 1

    def flag(self, number: int, on: bool = True) -> None:
        """Mark a question, to come back to it; `on=False` takes the mark away."""
        self._mark("flagged", number, {"on": on})

    def note(self, number: int, text: str) -> None:
        """Keep a note on a question."""
        self._mark("noted", number, {"text": text})

    def pause(self) -> None:
        """Stop the clock. While it is stopped no question is shown."""
        self._refresh()
        self._must_run()
        if self._count("attempt_paused") >= self.form.pauses:
            raise AttemptError(say("quiz.exam.no_pause", pauses=self.form.pauses))
        self._clock_event("attempt_paused", self._count("attempt_paused") + 1)

    def resume(self) -> None:
        """Let the clock run again after a pause; without one, nothing happens."""
        self._refresh()
        if self.paused:
            self._clock_event("attempt_resumed", self._count("attempt_paused"))

    def finish(self, reason: str = "done") -> None:
        """Hand in: every answer is graded, all or nothing. Handing in twice is handing in once."""
        self._refresh()
        if self.finished:
            return
        now, events = self.store.clock(), []
        for id, given in self._given().items():
            if id in self.bank.items and not is_blank(given.response):
                result = grade(self.bank.items[id], given.response, mode="exam")
                events.append(graded_event(given.key, result, self.attempt, now, given.try_number))
        data = {"reason": reason, "left": self.left()}
        events.append(Event("attempt_finished", f"finished:{self.attempt}", now, self.attempt, None, data))
        self.store.append_all(events)
        self.store.back_up()
        self._refresh()

    def review(self) -> list[dict[str, Any]]:
        """Return every question with the response and its feedback, as JSON. Only once the attempt is finished.

        Each: number, item, scenario, response, flagged, right (None where the question left the bank), feedback.
        """
        self._refresh()
        if not self.finished:
            raise AttemptError(say("quiz.exam.review_early"))
        given, flagged = self._given(), self._flagged()
        rows = []
        for number, entry in enumerate(self.form.entries, 1):
            item, answer = self.bank.items.get(entry.item), given.get(entry.item)
            row: dict[str, Any] = {
                "number": number,
                "item": self._shown(item, entry) if item else None,
                "scenario": scenario_title(entry.scenario),
                "response": answer.response if answer else None,
                "flagged": entry.item in flagged,
                "right": answer is not None and answer.right if item else None,
                "feedback": None,
            }
            if item:
                told = grade(item, answer.response if answer else None, mode="exam")
                row["feedback"] = review_of(item, told, render=self._render).as_json()
            rows.append(row)
        return rows

    def left(self) -> float:
        """Return the seconds that are left, 0 when time is up; they stand still in a pause and after the end."""
        base = next(event for event in reversed(self._events) if event.kind in CLOCK)
        left = float(base.data["left"]) if "left" in base.data else self.form.minutes * 60.0
        if base.kind in ("attempt_started", "attempt_resumed"):
            before_opening = (self._opened[1] - base.at).total_seconds()
            monotonic = self._monotonic() - self._opened[0] + before_opening
            left -= max((self.store.clock() - base.at).total_seconds(), monotonic, 0.0)
        return max(0.0, left)

    @property
    def finished(self) -> bool:
        """True once it was handed in, or its time was up."""
        return any(event.kind == "attempt_finished" for event in self._events)

    @property
    def paused(self) -> bool:
        """True while the clock is stopped by a pause."""
        last = next(event.kind for event in reversed(self._events) if event.kind in CLOCK)
        return last == "attempt_paused"

    def _refresh(self) -> None:
        last = self._events[-1].seq if self._events else 0
        self._events += self.store.events(attempt=self.attempt, after=last)

    def _given(self) -> dict[str, Answer]:
        """Return the newest answer to each question; what came after the end does not count."""
        end = next((event.seq for event in self._events if event.kind == "attempt_finished"), None)
        counted = [
            event for event in self._events if end is None or event.seq < end or event.kind in ("graded", "regraded")
        ]
        return {answer.item: answer for answer in answers(counted)}

    def _flagged(self) -> set[str]:
        marks = {event.item: event.data["on"] for event in self._events if event.kind == "flagged"}
        return {item for item, on in marks.items() if item and on}

    def _count(self, kind: str) -> int:
        return sum(event.kind == kind for event in self._events)

    def _must_run(self) -> None:
        self._end_if_out_of_time()
        if self.finished:
            reason = next(event.data["reason"] for event in self._events if event.kind == "attempt_finished")
            raise AttemptError(say("quiz.exam.time_up" if reason == "time" else "quiz.exam.finished"))
        if self.paused:
            raise AttemptError(say("quiz.exam.is_paused"))

    def _end_if_out_of_time(self) -> None:
        if not self.finished and not self.paused and self.left() <= 0:
            self.finish("time")

    def _entry(self, number: int) -> Entry:
        if not 1 <= number <= len(self.form.entries):
            raise AttemptError(say("quiz.exam.no_question", number=number, total=len(self.form.entries)))
        return self.form.entries[number - 1]

    def _item(self, number: int) -> Item:
        item = self.bank.items.get(self._entry(number).item)
        if item is None:
            raise AttemptError(say("quiz.exam.withdrawn", number=number))
        return item

    def _shown(self, item: Item, entry: Entry) -> dict[str, Any]:
        return public(item, entry.order, render=self._render)

    def _mark(self, kind: str, number: int, data: dict[str, Any]) -> None:
        self._refresh()
        self._must_run()
        item = self._entry(number).item
        key = f"{kind}:{self.attempt}:{item}:{new_id(self.store.clock())}"
        self.store.append(kind, key=key, attempt=self.attempt, item=item, data=data)

    def _clock_event(self, kind: str, count: int) -> None:
        key = f"{kind}:{self.attempt}:{count}"
        self.store.append(kind, key=key, attempt=self.attempt, data={"left": round(self.left(), 3)})
        self._refresh()


def _met(store: Store) -> dict[str, datetime]:
    """Return when each item was last met: answered anywhere, or seen in a form."""
    met = {answer.item: answer.at for answer in answers(store.events(OF_ANSWERS))}
    for started in store.events("attempt_started"):
        for entry in started.data.get("form", {}).get("entries", ()):
            met[entry["item"]] = max(started.at, met.get(entry["item"], started.at))
    return met


CLOCK = ("attempt_started", "attempt_paused", "attempt_resumed", "attempt_finished")


def scenario_title(number: int | None) -> str:
    """Return the title of an exam scenario, "" for None."""
    return next((row["title"] for row in load("exam")["scenario"] if row["number"] == number), "")
