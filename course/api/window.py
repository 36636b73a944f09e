"""Rules of the context window. Token counts are estimates (`Hooks.estimate`), so the edge is not exact."""

from collections.abc import Iterator

from course.api.context import Context
from course.api.rules import Violation

__all__ = ["check"]

LONG = 1_000_000


def check(ctx: Context) -> Iterator[Violation]:
    """Yield that the prompt, or the prompt with `max_tokens`, does not fit the model's context."""
    if ctx.model is None or ctx.hooks.estimate is None:
        return
    limit = LONG if "context-1m" in ctx.families else ctx.model.context
    tokens = ctx.hooks.estimate(ctx.body)
    asked = ctx.body.get("max_tokens")
    if tokens > limit:
        yield from ctx.breaks("window.prompt", ("messages",), n=tokens, limit=limit)
    elif type(asked) is int and tokens + asked > limit:
        values = {"tokens": tokens, "max_tokens": asked, "limit": limit}
        yield from ctx.breaks("window.with-output", ("max_tokens",), **values)
