"""The exercises of lesson 14, the exam."""

from collections.abc import Mapping
from typing import Any

from course.facts import load
from course.lesson.checks import sorts
from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

ASKS = {
    "most effective first step": "cheap",
    "must never be refunded twice": "certain",
    "guarantees that the customer was verified": "certain",
    "what should you try before adding components": "cheap",
}
LAYERS = {"filter": "tool", "plead": "prompt", "model": "model", "second": "component"}
ANSWERS = {
    "split the catch-all tool": "exam",
    "consolidate related operations behind an action parameter": "docs",
    "return errorCategory and isRetryable": "exam",
    "the newest models refuse forced choice": "docs",
}


def domain_two(share: Any) -> Finding:
    """The percentage of domain 2, as a number or a fraction."""
    percent = next(domain["percent"] for domain in load("exam")["domain"] if domain["number"] == 2)
    given = float(share.strip(" %")) if isinstance(share, str) else share
    return right() if given in (percent, percent / 100) else wrong("other", given=share)


def interval(higher: Any) -> Finding:
    """The learner with the higher lower end."""
    from course.quiz.scores import wilson

    wanted = "A" if wilson(9, 10)[0] > wilson(45, 60)[0] else "B"
    return right() if str(higher).strip().upper() == wanted else wrong("other")


def layer(given: Mapping[str, Any]) -> Finding:
    """The layer of each option, and the right option by name or by its layer."""
    off = [name for name, where in LAYERS.items() if _word(given.get(name)) != where]
    if off:
        return wrong("off", names=", ".join(off))
    return right() if _word(given.get("key")) in ("filter", "tool") else wrong("key", key=given.get("key"))


def _word(value: Any) -> str:
    return str(value).strip().lower()


EXERCISES = (
    Exercise("exam-domain-two", "14", "exam-format", ("EXM-1",), domain_two),
    Exercise("exam-read-qualifiers", "14", "exam-read", ("EXM-1",), sorts(ASKS, "texts")),
    Exercise("exam-name-the-layer", "14", "exam-layers-task", ("EXM-1",), layer),
    Exercise("exam-two-truths", "14", "exam-two", ("EXM-1",), sorts(ANSWERS, "texts")),
    Exercise("exam-interval", "14", "exam-score", ("EXM-1",), interval),
)
