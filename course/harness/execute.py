"""From a call to its result: find the tool, check the input, ask the gates, run, normalise.

Whatever goes wrong becomes a result with `is_error`, because a call without a result breaks the conversation.
"""

import asyncio
import inspect
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from course.facts import say
from course.harness.errors import DefinitionError, ToolError
from course.harness.loop import Call
from course.harness.tool import Tool, tool

__all__ = [
    "Confirm",
    "Deny",
    "Gate",
    "Hook",
    "Result",
    "Toolbox",
    "aadmitted",
    "admitted",
    "aperform",
    "content_of",
    "is_async",
    "perform",
]

PROBLEMS_SHOWN = 5


@dataclass(frozen=True)
class Result:
    """What came of a call: `content` is that of a `tool_result`.

    exception: for your log, never shown to Claude.  ran: False when the call was refused before the tool ran.
    """

    call: Call
    content: str | list[Any] | None
    is_error: bool = False
    exception: Exception | None = field(default=None, repr=False)
    ran: bool = True
    started: float = 0.0
    ended: float = 0.0

    def block(self) -> dict[str, Any]:
        """Return the `tool_result` block that answers the call."""
        block: dict[str, Any] = {"type": "tool_result", "tool_use_id": self.call.id}
        if self.content is not None:
            block["content"] = self.content
        if self.is_error:
            block["is_error"] = True
        return block


@dataclass(frozen=True)
class Deny:
    """A gate's answer: do not run this call; `message` tells Claude why and what to do instead."""

    message: str


@dataclass(frozen=True)
class Confirm:
    """A gate's answer: run this call only if a person says yes to `question`."""

    question: str


Gate = Callable[[Call, Sequence[Result]], Deny | Confirm | None]
"""Asked before a call is run, with the results so far; None lets it pass."""

Hook = Callable[[Result], Result]
"""Given each result before it goes back to Claude; returns it, or another one."""


class Toolbox:
    """The tools of one run, with the gates before them and the hooks behind them."""

    def __init__(
        self,
        tools: Iterable[Tool | Callable[..., Any] | Mapping[str, Any]],
        *,
        gates: Sequence[Gate] = (),
        hooks: Sequence[Hook] = (),
        confirm: Callable[[Call, str], Any] | None = None,
    ) -> None:
        given = [item if isinstance(item, Tool | Mapping) else tool(item) for item in tools]
        self.definitions = [item.definition() if isinstance(item, Tool) else dict(item) for item in given]
        self.tools = {item.name: item for item in given if isinstance(item, Tool)}
        self._gates, self._hooks, self._confirm = gates, hooks, confirm
        names = [definition.get("name") for definition in self.definitions if "name" in definition]
        if twice := sorted({str(name) for name in names if names.count(name) > 1}):
            raise DefinitionError(say("harness.define.twice", names=", ".join(twice)))

    def admit(self, call: Call, done: Sequence[Result]) -> Tool | Confirm | Result:
        """Return the tool to run, a question a person must answer first, or the result that refuses the call."""
        found = self.tools.get(call.name)
        if found is None:
            known = ", ".join(self.tools) or say("harness.result.no_tools")
            return _refusal(call, say("harness.result.unknown", name=call.name, known=known))
        if problems := _problems(found, call.input):
            return _refusal(call, say("harness.result.invalid", name=call.name, problems="\n".join(problems)))
        question = None
        for gate in self._gates:
            try:
                verdict = gate(call, done)
            except Exception as error:
                return replace(_refusal(call, say("harness.result.gate", name=call.name)), exception=error)
            if isinstance(verdict, Deny):
                return _refusal(call, verdict.message)
            if not isinstance(verdict, Confirm | None):
                return _refusal(call, say("harness.result.gate", name=call.name))
            question = question or verdict
        return question or found

    def ask(self, call: Call, question: Confirm) -> Any:
        """Put the question to `confirm`; without one, nobody can say yes."""
        return self._confirm(call, question.question) if self._confirm else False

    def decided(self, call: Call, yes: Any) -> Tool | Result:
        """Return the tool when the person said yes, else the result that refuses the call."""
        return self.tools[call.name] if yes else _refusal(call, say("harness.result.unconfirmed", name=call.name))

    def succeeded(self, call: Call, value: Any) -> Result:
        """Return the result of a tool that returned `value`, after the hooks."""
        return self._hooked(Result(call, content_of(value)))

    def failed(self, call: Call, error: Exception) -> Result:
        """Return the result of a tool that raised: its words if it is a ToolError, else only the kind of error."""
        if isinstance(error, ToolError):
            return self._hooked(Result(call, content_of(error.content), True, error))
        text = say("harness.result.crashed", name=call.name, kind=type(error).__name__)
        return self._hooked(Result(call, text, True, error))

    def _hooked(self, result: Result) -> Result:
        for hook in self._hooks:
            call, error = result.call, None
            try:
                result = hook(result)
            except Exception as raised:
                error = raised
            if error or not isinstance(result, Result):
                return Result(call, say("harness.result.hook", name=call.name), True, error)
        return result


def content_of(value: Any) -> str | list[Any] | None:
    """Return what a tool returned as `tool_result` content: text and content blocks as they are, all else as JSON."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(item, Mapping) and "type" in item for item in value):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=_jsonable)
    except (TypeError, ValueError, RecursionError):
        return str(value)


def _jsonable(value: Any) -> Any:
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value, fallback=str, serialize_unknown=True)


def _refusal(call: Call, message: str) -> Result:
    return Result(call, message, is_error=True, ran=False)


def _problems(tool: Tool, input: Any) -> list[str]:
    """Return what is wrong with the input, one line a fault, by the tool's own schema."""
    from jsonschema import Draft202012Validator

    faults = sorted(Draft202012Validator(dict(tool.input_schema)).iter_errors(input), key=lambda fault: fault.json_path)
    return [f"- {fault.json_path.removeprefix('$').lstrip('.') or 'input'}: {fault.message}" for fault in faults][
        :PROBLEMS_SHOWN
    ]


def admitted(box: Toolbox, call: Call, done: Sequence[Result]) -> Tool | Result:
    """Return the tool to run, or the result that refuses the call; a question is put to `confirm`."""
    verdict = box.admit(call, done)
    return box.decided(call, box.ask(call, verdict)) if isinstance(verdict, Confirm) else verdict


async def aadmitted(box: Toolbox, call: Call, done: Sequence[Result]) -> Tool | Result:
    """The same for async callers: `confirm` may be a coroutine function."""
    verdict = box.admit(call, done)
    if not isinstance(verdict, Confirm):
        return verdict
    answer = box.ask(call, verdict)
    return box.decided(call, await answer if inspect.isawaitable(answer) else answer)


def perform(box: Toolbox, call: Call, tool: Tool) -> Result:
    """Run one admitted call."""
    try:
        value = tool(**call.input)
    except Exception as error:
        return box.failed(call, error)
    return box.succeeded(call, value)


async def aperform(box: Toolbox, call: Call, tool: Tool) -> Result:
    """Run one admitted call; a plain function runs in a thread, so that it holds up nobody."""
    try:
        value = await (tool(**call.input) if is_async(tool) else asyncio.to_thread(tool, **call.input))
    except Exception as error:
        return box.failed(call, error)
    return box.succeeded(call, value)


def is_async(tool: Tool) -> bool:
    """Tell whether the tool's function is a coroutine function."""
    return inspect.iscoroutinefunction(inspect.unwrap(tool.function))
