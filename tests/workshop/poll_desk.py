"""A small bank and a room for the tests of the poll. Every reason and explanation holds SECRET, nothing else does."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from course.quiz.bank import Bank
from course.quiz.events import Event
from course.quiz.items import Item
from course.quiz.kinds import KINDS
from course.workshop.room import Question, Room, Settings, after, join, move, opened, replay, vote

__all__ = ["NOON", "SECRET", "Play", "bank_with", "poll_item"]

SECRET = "SECRET-REASON"
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
IDS = ("north", "south", "east", "west", "zenith")


def poll_item(id: str, key: Sequence[int] = (0,), **fields: Any) -> Item:
    """Return an item whose right options are at these places; several make it a select_n item."""
    options = [
        {"id": name, "text": f"The needle points {name}.", "correct": place in key, "why": f"{SECRET} {name}."}
        | ({} if place in key else {"misconception": "claude-runs-tools"})
        for place, name in enumerate(IDS)
    ]
    kind = "single" if len(key) == 1 else "select_n"
    record: dict[str, Any] = {
        "id": id,
        "version": 1,
        "status": "reviewed",
        "kind": kind,
        "objectives": ["CYC-1"],
        "exam_task": "1.1",
        "difficulty": "exam",
        "stem": "Where does the needle of `a compass` point?",
        "explanation": f"{SECRET} explanation.",
        "exam_says": f"{SECRET} the guide.",
        "hints": [f"{SECRET} hint."],
        "est_seconds": 60,
        "options": options,
    }
    record |= {"select_n": len(key)} if len(key) > 1 else {}
    return KINDS[kind].model_validate(record | fields)


def bank_with(*items: Item) -> Bank:
    """Return a bank of these items."""
    return Bank({item.id: item for item in items})


class Play:
    """A room that is played by hand: keeps the events, and a clock that moves one second at each."""

    def __init__(self, *items: Item, **settings: Any) -> None:
        self.bank = bank_with(*(items or (poll_item("q1"), poll_item("q2", (1, 3)))))
        self.now = NOON
        questions = [Question(item, tuple(option.id for option in item.options)) for item in self.bank]
        self.events = [opened("BCD234", questions, Settings(**settings), self.now)]
        self.room: Room = replay(self.events, self.bank)
        self._votes = 0

    def add(self, event: Event | None) -> Event | None:
        """Keep an event and apply it."""
        self.now += timedelta(seconds=1)
        if event:
            self.events.append(event)
            self.room = after(self.room, event)
        return event

    def joins(self, *names: str) -> "Play":
        """Let people in; the person's id is the name."""
        for name in names:
            self.add(join(self.room, name, person=name, seat=f"seat of {name}", now=self.now))
        return self

    def does(self, *actions: str) -> "Play":
        """Let the teacher act."""
        for action in actions:
            self.add(move(self.room, action, step=self.room.step, now=self.now))
        return self

    def votes(self, **letters: str) -> "Play":
        """Let people vote, e.g. votes(ann="a", bo="bd")."""
        for person, chosen in letters.items():
            self._votes += 1
            self.add(self.vote(person, chosen, submission=f"submission-{self._votes}"))
        return self

    def vote(self, person: str, letters: str, submission: str = "submission-x", **more: Any) -> Event | None:
        """Return what a vote becomes."""
        values = {"step": self.room.step, "submission": submission, "now": self.now}
        return vote(self.room, person, list(letters), **(values | more))
