"""What the checks of exercises share: read a learner's value, ask the API's rules, watch code at work."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from course.lesson.exercise import Check, Finding, right, wrong
from course.traces.plain import plain
from course.traces.trace import Exchange

__all__ = ["blocks", "exchanges_of", "first_broken", "history_of", "message", "prose", "results_of", "sorts"]


def history_of(value: Any) -> list[dict[str, Any]]:
    """Return messages as dicts and lists, whatever SDK objects they hold. Raises TypeError for anything else."""
    history = plain(value)
    if not isinstance(history, list) or not all(isinstance(turn, Mapping) and "role" in turn for turn in history):
        raise TypeError(f"a list of messages is needed, each with a role and content, and this is {_sort(value)}")
    return history


def _sort(value: Any) -> str:
    """Say what kind of value stands where a history should, and what its first odd member is."""
    if not isinstance(value, list | tuple):
        return f"a {type(value).__name__}"
    odd = next((turn for turn in plain(value) if not (isinstance(turn, Mapping) and "role" in turn)), None)
    kind = type(value).__name__
    return f"a {kind}" if odd is None else f"a {kind} that holds a {type(odd).__name__} without a role"


def blocks(turn: Any, kind: str | None = None) -> list[dict[str, Any]]:
    """Return the blocks of one message (a dict or the SDK's object), of one `kind` when it is named."""
    content = plain(turn)["content"]
    found = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [block for block in found if kind is None or block.get("type") == kind]


def prose(turn: Any) -> str:
    """Return the text blocks of a message, joined."""
    return "\n".join(block["text"] for block in blocks(turn, "text"))


def results_of(history: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Yield every tool_result of a history."""
    for turn in history:
        yield from blocks(turn, "tool_result")


def first_broken(messages: Any, **body: Any) -> str:
    """Return the sentence with which the API would refuse these messages, "" when it would take them.

    body: further fields of the request (tools, model, …) where they matter.
    """
    from course.traces.rules import broken_rules

    request = {**plain(body), "messages": history_of(messages)}
    return next((found.message for found in broken_rules(request)), "")


def message(*content: Mapping[str, Any], stop_reason: str = "tool_use") -> Any:
    """Return a message as the SDK hands it out, to try a learner's function on. Blocks need all their fields."""
    from anthropic.types import Message

    usage = {"input_tokens": 1, "output_tokens": 1}
    about = {"id": "msg_check", "type": "message", "role": "assistant", "model": "check", "usage": usage}
    return Message.model_validate(
        {**about, "content": list(content), "stop_reason": stop_reason, "stop_sequence": None}
    )


def sorts(key: Mapping[str, Any], name: str) -> Check:
    """Make the check of a table to be filled in: each row of `key` with its answer, whatever its case and spaces.

    What is not right goes to the string "off" as `count` and, under `name`, as a list of rows.
    """

    def check(given: Mapping[str, Any]) -> Finding:
        off = [row for row, answer in key.items() if _word(given.get(row)) != _word(answer)]
        return wrong("off", count=len(off), **{name: "; ".join(off)}) if off else right()

    return check


def _word(value: Any) -> str:
    return str(value).strip().lower()


def exchanges_of(function: Callable[..., Any], *values: Any) -> tuple[Any, tuple[Exchange, ...]]:
    """Run a learner's function offline; return its value and what went to the API and came back meanwhile.

    Whatever the function raises is raised here, too.
    """
    from course.lesson.desk import desk
    from course.traces.record import Recorder

    recorder = Recorder()
    with desk().watched(recorder):
        value = function(*values)
    return value, recorder.trace().exchanges
