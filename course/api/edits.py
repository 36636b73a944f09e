"""Context editing: old tool results and thinking taken out of the prompt before the model sees it.

`clear_tool_uses_20250919` and `clear_thinking_20251015` with their documented defaults (Claude API docs,
context-editing page, snapshot of 2026-09-26): from 100,000 input tokens on, all tool results but the last three;
thinking of all turns but the last. What stands in place of a cleared result is worded by us. Compaction is not
imitated: it never sets in.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from course.api.tokens import factor, weigh
from course.facts.models import Model

__all__ = ["Edited", "edit"]

TRIGGER_TOKENS, KEEP_USES, KEEP_TURNS = 100_000, 3, 1
CLEARED = "[cleared to save context]"

Block = Mapping[str, Any]
Messages = tuple[Mapping[str, Any], ...]


class Edited(NamedTuple):
    """The messages that the model sees, and the edits as `applied_edits` reports them."""

    messages: Messages
    applied: list[dict[str, Any]]


def edit(messages: Messages, edits: Sequence[Mapping[str, Any]], tokens: int, model: Model | None) -> Edited:
    """Apply `edits` in their order; `tokens` is the size of the prompt before them."""
    applied: list[dict[str, Any]] = []
    for wanted in edits:
        changed, count = messages, 0
        if wanted["type"] == "clear_tool_uses_20250919":
            changed, count = _clear_uses(messages, wanted, tokens)
        elif wanted["type"] == "clear_thinking_20251015":
            changed, count = _clear_thinking(messages, wanted)
        saved = round((_weight(messages) - _weight(changed)) * factor(model)) if count else 0
        if count and saved >= (wanted.get("clear_at_least") or {}).get("value", 0):
            what = "cleared_tool_uses" if "tool_uses" in wanted["type"] else "cleared_thinking_turns"
            applied.append({"type": wanted["type"], what: count, "cleared_input_tokens": saved})
            messages, tokens = changed, tokens - saved
    return Edited(messages, applied)


def _weight(messages: Messages) -> float:
    return sum(weigh(message["content"]) for message in messages)


def _blocks(messages: Messages, kind: str) -> Iterator[Block]:
    return (block for message in messages for block in message["content"] if block.get("type") == kind)


def _clear_uses(messages: Messages, wanted: Mapping[str, Any], tokens: int) -> tuple[Messages, int]:
    answered = {block["tool_use_id"] for block in _blocks(messages, "tool_result")}
    uses = [block for block in _blocks(messages, "tool_use") if block["id"] in answered]
    trigger = wanted.get("trigger") or {"type": "input_tokens", "value": TRIGGER_TOKENS}
    if (len(uses) if trigger["type"] == "tool_uses" else tokens) <= trigger["value"]:
        return messages, 0
    kept = (wanted.get("keep") or {}).get("value", KEEP_USES)
    spared = wanted.get("exclude_tools") or ()
    old = {use["id"] for use in uses[: max(len(uses) - kept, 0)] if use["name"] not in spared}
    inputs = wanted.get("clear_tool_inputs") or ()

    def cleared(block: Block) -> Block:
        if block.get("type") == "tool_result" and block["tool_use_id"] in old:
            return {**block, "content": CLEARED}
        if block.get("type") == "tool_use" and block["id"] in old and (inputs is True or block["name"] in inputs):
            return {**block, "input": {}}
        return block

    return _mapped(messages, cleared), len(old)


def _clear_thinking(messages: Messages, wanted: Mapping[str, Any]) -> tuple[Messages, int]:
    keep = wanted.get("keep") or {"type": "thinking_turns", "value": KEEP_TURNS}
    if keep == "all" or keep["type"] == "all":
        return messages, 0
    turns = [
        number
        for number, message in enumerate(messages)
        if message["role"] == "assistant" and any(b.get("type") == "thinking" for b in message["content"])
    ]
    old = set(turns[: max(len(turns) - keep["value"], 0)])
    changed = tuple(
        {**message, "content": [b for b in message["content"] if b.get("type") != "thinking"]}
        if number in old
        else message
        for number, message in enumerate(messages)
    )
    return changed, len(old)


def _mapped(messages: Messages, change: Any) -> Messages:
    return tuple({**message, "content": [change(block) for block in message["content"]]} for message in messages)
