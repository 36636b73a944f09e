"""What pages of the kit may name: lessons, questions, exercises, verbs."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course.authoring.lint import called, checked
from course.authoring.source import Lesson, find_sources
from course.authoring.source import read as read_lesson
from course.facts.text import table
from course.quiz.bank import load_bank
from course.quiz.items import Item
from course.quiz.kinds import SelectN, Single

__all__ = ["FOLDER", "Found", "Ground", "ground", "right_options", "votable"]

FOLDER = Path("docs") / "instructor"
Found = tuple[int, str, dict[str, Any]]
"""What a rule yields: line, key of the message, values for it."""


@dataclass(frozen=True)
class Ground:
    """What pages may name: lessons by number, items by id, verbs of `course` and of `make`.

    guessed_right: the right option of a prediction, where one is written down. folder: where links start.
    """

    lessons: Mapping[str, Lesson]
    items: Mapping[str, Item]
    verbs: frozenset[str] = frozenset()
    makes: frozenset[str] = frozenset()
    guessed_right: Mapping[str, str] = field(default_factory=dict)
    folder: Path = field(default=FOLDER)

    def headings(self, number: str) -> tuple[str, ...]:
        """Return every heading of a lesson."""
        return tuple(
            line.lstrip("# ").strip()
            for cell in self.lessons[number].cells
            if cell.kind == "markdown"
            for line in cell.source.splitlines()
            if line.startswith("#")
        )

    def minutes(self, number: str) -> int:
        """Return the minutes that a lesson asks of somebody who works alone, 0 where it says none."""
        before = " ".join(cell.source for cell in self.lessons[number].cells if "before" in cell.tags)
        said = re.search(r"(\d+) minutes", before)
        return int(said[1]) if said else 0

    def predictions(self, number: str) -> dict[str, list[str]]:
        """Return what each prediction of a lesson offers, by its id."""
        calls = [
            node
            for cell in self.lessons[number].cells
            if called(cell).get("predict")
            for node in ast.walk(ast.parse(cell.source))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "predict"
        ]
        return {ast.literal_eval(call.args[0]): ast.literal_eval(call.args[2]) for call in calls}

    def activities(self, number: str) -> frozenset[str]:
        """Return the ids of a lesson's exercises and predictions."""
        checks = {id for cell in self.lessons[number].cells for id in checked(cell)}
        return frozenset({*checks, *self.predictions(number)})


def ground(root: Path) -> Ground:
    """Return what the pages of the checkout `root` may name."""
    lessons = [read_lesson(path) for path in find_sources(root / "lessons")]
    makefile = root / "Makefile"
    verbs = re.search(r"^VERBS = (.*)$", makefile.read_text(encoding="utf-8"), re.M) if makefile.is_file() else None
    guesses = root / "course" / "facts" / "text" / "en" / "guesses.toml"
    told = tomllib.loads(guesses.read_text(encoding="utf-8")) if guesses.is_file() else {}
    return Ground(
        {lesson.number: lesson for lesson in lessons},
        load_bank(root / "quizzes").items,
        frozenset(table("cli.verbs")),
        frozenset(verbs[1].split()) | {"help"} if verbs else frozenset(),
        {id: row["right"] for rows in told.values() for id, row in rows.items()},
        root / FOLDER,
    )


def right_options(item: Item) -> set[str]:
    """Return the ids of the right options of an item that a room can vote on; no ids for any other kind."""
    return {option.id for option in item.options if option.correct} if isinstance(item, Single | SelectN) else set()


def votable(line: int, id: str, on: Ground) -> Iterator[Found]:
    """Yield why a room cannot vote on the item `id`: it is not there, not reviewed, or of a kind without bars."""
    item = on.items.get(id)
    if item is None:
        yield line, "no_item", {"id": id}
        return
    if item.status != "reviewed":
        yield line, "status", {"id": id, "status": item.status}
    if not isinstance(item, Single | SelectN):
        yield line, "kind", {"id": id, "kind": item.kind}
