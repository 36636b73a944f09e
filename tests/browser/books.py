"""The notebooks of the browser tests, written when they are needed."""

import json
from pathlib import Path

__all__ = ["BOOKS", "write"]

START = "import view_samples as samples\nfrom course.widgets import *"
TOOLS = """from course.harness import tool

@tool
def get_weather(city: str) -> str:
    "Current weather of one city."
    return "18 °C, light rain"

@tool
def get_time(city: str) -> str:
    "Current local time of one city."
    return "02:14"
"""
GUESS = """guess = PredictView(
    "cyc-who", "Who runs the tool?", ["Claude", "the app"], answer=1, why="A model runs nothing."
)
guess"""
QUIZ = """import random, tempfile, view_items
from pathlib import Path
from course.quiz.practice import Session
from course.quiz.selection import Selection
from course.quiz.store import Store

store = Store(Path(tempfile.mkdtemp()) / "history.sqlite")
kinds = ("view-single", "view-select-n", "view-order")
quiz = QuizView(Session(view_items.bank(), store, Selection(items=kinds), count=3, rng=random.Random(1)))
quiz"""
BUTTON = """import ipywidgets
count = 0
label, button = ipywidgets.HTML("step 0"), ipywidgets.Button(description="Kernel step")

def stepped(_):
    global count
    count += 1
    label.value = f"step {count}"

button.on_click(stepped)
ipywidgets.VBox([button, label])"""

BOOKS = {
    "views.ipynb": [
        START,
        "view = TraceView(samples.parallel())\nview",
        GUESS,
        QUIZ,
        TOOLS,
        'what = WhatIf("What is the weather in Paris, and what time is it in Tokyo?", [get_weather, get_time])\nwhat',
    ],
    "still.ipynb": [START, "view = TraceView(samples.parallel())\nview", "# the end"],
    "seven.ipynb": [START, "view = TraceView(samples.parallel())\nview"],
    "speed.ipynb": [START, "view = TraceView(samples.one_by_one())\nview", BUTTON],
}


def write(folder: Path) -> None:
    """Write every notebook into `folder`, without outputs."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, cells in BOOKS.items():
        title = {"cell_type": "markdown", "id": "top", "metadata": {}, "source": "# Views"}
        empty = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
        book = {
            "cells": [title, *({**empty, "id": f"cell-{n}", "source": source} for n, source in enumerate(cells))],
            "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        (folder / name).write_text(json.dumps(book, indent=1), encoding="utf-8")
