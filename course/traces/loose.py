"""Exchanges of any shape, read as far as they can be read. Nothing here raises."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from course.traces.blocks import content_list
from course.traces.plain import plain

__all__ = ["Loose", "content_of", "document_of", "has", "items", "kinds", "role_of", "seconds"]

Json = Any


def document_of(trace: Any) -> Mapping[str, Json]:
    """Return the trace document of a Trace, a document, a body, an answer or a `messages` array."""
    value = trace.model_dump(mode="json") if isinstance(trace, BaseModel) else plain(trace)
    if isinstance(value, Mapping) and "exchanges" in value:
        return value
    if isinstance(value, Mapping) and value.get("type") in ("message", "error"):
        return {"exchanges": [{"request": {}, "response": {"status": 200, "body": value}}]}
    return {"exchanges": [{"request": value if isinstance(value, Mapping) else {"messages": value}}]}


def items(value: Any) -> list[Any]:
    """Return a list as it is, and anything else as the one member of a list."""
    return value if isinstance(value, list) else [] if value is None else [value]


def seconds(value: Any) -> float:
    """Return a number, 0 for what is none."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


def content_of(message: Any) -> Json:
    """Return the content of a message; what is no message is its own content."""
    return message.get("content") if isinstance(message, Mapping) else message


def role_of(message: Any) -> str:
    """Return the role of a message, "?" for none."""
    role = message.get("role") if isinstance(message, Mapping) else None
    return role if isinstance(role, str) else "?"


def kinds(content: Any) -> list[str]:
    """Return the types of the blocks, "?" for what is no block."""
    return [str(b.get("type")) if isinstance(b, Mapping) else "?" for b in content_list(content)]


def has(content: Any, kind: str) -> bool:
    """Tell whether there is a block of that type."""
    return kind in kinds(content)


class Loose:
    """One exchange of any shape, read as far as it can be read."""

    def __init__(self, raw: Any, place: int) -> None:
        fields = raw if isinstance(raw, Mapping) else {}
        self.raw, self.number = raw, place
        self.request: Json = fields.get("request", raw)
        body = self.request if isinstance(self.request, Mapping) else {}
        self.messages = items(body.get("messages"))
        self.tools = items(body.get("tools"))
        self.bare = not body.keys() & {"model", "max_tokens", "tools"}
        self.threaded = isinstance(body.get("thread"), Mapping) and body["thread"].get("type") == "continue"
        response = fields.get("response")
        self.response = response if isinstance(response, Mapping) else None
        self.answer: Json = self.response.get("body") if self.response is not None else response
        status = self.response.get("status") if self.response is not None else None
        self.status = status if isinstance(status, int) else None
        self.started, self.ended = seconds(fields.get("started")), seconds(fields.get("ended"))

    @property
    def message(self) -> Mapping[str, Json] | None:
        """The answer, when it is a message."""
        good = isinstance(self.answer, Mapping) and self.answer.get("type") != "error" and "content" in self.answer
        return self.answer if good else None

    @property
    def accepted(self) -> bool:
        """Whether the API took the request, which proves that it breaks no rule."""
        return self.message is not None and self.status in (None, 200)

    def usage(self, key: str) -> int | None:
        """Return a count of the answer's `usage`."""
        usage = self.message.get("usage") if self.message else None
        count = usage.get(key) if isinstance(usage, Mapping) else None
        return count if isinstance(count, int) else None
