"""The room of a live poll: events in, state out. No clock, no chance, no network, no files.

A room is folded from its events (`replay`), so that a restart in the middle of a vote finds everything again. What
people want becomes an event or is `Refused`: `join`, `vote` and `move` decide, `after` applies. The order of a
question: vote, close, discuss, vote again, reveal, explain (Mazur's peer instruction). Bars stay hidden from the room
until the reveal; what each page may know is in `pollview`.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal, get_args

from course.facts.text import say
from course.quiz.bank import Bank
from course.quiz.events import Event
from course.quiz.grading import grade
from course.quiz.items import Item
from course.quiz.markdown import plain

__all__ = [
    "ACTIONS",
    "LETTERS",
    "NEXT_QUESTION",
    "PHASES",
    "TRIES",
    "Person",
    "Phase",
    "PollError",
    "Question",
    "Refused",
    "Room",
    "Settings",
    "Vote",
    "after",
    "join",
    "move",
    "opened",
    "pseudonym",
    "replay",
    "vote",
]

Phase = Literal["lobby", "vote1", "closed", "discuss", "vote2", "reveal", "explain", "end"]
Action = Literal["next", "reveal", "reopen", "skip", "end"]
NEXT_QUESTION = "vote1 of the next question"

PHASES: Mapping[Phase, Mapping[Action, str]] = MappingProxyType(
    {
        "lobby": {"next": NEXT_QUESTION, "end": "end"},
        "vote1": {"next": "closed", "skip": NEXT_QUESTION, "end": "end"},
        "closed": {"next": "discuss", "reveal": "reveal", "reopen": "vote1", "skip": NEXT_QUESTION, "end": "end"},
        "discuss": {"next": "vote2", "reveal": "reveal", "skip": NEXT_QUESTION, "end": "end"},
        "vote2": {"next": "reveal", "reveal": "reveal", "skip": NEXT_QUESTION, "end": "end"},
        "reveal": {"next": "explain", "end": "end"},
        "explain": {"next": NEXT_QUESTION, "end": "end"},
        "end": {},
    }
)
"""What a teacher may do in each phase, and where it leads. After the last question the next one is the end."""

ACTIONS: tuple[Action, ...] = get_args(Action)
TRIES: Mapping[str, int] = MappingProxyType({"vote1": 1, "vote2": 2})
LETTERS = "abcdefghijkl"
LONGEST_NAME = 24
SUBMISSION = re.compile(r"[A-Za-z0-9-]{8,64}")


class PollError(Exception):
    """The error tree of the live poll. The message says what happened and what to do.

    PollError
        Refused    somebody asked for what the room does not allow now
    """


class Refused(PollError):
    """What was asked for is not possible now; `reason` names the sentence in `workshop.refused`."""

    def __init__(self, reason: str, **values: Any) -> None:
        super().__init__(say(f"workshop.refused.{reason}", **values))
        self.reason = reason


@dataclass(frozen=True)
class Settings:
    """What a teacher may set. low, high: shares of right first votes between which a discussion pays.

    discuss: seconds on the clock of a discussion, 0 for none. capacity: how many people fit in.
    """

    low: float = 0.30
    high: float = 0.75
    discuss: int = 120
    capacity: int = 300


@dataclass(frozen=True)
class Question:
    """An item and the order in which the room sees its options: a letter stands for a place, never for an id."""

    item: Item
    order: tuple[str, ...]

    def __hash__(self) -> int:
        return hash((self.item.id, self.item.version, self.order))

    def response(self, letters: Sequence[str]) -> Any:
        """Return the response that these letters mean. Raises Refused for a letter that is not there."""
        places = [LETTERS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1 for letter in letters]
        if any(not 0 <= place < len(self.order) for place in places):
            raise Refused("no_option")
        ids = [self.order[place] for place in sorted(set(places))]
        return ids if self.item.kind == "select_n" else ids[0] if len(ids) == 1 else ids

    def letters(self, response: Any) -> list[str]:
        """Return the letters of a response."""
        ids = [response] if isinstance(response, str) else response
        return sorted(LETTERS[self.order.index(id)] for id in ids)


@dataclass(frozen=True)
class Person:
    """Somebody in the room: id, pseudonym, and the digest of the cookie that is their seat."""

    id: str
    name: str
    seat: str


@dataclass(frozen=True)
class Vote:
    """The newest vote of a person in one round."""

    response: Any
    confidence: int | None
    at: datetime
    submission: str


Round = tuple[int, int]
"""A question by its place (from 0) and the try, 1 or 2."""


@dataclass(frozen=True)
class Room:
    """A room as it stands. step: counts the moves; a command names the step it saw, so that two teachers who press
    at once move once. since: when the phase began. question: its place, -1 in the lobby."""

    code: str
    questions: tuple[Question, ...]
    settings: Settings
    since: datetime
    phase: Phase = "lobby"
    question: int = -1
    step: int = 0
    people: Mapping[str, Person] = field(default_factory=dict)
    votes: Mapping[Round, Mapping[str, Vote]] = field(default_factory=dict)

    @property
    def current(self) -> Question | None:
        """The question the room is at; None in the lobby and after the end."""
        return self.questions[self.question] if self.question >= 0 and self.phase != "end" else None

    @property
    def revealed(self) -> bool:
        """True from the reveal of the current question on."""
        return self.phase in ("reveal", "explain")

    def votes_of(self, attempt: int, question: int | None = None) -> Mapping[str, Vote]:
        """Return the votes of a round (default: of the current question) by person."""
        return self.votes.get((self.question if question is None else question, attempt), {})


def opened(code: str, questions: Sequence[Question], settings: Settings, now: datetime) -> Event:
    """Return the event that opens a room."""
    asked = [{"item": q.item.id, "version": q.item.version, "order": list(q.order)} for q in questions]
    data = {"code": code, "questions": asked, "settings": asdict(settings)}
    return Event("poll_opened", f"opened:{code}", now, code, None, data)


def replay(events: Iterable[Event], bank: Bank) -> Room:
    """Return the room that these events made. Raises PollError when a question is no longer what was shown."""
    room: Room | None = None
    for event in events:
        if event.kind == "poll_opened":
            settings = Settings(**event.data["settings"])
            room = Room(event.data["code"], _questions(event, bank), settings, since=event.at)
        elif room is not None:
            room = after(room, event)
    if room is None:
        raise PollError(say("workshop.rooms.no_room"))
    return room


def _questions(event: Event, bank: Bank) -> tuple[Question, ...]:
    found = []
    for row in event.data["questions"]:
        item = bank.items.get(row["item"])
        if item is None or {option.id for option in getattr(item, "options", ())} != set(row["order"]):
            raise PollError(say("workshop.rooms.changed", item=row["item"], code=event.data["code"]))
        found.append(Question(item, tuple(row["order"])))
    return tuple(found)


def after(room: Room, event: Event) -> Room:
    """Return the room after an event; one that does not concern its state leaves it as it is."""
    data = event.data
    match event.kind:
        case "poll_joined":
            person = Person(data["person"], data["name"], data["seat"])
            return replace(room, people={**room.people, person.id: person})
        case "poll_voted":
            round = (data["question"], data["try"])
            cast = Vote(data["response"], data["confidence"], event.at, data["submission"])
            return replace(room, votes={**room.votes, round: {**room.votes.get(round, {}), data["person"]: cast}})
        case "poll_moved":
            return replace(room, phase=data["phase"], question=data["question"], step=data["step"], since=event.at)
    return room


def move(room: Room, action: str, *, step: int, now: datetime) -> Event | None:
    """Return the event of a teacher's action; None when another teacher moved the room meanwhile.

    Raises Refused for an action that the phase does not have.
    """
    if step != room.step:
        return None
    target = PHASES[room.phase].get(action)  # type: ignore[call-overload]
    if target is None:
        raise Refused("no_action", action=action, phase=say(f"workshop.phase.{room.phase}"))
    question = room.question
    if target == NEXT_QUESTION:
        question += 1
        target = "vote1" if question < len(room.questions) else "end"
    data = {"phase": target, "question": question, "step": room.step + 1}
    return Event("poll_moved", f"moved:{room.code}:{room.step + 1}", now, room.code, None, data)


def pseudonym(text: str) -> str:
    """Return a name fit to show: no control, direction-changing or invisible characters, at most 24 characters."""
    visible = (char for char in plain(unicodedata.normalize("NFKC", text)) if _shows(char))
    return " ".join("".join(visible).split())[:LONGEST_NAME].strip()


def _shows(char: str) -> bool:
    return char.isspace() or not unicodedata.category(char).startswith("C")


def join(room: Room, name: str, *, person: str, seat: str, now: datetime) -> Event:
    """Return the event of somebody coming in, at any time before the end. A name that is taken gets a number."""
    wanted = pseudonym(name)
    if not wanted:
        raise Refused("no_name")
    if room.phase == "end":
        raise Refused("ended")
    if len(room.people) >= room.settings.capacity:
        raise Refused("full", capacity=room.settings.capacity)
    data = {"person": person, "name": _free_name(room, wanted), "seat": seat}
    return Event("poll_joined", f"joined:{room.code}:{person}", now, room.code, None, data)


def _free_name(room: Room, wanted: str) -> str:
    taken = {person.name.casefold() for person in room.people.values()}
    number, name = 1, wanted
    while name.casefold() in taken:
        number += 1
        name = f"{wanted[: LONGEST_NAME - 4].strip()} {number}"
    return name


def vote(
    room: Room,
    person: str,
    letters: Sequence[str],
    *,
    step: int,
    submission: str,
    confidence: int | None = None,
    now: datetime,
) -> Event | None:
    """Return the event of a vote; None when this very submission is stored already (sending twice is voting once).

    It replaces an earlier vote of the same round, until the vote closes. step: the step of the room as the voter saw
    it. submission: an id the page makes. Raises Refused when no vote is open, or the choice is none.
    """
    if person not in room.people:
        raise Refused("no_seat")
    stored = (room.votes_of(number).get(person) for number in TRIES.values())
    if any(cast and cast.submission == submission for cast in stored):
        return None
    attempt, question = TRIES.get(room.phase), room.current
    if attempt is None or question is None or step != room.step:
        raise Refused("closed")
    if confidence not in (None, 1, 2, 3) or isinstance(confidence, bool) or not SUBMISSION.fullmatch(submission):
        raise Refused("no_vote")
    response = question.response(letters)
    told = grade(question.item, response)
    if not told.answered:
        raise Refused("blank") if told.verdict == "blank" else Refused("invalid", why=told.parts[0].text)
    data = {
        "person": person,
        "question": room.question,
        "item_version": question.item.version,
        "try": attempt,
        "response": response,
        "confidence": confidence,
        "submission": submission,
    }
    key = f"voted:{room.code}:{person}:{submission}"
    return Event("poll_voted", key, now, room.code, question.item.id, data)
