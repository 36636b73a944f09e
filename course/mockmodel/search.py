"""Looking for a tool that is deferred: the `server_tool_use` block for a tool search."""

import re
from collections.abc import Mapping
from typing import Any

from course.mockmodel.wish import Wish
from course.mockmodel.words import WEAK, terms

__all__ = ["search_block"]

REGEX_LIMIT, QUERY_LIMIT = 200, 500  # characters (Claude API docs, tool search page, 2026-09-26)


def search_block(tool: Mapping[str, Any], wish: Wish) -> dict[str, Any] | None:
    """Return the block that searches for what a wish is about, or None when it is about nothing."""
    content = [t for t in terms(wish.mask) if t.weight > WEAK]
    values = [span for span in wish.spans if span.kind != "phrase"]
    topics = [t for t in content if not any(span.start <= t.start < span.end for span in values)] or content
    words = list(dict.fromkeys(_word(wish.text[t.start : t.end]) for t in topics))
    if not words:
        return None
    name = str(tool["name"])
    if "regex" in str(tool.get("type")):
        pattern = ""
        for word in words:
            longer = f"{pattern}|{re.escape(word)}" if pattern else re.escape(word)
            pattern = longer if len(longer) + 4 <= REGEX_LIMIT else pattern
        return {"type": "server_tool_use", "name": name, "input": {"pattern": f"(?i){pattern}"}}
    return {"type": "server_tool_use", "name": name, "input": {"query": " ".join(words)[:QUERY_LIMIT]}}


def _word(text: str) -> str:
    """A word without its plural, so that it is found inside names too."""
    return text[:-1] if text.endswith("s") and len(text) > 4 and not text.endswith("ss") else text
