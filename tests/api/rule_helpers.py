"""Short forms for the tests of the request rules: bodies, blocks, and what the rules say of them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from course.api.check import Hooks, violations
from course.api.rules import Violation

HAIKU, OPUS, SONNET, OLD = "claude-haiku-4-5", "claude-opus-5-5", "claude-sonnet-4-6", "claude-3-haiku-20240307"
TOOL = {
    "name": "get_weather",
    "description": "Get the current weather in a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
CODE = {"type": "code_execution_20260120", "name": "code_execution"}
SEARCH = {"type": "web_search_20250305", "name": "web_search"}
MODULES = Path(__file__).parents[2] / "course" / "api"


def text(words: str = "hello", **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": _content(blocks)}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": _content(blocks)}


def system(*blocks: Any) -> dict[str, Any]:
    return {"role": "system", "content": _content(blocks)}


def _content(blocks: tuple[Any, ...]) -> Any:
    return blocks[0] if len(blocks) == 1 and isinstance(blocks[0], str) else list(blocks)


def call(id: str = "toolu_1", name: str = "get_weather", **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": {"city": "Paris"}, **more}


def result(id: str = "toolu_1", content: Any = "18 degrees", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def thought(signature: str = "EgQKAggBEAEYAQ==", words: str = "I should look.") -> dict[str, Any]:
    return {"type": "thinking", "thinking": words, "signature": signature}


def server_use(id: str = "srvtoolu_1", name: str = "web_search") -> dict[str, Any]:
    return {"type": "server_tool_use", "id": id, "name": name, "input": {"query": "weather"}}


def server_result(id: str = "srvtoolu_1", name: str = "web_search") -> dict[str, Any]:
    return {"type": f"{name}_tool_result", "tool_use_id": id, "content": []}


def picture(data: str, kind: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}


def pdf(data: str) -> dict[str, Any]:
    return {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": data}}


def tool(name: str = "get_weather", schema: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "input_schema": schema or TOOL["input_schema"], **more}


def strict(schema: Any) -> dict[str, Any]:
    """A body with one strict tool that takes `value` of this schema."""
    whole = {"type": "object", "properties": {"value": schema}, "required": ["value"], "additionalProperties": False}
    return body(tools=[tool(schema=whole, strict=True)])


def body(*messages: Any, model: str = HAIKU, **fields: Any) -> dict[str, Any]:
    """Return a body; a message that is a text is a user turn, a field that is `...` is left out."""
    turns = [user(turn) if isinstance(turn, str) else turn for turn in messages or ("hello",)]
    whole = {"model": model, "max_tokens": 500, "messages": turns, **fields}
    return {name: value for name, value in whole.items() if value is not ...}


def asked(**more: Any) -> dict[str, Any]:
    """A sound body with one call and its result."""
    return body("weather?", assistant(text("Let me see."), call()), user(result()), tools=[TOOL], **more)


def found(sent: Any, *, betas: tuple[str, ...] = (), hooks: Hooks | None = None, **how: Any) -> list[Violation]:
    return list(violations(sent, betas=frozenset(betas), hooks=hooks, **how))


def first(sent: Any, **how: Any) -> Violation | None:
    return next(iter(found(sent, **how)), None)


def told(sent: Any, **how: Any) -> str | None:
    """Return the message the API would answer, or None where it accepts."""
    broken = first(sent, **how)
    return broken.message if broken else None


def at(value: Any, place: tuple[str | int, ...]) -> Any:
    """Return what stands at a place in a request."""
    for step in place:
        value = value[step]
    return value


def sources() -> Iterator[Path]:
    return MODULES.rglob("*.py")
