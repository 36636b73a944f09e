"""What is true of a model: the predicates that rule rows name, and whether a request lets it think."""

from collections.abc import Callable, Mapping
from typing import Any

from course.facts.models import Model

__all__ = ["PREDICATES", "thinks"]

GEO_SINCE = COMPACTION_SINCE = "2026-02-05"  # Claude Opus 4.6
PDF_SINCE = "2024-06-20"  # Claude 3.5 Sonnet

PREDICATES: Mapping[str, Callable[[Model], bool]] = {
    "no-adaptive-thinking": lambda model: "adaptive" not in model.thinking,
    "no-between-tools": lambda model: "between_tools" not in model.thinking,
    "no-compaction": lambda model: model.released < COMPACTION_SINCE,
    "no-disabled-thinking": lambda model: "disabled" not in model.thinking and "between_tools" not in model.thinking,
    "no-effort": lambda model: not model.effort,
    "no-turn-changes": lambda model: not model.turn_changes,
    "only-between-tools": lambda model: "disabled" not in model.thinking and "between_tools" in model.thinking,
    "no-enabled-thinking": lambda model: "enabled" not in model.thinking and "adaptive" in model.thinking,
    "no-fast-mode": lambda model: not model.fast_mode,
    "no-forced-choice": lambda model: not model.forced,
    "no-geo": lambda model: model.released < GEO_SINCE,
    "no-pdf": lambda model: model.released < PDF_SINCE,
    "no-prefill": lambda model: not model.prefill,
    "no-programmatic": lambda model: not model.programmatic,
    "no-structured": lambda model: not model.structured,
    "no-system-turns": lambda model: not model.system_turns,
    "prefill": lambda model: model.prefill,
    "sampling-either": lambda model: model.sampling == "either",
    "sampling-fixed": lambda model: model.sampling == "fixed",
    "some-effort": lambda model: bool(model.effort),
    "user-first": lambda model: model.first_user,
    "window-sum": lambda model: model.window_sum,
}


def thinks(body: Mapping[str, Any], model: Model | None) -> bool:
    """Tell whether thinking is on: asked for, or on where nothing is asked."""
    asked = body.get("thinking")
    if type(asked) is dict:
        return asked.get("type") != "disabled"
    return model is not None and model.thinking_default == "on"
