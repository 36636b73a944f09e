"""The agent loop, without any I/O: it says what must happen next and is told what happened.

    steps = loop({"model": …, "max_tokens": …, "messages": […], "tools": […]})
    todo = next(steps)                 # Send(request): put it to the API …
    todo = steps.send(message)         # … and hand in the message; Execute(calls): run them …
    todo = steps.send(results)         # … and hand in one tool_result block for each

At the end the generator returns an Outcome. Because it never waits for anything, one loop serves plain and async
callers, and every turn of it can be watched, tested and replayed.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from course.facts import say
from course.harness.errors import HarnessError
from course.traces.plain import plain

if TYPE_CHECKING:
    from course.traces.trace import Trace

__all__ = ["Call", "Execute", "Outcome", "Send", "calls_of", "loop"]

Message = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """One `tool_use` block: Claude asks for tool `name` with `input`."""

    id: str
    name: str
    input: Mapping[str, Any]


@dataclass(frozen=True)
class Send:
    """Put this request body to the Messages API."""

    request: Mapping[str, Any]


@dataclass(frozen=True)
class Execute:
    """Run these calls, all of them, and answer each."""

    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    stop: Claude's last `stop_reason`, or "max_iterations" when the safety net caught the loop.
    message: the last message as the API gave it.
    messages: the whole history, ready to be continued: it never ends in a call without a result, so a message that was
    cut inside a call is in `message` and not in here.
    """

    stop: str
    message: Message
    messages: list[Message]
    trace: "Trace | None" = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """What Claude said last, its text blocks joined."""
        return "\n\n".join(block["text"] for block in self.message["content"] if block["type"] == "text")


def loop(request: Mapping[str, Any], *, max_iterations: int = 10) -> Generator[Send | Execute, Any, Outcome]:
    """Drive one conversation until Claude stops asking for tools.

    `stop_reason` alone decides. `tool_use`: every call is executed and all results go back in one user message.
    `pause_turn`: the turn goes back unchanged. Everything else ends the loop: end_turn, stop_sequence, refusal, and
    max_tokens or model_context_window_exceeded, whose last call may be cut and is therefore not run.
    `max_iterations` counts requests; it is a safety net, not the way a loop ends. Raises HarnessError when it is 0.
    """
    if max_iterations < 1:
        raise HarnessError(say("harness.define.iterations"))
    messages: list[Message] = plain(request["messages"])
    message: Message = {}
    for _ in range(max_iterations):
        message = plain((yield Send({**request, "messages": list(messages)})))
        calls = calls_of(message)
        match message["stop_reason"]:
            case "tool_use" if calls:
                results: Sequence[Any] = yield Execute(calls)
                messages += [_turn(message), {"role": "user", "content": list(results)}]
            case "pause_turn":
                messages.append(_turn(message))
            case stop:
                complete = message["content"] and not calls
                return Outcome(stop, message, [*messages, _turn(message)] if complete else messages)
    return Outcome("max_iterations", message, messages)


def calls_of(message: Mapping[str, Any]) -> tuple[Call, ...]:
    """Return every call of a message, wherever it stands among the blocks."""
    return tuple(
        Call(block["id"], block["name"], block["input"]) for block in message["content"] if block["type"] == "tool_use"
    )


def _turn(message: Message) -> Message:
    """Return the message as a turn of the history: whole, with its text, its thinking and its calls."""
    return {"role": "assistant", "content": message["content"]}
