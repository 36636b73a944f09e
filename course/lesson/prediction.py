"""A prediction in a cell: the learner commits before running the next cell."""

import os
from pathlib import PurePath
from typing import Any

from course.facts import say
from course.lesson.record import note
from course.lesson.sentence import in_html, in_words

__all__ = ["Choices", "ask_for", "current_lesson"]


def ask_for(id: str, question: str, options: tuple[str, ...]) -> Any:
    """Return the widget that takes the guess; plain choices where widgets do not work."""
    if question is ... or ... in options:
        return ...
    try:
        from course.widgets import PredictView
    except ImportError:
        return Choices(question, options)

    def keep(guess: Any) -> None:
        if guess.choice is not None:
            note("predicted", id, {"lesson": current_lesson(), "question": question, "prediction": guess.text})

    return PredictView(id, question, options, on_answer=keep)


def current_lesson() -> str:
    """Return the number of the lesson whose notebook this kernel serves, "" when it cannot be told."""
    stem = PurePath(os.environ.get("JPY_SESSION_NAME", "")).stem
    return stem[:2] if stem[:2].isdigit() else ""


class Choices:
    """A question with its options, to be answered in the head."""

    def __init__(self, question: str, options: tuple[str, ...]) -> None:
        self.question, self.options = question, options

    def __repr__(self) -> str:
        rows = [f"  ( ) {option}" for option in self.options]
        return in_words("\n".join([self.question, *rows, say("lesson.predict.noted")]))

    def _repr_html_(self) -> str:
        rows = "".join(f"<li>{in_html(option)}</li>" for option in self.options)
        noted = in_html(say("lesson.predict.noted"))
        return f"<div><b>{in_html(self.question)}</b><ul>{rows}</ul><i>{noted}</i></div>"
