"""The `usage` object of an answer, and the counts that stand in it."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.api.cache import Caching

__all__ = ["final_usage", "usage"]

SERVER_TOOLS = {"web_search": "web_search_requests", "web_fetch": "web_fetch_requests"}


def usage(
    input_tokens: int,
    output_tokens: int,
    thinking_tokens: int,
    caching: Caching,
    blocks: Sequence[Mapping[str, Any]],
    geo: str | None = None,
    speed: str | None = None,
) -> dict[str, Any]:
    """Return the whole object. `input_tokens`: all of the input; what the cache took part in is taken off it here."""
    written = caching.written_5m + caching.written_1h
    counts: dict[str, Any] = {
        "input_tokens": max(0, input_tokens - caching.read - written),
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": caching.read,
        "cache_creation": {
            "ephemeral_5m_input_tokens": caching.written_5m,
            "ephemeral_1h_input_tokens": caching.written_1h,
        },
        "output_tokens": output_tokens,
        "output_tokens_details": {"thinking_tokens": thinking_tokens},
        "service_tier": "standard",
        "inference_geo": geo or "global",
    }
    if speed:
        counts["speed"] = speed
    if names := [block["name"] for block in blocks if block["type"] == "server_tool_use"]:
        counts["server_tool_use"] = {field: names.count(name) for name, field in SERVER_TOOLS.items()}
    return counts


def final_usage(counts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cumulative part that a `message_delta` event repeats."""
    left_out = ("cache_creation", "service_tier", "inference_geo")
    return {name: value for name, value in counts.items() if name not in left_out}
