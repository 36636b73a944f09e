"""What the request lets the model write: tool_choice, parallel calls, strict schemas, stop sequences, max_tokens.

The real API steers the sampling; the stand-in's reply is cut and completed afterwards, to the same outcome. Each
change is noted for the explain channel.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from course.api.conform import conform
from course.api.tokens import CALL, beginning, tokens, weigh_call
from course.facts.models import Model
from course.facts.text import say
from course.mockmodel.model import ModelRequest, Reply

__all__ = ["Written", "constrain"]

SERVER_SIDE = ("advisor_", "code_execution_", "tool_search_tool_", "web_fetch_", "web_search_")

Block = dict[str, Any]


@dataclass
class Written:
    """A reply after the request had its say. `cut`: the JSON text of the last call's input, where max_tokens cut it."""

    blocks: list[Block]
    stop_reason: str | None = None
    stop_sequence: str | None = None
    stop_details: Mapping[str, Any] | None = None
    cut: str | None = None
    output_tokens: int = 0
    thinking_tokens: int = 0
    notes: list[str] = field(default_factory=list)


def constrain(blocks: list[Block], reply: Reply, asked: ModelRequest, model: Model | None, room: int) -> Written:
    """Return what is left of `blocks` when every constraint of the request has acted on them.

    `reply` is the last one, which says how the turn ended. `room`: tokens left in the model's context window.
    """
    written = Written(blocks, reply.stop_reason, reply.stop_sequence, reply.stop_details)
    if not asked.thinking:
        _keep(written, [b for b in written.blocks if b["type"] != "thinking"], "thinking")
    if written.stop_reason != "refusal":
        _choose(written, asked)
    _strict(written, asked)
    _format(written, asked)
    _stop(written, asked.body.get("stop_sequences") or ())
    _limit(written, asked.max_tokens, room, model)
    if written.stop_reason is None:
        written.stop_reason = "tool_use" if any(map(_is_call, written.blocks)) else "end_turn"
    if written.stop_reason == "refusal" and written.stop_details is None:
        written.stop_details = {"type": "refusal", "category": None, "explanation": None}
    return written


def _is_call(block: Mapping[str, Any]) -> bool:
    return block["type"] == "tool_use"


def _keep(written: Written, blocks: list[Block], why: str) -> None:
    """Leave only `blocks`; `why` is a key of the texts under `api.constraint`."""
    if len(blocks) != len(written.blocks):
        written.notes.append(say(f"api.constraint.{why}", n=len(written.blocks) - len(blocks)))
    written.blocks = blocks


def _choose(written: Written, asked: ModelRequest) -> None:
    kind = asked.tool_choice["type"]
    if kind == "none":
        _keep(written, [b for b in written.blocks if not _is_call(b)], "none")
    if kind in ("any", "tool"):
        _force(written, asked)
    if asked.tool_choice.get("disable_parallel_tool_use"):
        first = next(filter(_is_call, written.blocks), None)
        _keep(written, [b for b in written.blocks if not _is_call(b) or b is first], "parallel")


def _force(written: Written, asked: ModelRequest) -> None:
    """A forced call comes without text before it, because the API begins the assistant's turn with the call."""
    kind, wanted = asked.tool_choice["type"], asked.tool_choice.get("name")
    if kind == "tool":
        blocks = [b for b in written.blocks if not _is_call(b) or b["name"] == wanted]
        _keep(written, blocks, "other")
    calls = ("tool_use", "server_tool_use")
    start = next((place for place, block in enumerate(written.blocks) if block["type"] in calls), None)
    if start is None:
        tool = _callable_tool(asked.tools, wanted)
        if tool is None:
            return
        call = {"type": "tool_use", "name": tool["name"], "input": conform({}, tool.get("input_schema"))}
        written.notes.append(say("api.constraint.forced", kind=kind, name=tool["name"]))
        written.blocks, start = [*(b for b in written.blocks if b["type"] != "text"), call], len(written.blocks)
        written.stop_reason = None
    text = [b for place, b in enumerate(written.blocks) if b["type"] == "text" and place < start]
    _keep(written, [b for b in written.blocks if not any(b is t for t in text)], "before")


