"""A message as server-sent events, in the order recorded streams show.

message_start → (content_block_start → content_block_delta … → content_block_stop) per block → message_delta →
message_stop. A `ping` follows the first content_block_start. The first `input_json_delta` is empty, and the
rest are cut anywhere, also inside words and escapes; the members of a client toolset get theirs at once. There is
no `[DONE]`.
"""

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

from course.api.envelope import dump
from course.api.usage import final_usage

__all__ = ["events", "frame", "frames"]

Event = dict[str, Any]
OPENED = {"text": {"text": ""}, "thinking": {"thinking": "", "signature": ""}}
CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")


def frame(event: Mapping[str, Any]) -> bytes:
    """Return one event as it stands on the wire."""
    return b"event: %b\ndata: %b\n\n" % (event["type"].encode(), dump(event))


def frames(message: Mapping[str, Any], seed: int = 0, cut: str | None = None) -> Iterator[bytes]:
    """Yield the whole of `message` as frames."""
    return map(frame, events(message, seed, cut))


def events(message: Mapping[str, Any], seed: int = 0, cut: str | None = None) -> Iterator[Event]:
    """Yield the events of `message`; `seed` decides where texts are cut.

    cut: the JSON text of the last call's input where max_tokens ended it, instead of its whole input.
    """
    chance = random.Random(seed)
    last = len(message["content"]) - 1
    yield {"type": "message_start", "message": _opening(message)}
    for index, block in enumerate(message["content"]):
        yield {"type": "content_block_start", "index": index, "content_block": _opened(block)}
        if index == 0:
            yield {"type": "ping"}
        for delta in _deltas(block, chance, cut if index == last else None):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    edits = {"context_management": message["context_management"]} if "context_management" in message else {}
    yield {"type": "message_delta", "delta": _outcome(message), "usage": final_usage(message["usage"]), **edits}
    yield {"type": "message_stop"}


def _opening(message: Mapping[str, Any]) -> Event:
    usage = {**message["usage"], "output_tokens": min(message["usage"]["output_tokens"], 1)}
    del usage["output_tokens_details"]
    later: Event = {"content": [], "stop_reason": None, "stop_sequence": None, "stop_details": None, "container": None}
    return {key: value for key, value in message.items() if key != "context_management"} | later | {"usage": usage}


def _outcome(message: Mapping[str, Any]) -> Event:
    container = {"container": message["container"]} if message["container"] else {}
    return {key: message[key] for key in ("stop_reason", "stop_sequence", "stop_details")} | container


def _opened(block: Mapping[str, Any]) -> Event:
    kind = block["type"]
    if kind in CALLS:
        return {**block, "input": {}}
    if block.get("citations"):
        return {**block, "text": "", "citations": []}
    return {**block, **OPENED.get(kind, {})}


def _deltas(block: Mapping[str, Any], chance: random.Random, cut: str | None) -> Iterator[Event]:
    kind = block["type"]
    if kind == "text":
        for citation in block.get("citations") or ():
            yield {"type": "citations_delta", "citation": citation}
        for piece in _cut(block["text"], chance, 4, 24):
            yield {"type": "text_delta", "text": piece}
    elif kind == "thinking":
        for piece in _cut(block["thinking"], chance, 4, 24):
            yield {"type": "thinking_delta", "thinking": piece}
        yield {"type": "signature_delta", "signature": block["signature"]}
    elif kind in CALLS:
        yield {"type": "input_json_delta", "partial_json": ""}
        whole = json.dumps(block["input"], ensure_ascii=False) if cut is None and block["input"] else cut or ""
        at_once = "toolset_name" in block
        for piece in [whole] if at_once else _cut(whole, chance, 2, 12):
            yield {"type": "input_json_delta", "partial_json": piece}


def _cut(text: str, chance: random.Random, least: int, most: int) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = start + chance.randint(least, most)
        yield text[start:end]
        start = end
