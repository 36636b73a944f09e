"""Tool search: find deferred tools by regular expression or by BM25, with the limits and error codes of the API.

Searched are names, descriptions, argument names and argument descriptions. A pattern is a Python `re.search`,
without regard to case, of at most 200 characters; a query has at most 500 (Claude API docs, tool-search page,
snapshot of 2026-09-26). What could keep an engine busy without end is not run (`patterns.py`). How the real BM25 cuts
words is not published; ours cuts at everything that is no letter or digit and inside camelCase.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from course.api.patterns import TooComplex, finder

__all__ = ["TOOLS", "search"]

TOOLS = ("tool_search_tool_regex", "tool_search_tool_bm25")
PATTERN_LIMIT, QUERY_LIMIT, RESULTS, MOST_RESULTS = 200, 500, 5, 10_000
SATURATION, LENGTH = 1.2, 0.75
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")

Tool = Mapping[str, Any]


def search(name: str, asked: Any, catalogue: Sequence[Tool]) -> dict[str, Any]:
    """Return the `content` of a `tool_search_tool_result`: references, or an error object.

    name: which search tool was called. asked: its input. catalogue: the tools to search, in the order of the request.
    """
    asked = asked if isinstance(asked, Mapping) else {}
    field, most = ("pattern", PATTERN_LIMIT) if name == TOOLS[0] else ("query", QUERY_LIMIT)
    text, limit = asked.get(field), asked.get("limit", RESULTS)
    if not isinstance(text, str) or not text:
        return _error(f"{field}: a non-empty string is required")
    if len(text) > most:
        return _error(f"{field}: must be at most {most} characters, got {len(text)}")
    if type(limit) is not int or not 1 <= limit <= MOST_RESULTS:
        return _error(f"limit: must be an integer from 1 to {MOST_RESULTS}")
    try:
        found = _by_pattern(text, catalogue) if field == "pattern" else _by_words(text, catalogue)
    except re.error as wrong:
        return _error(f"Invalid regular expression pattern: {wrong}")
    except (TooComplex, RecursionError, OverflowError):
        return _error("pattern: too complex to be searched in time", "execution_time_exceeded")
    references = [{"type": "tool_reference", "tool_name": tool["name"]} for tool in found[:limit]]
    return {"type": "tool_search_tool_search_result", "tool_references": references}


def _error(message: str, code: str = "invalid_tool_input") -> dict[str, Any]:
    return {"type": "tool_search_tool_result_error", "error_code": code, "error_message": message}


def _texts(tool: Tool) -> list[str]:
    texts = [tool["name"], tool.get("description") or ""]
    schema = tool.get("input_schema")
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    for name, argument in (properties or {}).items() if isinstance(properties, Mapping) else ():
        texts.append(name)
        if isinstance(argument, Mapping) and isinstance(argument.get("description"), str):
            texts.append(argument["description"])
    return texts


def _by_pattern(pattern: str, catalogue: Sequence[Tool]) -> list[Tool]:
    find = finder(pattern, any_case=True)
    return [tool for tool in catalogue if any(map(find, _texts(tool)))]


def _words(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(text)]


def _by_words(query: str, catalogue: Sequence[Tool]) -> list[Tool]:
    """Rank by BM25; ties keep the order of the request, and a tool without any of the words is not found."""
    bags = [Counter(_words(" ".join(_texts(tool)))) for tool in catalogue]
    sizes = [bag.total() for bag in bags]
    average = sum(sizes) / len(sizes) if sizes else 1.0
    scores = [0.0] * len(bags)
    for word in set(_words(query)):
        holders = [place for place, bag in enumerate(bags) if word in bag]
        rarity = math.log(1 + (len(bags) - len(holders) + 0.5) / (len(holders) + 0.5))
        for place in holders:
            often = bags[place][word]
            scores[place] += (
                rarity * often * (SATURATION + 1)
                / (often + SATURATION * (1 - LENGTH + LENGTH * sizes[place] / average))
            )  # fmt: skip
    ranked = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda place: -scores[place])
    return [catalogue[place] for place in ranked]
