"""The desk of a served room: commands come in, are stored in one transaction, and only then count and are told.

One task writes. It takes all commands that wait, decides them in order, stores what they made with one commit, and
answers each: an acknowledged vote is on the disk. Pages watch; each gets the whole state when it comes, and again
after every change that concerns it, at most ten times a second.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from course.facts.text import say
from course.quiz.errors import StoreError
from course.quiz.events import Event
from course.quiz.store import Store
from course.workshop.pollview import Role, own_state, room_state, seconds_left
from course.workshop.room import Room, after

__all__ = ["Decide", "Desk"]

Decide = Callable[[Room, datetime], Event | None]
PACE = 0.1
"""Seconds between two states sent to one page."""


class _Watcher:
    def __init__(self, role: Role, person: str) -> None:
        self.role, self.person = role, person
        self.news = asyncio.Event()
        self.gone = False

    def concerned(self, event: Event) -> bool:
        if event.kind == "poll_moved" or self.role != "participant":
            return True
        return event.kind == "poll_voted" and event.data["person"] == self.person


class Desk:
    """A room, its store, and who watches. `room` is always what the store holds."""

    def __init__(self, room: Room, store: Store) -> None:
        self.room, self.store = room, store
        self._last = max((event.seq for event in store.events()), default=0)
        self._asked: asyncio.Queue[tuple[Decide, asyncio.Future[Event | None]]] = asyncio.Queue()
        self._watchers: dict[_Watcher, None] = {}
        self._closed = False
        self._shared: tuple[Room, dict[Role, dict[str, Any]]] = (room, {})

    async def do(self, decide: Decide) -> Event | None:
        """Have something decided on the room as it stands then; returns once it is stored.

        Raises what `decide` raises (Refused), and StoreError when it could not be stored.
        """
        done: asyncio.Future[Event | None] = asyncio.get_running_loop().create_future()
        self._asked.put_nowait((decide, done))
        return await done

    async def run(self) -> None:
        """Serve commands until cancelled."""
        while True:
            batch = [await self._asked.get()]
            while not self._asked.empty():
                batch.append(self._asked.get_nowait())
            await self._serve(batch)

    async def _serve(self, batch: Sequence[tuple[Decide, asyncio.Future[Event | None]]]) -> None:
        room, now = self.room, self.store.clock()
        decided: list[tuple[Event | None, asyncio.Future[Event | None]]] = []
        for decide, done in batch:
            try:
                event = decide(room, now)
            except Exception as refused:
                _answer(done, refused)  # whatever it is, it is the asker's; the desk goes on
                continue
            room = after(room, event) if event else room
            decided.append((event, done))
        try:
            stored = await asyncio.to_thread(self._store, [event for event, _ in decided if event])
        except Exception as trouble:
            for _, done in decided:
                _answer(done, trouble)
            return
        fresh = [event for event in stored if event.seq > self._last]
        for event in fresh:
            self.room, self._last = after(self.room, event), event.seq
        for event, done in decided:
            _answer(done, event)
        for watcher in self._watchers:
            if any(watcher.concerned(event) for event in fresh):
                watcher.news.set()

    def _store(self, events: list[Event]) -> list[Event]:
        stored = self.store.append_all(events) if events else []
        if not self.store.kept:
            raise StoreError(say("workshop.rooms.not_kept", path=self.store.path))
        return stored

    async def watch(
        self, role: Role, person: str = "", *, pages: int = 24, idle: float = 15.0
    ) -> AsyncIterator[dict[str, Any] | None]:
        """Give the state now and after every change that concerns this page; None after `idle` quiet seconds.

        pages: how many a role and person may watch at once. The oldest makes room for one more: it is mostly a phone
        that lost its network, which nobody notices for minutes.
        """
        mine = [watcher for watcher in self._watchers if (watcher.role, watcher.person) == (role, person)]
        for oldest in mine[: max(0, len(mine) - pages + 1)]:
            oldest.gone = True
            oldest.news.set()
        watcher = _Watcher(role, person)
        self._watchers[watcher] = None
        try:
            watcher.news.set()
            while True:
                with suppress(TimeoutError):
                    await asyncio.wait_for(watcher.news.wait(), idle)
                if self._closed or watcher.gone:
                    break
                changed = watcher.news.is_set()
                watcher.news.clear()
                yield self.state(role, person) if changed else None
                await asyncio.sleep(PACE)
        finally:
            self._watchers.pop(watcher, None)

    def state(self, role: Role, person: str = "") -> dict[str, Any]:
        """Return what a page shows now; what all pages of a role share is worked out once for a room as it stands."""
        room = self.room
        if self._shared[0] is not room:
            self._shared = (room, {})
        shared = self._shared[1]
        if role not in shared:
            shared[role] = room_state(room, role)
        own = own_state(room, person) if role == "participant" else {}
        return {**shared[role], **own, "left": seconds_left(room, self.store.clock())}

    def close(self) -> None:
        """Let every page go; may be called from a signal handler's callback in the loop."""
        self._closed = True
        for watcher in self._watchers:
            watcher.news.set()


def _answer(done: asyncio.Future[Event | None], told: Event | Exception | None) -> None:
    if done.done():
        return
    if isinstance(told, Exception):
        done.set_exception(told)
    else:
        done.set_result(told)
