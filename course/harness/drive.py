"""Do what the loop asks for: put a request to the API, run a batch of calls. Once plain, once asynchronous."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from course.harness.execute import Result, Toolbox, aadmitted, admitted, aperform, perform
from course.harness.loop import Call
from course.harness.tool import Tool
from course.traces.record import Recorder

__all__ = ["AsyncDriver", "Driver", "Streaming"]

Streaming = bool | Callable[[Any], None]
"""Whether to receive a message piece by piece; a function is given each event."""
Verdict = Tool | Result
"""What became of a call before it ran: the tool to run, or the result that refuses it."""


class _Drive:
    """What both drivers know: the client, the tools, the record, and the results so far (gates look at them)."""

    def __init__(self, client: Any, box: Toolbox, recorder: Recorder, *, parallel: bool, stream: Streaming) -> None:
        self.client, self.box, self.recorder = client, box, recorder
        self.parallel, self.stream = parallel, stream
        self.done: list[Result] = []

    def seen(self, event: Any) -> None:
        """Hand an event of a stream to whoever wants it."""
        if callable(self.stream):
            self.stream(event)

    def blocks(self, results: Sequence[Result]) -> list[dict[str, Any]]:
        """Keep and record the results of a batch; return their `tool_result` blocks, in call order."""
        self.done += results
        for result in results:
            self.recorder.executed(
                id=result.call.id,
                name=result.call.name,
                input=result.call.input,
                content=result.content,
                is_error=result.is_error,
                ran=result.ran,
                started=result.started,
                ended=result.ended,
            )
        return [result.block() for result in results]


class Driver(_Drive):
    """Drives a plain client; calls that run at the same time run in threads."""

    def send(self, request: Mapping[str, Any]) -> Any:
        """Put a request to the API; return the message."""
        exchange = self.recorder.sent(request)
        try:
            message = self._received(request)
        except Exception as error:
            self.recorder.refused(exchange, error)
            raise
        self.recorder.answered(exchange, 200, message)
        return message

    def _received(self, request: Mapping[str, Any]) -> Any:
        if not self.stream:
            return self.client.messages.create(**request)
        with self.client.messages.stream(**request) as events:
            for event in events:
                self.seen(event)
            return events.get_final_message()

    def execute(self, calls: Sequence[Call]) -> list[dict[str, Any]]:
        """Run the calls of one message; return one `tool_result` block for each."""
        if self.parallel and len(calls) > 1:
            verdicts = [admitted(self.box, call, self.done) for call in calls]
            with ThreadPoolExecutor(len(calls)) as pool:
                return self.blocks(list(pool.map(self._one, calls, verdicts)))
        results: list[Result] = []
        for call in calls:
            results.append(self._one(call, admitted(self.box, call, [*self.done, *results])))
        return self.blocks(results)

    def _one(self, call: Call, verdict: Verdict) -> Result:
        started = self.recorder.now()
        result = verdict if isinstance(verdict, Result) else perform(self.box, call, verdict)
        return replace(result, started=started, ended=self.recorder.now())


class AsyncDriver(_Drive):
    """Drives an asynchronous client; calls that run at the same time are awaited together."""

    async def send(self, request: Mapping[str, Any]) -> Any:
        """Put a request to the API; return the message."""
        exchange = self.recorder.sent(request)
        try:
            message = await self._received(request)
        except Exception as error:
            self.recorder.refused(exchange, error)
            raise
        self.recorder.answered(exchange, 200, message)
        return message

    async def _received(self, request: Mapping[str, Any]) -> Any:
        if not self.stream:
            return await self.client.messages.create(**request)
        async with self.client.messages.stream(**request) as events:
            async for event in events:
                self.seen(event)
            return await events.get_final_message()

    async def execute(self, calls: Sequence[Call]) -> list[dict[str, Any]]:
        """Run the calls of one message; return one `tool_result` block for each."""
        if self.parallel and len(calls) > 1:
            verdicts = [await aadmitted(self.box, call, self.done) for call in calls]
            return self.blocks(list(await asyncio.gather(*map(self._one, calls, verdicts))))
        results: list[Result] = []
        for call in calls:
            results.append(await self._one(call, await aadmitted(self.box, call, [*self.done, *results])))
        return self.blocks(results)

    async def _one(self, call: Call, verdict: Verdict) -> Result:
        started = self.recorder.now()
        result = verdict if isinstance(verdict, Result) else await aperform(self.box, call, verdict)
        return replace(result, started=started, ended=self.recorder.now())
