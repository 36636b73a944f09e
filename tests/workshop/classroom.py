"""A synthetic class: a bank, and result files of as many learners as a test needs. Nobody in it is a person."""

import hashlib
import random
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "quiz"))

from synthetic import bank_of, item

from course.quiz.bank import Bank
from course.quiz.handin import Line, text_of
from course.workshop.report import Report, report
from course.workshop.report_cohort import Cohort, cohort
from course.workshop.results import read

__all__ = [
    "MADE",
    "bank_of",
    "class_bank",
    "files",
    "item",
    "line",
    "made_report",
    "one_file",
    "put_together",
    "seeded",
]

MADE = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)
OPTIONS = ("right", "red", "green", "blue")
OBJECTIVES = ("BLK-2", "LOOP-1", "DEF-2")


def class_bank(count: int = 8, **fields: object) -> Bank:
    """Return a bank of single-choice questions; the last two are variants of the first two."""
    made = [
        item(
            f"q{number}",
            objectives=[OBJECTIVES[number % len(OBJECTIVES)]],
            **({"variant_of": f"q{number - count + 2}"} if number >= count - 2 else {}),
            **fields,
        )
        for number in range(count)
    ]
    return bank_of(*made)


def line(learner: str, id: str, response: object = "right", **fields: object) -> Line:
    """Return one line of a result file; `fields` replace what it would have."""
    known: dict[str, object] = {
        "version": 1,
        "try_number": 1,
        "score": float(response == "right"),
        "confidence": 2,
        "at": "2026-11-30T09:00:00.000+00:00",
        "source": "practice",
    }
    return Line(learner=learner, item=id, response=response, **{**known, **fields})  # type: ignore[arg-type]


def one_file(lines: Sequence[Line], learner: str = "ada", **fields: object) -> str:
    """Return the text of a result file."""
    known: dict[str, object] = {
        "made": MADE,
        "by": "progress",
        "bank": "x",
        "learner": learner,
        "history": _history(str(learner)),
    }
    return text_of(lines, **{**known, **fields})  # type: ignore[arg-type]


def _history(learner: str) -> str:
    return learner if learner.isalnum() and learner.isascii() else hashlib.sha256(learner.encode()).hexdigest()[:16]


def seeded(people: int, bank: Bank, *, seed: int = 0, noise: float = 0.0) -> list[list[Line]]:
    """Return the lines of a class in which people and questions differ; a misconception sits in `red`."""
    draw = random.Random(seed)
    found = []
    for person in range(people):
        skill = (person + 0.5) / people
        lines = []
        for number, asked in enumerate(bank):
            hard = 0.2 + 0.6 * number / len(bank)
            right = draw.random() < (1 - noise) * (skill > hard) + noise * 0.5
            response = "right" if right else draw.choices(OPTIONS[1:], (6, 3, 1))[0]
            at = MADE - timedelta(days=1, minutes=-number)
            lines.append(line(f"p{person}", asked.id, response, confidence=draw.choice((1, 2, 3)), at=at.isoformat()))
        found.append(lines)
    return found


def files(folder: Path, people: Sequence[Sequence[Line]], name: Callable[[int], str] = "{:02}.jsonl".format) -> Path:
    """Write a file for each person; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, lines in enumerate(people):
        text = one_file(lines, lines[0].learner) if lines else one_file([], f"p{number}")
        (folder / name(number)).write_text(text, encoding="utf-8")
    return folder


def put_together(folder: Path, bank: Bank, **options: object) -> Cohort:
    """Read a folder into a cohort."""
    hand_ins, problems = read([folder], **options)  # type: ignore[arg-type]
    return cohort(hand_ins, bank, problems)


def made_report(folder: Path, bank: Bank, **options: object) -> Report:
    """Read a folder and report on it."""
    return report(put_together(folder, bank), bank, **options)  # type: ignore[arg-type]
