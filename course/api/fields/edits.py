"""The shape of `context_management`: which edits there are, and what may be set for each.

Source: SDK 2.14.0 types (2026-11-24). That `keep` of the thinking edit may be the string "all" is documented.
"""

from functools import cache
from typing import Any

from course.api import shape as s
from course.api.shape import Check, Faults

__all__ = ["context_management"]

LEAST_COMPACTED = 50_000  # Tokens; the documented least that sets compaction off.


def _count(*kinds: str, least: int = 0) -> Check:
    """A number of something: {"type": one of `kinds`, "value": how many}."""
    return s.tagged({kind: s.obj({"type": s.anything, "value": s.integer(least)}) for kind in kinds})


def _inputs(value: Any) -> Faults:
    return s.array(s.string())(value) if type(value) is list else s.boolean(value)


def _kept_thinking(value: Any) -> Faults:
    some = {"all": s.obj({"type": s.anything}), "thinking_turns": s.obj({"type": s.anything, "value": s.integer(0)})}
    return None if value == "all" else s.tagged(some)(value)


@cache
def context_management() -> Check:
    """Return the shape of `context_management`, or null."""
    thinking = s.obj({"type": s.anything, "keep": s.optional(_kept_thinking)})
    tool_uses = s.obj(
        {
            "type": s.anything,
            "clear_at_least": s.optional(s.nullable(_count("input_tokens"))),
            "clear_tool_inputs": s.optional(s.nullable(_inputs)),
            "exclude_tools": s.optional(s.nullable(s.array(s.string()))),
            "keep": s.optional(_count("tool_uses")),
            "trigger": s.optional(_count("input_tokens", "tool_uses")),
        }
    )
    compact = s.obj(
        {
            "type": s.anything,
            "instructions": s.optional(s.nullable(s.string())),
            "pause_after_compaction": s.optional(s.boolean),
            "trigger": s.optional(s.nullable(_count("input_tokens", least=LEAST_COMPACTED))),
        }
    )
    edits = {
        "clear_thinking_20251015": thinking,
        "clear_tool_uses_20250919": tool_uses,
        "compact_20260112": compact,
    }
    return s.nullable(s.obj({"edits": s.optional(s.array(s.tagged(edits)))}))
