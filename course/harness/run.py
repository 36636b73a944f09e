"""Run the loop with a client: send, execute, hand back, until it is over."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from course.facts import say
from course.harness.drive import AsyncDriver, Driver, Streaming
from course.harness.errors import DefinitionError
from course.harness.execute import Gate, Hook, Toolbox, is_async
from course.harness.loop import Call, Outcome, Send, loop
from course.harness.tool import Tool
from course.traces.record import Recorder

__all__ = ["arun", "run"]

Messages = str | Sequence[Mapping[str, Any]]
Tools = Iterable[Tool | Callable[..., Any] | Mapping[str, Any]]


def run(
    client: Any,
    *,
    model: str,
    messages: Messages,
    tools: Tools = (),
    max_tokens: int = 4096,
    max_iterations: int = 10,
    parallel: bool = False,
    stream: Streaming = False,
    gates: Sequence[Gate] = (),
    hooks: Sequence[Hook] = (),
    confirm: Callable[[Call, str], bool] | None = None,
    recorder: Recorder | None = None,
    **more: Any,
) -> Outcome:
    """Talk to Claude until it needs no more tools.

    client: an `anthropic.Anthropic`, or anything with its `messages.create`.
    messages: the history, or one user text.  tools: Tools, plain functions, or definitions of server tools.
    max_iterations: the most requests this run may make; a safety net.
    parallel: run the calls of one message at the same time, in threads, instead of one after the other.
    stream: receive the message piece by piece; a function is given each event of the SDK's stream.
    gates, hooks: asked before, and applied after, each call.  confirm: answers a gate's Confirm; without it: no.
    more: any other field of the request, such as system, tool_choice or thinking.
    An error of the API is raised as the client raises it, and is in `recorder.trace()`.
    """
    box = Toolbox(tools, gates=gates, hooks=hooks, confirm=confirm)
    if coroutines := [tool.name for tool in box.tools.values() if is_async(tool)]:
        raise DefinitionError(say("harness.define.coroutine", names=", ".join(coroutines)))
    driver = Driver(client, box, recorder or Recorder(), parallel=parallel, stream=stream)
    steps = loop(_request(model, max_tokens, messages, box, more), max_iterations=max_iterations)
    happened: Any = None
    while True:
        try:
            todo = steps.send(happened)
        except StopIteration as end:
            return replace(end.value, trace=driver.recorder.trace())
        happened = driver.send(todo.request) if isinstance(todo, Send) else driver.execute(todo.calls)


async def arun(
    client: Any,
    *,
    model: str,
    messages: Messages,
    tools: Tools = (),
    max_tokens: int = 4096,
    max_iterations: int = 10,
    parallel: bool = False,
    stream: Streaming = False,
    gates: Sequence[Gate] = (),
    hooks: Sequence[Hook] = (),
    confirm: Callable[[Call, str], Any] | None = None,
    recorder: Recorder | None = None,
    **more: Any,
) -> Outcome:
    """The same as `run` for an `anthropic.AsyncAnthropic`; tools and `confirm` may be coroutine functions."""
    box = Toolbox(tools, gates=gates, hooks=hooks, confirm=confirm)
    driver = AsyncDriver(client, box, recorder or Recorder(), parallel=parallel, stream=stream)
    steps = loop(_request(model, max_tokens, messages, box, more), max_iterations=max_iterations)
    happened: Any = None
    while True:
        try:
            todo = steps.send(happened)
        except StopIteration as end:
            return replace(end.value, trace=driver.recorder.trace())
        happened = await (driver.send(todo.request) if isinstance(todo, Send) else driver.execute(todo.calls))


def _request(model: str, max_tokens: int, messages: Messages, box: Toolbox, more: Mapping[str, Any]) -> dict[str, Any]:
    history = [{"role": "user", "content": messages}] if isinstance(messages, str) else list(messages)
    offered = {"tools": box.definitions} if box.definitions else {}
    return {"model": model, "max_tokens": max_tokens, **offered, **more, "messages": history}
