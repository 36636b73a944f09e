"""Proofs about a streamed response: in which order its events come, and what its pieces of JSON are worth."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from course.facts import default_model
from course.quiz.offline import full_request, scripted
from course.quiz.proofs.registry import Sheet, agrees, proof

__all__ = ["stream_gives"]


@proof("stream_gives")
def stream_gives(sheet: Sheet, *, replies: Sequence[Any], request: Mapping[str, Any] | None = None) -> Any:
    """One streamed response with one call, read through the real SDK.

    order: claims are the types of events; strangers have none. Otherwise claims are about `first` (the first piece),
    `start` (the input in the block's start event), `joined` (the pieces joined are the whole input),
    `single` (every piece but the first parses by itself) and `stop_reason`.
    """
    kinds, pieces, start, final = _streamed(full_request(request or {}), replies)
    if sheet.kind == "order":
        known = {choice.id: str(choice.claim) for choice in sheet.choices if choice.claim is not None}
        return sorted(known, key=lambda id: kinds.index(known[id]))
    call = next(block for block in final.content if block.type == "tool_use")
    observed = {
        "first": pieces[0],
        "start": start,
        "joined": _parsed("".join(pieces)) == call.input,
        "single": all(_parsed(piece) is not None for piece in pieces[1:]),
        "stop_reason": final.stop_reason,
    }
    return sheet.pick(lambda claim: agrees(claim, observed), observed)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _streamed(body: Mapping[str, Any], replies: Sequence[Any]) -> tuple[list[str], list[str], Any, Any]:
    """Return the types of the events, the pieces of JSON, the input in the start event, and the whole message."""
    from course.api import OfflineAPI
    from course.api.transport import client

    kinds: list[str] = []
    pieces: list[str] = []
    start: Any = None
    with client(OfflineAPI(scripted(replies))).messages.stream(**{"model": default_model(), **body}) as events:
        for event in events:
            kinds.append(event.type)
            if event.type == "content_block_start" and event.content_block.type == "tool_use":
                start = dict(event.content_block.input)
            if event.type == "content_block_delta" and event.delta.type == "input_json_delta":
                pieces.append(event.delta.partial_json)
        return kinds, pieces, start, events.get_final_message()
