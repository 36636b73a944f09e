"""What the API would refuse in a request body: every broken rule, in the order in which the API reports.

The API answers with the first; the doctor lists them all. Nothing here raises for any JSON value, and every check is
linear in the size of the body.

The order of the stages: field errors, then the model's name, then the turns as wholes (both measured, 2026-08-31);
the order behind them is not measured and follows what single reports show (`rules.toml`).
"""

from collections.abc import Iterator
from typing import Any

from course.api import (
    breakpoints,
    capability,
    choice,
    conversation,
    ending,
    exclusions,
    media,
    servertools,
    thinking,
    tools,
    window,
)
from course.api.context import Context, Hooks
from course.api.fields import faults
from course.api.headers import family
from course.api.rules import VERSIONS, Violation, violation
from course.facts.models import models

__all__ = ["STAGES", "Hooks", "violations"]

TAGS = frozenset({"id", "mcp_server_name", "name", "role", "tool_id", "tool_name", "tool_use_id", "type"})

STAGES = (
    conversation.shape,
    tools.check,
    choice.check,
    capability.check,
    exclusions.check,
    conversation.pairing,
    servertools.check,
    thinking.check,
    ending.texts,
    ending.prefill,
    breakpoints.check,
    media.check,
    window.check,
)


def _field_errors(body: Any, version: str, families: frozenset[str], counting: bool) -> Iterator[Violation]:
    for found in faults(body, version, families, counting):
        loc = ".".join(found.loc)
        made = violation(found.rule, found.place, loc=loc, **found.values)
        yield made if loc else Violation(**{**vars(made), "message": made.message.removeprefix(": ")})


def _legible(value: Any, depth: int = 8) -> Any:
    """Return a copy of a request with field errors, without names and tags that are no strings."""
    if not depth:
        return value
    if type(value) is dict:
        named = {key: member for key, member in value.items() if key not in TAGS or type(member) is str}
        return {key: _legible(member, depth - 1) for key, member in named.items()}
    return [_legible(member, depth - 1) for member in value] if type(value) is list else value


def violations(
    body: Any,
    *,
    version: str = VERSIONS[0],
    betas: frozenset[str] = frozenset(),
    hooks: Hooks | None = None,
    counting: bool = False,
) -> Iterator[Violation]:
    """Yield every rule that `body` breaks, first the one the API would report.

    `version` is the value of the anthropic-version header, `betas` those of anthropic-beta. With `counting` the body
    is one of count_tokens, which has no `max_tokens`.
    """
    families = frozenset(map(family, betas))
    sound = True
    for found in _field_errors(body, version, families, counting):
        sound = False
        yield found
    if type(body) is not dict:
        return
    body = body if sound else _legible(body)
    name = body.get("model")
    model = models().get(name) if type(name) is str else None
    if type(name) is str and name and model is None:
        yield violation("model.unknown", ("model",), model=name)
    ctx = Context(body, version, betas, families, model, hooks or Hooks(), counting)
    for stage in STAGES:
        yield from stage(ctx)
