"""Token counts, estimated. The tokenizer of Claude is not public, so every count here is a stand-in for the real one.

The rates are fitted to 108 recorded exchanges of Claude 4.0 to 5 models without pictures or server tools (median
error 3 %). They count characters, and a little for each message, call and result. Models released since Opus 4.7
give about 30 % more tokens for a text (Claude API docs, pricing page, snapshot of 2026-08-22). The overhead of tool
use per model is the documented one, from `models.toml`.
"""

from collections.abc import Iterable, Mapping, Sequence
from json import JSONEncoder
from typing import Any

from course.facts.models import Model

__all__ = ["CALL", "MESSAGE", "characters", "count", "encode", "factor", "overhead", "tokens", "weigh", "weigh_tools"]

TEXT, JSON, DEFINITION = 1 / 4.2, 1 / 3.0, 1 / 3.4
MESSAGE, CALL, RESULT, PICTURE, PAGE_SIZE = 7.0, 35.0, 25.0, 1500.0, 40_000
NEWER_TOKENIZER_SINCE = "2026-04-16"
NEWER_TOKENIZER = 1.3
HIDDEN = frozenset({"cache_control", "defer_loading", "type", "allowed_callers", "eager_input_streaming", "strict"})

Block = Mapping[str, Any]
encode = JSONEncoder(ensure_ascii=False).encode


def factor(model: Model | None) -> float:
    """Return how many tokens `model` makes of what was one token for the models before Opus 4.7."""
    return NEWER_TOKENIZER if model and model.released >= NEWER_TOKENIZER_SINCE else 1.0


def tokens(text: str, model: Model | None) -> int:
    """Return about how many tokens `text` takes: 0 for an empty one."""
    return -int(-len(text) * TEXT * factor(model) // 1)


def characters(count: int, model: Model | None) -> int:
    """Return how many characters of text `count` tokens hold."""
    return int(count / (TEXT * factor(model)))


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
    """Return the input tokens of a request; `tools` are the definitions that the model sees."""
    rate = factor(model)
    total = rate * (weigh(system) + weigh_tools(tools)) + (overhead(model, choice) if any_tools else 0)
    total += sum(MESSAGE + rate * weigh(message["content"]) for message in messages)
    return max(1, round(total))


def weigh_tools(tools: Iterable[Block]) -> float:
    """Return the weight of tool definitions, in tokens of the older tokenizer."""
    return sum(DEFINITION * len(encode({k: v for k, v in tool.items() if k not in HIDDEN})) for tool in tools)


def weigh(content: Any) -> float:
    """Return the weight of a text, a block or a list of blocks, in tokens of the older tokenizer."""
    if isinstance(content, str):
        return len(content) * TEXT
    if isinstance(content, list | tuple):
        return sum(map(weigh, content))
    return _weigh_block(content) if isinstance(content, Mapping) else 0.0


def _weigh_block(block: Block) -> float:
    kind = block.get("type")
    if kind == "text":
        return len(block["text"]) * TEXT
    if kind == "thinking":
        return len(block["thinking"]) * TEXT
    if kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
        return CALL + len(encode(block.get("input"))) * JSON
    if kind == "tool_result":
        return RESULT + weigh(block.get("content"))
    if kind == "image":
        return PICTURE
    if kind == "document":
        return _weigh_document(block)
    return len(encode(block)) * JSON


def _weigh_document(block: Block) -> float:
    source = block.get("source") or {}
    if source.get("type") == "base64":
        return PICTURE * (1 + len(source.get("data", "")) // PAGE_SIZE)
    return weigh(source.get("data") or source.get("content") or "")
