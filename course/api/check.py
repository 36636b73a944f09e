"""What the API would refuse in a request body: every broken rule, in the order in which the API reports.

The API answers with the first; the doctor lists them all. Nothing here raises for any JSON value.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from course.api import conversation
from course.api.fields import faults
from course.api.rules import VERSIONS, Violation, rules, violation

__all__ = ["Hooks", "violations"]


@dataclass(frozen=True)
class Hooks:
    """What a check needs to know from outside.

    estimate: tokens of a body's prompt. signature_ok: whether a thinking block's signature is genuine (None: unknown).
    """

    estimate: Callable[[Any], int] | None = None
    signature_ok: Callable[[dict[str, Any]], bool | None] | None = None


def _field_errors(body: Any, version: str, extras: frozenset[str]) -> Iterator[Violation]:
    for found in faults(body, version, extras):
        loc = ".".join(found.loc)
        made = violation(found.rule, found.place, loc=loc, **found.values)
        yield made if loc else Violation(**{**vars(made), "message": made.message.removeprefix(": ")})


def violations(
    body: Any,
    *,
    version: str = VERSIONS[0],
    betas: frozenset[str] = frozenset(),
    hooks: Hooks = Hooks(),
) -> Iterator[Violation]:
    """Yield every rule that `body` breaks, first the one the API would report.

    `version` is the value of the anthropic-version header, `betas` those of anthropic-beta.
    """
    yield from _field_errors(body, version, frozenset({"context_management", "mcp_servers"} if betas else {"mcp_servers"}))
    if type(body) is not dict:
        return
    yield from conversation.shape(body.get("messages"))
    yield from conversation.pairing(conversation.merge(body.get("messages")))
