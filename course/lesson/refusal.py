"""The API's answer to a request it will not serve, as a value that shows itself in words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from course.facts import say

__all__ = ["Refusal"]


@dataclass(frozen=True)
class Refusal:
    """HTTP status, error type and the API's own sentence."""

    status: int
    type: str
    message: str
    request_id: str = field(default="", repr=False)

    @classmethod
    def of(cls, error: Exception) -> "Refusal | None":
        """Read an error of the SDK that has a status; None for any other exception."""
        status = getattr(error, "status_code", None)
        if not isinstance(status, int):
            return None
        body = getattr(error, "body", None)
        body = body if isinstance(body, Mapping) else {}
        inner = body.get("error", body)
        inner = inner if isinstance(inner, Mapping) else {}
        return cls(
            status, inner.get("type", ""), inner.get("message", str(error)), getattr(error, "request_id", None) or ""
        )

    def __repr__(self) -> str:
        return f"{say('lesson.talk.refused', status=self.status, type=self.type)}\n{self.message}"

    def _repr_html_(self) -> str:
        head = escape(say("lesson.talk.refused", status=self.status, type=self.type))
        return (
            '<div style="border-left:4px double #D55E00;padding:4px 12px">'
            f"<div><b>✗ {head}</b></div><div><code>{escape(self.message)}</code></div></div>"
        )
