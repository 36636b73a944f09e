"""Turn a lesson into notebooks: the learner's, the solved one before it runs, and the one for recall.

The same lesson gives the same bytes: fixed cell ids, fixed kernel and language metadata, no time, no path.
"""

import ast
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from course.authoring.cut import CutError, has_solution, opened, solved
from course.authoring.errors import SourceError
from course.authoring.source import Cell, Lesson

__all__ = ["Edition", "fingerprint", "make", "source_hash", "text_of"]

Edition = Literal["learner", "solved", "recall"]

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}


def make(lesson: Lesson, edition: Edition) -> dict[str, Any]:
    """Return the notebook (nbformat 4.5, plain dicts) of one edition. Raises SourceError for a bad solution block."""
    cells = [_built(lesson.name, cell, edition) for cell in lesson.cells if _belongs(cell, edition)]
    book: dict[str, Any] = {
        "cells": cells,
        "metadata": {"kernelspec": dict(KERNEL), "language_info": dict(LANGUAGE)},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    book["metadata"]["course"] = {"lesson": lesson.number, "edition": edition, "built": fingerprint(cells)}
    return book


def text_of(book: Mapping[str, Any]) -> str:
    """Return the notebook's file text, laid out as Jupyter lays it out."""
    rows = [{**cell, "source": cell["source"].splitlines(keepends=True)} for cell in book["cells"]]
    return json.dumps({**book, "cells": rows}, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def fingerprint(cells: Iterable[Mapping[str, Any]]) -> str:
    """Return a digest of what a person would edit: ids, kinds and sources, not outputs or metadata."""
    parts = [[cell.get("id", ""), cell["cell_type"], "".join(cell["source"])] for cell in cells]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def source_hash(book: Mapping[str, Any]) -> str:
    """Return a digest of a notebook before it runs; a built solution that carries it is up to date."""
    return hashlib.sha256(text_of(book).encode()).hexdigest()


def _belongs(cell: Cell, edition: Edition) -> bool:
    return edition != "recall" or cell.kind == "code" or bool(_recalled(cell))


def _recalled(cell: Cell) -> str:
    """Return what the recall edition keeps of a prose cell: all of a task, else its headings."""
    if "task" in cell.tags:
        return cell.source
    return "\n".join(line for line in cell.source.splitlines() if line.startswith("#"))


def _built(name: str, cell: Cell, edition: Edition) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    if cell.tags:
        metadata["tags"] = list(cell.tags)
    named = {"objectives": list(cell.objectives), "misconceptions": list(cell.misconceptions)}
    if any(named.values()):
        metadata["course"] = {key: ids for key, ids in named.items() if ids}
    if cell.kind == "markdown":
        source = _recalled(cell) if edition == "recall" else cell.source
        return {"cell_type": "markdown", "id": cell.id, "metadata": metadata, "source": source}
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell.id,
        "metadata": metadata,
        "outputs": [],
        "source": _code(name, cell, edition),
    }


def _code(name: str, cell: Cell, edition: Edition) -> str:
    if not has_solution(cell.source):
        return cell.source
    try:
        source = solved(cell.source) if edition == "solved" else opened(cell.source)
    except CutError as error:
        raise SourceError(f"{name}, cell {cell.id}: {error}") from None
    try:
        compile(source, cell.id, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        raise SourceError.at(name, cell.id, "cut_syntax", edition=edition, error=error.msg) from None
    return source
