"""Lint of the question bank: rules about each item, about the bank, and what could not be read.

Lint finds what gives an answer away and what is missing; it can't tell whether a key is true: that is what
proofs and a second reader with hidden keys are for. It never changes a text.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from course.facts import say
from course.quiz.bank import Bank, Problem
from course.quiz.items import Item
from course.quiz.lint.bankwide import bank_rules
from course.quiz.lint.finding import EXCUSABLE, Finding, Hit
from course.quiz.lint.options import option_rules
from course.quiz.lint.record import record_rules
from course.quiz.lint.reviewed import accept_reviewed, reviewed_rules
from course.quiz.lint.runnable import runnable_rules
from course.quiz.lint.texts import text_rules

__all__ = ["EXCUSABLE", "Counts", "Finding", "accept_reviewed", "counts", "lint", "lint_item"]


def lint(bank: Bank, *, today: date) -> list[Finding]:
    """Return everything wrong with `bank`, in the order of the files. Runs no proof and no robot."""
    findings = [_unread(problem) for problem in bank.problems]
    for item in bank:
        findings += [_finding(bank, item, hit) for hit in lint_item(item, today=today)]
    for rules in (bank_rules(bank), reviewed_rules(bank)):
        findings += [_finding(bank, item, hit) for item, hit in rules if hit[0] not in item.excuses]
    return sorted(findings, key=lambda found: (found.file, found.line, found.code))


def lint_item(item: Item, *, today: date) -> Iterator[Hit]:
    """Yield every rule that one item breaks without an excuse, and every excuse that excuses nothing."""
    used: set[str] = set()
    for rules in (record_rules(item, today), text_rules(item), option_rules(item), runnable_rules(item)):
        for hit in rules:
            code = hit[0]
            if code in item.excuses and (code in EXCUSABLE or code.startswith("W")):
                used.add(code)
            else:
                yield hit
    bankwide = {"W17", "W23"}
    for code in item.excuses.keys() - used - bankwide:
        yield "W24", ("excuses",), {"code": code}


def _finding(bank: Bank, item: Item, hit: Hit) -> Finding:
    code, path, values = hit
    place = bank.places[item.id]
    field = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    return Finding(code[:3], item.id, place.file, place.at(*path), field, say(f"quiz.lint.rule.{code}", **values))


def _unread(problem: Problem) -> Finding:
    return Finding(
        "E01",
        problem.item,
        problem.file,
        problem.line,
        problem.field,
        say("quiz.lint.rule.E01", what=problem.what, todo=problem.todo),
    )


@dataclass(frozen=True)
class Counts:
    """How many items there are, by what a bank is planned by; retired ones are left out."""

    items: int
    kinds: Counter[str]
    tasks: Counter[str]
    objectives: Counter[str]
    statuses: Counter[str]
    difficulties: Counter[str]
    proven: int


def counts(bank: Bank) -> Counts:
    """Count the items of `bank`; `proven` are those with a proof, or of a kind that is proven by running it."""
    items = [item for item in bank if item.status != "retired"]
    intrinsic = {"spot_block", "repair_json", "write_schema", "faded_code"}
    return Counts(
        items=len(items),
        kinds=Counter(item.kind for item in items),
        tasks=Counter(item.exam_task for item in items),
        objectives=Counter(name for item in items for name in item.objectives),
        statuses=Counter(item.status for item in items),
        difficulties=Counter(item.difficulty for item in items),
        proven=sum(item.proof is not None or item.kind in intrinsic for item in items),
    )
