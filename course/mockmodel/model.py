"""The seam behind the offline Messages API: who answers a valid request."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

__all__ = ["MockModel", "MockModelError", "ModelRequest", "Reply"]

Block = Mapping[str, Any]


class MockModelError(Exception):
    """Root of this room's errors: `ScriptEnded`."""


@dataclass(frozen=True)
class ModelRequest:
    """What a model gets to see of a request that passed every rule.

    messages: same-role turns merged; `content` is always a list of blocks; a thread's history is included.
    tools: the definitions the model can see (deferred ones only once a tool_reference named them).
    deferred: definitions that only a tool search can bring in.
    tool_choice: always a mapping with `type`; `auto` with tools and `none` without when the request had none.
    system: the system prompt as one string, "" when there is none.
    thinking: True when the request (or the model's default) has thinking on.
    """

    model: str
    messages: tuple[Mapping[str, Any], ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    deferred: tuple[Mapping[str, Any], ...] = ()
    tool_choice: Mapping[str, Any] = field(default_factory=lambda: {"type": "auto"})
    system: str = ""
    thinking: bool = False
    max_tokens: int = 1024
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """What the model wrote, before the API constrains it (tool_choice, disable_parallel_tool_use, max_tokens, ...).

    blocks: content blocks; a `tool_use` block may leave out its `id`, a `thinking` block its `signature`: the
    API fills both in. stop_reason: None lets the API derive it (`tool_use` when a call is left, else `end_turn`).
    explain: why (scores per tool, wishes found, what was extracted), JSON-serialisable, for the explain channel.
    """

    blocks: tuple[Block, ...]
    stop_reason: str | None = None
    stop_sequence: str | None = None
    stop_details: Mapping[str, Any] | None = None
    explain: Mapping[str, Any] = field(default_factory=dict)


class MockModel(Protocol):
    """A stand-in for Claude. `name` says which stand-in it is, and is shown wherever it is met."""

    name: str

    def reply(self, request: ModelRequest) -> Reply:
        """Answer one request. Same request, same answer: an implementation keeps no state between requests."""
        ...
