"""The API's rules, asked about bodies that may be incomplete, such as a pasted `messages` array."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from course.facts import default_model

if TYPE_CHECKING:
    from course.api.check import Violation

__all__ = ["NEWEST", "OLDEST", "broken_rules", "is_bare", "whole"]

OLDEST, NEWEST = "2023-06-01", "2026-10-21"
SMALL = 400_000
"""Characters that fit into the smallest window, whatever they say."""
CONVERSATION = ("messages", "tools", "system")


def is_bare(body: Mapping[str, Any]) -> bool:
    """Tell whether `body` is a conversation without the frame of a request: neither model nor max_tokens."""
    return "model" not in body and "max_tokens" not in body


def whole(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body as the API would get it: framed when it is bare, without the SDK's own arguments.

    A bare conversation that ends in an answer of Claude without calls is over; that answer is no part of a request.
    """
    sent = {key: value for key, value in body.items() if key != "betas"}
    if not is_bare(body):
        return sent
    sent = {"model": default_model(), "max_tokens": 1024, **sent}
    messages = body.get("messages")
    if isinstance(messages, list) and len(messages) > 1 and _finished(messages[-1]):
        sent["messages"] = messages[:-1]
    return sent


def broken_rules(body: Mapping[str, Any], *, version: str = OLDEST, betas: Sequence[str] = ()) -> "list[Violation]":
    """Return every broken rule of a body, in the API's order; of a bare one only those about what is there."""
    from course.api.check import Hooks, violations

    named = body.get("betas")
    asked = (*betas, *(beta for beta in named if isinstance(beta, str))) if isinstance(named, list) else tuple(betas)
    sent = whole(body)
    if unsendable := _unsendable(sent):
        return [unsendable]
    found = list(violations(sent, version=version, betas=frozenset(asked), hooks=Hooks(estimate=_tokens)))
    if is_bare(body):
        return [violation for violation in found if violation.place[:1] and violation.place[0] in CONVERSATION]
    return found


def _unsendable(body: Mapping[str, Any]) -> "Violation | None":
    """Return the rule broken by a body that cannot become JSON the API reads: half a character pair, too many bytes."""
    from course.api.headers import MAX_BYTES, check_body

    try:
        if len(json.dumps(body, ensure_ascii=False, default=str).encode()) <= MAX_BYTES:
            return None
    except UnicodeEncodeError:
        pass
    return check_body(json.dumps(body, default=str).encode())[1]


def _tokens(body: Mapping[str, Any]) -> int:
    """Return the estimated input tokens of a body; 0 for one that is far below any limit or cannot be counted."""
    from course.api import turn

    if sum(map(len, map(str, body.values()))) < SMALL:
        return 0
    try:
        return turn.asked(dict(body)).tokens
    except (AttributeError, KeyError, TypeError, ValueError):
        return 0


def _finished(message: Any) -> bool:
    if not isinstance(message, Mapping) or message.get("role") != "assistant":
        return False
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    return not any(isinstance(block, Mapping) and block.get("type") == "tool_use" for block in blocks)
