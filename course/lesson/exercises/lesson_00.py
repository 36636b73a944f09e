"""The exercises of lesson 00, the start."""

from typing import Any

from course.lesson.checks import blocks, sorts
from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

CONCLUSIONS = {
    "the API refuses a request of this shape": True,
    "Claude would have picked this tool too": False,
    "the SDK builds the request like this": True,
    "Claude would have worded it like this": False,
}


def first_question(answer: Any) -> Finding:
    """The answer asks for the tool."""
    if not hasattr(answer, "content"):
        return wrong("no_message", kind=type(answer).__name__)
    return right() if blocks(answer, "tool_use") else wrong("no_call")


EXERCISES = (
    Exercise("start-first-question", "00", "start-first-task", (), first_question),
    Exercise("start-what-to-trust", "00", "start-answers", (), sorts(CONCLUSIONS, "statements")),
)
