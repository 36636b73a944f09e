"""Read a lesson source: one py:percent text file, as cells with ids, tags and objectives."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from course.authoring.errors import SourceError
from course.facts import say

__all__ = ["Cell", "Lesson", "find_sources", "parse", "read"]

CELL_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
FILE_NAME = re.compile(r"\d\d_[a-z0-9_]+")
KNOWN_METADATA = {"id", "tags", "objectives", "misconceptions"}


@dataclass(frozen=True)
class Cell:
    """One cell. `objectives` are syllabus ids; a markdown cell that names some opens a section.

    `misconceptions` are ids of beliefs that the cell calls out.
    """

    id: str
    kind: Literal["markdown", "code"]
    source: str
    tags: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()
    misconceptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """One lesson as its author wrote it: `name` is the file's stem, e.g. `03_tool_definitions`."""

    name: str
    cells: tuple[Cell, ...]

    @property
    def number(self) -> str:
        """The two digits that lead the name, e.g. "03"."""
        return self.name[:2]

    @property
    def title(self) -> str:
        """The first heading of the lesson."""
        first = self.cells[0].source.splitlines()[0] if self.cells else ""
        return first.removeprefix("# ").strip()


def find_sources(folder: Path, wanted: tuple[str, ...] = ()) -> list[Path]:
    """Return the lesson files of `folder` in order; `wanted` picks by number ("03", "3") or by name."""
    files = [p for p in sorted(folder.glob("*.py")) if FILE_NAME.fullmatch(p.stem)]
    if not wanted:
        return files
    picked = [p for want in wanted for p in files if _matches(p, want)]
    missing = [want for want in wanted if not any(_matches(p, want) for p in files)]
    if missing:
        known = ", ".join(p.stem for p in files)
        raise SourceError(say("authoring.source.no_lesson", wanted=", ".join(missing), known=known))
    return picked


def _matches(path: Path, want: str) -> bool:
    stem = Path(want).stem
    return path.stem == stem or (stem.isdigit() and path.stem[:2] == stem.zfill(2))


def read(path: Path) -> Lesson:
    """Read one lesson file. Raises SourceError with lesson and cell when it breaks the format."""
    return parse(path.read_text(encoding="utf-8"), path.stem)


def parse(text: str, name: str) -> Lesson:
    """Turn py:percent text into a Lesson. Raises SourceError when an id is missing, malformed or used twice."""
    import jupytext

    book = jupytext.reads(text, fmt="py:percent")
    cells = tuple(_cell(raw, name, index) for index, raw in enumerate(book.cells))
    seen: set[str] = set()
    for cell in cells:
        if cell.id in seen:
            raise SourceError.at(name, cell.id, "id_twice")
        seen.add(cell.id)
    return Lesson(name, cells)


def _cell(raw: dict, name: str, index: int) -> Cell:
    meta = {key: value for key, value in raw["metadata"].items() if not key.startswith("lines_to_")}
    label = str(meta.get("id", f"no. {index + 1}"))
    if raw["cell_type"] not in ("markdown", "code"):
        raise SourceError.at(name, label, "kind", kind=raw["cell_type"])
    if not CELL_ID.fullmatch(str(meta.get("id", ""))):
        raise SourceError.at(name, label, "id")
    if unknown := set(meta) - KNOWN_METADATA:
        raise SourceError.at(name, label, "metadata", keys=", ".join(sorted(unknown)))
    names = {key: tuple(str(meta.get(key, "")).split()) for key in ("objectives", "misconceptions")}
    return Cell(meta["id"], raw["cell_type"], raw["source"], tuple(meta.get("tags", ())), **names)
