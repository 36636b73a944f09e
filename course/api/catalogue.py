"""The models endpoint: list and retrieve, in the API's shape (SDK 2.15, `ModelInfo`)."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from course.facts.models import Model, models

__all__ = ["CatalogueProblem", "listing", "model_info", "served_id"]

LIMIT, MOST = 20, 1000
STAGES = {"current": "active", "deprecated": "deprecated", "retired": "retired"}
THINKING = ("adaptive", "enabled", "disabled", "between_tools")
EFFORTS = ("low", "medium", "high", "xhigh", "max")


class CatalogueProblem(Exception):
    """A query that the list does not accept; the message is the API's field error."""


def _supported(value: bool) -> dict[str, bool]:
    return {"supported": value}


def _capabilities(model: Model) -> dict[str, Any]:
    tools = _supported(True)
    return {
        "batch": tools,
        "citations": tools,
        "code_execution": _supported(model.programmatic),
        "context_management": {
            "clear_thinking_20251015": tools, "clear_tool_uses_20250919": tools, "compact_20260112": tools, **tools,
        },
        "effort": {**{level: _supported(level in model.effort) for level in EFFORTS}, **_supported(bool(model.effort))},
        "image_input": tools,
        "pdf_input": tools,
        "server_tools": {"code_execution": tools, "web_search": tools, **tools},
        "structured_outputs": tools,
        "thinking": {"types": {kind: _supported(kind in model.thinking) for kind in THINKING}, **tools},
    }  # fmt: skip


def model_info(model: Model) -> dict[str, Any]:
    """Return the document of one model. Dates of deprecation and retirement are not kept: null."""
    line = model.name.split()[0].lower()
    return {
        "id": served_id(model.id),
        "type": "model",
        "display_name": f"Claude {model.name}",
        "created_at": f"{model.released}T00:00:00Z",
        "lifecycle": STAGES[model.status],
        "line": line,
        "deprecated_at": None,
        "retires_at": None,
        "max_input_tokens": model.context,
        "max_tokens": model.max_output,
        "capabilities": _capabilities(model),
    }


def served_id(asked: str) -> str:
    """Return the id that answers carry: before Claude 4.6 it is the one with a date, whichever was asked for."""
    model = models().get(asked)
    return model.served_id if model else asked


def listing(query: str) -> Mapping[str, Any]:
    """Return one page of the list, newest model first. Raises CatalogueProblem."""
    asked = parse_qs(query, keep_blank_values=True)
    wanted = [*asked.get("lifecycle", []), *asked.get("lifecycle[]", [])] or ["active", "deprecated"]
    found = [m for name, m in models().items() if name == m.id and STAGES[m.status] in wanted]
    found.sort(key=lambda model: model.released, reverse=True)
    ids = [served_id(model.id) for model in found]
    limit = _limit(asked.get("limit", [str(LIMIT)])[0])
    start, end = 0, len(found)
    if cursor := asked.get("after_id"):
        start = _place(ids, cursor[0], "after_id") + 1
    if cursor := asked.get("before_id"):
        end = _place(ids, cursor[0], "before_id")
        start = max(start, end - limit)
    page = found[start:end][:limit]
    more = start > 0 if "before_id" in asked else start + len(page) < len(found)
    return {
        "data": [model_info(model) for model in page],
        "has_more": more,
        "first_id": ids[start] if page else None,
        "last_id": ids[start + len(page) - 1] if page else None,
    }


def _limit(text: str) -> int:
    try:
        limit = int(text)
    except ValueError:
        raise CatalogueProblem("limit: Input should be a valid integer, unable to parse string as an integer") from None
    if limit < 1:
        raise CatalogueProblem("limit: Input should be greater than or equal to 1")
    if limit > MOST:
        raise CatalogueProblem(f"limit: Input should be less than or equal to {MOST}")
    return limit


def _place(ids: list[str], id: str, field: str) -> int:
    if id not in ids:
        raise CatalogueProblem(f"{field}: no model {id} in this list")
    return ids.index(id)
