"""Rules of thinking blocks in the conversation: where they stand, and that they come back as they were written."""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any

from course.api.context import Context
from course.api.conversation import THINKING, Turn
from course.api.predicates import thinks
from course.api.rules import Violation

__all__ = ["check"]

BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\Z")


def check(ctx: Context) -> Iterator[Violation]:
    """Yield the broken rules of thinking blocks: order, then signatures, then those of the last turn."""
    asked = ctx.body.get("thinking")
    if asked is None and THINKING.isdisjoint(ctx.kinds):
        return
    enabled = type(asked) is dict and asked.get("type") == "enabled"
    found = [n for n in dict.fromkeys(n for n, _, _ in ctx.blocks(*THINKING)) if ctx.turns[n].role == "assistant"]
    if enabled:
        yield from _last_starts_with_thinking(ctx)
        for number in found:
            yield from _thinking_first(ctx, number)
    on = bool(found) and thinks(ctx.body, ctx.model)
    for number in found if on else ():
        yield from _not_at_the_end(ctx, number)
    for number in found:
        yield from _signatures(ctx, number)
    if found and not on:
        yield from _none_in_last_turn(ctx)


def _answers_tools(turn: Turn) -> bool:
    return turn.role == "user" and any(block.get("type") == "tool_result" for block in turn.blocks)


def _last_starts_with_thinking(ctx: Context) -> Iterator[Violation]:
    """The turn that is still going on (a prefill, or the tool loop at the end) must start with thinking."""
    turns = ctx.turns
    number = len(turns) - 1
    if number >= 1 and _answers_tools(turns[number]):
        number -= 1
    if number < 0 or turns[number].role != "assistant" or not turns[number].blocks:
        return
    start = number
    while start >= 2 and _answers_tools(turns[start - 1]) and turns[start - 2].role == "assistant":
        start -= 2
    if any(block.get("type") in THINKING for turn in turns[start : number + 1] for block in turn.blocks[:1]):
        return
    kind = turns[number].blocks[0].get("type")
    yield from ctx.breaks("thinking.last-first", turns[number].place(0), index=number, type=kind)


def _thinking_first(ctx: Context, number: int) -> Iterator[Violation]:
    turn = ctx.turns[number]
    kind = turn.blocks[0].get("type")
    if kind not in THINKING and "interleaved-thinking" not in ctx.families:
        yield from ctx.breaks("thinking.not-first", turn.place(0), index=number, type=kind)


def _not_at_the_end(ctx: Context, number: int) -> Iterator[Violation]:
    """Something must follow thinking within its turn: a turn that was cut off there can't be sent back as it is."""
    turn = ctx.turns[number]
    kind = turn.blocks[-1].get("type")
    if kind in THINKING:
        yield from ctx.breaks("thinking.at-the-end", turn.place(len(turn.blocks) - 1), index=number, type=kind)


def _verdict(ctx: Context, block: Mapping[str, Any], text: Any) -> str:
    """Return "genuine", "edited", "moved" or "invalid". What is no base64 is a placeholder and can't be judged."""
    if type(text) is not str or not BASE64.match(text):
        return "genuine"
    if ctx.hooks.signature_ok and block.get("type") == "thinking":
        said = ctx.hooks.signature_ok(block)
        if type(said) is str:
            return said
        if said is not None:
            return "genuine" if said else "invalid"
    return "genuine" if b64decode(text[:4]).startswith(b"\x12") else "invalid"


def _signatures(ctx: Context, number: int) -> Iterator[Violation]:
    turn = ctx.turns[number]
    latest = not any(later.role == "assistant" for later in ctx.turns[number + 1 :])
    for index, block in enumerate(turn.blocks):
        kind = block.get("type")
        if kind not in THINKING:
            continue
        verdict = _verdict(ctx, block, block.get("signature" if kind == "thinking" else "data"))
        values = {"index": number, "content_index": index}
        if kind == "redacted_thinking" and verdict != "genuine":
            yield from ctx.breaks("thinking.data", turn.place(index), **values)
        elif verdict == "moved":
            yield from ctx.breaks("thinking.moved", turn.place(index), **values)
        elif verdict == "edited" and latest:
            yield from ctx.breaks("thinking.modified", turn.place(index), **values)
        elif verdict in ("edited", "invalid"):
            yield from ctx.breaks("thinking.signature", turn.place(index), **values)


def _none_in_last_turn(ctx: Context) -> Iterator[Violation]:
    number = len(ctx.turns) - 1
    turn = ctx.turns[number]
    if turn.role != "assistant":
        return
    for index, block in enumerate(turn.blocks):
        if block.get("type") in THINKING:
            yield from ctx.breaks("thinking.off-last", turn.place(index), index=number, content_index=index)
            return
