"""Drive the loop with a client: send, execute, hand back, until it is over."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from course.facts import say
from course.harness.errors import DefinitionError
from course.harness.execute import (
    Gate,
    Hook,
    Result,
    Toolbox,
    aadmitted,
    admitted,
    aperform,
    is_async,
    perform,
)
from course.harness.loop import Call, Outcome, Send, loop
from course.harness.tool import Tool
from course.traces.record import Recorder

__all__ = ["arun", "run"]

Tools = Iterable[Tool | Callable[..., Any] | Mapping[str, Any]]


def run(
    client: Any,
    *,
    model: str,
    messages: str | Sequence[Mapping[str, Any]],
    tools: Tools = (),
    max_tokens: int = 4096,
    max_iterations: int = 10,
    parallel: bool = False,
    stream: bool | Callable[[Any], None] = False,
    gates: Sequence[Gate] = (),
    hooks: Sequence[Hook] = (),
    confirm: Callable[[Call, str], bool] | None = None,
    recorder: Recorder | None = None,
    **request: Any,
) -> Outcome:
    """Talk to Claude until it needs no more tools.

    client: an `anthropic.Anthropic`, or anything with its `messages.create`.
    messages: the history, or one user text.  tools: Tools, plain functions, or definitions of server tools.
    max_iterations: the most requests this run may make; a safety net.
    parallel: run the calls of one message at the same time, in threads, instead of one after the other.
    stream: receive the message piece by piece; a function is given each event of the SDK's stream.
    gates, hooks: asked before, and applied after, each call.  confirm: answers a gate's Confirm; without it: no.
    request: any other field of the request, such as system, tool_choice or thinking.
    An error of the API is raised as the client raises it, and is in `recorder.trace()`.
    """
    box = Toolbox(tools, gates=gates, hooks=hooks, confirm=confirm)
    if coroutines := [tool.name for tool in box.tools.values() if is_async(tool)]:
        raise DefinitionError(say("harness.define.coroutine", names=", ".join(coroutines)))
    recorder = recorder or Recorder()
    steps = loop(_request(model, max_tokens, messages, box, request), max_iterations=max_iterations)
    done: list[Result] = []
    happened: Any = None
    while True:
        try:
            todo = steps.send(happened)
        except StopIteration as end:
            return replace(end.value, trace=recorder.trace())
        if isinstance(todo, Send):
            exchange = recorder.sent(todo.request)
            try:
                happened = _send(client, todo.request, stream)
            except Exception as error:
                recorder.refused(exchange, error)
                raise
            recorder.answered(exchange, 200, happened)
        else:
            results = _execute(box, todo.calls, done, parallel, recorder)
            done += results
            happened = [result.block() for result in results]


async def arun(
    client: Any,
    *,
    model: str,
    messages: str | Sequence[Mapping[str, Any]],
    tools: Tools = (),
    max_tokens: int = 4096,
    max_iterations: int = 10,
    parallel: bool = False,
    stream: bool | Callable[[Any], None] = False,
    gates: Sequence[Gate] = (),
    hooks: Sequence[Hook] = (),
    confirm: Callable[[Call, str], Any] | None = None,
    recorder: Recorder | None = None,
    **request: Any,
) -> Outcome:
    """The same as `run` for an `anthropic.AsyncAnthropic`; tools and `confirm` may be coroutine functions."""
    box = Toolbox(tools, gates=gates, hooks=hooks, confirm=confirm)
    recorder = recorder or Recorder()
    steps = loop(_request(model, max_tokens, messages, box, request), max_iterations=max_iterations)
    done: list[Result] = []
    happened: Any = None
    while True:
        try:
            todo = steps.send(happened)
        except StopIteration as end:
            return replace(end.value, trace=recorder.trace())
        if isinstance(todo, Send):
            exchange = recorder.sent(todo.request)
            try:
                happened = await _asend(client, todo.request, stream)
            except Exception as error:
                recorder.refused(exchange, error)
                raise
            recorder.answered(exchange, 200, happened)
        else:
            results = await _aexecute(box, todo.calls, done, parallel, recorder)
            done += results
            happened = [result.block() for result in results]


def _request(model: str, max_tokens: int, messages: Any, box: Toolbox, more: Mapping[str, Any]) -> dict[str, Any]:
    history = [{"role": "user", "content": messages}] if isinstance(messages, str) else list(messages)
    offered = {"tools": box.definitions} if box.definitions else {}
    return {"model": model, "max_tokens": max_tokens, **offered, **more, "messages": history}


def _send(client: Any, request: Mapping[str, Any], stream: bool | Callable[[Any], None]) -> Any:
    if not stream:
        return client.messages.create(**request)
    with client.messages.stream(**request) as events:
        for event in events:
            if callable(stream):
                stream(event)
        return events.get_final_message()


async def _asend(client: Any, request: Mapping[str, Any], stream: bool | Callable[[Any], None]) -> Any:
    if not stream:
        return await client.messages.create(**request)
    async with client.messages.stream(**request) as events:
        async for event in events:
            if callable(stream):
                stream(event)
        return await events.get_final_message()


def _execute(
    box: Toolbox, calls: Sequence[Call], done: Sequence[Result], parallel: bool, recorder: Recorder
) -> list[Result]:
    def one(call: Call, verdict: Tool | Result) -> Result:
        started = recorder.now()
        result = verdict if isinstance(verdict, Result) else perform(box, call, verdict)
        return replace(result, started=started, ended=recorder.now())

    results: list[Result] = []
    if parallel and len(calls) > 1:
        verdicts = [admitted(box, call, done) for call in calls]
        with ThreadPoolExecutor(len(calls)) as pool:
            results = list(pool.map(one, calls, verdicts))
    else:
        for call in calls:
            results.append(one(call, admitted(box, call, [*done, *results])))
    return _noted(results, recorder)


async def _aexecute(
    box: Toolbox, calls: Sequence[Call], done: Sequence[Result], parallel: bool, recorder: Recorder
) -> list[Result]:
    async def one(call: Call, verdict: Tool | Result) -> Result:
        started = recorder.now()
        result = verdict if isinstance(verdict, Result) else await aperform(box, call, verdict)
        return replace(result, started=started, ended=recorder.now())

    results: list[Result] = []
    if parallel and len(calls) > 1:
        verdicts = [await aadmitted(box, call, done) for call in calls]
        results = list(await asyncio.gather(*map(one, calls, verdicts)))
    else:
        for call in calls:
            results.append(await one(call, await aadmitted(box, call, [*done, *results])))
    return _noted(results, recorder)


def _noted(results: list[Result], recorder: Recorder) -> list[Result]:
    for result in results:
        call = result.call
        recorder.executed(
            id=call.id,
            name=call.name,
            input=call.input,
            content=result.content,
            is_error=result.is_error,
            ran=result.ran,
            started=result.started,
            ended=result.ended,
        )
    return results
