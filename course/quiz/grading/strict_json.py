"""Read JSON that a learner typed: exactly JSON, with limits, and with a hint where a typical slip shows."""

import json
import re
from typing import Any

from course.facts import say
from course.quiz.grading.grade import Invalid

__all__ = ["LONGEST", "depth", "read_json"]

LONGEST, DEEPEST = 60_000, 40
SLIPS = (
    ("quotes", re.compile("[\u201c\u201d\u2018\u2019]")),
    ("python", re.compile(r"\b(True|False|None)\b")),
    ("single", re.compile(r"'[\w-]+'\s*:")),
    ("comma", re.compile(r",\s*[}\]]")),
    ("comment", re.compile(r"^\s*(//|#)", re.MULTILINE)),
)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(name for at, (name, _) in enumerate(pairs) if name in dict(pairs[:at]))
        raise Invalid(say("quiz.grading.json.twice", key=twice))
    return data


def _constant(name: str) -> Any:
    raise Invalid(say("quiz.grading.json.constant", name=name))


def depth(value: Any) -> int:
    """Return how many layers of objects and arrays JSON data has; 1 for a bare value. Never recursive."""
    layers, layer = 0, [value]
    while layer:
        layers += 1
        layer = [
            inner
            for outer in layer
            for inner in (outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ())
        ]
    return layers


def read_json(text: Any) -> Any:
    """Return the data. Raises Invalid, with line and column, for anything that is not plain JSON."""
    if not isinstance(text, str):
        raise Invalid(say("quiz.grading.json.text"))
    if len(text) > LONGEST:
        raise Invalid(say("quiz.grading.json.long", most=LONGEST))
    text = text.removeprefix("\ufeff")
    try:
        data = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant)
    except json.JSONDecodeError as error:
        slip = next((say(f"quiz.grading.json.slip.{name}") for name, found in SLIPS if found.search(text)), "")
        why = say("quiz.grading.json.broken", line=error.lineno, column=error.colno, why=error.msg)
        raise Invalid(f"{why} {slip}".strip()) from None
    except (RecursionError, ValueError):
        raise Invalid(say("quiz.grading.json.deep", most=DEEPEST)) from None
    if depth(data) > DEEPEST:
        raise Invalid(say("quiz.grading.json.deep", most=DEEPEST))
    return data
