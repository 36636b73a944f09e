"""Build notebooks and solutions from lesson sources, or tell which are stale."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from course.authoring.execute import execute, keep_pictures
from course.authoring.guard import is_edited, load, restore, write
from course.authoring.notebook import Edition, make, source_hash, text_of
from course.authoring.overlay import lay_over, read_overlay
from course.authoring.source import Lesson, find_sources, read

__all__ = ["House", "Stale", "build", "lessons", "reset", "stale"]


@dataclass(frozen=True)
class House:
    """The course's root folder, and the language to build. Other languages get folders of their own."""

    root: Path
    language: str = "en"

    @property
    def sources(self) -> Path:
        """Where lesson sources live."""
        return self.root / "lessons"

    def place(self, lesson: Lesson, edition: Edition) -> Path:
        """Return the path of one built notebook."""
        folder = self.root / ("solutions" if edition == "solved" else "notebooks")
        if self.language != "en":
            folder /= self.language
        return (folder / "recall" if edition == "recall" else folder) / f"{lesson.name}.ipynb"


@dataclass(frozen=True)
class Stale:
    """A built file that is not what its source gives. `why`: missing, stale or edited (by a person)."""

    path: Path
    why: Literal["missing", "stale", "edited"]


def lessons(house: House, wanted: tuple[str, ...] = ()) -> list[Lesson]:
    """Return the lessons in the house's language. Raises SourceError."""
    found = [read(path) for path in find_sources(house.sources, wanted)]
    if house.language == "en":
        return found
    return [lay_over(lesson, read_overlay(house.sources, house.language, lesson.name)) for lesson in found]


def build(house: House, lesson: Lesson, *, run: bool = True, rerun: bool = False) -> Iterator[tuple[Path, bool]]:
    """Build one lesson; yield each path and whether it changed.

    run: also execute the solved edition. rerun: execute it even when its source has not changed.
    Raises EditedNotebook for a file a person changed, ExecutionFailed when the solved lesson does not run.
    """
    for edition in ("learner", "recall"):
        path = house.place(lesson, edition)
        yield path, write(path, text_of(make(lesson, edition)))
    if run:
        yield _build_solution(house, lesson, rerun)


def _build_solution(house: House, lesson: Lesson, rerun: bool) -> tuple[Path, bool]:
    path = house.place(lesson, "solved")
    book = make(lesson, "solved")
    digest = source_hash(book)
    old = None if is_edited(path) else load(path)
    if old and not rerun and old["metadata"]["course"].get("source") == digest:
        return path, False
    path.parent.mkdir(parents=True, exist_ok=True)
    done = keep_pictures(execute(book, path.parent, language=house.language), old)
    done["metadata"]["course"]["source"] = digest
    return path, write(path, _with_lines(done))


def _with_lines(book: dict) -> str:
    """Return the file text of an executed notebook, its outputs split into lines as Jupyter does."""
    import nbformat

    node = nbformat.from_dict({**book, "cells": [{**c, "source": "".join(c["source"])} for c in book["cells"]]})
    nbformat.validate(node)
    return nbformat.writes(node) + "\n"


def stale(house: House, lesson: Lesson) -> Iterator[Stale]:
    """Yield the built files of one lesson that are missing, stale or edited. Runs nothing."""
    for edition in ("learner", "recall", "solved"):
        path, book = house.place(lesson, edition), make(lesson, edition)
        if not path.exists():
            yield Stale(path, "missing")
        elif is_edited(path):
            yield Stale(path, "edited")
        elif edition == "solved":
            old = load(path)
            if not old or old["metadata"]["course"].get("source") != source_hash(book):
                yield Stale(path, "stale")
        elif path.read_text(encoding="utf-8") != text_of(book):
            yield Stale(path, "stale")


def reset(house: House, lesson: Lesson, now: datetime) -> Path | None:
    """Restore the learner's notebook of one lesson; return where their version was kept, if there was one."""
    return restore(house.place(lesson, "learner"), text_of(make(lesson, "learner")), now)
