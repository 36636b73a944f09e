"""Rules of `cache_control` markers over the whole request: how many, and in which order of lifetimes."""

from collections.abc import Iterator
from typing import Any

from course.api.context import Context
from course.api.rules import Place, Violation

__all__ = ["MOST", "check", "markers"]

MOST = 4


def markers(ctx: Context) -> Iterator[tuple[dict[str, Any], Place]]:
    """Yield (marker, place of its block) in the order in which the API processes blocks: tools, system, messages."""
    for index, tool in ctx.tools:
        yield from _own(tool, ("tools", index))
    system = ctx.body.get("system")
    for index, block in enumerate(system if type(system) is list else ()):
        if type(block) is dict:
            yield from _own(block, ("system", index))
    for number, index in ctx.marked:
        turn = ctx.turns[number]
        yield from _in_block(turn.blocks[index], turn.place(index))
    if type(marker := ctx.body.get("cache_control")) is dict:
        yield marker, ()


def _own(block: dict[str, Any], place: Place) -> Iterator[tuple[dict[str, Any], Place]]:
    marker = block.get("cache_control")
    if type(marker) is dict:
        yield marker, place


def _in_block(block: dict[str, Any], place: Place) -> Iterator[tuple[dict[str, Any], Place]]:
    """A marker inside `tool_result.content` counts as one of the result itself."""
    yield from _own(block, place)
    if block.get("type") == "tool_result" and type(content := block.get("content")) is list:
        for part in content:
            if type(part) is dict:
                yield from _own(part, place)


def _last(ctx: Context, automatic: dict[str, Any]) -> Iterator[Violation]:
    """Automatic caching marks the last block; what stands there already must not say something else."""
    turn = ctx.turns[-1] if ctx.turns else None
    marker = turn.blocks[-1].get("cache_control") if turn and turn.blocks else None
    if turn and type(marker) is dict and (marker.get("ttl") or "5m") != (automatic.get("ttl") or "5m"):
        place = (*turn.place(len(turn.blocks) - 1), "cache_control", "ttl")
        yield from ctx.breaks("cache.automatic-ttl", place)


def check(ctx: Context) -> Iterator[Violation]:
    """Yield the broken rules of markers."""
    found = list(markers(ctx))
    if len(found) > MOST:
        place = found[MOST][1]
        yield from ctx.breaks("cache.too-many", (*place, "cache_control"), n=len(found))
    if type(automatic := ctx.body.get("cache_control")) is dict:
        yield from _last(ctx, automatic)
    short = False
    for marker, place in found:
        if marker.get("ttl") != "1h":
            short = True
        elif short:
            where = (*place, "cache_control", "ttl")
            yield from ctx.breaks("cache.ttl-order", where, loc=".".join(map(str, where)))
            return
