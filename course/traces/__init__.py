"""Traces: record a tool conversation, show it step by step, and say what is wrong with it.

The names below are loaded when they are first used, so that recording needs nothing of the viewing and checking.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from course.traces.record import Recorder
    from course.traces.trace import Answer, Exchange, Execution, Question, Trace
    from course.traces.view import LABELS, Block, Mark, Offered, Step, Timing
    from course.traces.walk import steps

__all__ = [
    "LABELS",
    "Answer",
    "Block",
    "Exchange",
    "Execution",
    "Mark",
    "Offered",
    "Question",
    "Recorder",
    "Step",
    "Timing",
    "Trace",
    "steps",
]

HOMES = {
    "record": ("Recorder",),
    "trace": ("Answer", "Exchange", "Execution", "Question", "Trace"),
    "view": ("LABELS", "Block", "Mark", "Offered", "Step", "Timing"),
    "walk": ("steps",),
}


def __getattr__(name: str) -> Any:
    for home, names in HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"course.traces.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
