"""The vocabulary of the event store: what can happen to a learner or in a poll, and what each happening must say.

An event is a fact that stays true: it is written once and never changed. Progress, schedule, scores and
re-gradings are computed from events, so a better computation improves the whole history.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

__all__ = ["KINDS", "Clock", "Event", "EventError", "iso", "moment", "new_id", "utcnow", "validated"]

Clock = Callable[[], datetime]

KINDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "attempt_started": frozenset({"mode"}),
        "attempt_paused": frozenset({"left"}),
        "attempt_resumed": frozenset({"left"}),
        "attempt_finished": frozenset({"reason"}),
        "answered": frozenset({"item_version", "response", "mode", "try", "seconds"}),
        "graded": frozenset({"item_version", "grader_version", "score", "verdict", "mode", "try"}),
        "regraded": frozenset({"item_version", "grader_version", "score", "verdict", "was", "of"}),
        "flagged": frozenset({"on"}),
        "noted": frozenset({"text"}),
        "reported": frozenset({"text"}),
        "hint_used": frozenset({"level"}),
        "predicted": frozenset({"lesson", "question", "prediction"}),
        "exercise_checked": frozenset({"lesson", "exercise", "passed"}),
        "setting": frozenset({"name", "value"}),
        "poll_opened": frozenset({"code", "questions", "settings"}),
        "poll_started": frozenset({"port", "teacher"}),
        "poll_stopped": frozenset(),
        "poll_joined": frozenset({"person", "name", "seat"}),
        "poll_moved": frozenset({"phase", "question", "step"}),
        "poll_voted": frozenset({"person", "question", "item_version", "try", "response", "confidence", "submission"}),
    }
)
"""Each kind of event, and the keys its `data` must have at least."""


class EventError(ValueError):
    """An event of an unknown kind, or one that lacks what its kind must say."""


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    key: unique; a second event with the same key is the same event (a double click). at: UTC.
    attempt, item: ids, where the event belongs to one. data: JSON-serialisable; `KINDS` says what must be in it.
    seq: the store's running number, 0 before it is stored.
    """

    kind: str
    key: str
    at: datetime
    attempt: str | None = None
    item: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    seq: int = 0


def validated(event: Event) -> Event:
    """Return `event`. Raises EventError when its kind is unknown or its data lack a key."""
    if event.kind not in KINDS:
        raise EventError(f"no event kind {event.kind!r}; there are: {', '.join(KINDS)}")
    if missing := KINDS[event.kind] - set(event.data):
        raise EventError(f"a {event.kind!r} event must say {', '.join(sorted(missing))}")
    if event.at.tzinfo is None:
        raise EventError(f"the time of a {event.kind!r} event needs a time zone; pass UTC")
    return event


def utcnow() -> datetime:
    """Return the time of day in UTC: the clock where no other is handed in."""
    return datetime.now(UTC)


def iso(at: datetime) -> str:
    """Return `at` as text in UTC with milliseconds; such texts sort by time."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


def moment(text: str) -> datetime:
    """Return the time that `iso` wrote."""
    return datetime.fromisoformat(text)


def new_id(at: datetime) -> str:
    """Return an id that sorts by time and is unique across processes: 14 digits of time, 8 of chance."""
    return f"{at.astimezone(UTC):%Y%m%d%H%M%S}-{secrets.token_hex(4)}"
