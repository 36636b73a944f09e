"""Lay a translation over a lesson: `lessons/<language>/NN_name.toml`, prose by cell id, code strings by cell id.

    [cells.six-01]
    of = "3f2a91c0"                 # which English text this translates: `course build --lang ko` prints it
    text = '''# 여섯 단계'''

    [strings.six-04]
    "First block of the answer?" = "답의 첫 블록은?"

Code is never copied: only the strings a learner reads are replaced, wherever they stand in the named cell.
A cell the overlay does not name stays English, so an edition can grow cell by cell.
"""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from course.authoring.errors import SourceError
from course.authoring.source import Cell, Lesson

__all__ = ["lay_over", "outdated", "read_overlay", "stamp"]


def stamp(source: str) -> str:
    """Return the eight characters that say which English text a translation belongs to."""
    return hashlib.sha256(source.encode()).hexdigest()[:8]


def read_overlay(folder: Path, language: str, name: str) -> Mapping[str, Any]:
    """Return the overlay of one lesson, empty when the language has none."""
    path = folder / language / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def lay_over(lesson: Lesson, overlay: Mapping[str, Any]) -> Lesson:
    """Return the lesson in the overlay's language. Raises SourceError for a cell or a string that is not there."""
    texts, strings = overlay.get("cells", {}), overlay.get("strings", {})
    kinds = {cell.id: cell.kind for cell in lesson.cells}
    for id, kind in [(i, "markdown") for i in texts] + [(i, "code") for i in strings]:
        if kinds.get(id) != kind:
            raise SourceError.at(lesson.name, id, "overlay_cell", kind=kind)
    return replace(lesson, cells=tuple(_translated(lesson.name, cell, texts, strings) for cell in lesson.cells))


def _translated(name: str, cell: Cell, texts: Mapping[str, Any], strings: Mapping[str, Any]) -> Cell:
    if cell.id in texts:
        return replace(cell, source=texts[cell.id]["text"].strip("\n"))
    source = cell.source
    for english, other in strings.get(cell.id, {}).items():
        if english not in source:
            raise SourceError.at(name, cell.id, "overlay_string", string=english)
        source = source.replace(english, other)
    return replace(cell, source=source)


def outdated(lesson: Lesson, overlay: Mapping[str, Any]) -> list[str]:
    """Return the ids of translated cells whose English text has changed since."""
    english = {cell.id: stamp(cell.source) for cell in lesson.cells}
    return [id for id, entry in overlay.get("cells", {}).items() if entry.get("of") != english.get(id)]
