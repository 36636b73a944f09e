"""The desk: the one object behind a notebook's names. It holds the clients, the live switch, hints and the store."""

import gc
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from course.facts import say
from course.lesson.errors import LessonError

if TYPE_CHECKING:
    from course.api import OfflineAPI
    from course.lesson.exercise import Verdict
    from course.quiz.store import Store
    from course.traces.record import Recorder

__all__ = ["Desk", "desk"]


class Desk:
    """What a notebook shares between its cells. `live` is the one setting between the stand-in and Claude."""

    def __init__(self, *, live: bool = False) -> None:
        self.live = False
        self.hints: Counter[str] = Counter()
        self.verdicts: dict[str, Verdict] = {}
        self._clients: dict[tuple[bool, bool], Any] = {}
        self._api: OfflineAPI | None = None
        self._announced: set[bool] = set()
        self._recorder: Recorder | None = None
        self._store: Store | None = None
        self._told: set[str] = set()
        if live:
            self.switch(True)

    def switch(self, on: bool) -> None:
        """Go live or back. Raises LessonError when there is no key."""
        if on and not (os.environ.get("ANTHROPIC_API_KEY") or os.environ.get("ANTHROPIC_AUTH_TOKEN")):
            raise LessonError(say("lesson.talk.no_key"))
        self.live = on

    def api(self) -> "OfflineAPI":
        """Return the offline Messages API of this notebook; its stand-in answers anything."""
        if self._api is None:
            from course.mockmodel import Improviser

            self._api = offline(Improviser())
        return self._api

    def client(self, *, asynchronous: bool = False, script: Sequence[Any] | None = None) -> Any:
        """Return an SDK client: live, offline, or offline with prepared turns (a script never goes live)."""
        self._announce(live=self.live and script is None, scripted=script is not None)
        if script is not None:
            from course.mockmodel import Scripted

            return connected(offline(Scripted([turn_of(turn) for turn in script])), asynchronous)
        key = (self.live, asynchronous)
        if key not in self._clients:
            made = live_client(asynchronous) if self.live else connected(self.api(), asynchronous)
            self._clients[key] = self._recorder.watch(made) if self._recorder else made
        return self._clients[key]

    def store(self) -> "Store":
        """Return the store of this kernel, made at first use. Raises StoreError when it cannot be opened."""
        if self._store is None:
            from course.quiz.store import Store

            self._store = Store()
        self.tell()
        return self._store

    def tell(self) -> None:
        """Print what the store has to tell (restored from a backup, kept in memory only), each notice once."""
        for notice in self._store.notices if self._store else ():
            if notice not in self._told:
                self._told.add(notice)
                print(notice)

    @contextmanager
    def watched(self, recorder: "Recorder") -> Iterator[None]:
        """Answer by a stand-in of its own and record every request, until the block ends; nothing goes live."""
        before = self.live, self._api, self._clients, self._announced
        self.live, self._api, self._clients, self._announced = False, None, {}, {False}
        self._recorder = recorder
        try:
            yield
        finally:
            self.live, self._api, self._clients, self._announced = before
            self._recorder = None

    def _announce(self, *, live: bool, scripted: bool) -> None:
        """Load the SDK with a line of progress, and say once who answers."""
        if not self._announced:
            print(say("lesson.talk.loading"), end="", flush=True)
            load_sdk()
            print(say("lesson.talk.ready"))
        if live not in self._announced:
            self._announced.add(live)
            print(say("lesson.talk.live") if live else say("lesson.talk.offline"))


@cache
def desk() -> Desk:
    """Return this notebook's desk, made at first use; `COURSE_LIVE=1` starts it live."""
    return Desk(live=os.environ.get("COURSE_LIVE", "") not in ("", "0"))


def load_sdk() -> None:
    """Import the SDK, a fifth faster without the garbage collector looking through its thousands of classes."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        import anthropic  # noqa: F401
    finally:
        if collecting:
            gc.enable()


def offline(model: Any) -> "OfflineAPI":
    """Return an offline API whose identifiers start anew, so that a rerun of the notebook gives the same ones."""
    from course.api import OfflineAPI

    return OfflineAPI(model)


def connected(api: "OfflineAPI", asynchronous: bool) -> Any:
    """Return an SDK client in front of an offline API."""
    from course.api.transport import async_client, client

    return async_client(api) if asynchronous else client(api)


def live_client(asynchronous: bool) -> Any:
    """Return an SDK client that talks to the Claude API, with the key of the environment."""
    import anthropic

    return anthropic.AsyncAnthropic() if asynchronous else anthropic.Anthropic()


def turn_of(turn: Any) -> Any:
    """Return one turn of a script; a list may mix words and blocks."""
    if isinstance(turn, (list, tuple)):
        return [{"type": "text", "text": part} if isinstance(part, str) else part for part in turn]
    return turn
