"""A few quiz questions in a notebook cell."""

import random
from typing import Any

from course.facts import say
from course.lesson.desk import desk
from course.lesson.sentence import Sentence

__all__ = ["in_cell"]


def in_cell(lesson: str, count: int, last: str = "") -> Any:
    """Return the quiz of one lesson as a widget; a sentence when there are no questions for it.

    last: the id of a question that closes it, whatever else is drawn.
    """
    from course.quiz.bank import QUIZZES, load_bank
    from course.quiz.errors import QuizError
    from course.quiz.practice import Session
    from course.quiz.selection import Selection
    from course.widgets import QuizView

    try:
        session = Session(
            load_bank(QUIZZES),
            desk().store(),
            Selection(lesson=lesson),
            count=count,
            rng=random.Random(lesson),
            last=last,
        )
    except QuizError as error:
        return Sentence(say("lesson.quiz.none", lesson=lesson, why=str(error)))
    return QuizView(session)
