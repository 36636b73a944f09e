"""The message document: the body of a 200 answer, with every field the API sends."""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["message"]

Block = Mapping[str, Any]


def message(
    id: str,
    model: str,
    content: Sequence[Block],
    *,
    stop_reason: str | None,
    stop_sequence: str | None = None,
    stop_details: Mapping[str, Any] | None = None,
    usage: Mapping[str, Any],
    container: Mapping[str, Any] | None = None,
    edits: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the document. `diagnostics` is null unless a request asks for it (release notes of 2026-09-23).

    edits: the context edits applied, where the request asked for any; else the document has no `context_management`.
    """
    return {
        "id": id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": list(content),
        "stop_reason": stop_reason,
        "stop_sequence": stop_sequence,
        "stop_details": stop_details,
        "usage": dict(usage),
        "container": container,
        "diagnostics": None,
        **({} if edits is None else {"context_management": {"applied_edits": list(edits)}}),
    }
