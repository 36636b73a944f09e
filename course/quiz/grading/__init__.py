"""`grade(item, response)`: pure, without clock, network or chance.

Responses are JSON, by kind: single "id" · select_n ["id", …] · order ["id", …] · match {"row": "target"} ·
spot_block {"place": [message, block], "rule": "id"} · repair_json and write_schema "the JSON as text" ·
faded_code {"hole": "code"} · numeric 3 or "3" · open {"text": "…", "points": ["id", …]}.
None, "", [] and {} are blank in every kind. `key(item)` gives a response that is right.
"""

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

from course.quiz.grading import closed
from course.quiz.grading.grade import GRADER_VERSION, Grade, Invalid, Marks, Mode, Part, Verdict
from course.quiz.items import Item, in_language
from course.quiz.kinds import Match, Numeric, Open, Order, SelectN, SpotBlock

__all__ = ["GRADER_VERSION", "Grade", "Mode", "Part", "Verdict", "grade", "is_blank", "key"]

CLOSED: dict[str, Callable[..., Marks]] = {
    "single": closed.single,
    "select_n": closed.select_n,
    "order": closed.order,
    "match": closed.match,
    "spot_block": closed.spot_block,
    "numeric": closed.numeric,
    "open": closed.open_answer,
}
EXECUTED = {
    "repair_json": "course.quiz.grading.written",
    "write_schema": "course.quiz.grading.schemas",
    "faded_code": "course.quiz.grading.code",
}


def is_blank(response: Any) -> bool:
    """Return True when nothing was answered; an open answer without text is blank, too."""
    if isinstance(response, str):
        return not response.strip()
    if isinstance(response, dict):
        if "text" in response:
            return is_blank(response["text"])
        return all(value is None or value == "" for value in response.values())
    return response is None or response == [] or response == ()


def grade(item: Item, response: Any, *, mode: Mode = "practice", lang: str | None = None) -> Grade:
    """Grade one response. Practice gives partial credit, an exam all or nothing.

    A blank or invalid response scores 0, has a verdict of its own, and does not count as wrong.
    Grading repair_json, write_schema and faded_code runs the answer: against the offline API, a schema
    validator, or in a separate process.
    """

    def result(score: float, verdict: Verdict, parts: tuple[Part, ...] = (), counts: bool = True) -> Grade:
        return Grade(
            item_id=item.id,
            item_version=item.version,
            mode=mode,
            score=score,
            verdict=verdict,
            parts=parts,
            counts=counts,
        )

    if is_blank(response):
        return result(0.0, "blank", counts=False)
    grader = CLOSED.get(item.kind) or import_module(EXECUTED[item.kind]).mark
    try:
        score, parts = grader(item, response, lang)
    except Invalid as problem:
        return result(0.0, "invalid", (Part(role="note", ok=False, text=str(problem)),), counts=False)
    verdict: Verdict = "correct" if score == 1 else "partial" if score > 0 else "incorrect"
    if mode == "exam" and verdict == "partial":
        score, verdict = 0.0, "incorrect"
    return result(score, verdict, parts, counts=item.kind != "open")


def key(item: Item) -> Any:
    """Return a response that grades as correct; None where the item gives no solution."""
    match item:
        case SelectN():
            return [option.id for option in item.options if option.correct]
        case Order():
            before = item.before()
            return sorted(before, key=lambda id: len(before[id]))
        case Match():
            return {row.id: row.answer for row in item.rows}
        case SpotBlock():
            return {"place": list(item.answer.places[0]), "rule": item.answer.rule}
        case Numeric():
            return item.answer
        case Open():
            return {"text": in_language(item.model_answer), "points": [point.id for point in item.rubric]}
    if item.kind == "single":
        return next(option.id for option in item.options if option.correct)  # type: ignore[attr-defined]
    if item.kind == "faded_code":
        return {hole.id: hole.solution for hole in item.holes}  # type: ignore[attr-defined]
    solution = item.solution  # type: ignore[attr-defined]
    return None if solution is None else json.dumps(solution, ensure_ascii=False, indent=2)
