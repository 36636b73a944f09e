"""Short ways to write a conversation for a mock model, and to read what it says."""

from collections.abc import Mapping
from typing import Any

from course.mockmodel import Improviser, ModelRequest, Reply

HAIKU, SONNET, OPUS = "claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"
STRING = {"type": "string"}


def tool(name: str, description: str, required: list[str] | None = None, /, **properties: Any) -> dict[str, Any]:
    """Return a definition; without `required` every property is."""
    needed = list(properties) if required is None else required
    schema = {"type": "object", "properties": properties, "required": needed}
    return {"name": name, "description": description, "input_schema": schema}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


def called(*calls: tuple[str, Mapping[str, Any]]) -> dict[str, Any]:
    blocks = [
        {"type": "tool_use", "id": f"t{n}", "name": name, "input": given} for n, (name, given) in enumerate(calls)
    ]
    return {"role": "assistant", "content": blocks}


def results(*texts: str, error: bool = False, text: str = "") -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [
        {"type": "tool_result", "tool_use_id": f"t{n}", "content": told, "is_error": error}
        for n, told in enumerate(texts)
    ]
    return {"role": "user", "content": [*blocks, {"type": "text", "text": text}] if text else blocks}


def reply(
    messages: str | list[dict[str, Any]],
    tools: list[dict[str, Any]],
    *,
    model: str = HAIKU,
    choice: Mapping[str, Any] | None = None,
    stand_in: Improviser | None = None,
    **fields: Any,
) -> Reply:
    """Return what the improvising stand-in says."""
    told = [user(messages)] if isinstance(messages, str) else messages
    wanted = choice or {"type": "auto" if tools else "none"}
    return (stand_in or Improviser()).reply(
        ModelRequest(model, tuple(told), tuple(tools), tool_choice=wanted, **fields)
    )


def calls(given: Reply) -> list[tuple[str, dict[str, Any]]]:
    """Return (name, input) of every call in a reply."""
    return [(block["name"], dict(block["input"])) for block in given.blocks if block["type"] == "tool_use"]


def words(given: Reply) -> str:
    """Return the text of a reply."""
    return "\n".join(block["text"] for block in given.blocks if block["type"] == "text")
