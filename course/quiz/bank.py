"""The question bank: every item of `quizzes/*.yaml`, and a problem for everything that could not be read.

A bad item never hides the others: it is left out and reported with file, line, item, field, and what to do.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from course.facts import say
from course.quiz.items import Item
from course.quiz.kinds import KINDS

if TYPE_CHECKING:
    from course.quiz.yamlfile import Document

__all__ = ["QUIZZES", "Bank", "BankError", "Place", "Problem", "load_bank"]

QUIZZES = Path(__file__).resolve().parents[2] / "quizzes"


class BankError(Exception):
    """The bank has no such item, or no such folder."""


@dataclass(frozen=True)
class Place:
    """Where an item stands: file, line from 1, and the lines of its fields."""

    file: Path
    line: int
    document: "Document | None" = field(repr=False, compare=False, default=None)
    index: int = 0

    def at(self, *path: Any) -> int:
        """Return the line of a field, e.g. `at("options", 2, "why")`."""
        return self.document.line(self.index, *path) if self.document else self.line


@dataclass(frozen=True)
class Problem:
    """Something to mend. `item` and `field` are "" where the whole file is meant; line 0 is unknown."""

    file: Path
    line: int
    what: str
    todo: str
    item: str = ""
    field: str = ""

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file.name, self.line or "") if part)
        name = " ".join(filter(None, (self.item, self.field)))
        return f"{where}: {f'{name}: ' if name else ''}{self.what}: {self.todo}"


@dataclass(frozen=True)
class Bank:
    """Items by id in the order of the files, where each stands, and what could not be read."""

    items: Mapping[str, Item]
    places: Mapping[str, Place] = field(default_factory=dict, repr=False)
    problems: tuple[Problem, ...] = ()

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items.values())

    def __len__(self) -> int:
        return len(self.items)

    def item(self, id: str) -> Item:
        """Return one item. Raises BankError when there is none."""
        try:
            return self.items[id]
        except KeyError:
            raise BankError(say("quiz.lint.no_item", id=id)) from None

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits that change with any item."""
        text = "\n".join(item.model_dump_json() for item in sorted(self, key=lambda item: item.id))
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def load_bank(where: Path | str | None = None) -> Bank:
    """Load a folder of YAML files, or one file (default: the course's own `quizzes/`).

    Raises BankError when there is no such place; everything else that is wrong is in `problems`.
    """
    path = QUIZZES if where is None else Path(where)
    if not path.exists():
        raise BankError(say("quiz.lint.no_folder", path=path))
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    items: dict[str, Item] = {}
    places: dict[str, Place] = {}
    problems: list[Problem] = []
    for file in files:
        for found in _read_file(file):
            if isinstance(found, Problem):
                problems.append(found)
                continue
            item, place = found
            if item.id in items:
                other = places[item.id]
                problems.append(
                    Problem(
                        file,
                        place.line,
                        say("quiz.lint.same_item", file=other.file.name, line=other.line),
                        say("quiz.lint.same_item_todo"),
                        item.id,
                        "id",
                    )
                )
                continue
            items[item.id], places[item.id] = item, place
    return Bank(items, places, tuple(problems))


def _read_file(file: Path) -> Iterator[tuple[Item, Place] | Problem]:
    from course.quiz.yamlfile import YamlProblem, read_yaml  # PyYAML is slow to import, and often not needed

    try:
        document = read_yaml(file)
    except YamlProblem as problem:
        yield Problem(file, problem.line, problem.what, problem.todo)
        return
    except OSError as error:
        yield Problem(file, 0, say("quiz.lint.unreadable", why=error.strerror), say("quiz.lint.unreadable_todo"))
        return
    if not isinstance(document.data, list):
        yield Problem(file, 1, say("quiz.lint.no_list"), say("quiz.lint.no_list_todo"))
        return
    for index, data in enumerate(document.data):
        place = Place(file, document.line(index), document, index)
        yield from _read_item(data, place)


def _read_item(data: Any, place: Place) -> Iterator[tuple[Item, Place] | Problem]:
    if not isinstance(data, dict):
        yield Problem(place.file, place.line, say("quiz.lint.no_mapping"), say("quiz.lint.no_mapping_todo"))
        return
    name = str(data.get("id", "")) or say("quiz.lint.nameless", n=place.index + 1)
    kind = KINDS.get(str(data.get("kind")))
    if kind is None:
        yield Problem(
            place.file,
            place.at("kind"),
            say("quiz.lint.no_kind", kind=data.get("kind")),
            say("quiz.lint.no_kind_todo", kinds=", ".join(KINDS)),
            name,
            "kind",
        )
        return
    try:
        yield kind.model_validate(data), place
    except ValidationError as error:
        faults = error.errors(include_url=False)
        for fault in faults:
            if not _echo(fault, faults):
                yield _problem(fault, name, kind, place)


def _echo(fault: Any, faults: list[Any]) -> bool:
    """Tell whether a list is only "too short" because one of its members failed."""
    depth = len(fault["loc"])
    return fault["type"] == "too_short" and any(
        len(other["loc"]) > depth and other["loc"][:depth] == fault["loc"] for other in faults
    )


def _problem(fault: Any, name: str, kind: type[Item], place: Place) -> Problem:
    """Say one pydantic error in words a question writer can act on."""
    path = tuple(fault["loc"])
    code = fault["type"]
    values = {
        "what": fault["msg"],
        "given": _short(fault.get("input")),
        "key": path[-1] if path else "",
        "fields": ", ".join(kind.model_fields),
        "expected": (fault.get("ctx") or {}).get("expected", ""),
    }
    known = code if code in ("missing", "extra_forbidden", "string_type", "literal_error") else "other"
    what, todo = say(f"quiz.lint.fault.{known}", **values), say(f"quiz.lint.fault.{known}_todo", **values)
    return Problem(place.file, place.at(*path), what, todo, name, _dotted(path))


def _dotted(path: tuple[Any, ...]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
