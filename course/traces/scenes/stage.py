"""The stage on which sample traces are made: the harness, the real SDK, the offline API, and a clock of its own.

Time is virtual: a model that takes 1.2 s and a tool that takes 0.8 s take no time to play, and the times in the trace
are exact and the same on every machine.
"""

import asyncio
import json
import selectors
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from course.api import Ids, OfflineAPI, Request, Response
from course.api.transport import async_client
from course.facts import default_model
from course.harness import arun
from course.mockmodel import MockModel, Scripted
from course.traces.record import Recorder
from course.traces.trace import Answer, Trace

__all__ = ["OFF", "Body", "Play", "Stage"]

THINKING_TIME = 1.2
"""Seconds that the stand-in takes for an answer; a made-up figure of the usual size."""
MESSAGES = "/v1/messages"
OFF = {"type": "disabled"}
HEADERS = {"x-api-key": "offline", "anthropic-version": "2023-06-01", "content-type": "application/json"}

Body = dict[str, Any]
Part = Callable[[list[Any]], Mapping[str, Any]]
"""One run: gets the history so far, returns the options of `arun`."""


class Stage:
    """Plays one scene; ids come from the scene's name."""

    def __init__(self, name: str) -> None:
        self.ids = Ids(name)

    def api(self, model: MockModel | Sequence[Any]) -> OfflineAPI:
        """Return the offline API with a stand-in behind it; a list is a script."""
        player = Scripted(model) if isinstance(model, Sequence) else model
        return OfflineAPI(player, ids=self.ids, clock=lambda: 0.0)

    def run(self, player: Any, messages: Any, tools: Sequence[Any] = (), /, **options: Any) -> Trace:
        """Let the harness run a conversation; return its trace. An error of the API ends it and is in the trace."""
        return self.runs(player, tools, lambda _: {"messages": messages, **options})

    def runs(self, player: Any, tools: Sequence[Any], /, *parts: Part) -> Trace:
        """The same for a conversation in several runs: each part gets the history before it, and returns options."""

        async def scenario() -> Trace:
            recorder = Recorder(clock=asyncio.get_running_loop().time)
            async with async_client(self.api(player), max_retries=0) as client:
                history: list[Any] = []
                for part in parts:
                    chosen = {"model": default_model(), "tools": tools, **part(history)}
                    try:
                        history = (await arun(_Slow(client), recorder=recorder, **chosen)).messages
                    except client_errors():
                        break
            return recorder.trace()

        return _played(scenario())

    def changed(self, trace: Trace, change: Callable[[Body], Body], player: Any = ("",)) -> Trace:
        """Return the trace with its last request changed by hand and answered anew by the offline API."""
        last = trace.exchanges[-1]
        body = change(json.loads(json.dumps(last.request)))
        exchange = last.model_copy(update={"request": body, "response": self.respond(body, player)})
        return trace.model_copy(update={"exchanges": (*trace.exchanges[:-1], exchange), "source": "hand-broken"})

    def respond(self, body: Body, player: Any) -> Answer:
        """Return the offline API's answer to a body."""
        answer = self.api(player).respond(Request("POST", MESSAGES, HEADERS, json.dumps(body).encode()))
        assert isinstance(answer, Response)
        return Answer(status=answer.status, body=json.loads(answer.body))


def client_errors() -> type[Exception]:
    """Return the SDK's class of API errors."""
    import anthropic

    return anthropic.APIStatusError


class _Slow:
    """A client whose answers take their time."""

    def __init__(self, client: Any) -> None:
        self.messages, self._create = self, client.messages.create

    async def create(self, **request: Any) -> Any:
        await asyncio.sleep(THINKING_TIME)
        return await self._create(**request)


class _VirtualTime(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer instead of waiting for it."""

    def __init__(self) -> None:
        super().__init__(_Jumping(self))
        self.now = 0.0

    def time(self) -> float:
        return self.now


class _Jumping(selectors.DefaultSelector):  # type: ignore[misc,valid-type]
    def __init__(self, loop: _VirtualTime) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        if timeout is not None and timeout > 0:
            self._loop.now = round(self._loop.now + timeout, 6)
            timeout = 0
        return super().select(timeout)


def _played(scenario: Coroutine[Any, Any, Trace]) -> Trace:
    with asyncio.Runner(loop_factory=_VirtualTime) as runner:
        return runner.run(scenario)


Play = Callable[[Stage], Trace]
"""How one sample is played."""