def _callable_tool(tools: Sequence[Mapping[str, Any]], wanted: str | None) -> Mapping[str, Any] | None:
    """Return the client tool to call: the one wanted, else the first with a schema, else the first of all."""
    ours = [tool for tool in tools if "name" in tool and not str(tool.get("type", "")).startswith(SERVER_SIDE)]
    named = [tool for tool in ours if wanted in (None, tool["name"])]
    return next((tool for tool in named if "input_schema" in tool), named[0] if named else None)


def _strict(written: Written, asked: ModelRequest) -> None:
    strict = [tool for tool in asked.tools if tool.get("strict") and "input_schema" in tool]
    schemas = {tool["name"]: tool["input_schema"] for tool in strict}
    for block in filter(_is_call, written.blocks if strict else ()):
        schema = schemas.get(block["name"])
        if schema is not None and (fitting := conform(block["input"], schema)) != block["input"]:
            written.notes.append(say("api.constraint.strict", name=block["name"]))
            block["input"] = fitting


def _format(written: Written, asked: ModelRequest) -> None:
    """Make the last text JSON of the asked schema, unless the turn goes on with calls."""
    config = asked.body.get("output_config") or {}
    format = config.get("format") or asked.body.get("output_format") or {}
    if format.get("type") != "json_schema" or any(map(_is_call, written.blocks)) or written.stop_reason == "refusal":
        return
    texts = [block for block in written.blocks if block["type"] == "text"]
    try:
        value = json.loads(texts[-1]["text"]) if texts else {}
    except ValueError:
        value = {}
    text = json.dumps(conform(value, format.get("schema")), ensure_ascii=False)
    others = [block for block in written.blocks if block["type"] != "text"]
    if not texts or text != texts[-1]["text"]:
        written.notes.append(say("api.constraint.format"))
    written.blocks = [*others, {"type": "text", "text": text}]


def _stop(written: Written, sequences: Sequence[str]) -> None:
    for place, block in enumerate(written.blocks if sequences else ()):
        if block["type"] != "text":
            continue
        found = [(at, sequence) for sequence in sequences if (at := block["text"].find(sequence)) >= 0]
        if found:
            at, sequence = min(found)
            block["text"] = block["text"][:at]
            written.blocks = written.blocks[: place + bool(block["text"])]
            written.stop_reason, written.stop_sequence = "stop_sequence", sequence
            return


def _limit(written: Written, most: int, room: int, model: Model | None) -> None:
    """Cut what goes beyond `most` tokens, or beyond the window, in the middle of a text or an input if need be."""
    reason = "max_tokens" if most <= room else "model_context_window_exceeded"
    left = min(most, room)
    for place, block in enumerate(written.blocks):
        cost = _cost(block, model)
        if cost <= left:
            left -= cost
            _add(written, block, cost)
            continue
        part = _part(block, left, model, written)
        written.blocks = written.blocks[:place] + ([part] if part else [])
        _add(written, block, left if part else 0)
        written.stop_reason, written.stop_sequence = reason, None
        written.notes.append(say("api.constraint.cut", reason=reason, n=min(most, room)))
        return
    if most == 0:
        written.stop_reason = "max_tokens"


def _add(written: Written, block: Block, cost: int) -> None:
    written.output_tokens += cost
    if block["type"] == "thinking":
        written.thinking_tokens += cost


def _cost(block: Block, model: Model | None) -> int:
    kind = block["type"]
    if kind in ("text", "thinking"):
        return tokens(block[kind], model)
    if kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
        return weigh_call(block["input"], model)
    return 0


def _part(block: Block, left: int, model: Model | None, written: Written) -> Block | None:
    kind = block["type"]
    if kind in ("text", "thinking"):
        kept = beginning(block[kind], left, model)
        return {**block, kind: kept} if kept else None
    if left < CALL:
        return None
    whole = json.dumps(block["input"], ensure_ascii=False)
    written.cut = beginning(whole, left - int(CALL), model)
    return {**block, "input": _prefix(block["input"], written.cut)}


def _prefix(value: dict[str, Any], cut: str) -> dict[str, Any]:
    """Return the members of `value` whose JSON is complete in `cut`, as a parser of partial JSON reads it."""
    kept: dict[str, Any] = {}
    for name, member in value.items():
        kept[name] = member
        if not cut.startswith(json.dumps(kept, ensure_ascii=False)[:-1]):
            del kept[name]
            break
    return kept
