"""Whole answers: status, the headers every answer of the API carries, and the error envelope."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

from course.api.wire import Response

__all__ = ["ORGANIZATION", "dump", "edge_error", "error", "error_document", "headers", "ok"]

ORGANIZATION = "00000000-0000-4000-8000-000000000000"


def dump(document: Any) -> bytes:
    """Return `document` as compact UTF-8 JSON."""
    try:
        return to_json(document, fallback=_plain)
    except PydanticSerializationError:  # Nested deeper than its 255 levels.
        return json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=_plain).encode()


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)


def headers(request_id: str, content_type: str = "application/json") -> dict[str, str]:
    """Return the headers that every answer carries."""
    return {"content-type": content_type, "request-id": request_id, "anthropic-organization-id": ORGANIZATION}


def ok(document: Any, request_id: str, extra: Mapping[str, str] | None = None) -> Response:
    """Return a 200 with `document` as its body."""
    return Response(200, {**headers(request_id), **(extra or {})}, dump(document))


def error_document(
    kind: str, message: str, request_id: str | None = None, details: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the error envelope. Mid-stream errors carry no request_id of their own."""
    inner: dict[str, Any] = {"type": kind, "message": message}
    if details is not None:
        inner["details"] = dict(details)
    envelope: dict[str, Any] = {"type": "error", "error": inner}
    if request_id is not None:
        envelope["request_id"] = request_id
    return envelope


def error(
    status: int,
    kind: str,
    message: str,
    request_id: str,
    *,
    details: Mapping[str, Any] | None = None,
    extra: Mapping[str, str] | None = None,
    retry: bool | None = None,
) -> Response:
    """Return an error answer. `retry` fills `x-should-retry`; None derives it from the status, as the API does."""
    again = status in (408, 409, 429) or status >= 500 if retry is None else retry
    top = {**headers(request_id), "x-should-retry": "true" if again else "false", **(extra or {})}
    return Response(status, top, dump(error_document(kind, message, request_id, details)))


def edge_error(status: int, kind: str, message: str, request_id: str) -> Response:
    """Return an error as what stands in front of the API sends it: without the outer object and the request_id."""
    return Response(status, headers(request_id), dump({"error": {"type": kind, "message": message}}))
