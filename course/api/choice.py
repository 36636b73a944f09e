"""Rules of `tool_choice`: what it names, what the model allows, what it can't be combined with."""

from collections.abc import Iterator, Mapping
from typing import Any

from course.api.context import Context
from course.api.rules import Violation
from course.api.tools import calls_from_code

__all__ = ["check"]


def check(ctx: Context) -> Iterator[Violation]:
    """Yield what is wrong with `tool_choice`."""
    choice = ctx.body.get("tool_choice")
    if type(choice) is not dict:
        return
    kind = choice.get("type")
    if kind == "any" and not ctx.body.get("tools"):
        yield from ctx.breaks("choice.any-without-tools", ("tool_choice",))
    if kind == "tool" and type(name := choice.get("name")) is str and name not in ctx.tool_names:
        yield from ctx.breaks("choice.unknown-tool", ("tool_choice", "name"), name=name)
    if kind == "tool":
        yield from _not_direct(ctx, choice)
    if kind in ("any", "tool"):
        yield from ctx.breaks("choice.forced-unsupported", ("tool_choice", "type"))
        thinking = ctx.body.get("thinking")
        if type(thinking) is dict and thinking.get("type") == "enabled":
            yield from ctx.breaks("choice.forced-thinking", ("thinking",))
    if choice.get("disable_parallel_tool_use") is True and calls_from_code(ctx):
        yield from ctx.breaks("choice.parallel-code", ("tool_choice", "disable_parallel_tool_use"))


def _not_direct(ctx: Context, choice: Mapping[str, Any]) -> Iterator[Violation]:
    for _, tool in ctx.tools:
        callers = tool.get("allowed_callers")
        if tool.get("name") == choice.get("name") and type(callers) is list and callers and "direct" not in callers:
            yield from ctx.breaks("choice.not-direct", ("tool_choice", "name"), name=choice["name"])
            return
