"""The event store: one SQLite file per person, append-only, safe with two kernels and a terminal at once."""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from course.facts.text import say
from course.quiz.errors import StoreError
from course.quiz.events import Clock, Event, iso, moment, utcnow, validated
from course.quiz.storefile import (
    MIGRATIONS,
    back_up,
    companions,
    default_path,
    filesystem_of,
    open_file,
    reason,
    stamp_of,
)

__all__ = ["Store"]

COLUMNS = "seq, key, at, kind, attempt, item, data"
INSERT = (
    "INSERT INTO events (key, at, kind, attempt, item, data) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING"
)


class Store:
    """The history of one person. An event that `append` returned is on the disk, or `kept` is False.

    path: the file; None takes `history.sqlite` under `COURSE_HOME`, else under the user data folder.
    clock: gives the time in UTC. filesystem: tells the file system of a folder.
    kept: False when nothing could be written and the history lives in memory until the program ends.
    notices: what the person must be told (restored from a backup, kept in memory only); show them at once.
    Raises StoreError when the file is of a newer version, can't be written any more, or the disk is full.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        clock: Clock = utcnow,
        filesystem: Callable[[Path], str] = filesystem_of,
    ) -> None:
        self.path = Path(path) if path is not None else default_path()
        self.clock = clock
        self._filesystem = filesystem
        self._lock = threading.RLock()
        self.notices: tuple[str, ...] = ()
        self._stamp: tuple[int, int] | None = None
        self._open()

    def append(
        self,
        kind: str,
        *,
        key: str,
        attempt: str | None = None,
        item: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> Event:
        """Store one event now and return it as stored; where `key` is known already, return what stands there."""
        return self.append_all([Event(kind, key, self.clock(), attempt, item, data or {})])[0]

    def append_all(self, events: Iterable[Event]) -> list[Event]:
        """Store several events, all or none; return them as stored, in the same order."""
        batch = [validated(event) for event in events]
        with self._writing() as connection:
            connection.executemany(INSERT, [_row(event) for event in batch])
            query = f"SELECT {COLUMNS} FROM events WHERE key = ?"
            return [_event(connection.execute(query, (event.key,)).fetchone()) for event in batch]

    def events(
        self,
        kinds: str | Sequence[str] = (),
        *,
        attempt: str | None = None,
        item: str | None = None,
        after: int = 0,
    ) -> list[Event]:
        """Return the events in order: of these kinds, of one attempt, of one item, after a running number."""
        wanted = [kinds] if isinstance(kinds, str) else list(kinds)
        where: list[str] = ["seq > ?"]
        values: list[Any] = [after]
        if wanted:
            where.append(f"kind IN ({', '.join('?' * len(wanted))})")
            values += wanted
        for column, value in (("attempt", attempt), ("item", item)):
            if value is not None:
                where.append(f"{column} = ?")
                values.append(value)
        query = f"SELECT {COLUMNS} FROM events WHERE {' AND '.join(where)} ORDER BY seq"
        with self._reading() as connection:
            return [_event(row) for row in connection.execute(query, values)]

    def setting(self, name: str) -> Any:
        """Return the newest value of a setting, None where it was never set."""
        values = [event.data["value"] for event in self.events("setting") if event.data["name"] == name]
        return values[-1] if values else None

    def set(self, name: str, value: Any) -> None:
        """Remember a setting, e.g. the date of the exam; None takes it back."""
        at = self.clock()
        self.append("setting", key=f"setting:{name}:{iso(at)}", data={"name": name, "value": value})

    def export(self, out: TextIO) -> int:
        """Write every event as one JSON object a line; return how many."""
        events = self.events()
        for event in events:
            row = {"seq": event.seq, "at": iso(event.at), "kind": event.kind, "key": event.key}
            row |= {"attempt": event.attempt, "item": event.item, "data": event.data}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
        return len(events)

    def delete(self) -> int:
        """Forget everything, backups and damaged files too; return how many events there were."""
        with self._writing() as connection:
            count = connection.execute("SELECT count(*) FROM events").fetchone()[0]
            connection.execute("DROP TABLE events")
            for statement in _statements(MIGRATIONS):
                connection.execute(statement)
        with self._reading() as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for leftover in companions(self.path):
            leftover.unlink(missing_ok=True)
        return count

    def back_up(self) -> bool:
        """Bring the backup up to date; return whether there was anything new."""
        with self._reading() as connection:
            return self.kept and back_up(connection, self.path)

    def close(self) -> None:
        """Let go of the file. A closed store opens again when it is next used."""
        with self._lock:
            self._connection.close()
            self._stamp = None

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_connection"):
            self._connection.close()

    def _open(self) -> None:
        opened = open_file(self.path, clock=self.clock, filesystem=self._filesystem)
        self._connection, self.kept, self._stamp = opened.connection, opened.kept, opened.stamp
        self.notices += tuple(notice for notice in opened.notices if notice not in self.notices)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, opened anew when the file was moved, mended or deleted by another program meanwhile."""
        with self._lock:
            if self.kept and (self._stamp is None or self._stamp != stamp_of(self.path)):
                self._connection.close()
                self._open()
            try:
                yield self._connection
            except sqlite3.Error as why:
                raise StoreError(say("quiz.store.failed", path=self.path, why=reason(why, self.path))) from why

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise


def _statements(scripts: Iterable[str]) -> Iterator[str]:
    """Split scripts into statements; a trigger's body holds a semicolon of its own."""
    draft = ""
    for script in scripts:
        for piece in script.split(";"):
            draft += piece + ";"
            if sqlite3.complete_statement(draft):
                if draft.strip(" \n;"):
                    yield draft
                draft = ""


def _row(event: Event) -> tuple[object, ...]:
    data = json.dumps(dict(event.data), ensure_ascii=False, allow_nan=False)
    return event.key, iso(event.at), event.kind, event.attempt, event.item, data


def _event(row: Sequence[Any]) -> Event:
    seq, key, at, kind, attempt, item, data = row
    return Event(kind, key, moment(at), attempt, item, json.loads(data), seq)
