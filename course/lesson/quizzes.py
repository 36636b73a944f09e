"""A few quiz questions in a notebook cell."""

from typing import Any

from course.facts import say
from course.facts.syllabus import objectives

__all__ = ["in_cell"]


def in_cell(lesson: str, count: int) -> Any:
    """Return the quiz widget for one lesson; a sentence when there are no questions for it yet."""
    from course.quiz.bank import QUIZZES, load_bank

    served = {id for id, objective in objectives().items() if objective.lesson == lesson}
    items = [item for item in load_bank(QUIZZES) if served & set(item.objectives)]
    if not items:
        return Sentence(say("lesson.quiz.none", lesson=lesson))
    from course.widgets import QuizView

    return QuizView(items[:count])


class Sentence(str):
    """A text that shows itself without quotes."""

    def __repr__(self) -> str:
        return str(self)
