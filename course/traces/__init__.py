"""Traces: record a tool conversation, show it step by step, and say what is wrong with it.

The names below are loaded when they are first used, so that recording needs nothing of the viewing and checking.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from course.traces.doctor import diagnose
    from course.traces.encoding import Unreadable
    from course.traces.finding import Diagnosis, Finding
    from course.traces.html import to_html, to_page
    from course.traces.library import NoSuchSample, sample, samples
    from course.traces.markdown import to_markdown
    from course.traces.record import Recorder
    from course.traces.report import report_html, report_text
    from course.traces.text import to_text
    from course.traces.trace import Answer, Exchange, Execution, Question, Trace
    from course.traces.view import LABELS, Block, Mark, Offered, Step, Timing
    from course.traces.walk import steps

__all__ = [
    "LABELS",
    "Answer",
    "Block",
    "Diagnosis",
    "Exchange",
    "Execution",
    "Finding",
    "Mark",
    "NoSuchSample",
    "Offered",
    "Question",
    "Recorder",
    "Step",
    "Timing",
    "Trace",
    "Unreadable",
    "diagnose",
    "report_html",
    "report_text",
    "sample",
    "samples",
    "steps",
    "to_html",
    "to_markdown",
    "to_page",
    "to_text",
]

HOMES = {
    "doctor": ("diagnose",),
    "finding": ("Diagnosis", "Finding"),
    "report": ("report_html", "report_text"),
    "encoding": ("Unreadable",),
    "html": ("to_html", "to_page"),
    "library": ("NoSuchSample", "sample", "samples"),
    "markdown": ("to_markdown",),
    "text": ("to_text",),
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
