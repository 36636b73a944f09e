"""A synthetic bank: as many items of every kind as a test needs, with texts that say what they are.

Nothing in it is a real question. The wording is even, so that lengths tell nothing about the key.
"""

import hashlib
import random
from collections.abc import Iterable
from datetime import date
from typing import Any

from course.quiz.bank import Bank
from course.quiz.items import Item
from course.quiz.kinds import KINDS

__all__ = ["bank_of", "full_bank", "item"]

WHY = "A reason that is long enough to teach something about option "
SOURCE = {"title": "Synthetic source", "checked_on": date(2026, 12, 1)}
WRONG = ("red", "green", "blue")
OBJECTIVES = {"1.1": "LOOP-1", "1.4": "LOOP-7", "2.1": "DEF-2", "2.2": "ERR-2", "2.3": "CHO-1", "2.4": "MCP-8"}


def item(id: str, kind: str = "single", **fields: Any) -> Item:
    """Return one item of `kind`; `fields` replace what it would have."""
    record: dict[str, Any] = {
        "id": id,
        "version": 1,
        "status": "reviewed",
        "kind": kind,
        "objectives": ["BLK-2"],
        "exam_task": "1.1",
        "difficulty": "exam",
        "stem": f"Question {id}: which one holds?",
        "explanation": f"What {id} is about.",
        "hints": ["nudge", "rule", "shape"],
        "sources": [SOURCE],
        "est_seconds": 60,
    }
    return KINDS[kind].model_validate(record | body(kind, id) | fields)


def body(kind: str, owner: str = "") -> dict[str, Any]:
    """Return the fields of a kind; the key is always the option `right` or its like."""
    match kind:
        case "single":
            return {"options": [option("right", True, owner), *(option(name, False, owner) for name in WRONG)]}
        case "select_n":
            keys = [option("right", True, owner), option("also", True, owner)]
            return {"select_n": 2, "options": [*keys, *(option(name, False, owner) for name in WRONG)]}
        case "order":
            return {"options": [option(name, True, owner) for name in ("first", "second", "third")]}
        case "match":
            rows = [{"id": f"row{n}", "text": f"Row {n}", "answer": f"t{n}", "why": WHY + str(n)} for n in (1, 2)]
            return {"rows": rows, "targets": [{"id": f"t{n}", "text": f"Target {n}"} for n in (1, 2, 3)]}
        case "spot_block":
            return {"trace": TRACE, "answer": {"places": [[2, 0]], "rule": "pairing.unexpected-result"}}
        case "numeric":
            return {"answer": 3, "why": WHY, "unit": "requests", "near": [{"value": 2, "why": "One was left out."}]}
        case "open":
            rubric = [{"id": "plan", "text": "It names a plan."}, {"id": "risk", "text": "It names a risk."}]
            return {"rubric": rubric, "model_answer": "A plan, and a risk."}
        case "repair_json":
            call = {"id": "toolu_a", "name": "get_order", "input": {}}
            content = [{"type": "tool_result", "tool_use_id": "toolu_a", "content": "paid"}]
            solution = {"role": "user", "content": content}
            return {
                "given": {"calls": [call]},
                "accept": ["one_user_message", "all_ids_answered"],
                "solution": solution,
            }
        case "write_schema":
            yes, no = [{"input": {"n": 1}, "why": WHY}], [{"input": {"n": "x"}, "why": WHY}]
            schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
            return {"accepts": yes, "refuses": no, "solution": schema}
        case "faded_code":
            case = {
                "name": "ends",
                "replies": [[{"type": "text", "text": "Done."}]],
                "expect": {"returns": "Please help."},
                "why": WHY,
            }
            code = "def run(client, tools, call, question):\n    <<body>>\n"
            choices = ["return question", "return None"]
            hole = {"id": "body", "solution": choices[0], "why": WHY, "choices": choices}
            return {"code": code, "holes": [hole], "cases": [case]}
    raise ValueError(kind)


TRACE = [
    {"role": "user", "content": "Is ORD-81 paid?"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_a", "name": "get_order", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_b", "content": "paid"}]},
]


def option(id: str, correct: bool = False, owner: str = "") -> dict[str, Any]:
    """Return one option; the wrong ones carry a misconception."""
    made = {"id": id, "text": f"{_noise(owner, id)} is answered like this", "correct": correct, "why": f"{WHY}{id}."}
    return made if correct else made | {"misconception": "claude-runs-tools"}


def _noise(owner: str, id: str) -> str:
    """Return letters without meaning, of even length, so that no robot learns anything from them."""
    return (
        hashlib.sha256(f"{owner}/{id}".encode()).hexdigest()[:12].translate(str.maketrans("0123456789", "ghijklmnop"))
    )


def bank_of(*items: Item) -> Bank:
    """Return a bank of these items."""
    return Bank({item.id: item for item in items})


def full_bank(
    tasks: Iterable[str] = ("1.1", "1.2", "1.3", "1.4", "1.5", "2.1", "2.2", "2.3", "2.4", "2.5", "4.3", "4.4", "5.3"),
    *,
    singles: int = 20,
    selects: int = 5,
    variants: int = 4,
    seed: int = 0,
) -> Bank:
    """Return a bank with that many items a task, some of them variants or enemies, over the six scenarios."""
    rng = random.Random(seed)
    items: list[Item] = []
    for task in tasks:
        for number in range(singles + selects):
            id = f"t{task.replace('.', '')}-{number:02}"
            fields: dict[str, Any] = {
                "exam_task": task,
                "objectives": [OBJECTIVES.get(task, "BLK-2")],
                "scenario": (1, 3, 4, 2, 5, 6)[number % (3 if task.startswith("2") else 6)],
                "difficulty": rng.choice(("exam", "exam", "hard")),
            }
            if 0 < number <= variants:
                fields["variant_of"] = f"t{task.replace('.', '')}-{number + 9:02}"
            if number == singles - 1:
                fields["not_with"] = [f"t{task.replace('.', '')}-{number - 1:02}"]
            items.append(item(id, "single" if number < singles else "select_n", **fields))
    return bank_of(*items)
