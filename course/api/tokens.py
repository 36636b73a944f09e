"""Token counts, estimated. The tokenizer of Claude is not public, so every count here is a stand-in for the real one.

The rates are fitted to 108 recorded exchanges of Claude 4.0 to 5 models without pictures or server tools (median
error 3 %). They count UTF-8 bytes, and a little for each message, call and result. Models released since Opus 4.7
give about 30 % more tokens for a text (Claude API docs, pricing page, snapshot of 2026-08-22). The overhead of tool
use per model, and of the tools whose schema the API itself holds, is the documented one, from `models.toml`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from course.api.envelope import dump
from course.facts.loader import load
from course.facts.models import Model

__all__ = [
    "CALL",
    "MESSAGE",
    "beginning",
    "count",
    "factor",
    "overhead",
    "tokens",
    "weigh",
    "weigh_call",
    "weigh_tools",
]

TEXT, JSON, DEFINITION = 1 / 4.8, 1 / 2.8, 1 / 3.2
MESSAGE, CALL, RESULT, PICTURE, PAGE_SIZE = 7.0, 30.0, 20.0, 1500.0, 40_000
NEWER_TOKENIZER_SINCE = "2026-04-16"
NEWER_TOKENIZER = 1.3
HIDDEN = frozenset({"cache_control", "defer_loading", "type", "allowed_callers", "eager_input_streaming", "strict"})

Block = Mapping[str, Any]


def factor(model: Model | None) -> float:
    """Return how many tokens `model` makes of what was one token for the models before Opus 4.7."""
    return NEWER_TOKENIZER if model and model.released >= NEWER_TOKENIZER_SINCE else 1.0


def tokens(text: str, model: Model | None) -> int:
    """Return about how many tokens `text` takes: 0 for an empty one."""
    return -int(-_size(text) * TEXT * factor(model) // 1)


def weigh_call(given: Any, model: Model | None) -> int:
    """Return the output tokens of a call with the input `given`."""
    return int(CALL + len(dump(given)) * JSON * factor(model))


def beginning(text: str, count: int, model: Model | None) -> str:
    """Return what fits of `text` into `count` tokens."""
    kept = int(count / (TEXT * factor(model)))
    return text[:kept] if text.isascii() else text.encode("utf-8", "replace")[:kept].decode("utf-8", "ignore")


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def overhead(model: Model | None, choice: str) -> int:
    """Return the tokens of the prompt that the API adds for tool use; 0 where none is published."""
    if model is None or not model.overhead:
        return 0
    kind = "any" if choice in ("any", "tool") else "auto"
    return model.overhead.get(kind, model.overhead["auto"])


def count(
    model: Model | None,
    *,
    messages: Sequence[Mapping[str, Any]],
    system: Any = None,
    tools: Iterable[Block] = (),
    choice: str = "auto",
    any_tools: bool = False,
) -> int:
    """Return the input tokens of a request.

    messages: with their content as blocks. tools: the definitions that the model sees.
    """
    weight = weigh(system) + weigh_tools(tools)
    for message in messages:
        for block in message["content"]:
            weight += _weigh_block(block)
    fixed = MESSAGE * len(messages) + (overhead(model, choice) if any_tools else 0)
    return max(1, round(fixed + factor(model) * weight))


def weigh_tools(tools: Iterable[Block]) -> float:
    """Return the weight of tool definitions, in tokens of the older tokenizer."""
    return float(sum(map(_weigh_tool, tools)))


def _weigh_tool(tool: Block) -> float:
    if "input_schema" not in tool:
        kind = str(tool.get("type", ""))
        for start, weight in load("models")["definition_tokens"].items():
            if kind.startswith(start):
                return float(weight)
    if not HIDDEN.isdisjoint(tool):
        tool = {key: value for key, value in tool.items() if key not in HIDDEN}
    return DEFINITION * len(dump(tool))


def weigh(content: Any) -> float:
    """Return the weight of a text, a block or a list of blocks, in tokens of the older tokenizer."""
    kind = type(content)
    if kind is str:
        return _size(content) * TEXT
    if kind is list:
        return sum(map(weigh, content))
    return _weigh_block(content) if kind is dict else 0.0


def _weigh_block(block: Block) -> float:
    kind = block.get("type")
    if kind == "text":
        return _size(block["text"]) * TEXT
    if kind == "thinking":
        return _size(block["thinking"]) * TEXT
    if kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
        return CALL + len(dump(block.get("input"))) * JSON
    if kind == "tool_result":
        return RESULT + weigh(block.get("content"))
    if kind == "image":
        return PICTURE
    if kind == "document":
        return _weigh_document(block)
    return len(dump(block)) * JSON


def _weigh_document(block: Block) -> float:
    source = block.get("source") or {}
    if source.get("type") == "base64":
        return PICTURE * (1 + len(source.get("data", "")) // PAGE_SIZE)
    return weigh(source.get("data") or source.get("content") or "")
