"""Rules of the texts of a request and of its last turn: empty texts, prefill."""

from collections.abc import Iterator
from typing import Any

from course.api.context import Context
from course.api.conversation import Turn
from course.api.rules import Violation

__all__ = ["prefill", "texts"]


def texts(ctx: Context) -> Iterator[Violation]:
    """Yield the broken rules of texts: those of `system`, and those of the last turn.

    A text in the middle of the conversation may be empty (measured 2026-08-31).
    """
    if type(ctx.body.get("system")) is list:
        yield from _system(ctx)
    if ctx.turns and ctx.turns[-1].role in ("user", "system"):
        yield from _last(ctx, ctx.turns[-1])


def _system(ctx: Context) -> Iterator[Violation]:
    """Of a `system` given as blocks; an empty string there is accepted (recorded)."""
    system = ctx.body.get("system")
    for index, block in enumerate(system if type(system) is list else ()):
        text = block.get("text") if type(block) is dict else None
        if type(text) is str and not text.strip():
            yield from ctx.breaks("text.blank" if text else "text.empty", ("system", index), field="system")
            return


def _last(ctx: Context, turn: Turn) -> Iterator[Violation]:
    found = [
        (i, b["text"]) for i, b in enumerate(turn.blocks) if b.get("type") == "text" and type(b.get("text")) is str
    ]
    if all([text.strip() for _, text in found]):
        return
    empty = [index for index, text in found if not text]
    blank = [index for index, text in found if text and not text.strip()]
    if turn.role == "system":
        # Of a system turn the API reports a text that is empty among others with words of its own.
        empty, blank = empty if len(empty) == len(found) else [], []
    if empty:
        yield from ctx.breaks("text.empty", turn.place(empty[0]), field="messages")
    elif blank:
        yield from ctx.breaks("text.blank", turn.place(blank[0]), field="messages")


def _continues_server_tool(block: dict[str, Any]) -> bool:
    kind = block.get("type")
    return type(kind) is str and (kind in ("server_tool_use", "mcp_tool_use") or kind.endswith("_tool_result"))


def prefill(ctx: Context) -> Iterator[Violation]:
    """Yield the broken rules of a last turn of the assistant, which the model would continue."""
    turn = ctx.turns[-1] if ctx.turns else None
    if turn is None or turn.role != "assistant" or not turn.blocks or _continues_server_tool(turn.blocks[-1]):
        return
    place = turn.place(len(turn.blocks) - 1)
    if turn.blocks[-1].get("type") != "tool_use":
        yield from ctx.breaks("prefill.unsupported", place)
    text = turn.blocks[-1].get("text")
    if type(text) is str and text != text.rstrip():
        yield from ctx.breaks("prefill.whitespace", place)
