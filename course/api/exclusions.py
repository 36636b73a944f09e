"""Features that one request can't have together.

Sources: Claude API docs, citations, structured outputs and prompt caching pages, snapshots of 2026-08-22.
"""

from collections.abc import Iterator
from typing import Any

from course.api.context import Context
from course.api.rules import Violation

__all__ = ["check"]

CITED = ("document", "search_result", "tool_result")


def check(ctx: Context) -> Iterator[Violation]:
    """Yield what excludes what: citations and a format of the answer, no output and what asks for some."""
    if wanted_format(ctx):
        yield from _citations(ctx)
    if ctx.body.get("max_tokens") == 0:
        yield from _no_output(ctx)


def wanted_format(ctx: Context) -> bool:
    """Tell whether the answer has to follow a schema."""
    config = ctx.body.get("output_config")
    return type(config) is dict and config.get("format") is not None


def _cites(block: dict[str, Any]) -> bool:
    asked = block.get("citations")
    return type(asked) is dict and asked.get("enabled") is True


def _citations(ctx: Context) -> Iterator[Violation]:
    for number, index, block in ctx.blocks(*CITED):
        content = block.get("content") if block["type"] == "tool_result" else None
        parts = [part for part in content if type(part) is dict] if type(content) is list else [block]
        if any(map(_cites, parts)):
            yield from ctx.breaks("citations.with-format", ctx.turns[number].place(index))
            return


def _no_output(ctx: Context) -> Iterator[Violation]:
    """`max_tokens` 0 fills the cache and writes nothing."""
    body = ctx.body
    thinking, choice = body.get("thinking"), body.get("tool_choice")
    asked = {
        "`stream: true`": body.get("stream") is True,
        '`thinking.type: "enabled"`': type(thinking) is dict and thinking.get("type") == "enabled",
        "`output_config.format`": wanted_format(ctx),
        '`tool_choice` of type "any" or "tool"': type(choice) is dict and choice.get("type") in ("any", "tool"),
    }
    for field, given in asked.items():
        if given:
            yield from ctx.breaks("max-tokens.zero", ("max_tokens",), field=field)
            return
