"""Notebook views: traces to walk through, predictions, quiz items, knobs for what-if.

The names below are loaded when they are first used: importing this package costs nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from course.widgets.export import export_html, interactive_page
    from course.widgets.predict import Prediction, PredictView
    from course.widgets.quiz import QuizView
    from course.widgets.setting import Setting, play
    from course.widgets.trace import TraceView
    from course.widgets.whatif import WhatIf

__all__ = [
    "PredictView",
    "Prediction",
    "QuizView",
    "Setting",
    "TraceView",
    "WhatIf",
    "export_html",
    "interactive_page",
    "play",
]

HOMES = {
    "PredictView": "predict",
    "Prediction": "predict",
    "QuizView": "quiz",
    "Setting": "setting",
    "TraceView": "trace",
    "WhatIf": "whatif",
    "export_html": "export",
    "interactive_page": "export",
    "play": "setting",
}


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"course.widgets.{HOMES[name]}"), name)
