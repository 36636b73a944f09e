"""The files of poll rooms: one event store a room, `workshop-<date>-<code>.sqlite` beside the history.

Only digests of cookies and tokens are kept. One program at a time holds a room (a lock that the system lets go when
the process dies). Deleting a room removes its file and everything beside it.
"""

import hashlib
import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from course.facts.text import say
from course.quiz.events import Clock, Event, utcnow
from course.quiz.store import Store
from course.quiz.storefile import default_path
from course.workshop.room import PollError, Question, Settings, opened

__all__ = [
    "Filed",
    "digest",
    "discard",
    "filed",
    "held",
    "home",
    "newest",
    "open_room",
    "remove",
    "room_code",
    "unfinished",
]

CODE_LETTERS = "BCDFGHJKMNPQRTVWXYZ2346789"
"""No vowels (no words), and nothing that looks like something else: no 0/O, 1/I/L, 5/S."""
CODE_LENGTH = 6
STALE = timedelta(hours=12)


@dataclass(frozen=True)
class Filed:
    """A room on the disk. stopped: its program was ended with Ctrl-C, or the poll came to its end."""

    path: Path
    code: str
    at: datetime
    items: tuple[str, ...]
    people: int
    votes: int
    stopped: bool
    port: int


def home() -> Path:
    """Return the folder of the rooms: the folder of the history."""
    return default_path().parent


def digest(secret: str) -> str:
    """Return what is kept of a cookie or token."""
    return hashlib.sha256(secret.encode()).hexdigest()


def room_code(draw: random.Random) -> str:
    """Return a room code of six characters."""
    return "".join(draw.choices(CODE_LETTERS, k=CODE_LENGTH))


def open_room(
    questions: Sequence[Question], settings: Settings, *, draw: random.Random, folder: Path, clock: Clock = utcnow
) -> Store:
    """Make a room's file and return its store. Raises PollError when it cannot be kept on the disk."""
    taken = {room.code for room in filed(folder)}
    code = next(code for code in iter(lambda: room_code(draw), None) if code not in taken)
    now = clock()
    store = Store(folder / f"workshop-{now:%Y-%m-%d}-{code}.sqlite", clock=clock)
    if not store.kept:
        raise PollError(say("workshop.rooms.not_kept", path=store.path))
    store.append_all([opened(code, questions, settings, now)])
    return store


def filed(folder: Path) -> list[Filed]:
    """Return the rooms in a folder, oldest first; what is no room is left out."""
    found = []
    for path in sorted(folder.glob("workshop-*.sqlite")):
        with Store(path) as store:
            if room := _filed(path, store.events()):
                found.append(room)
    return sorted(found, key=lambda room: room.at)


def _filed(path: Path, events: list[Event]) -> Filed | None:
    start = next((event for event in events if event.kind == "poll_opened"), None)
    if start is None:
        return None
    kinds = [event.kind for event in events]
    ports = [event.data["port"] for event in events if event.kind == "poll_started"]
    running = [event.kind for event in events if event.kind in ("poll_started", "poll_stopped")]
    ended = any(event.kind == "poll_moved" and event.data["phase"] == "end" for event in events)
    return Filed(
        path,
        start.data["code"],
        start.at,
        tuple(row["item"] for row in start.data["questions"]),
        kinds.count("poll_joined"),
        kinds.count("poll_voted"),
        ended or running[-1:] == ["poll_stopped"],
        ports[-1] if ports else 0,
    )


def newest(folder: Path, code: str | None = None) -> Filed:
    """Return the newest room, or the one of `code`. Raises PollError when there is none."""
    rooms = [room for room in filed(folder) if code is None or room.code == code.upper()]
    if not rooms:
        raise PollError(say("workshop.rooms.unknown" if code else "workshop.rooms.none", code=code, folder=folder))
    return rooms[-1]


def unfinished(folder: Path, items: Sequence[str], now: datetime) -> Filed | None:
    """Return the newest room with these questions whose program died less than 12 hours ago, None without one."""
    rooms = [room for room in filed(folder) if room.items == tuple(items) and now - room.at < STALE]
    return rooms[-1] if rooms and not rooms[-1].stopped else None


@contextmanager
def held(store: Store) -> Iterator[None]:
    """Hold a room while the block runs. Raises PollError when another program does."""
    with closing(sqlite3.connect(f"{store.path}.held", timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as why:
            raise PollError(say("workshop.rooms.held", path=store.path)) from why
        yield


def remove(room: Filed) -> int:
    """Delete a room's file and everything beside it; return how many votes it held."""
    with Store(room.path) as store, held(store):
        pass
    discard(room.path)
    return room.votes


def discard(path: Path) -> None:
    """Delete a room's file, its backups and locks."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink(missing_ok=True)
