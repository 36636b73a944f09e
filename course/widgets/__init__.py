"""Notebook views: traces to walk through, predictions, quiz items, knobs for what-if.

The names below are loaded when they are first used: importing this package costs nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from course.widgets.predict import Prediction, PredictView
    from course.widgets.trace import TraceView

__all__ = ["PredictView", "Prediction", "TraceView"]

HOMES = {
    "Prediction": "predict",
    "PredictView": "predict",
    "TraceView": "trace",
}


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"course.widgets.{HOMES[name]}"), name)
