"""Write built notebooks without ever losing a person's work.

A built notebook carries a digest of its cells. When the cells on disk no longer match it, a person edited the file:
writing refuses, and `restore` keeps a dated copy first.
"""

import itertools
import json
from datetime import datetime
from pathlib import Path
from typing import Any

from course.authoring.errors import EditedNotebook
from course.authoring.notebook import fingerprint

__all__ = ["is_edited", "load", "restore", "write"]


def load(path: Path) -> dict[str, Any] | None:
    """Return the notebook at `path` as plain dicts, None when it is missing or no notebook."""
    try:
        book = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return book if isinstance(book, dict) and isinstance(book.get("cells"), list) else None


def is_edited(path: Path) -> bool:
    """Tell whether a person changed the cells of a built notebook. Outputs and run counts do not matter."""
    if not path.exists():
        return False
    book = load(path)
    if book is None:
        return True
    return book.get("metadata", {}).get("course", {}).get("built") != fingerprint(book["cells"])


def write(path: Path, text: str) -> bool:
    """Write a built notebook; return whether the file changed. Raises EditedNotebook rather than overwrite edits."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    if is_edited(path):
        raise EditedNotebook(path, path.name[:2])
    _put(path, text)
    return True


def restore(path: Path, text: str, now: datetime) -> Path | None:
    """Write a built notebook whatever is there; return where the old one was kept, None when nothing was lost."""
    kept = None
    if path.exists() and path.read_text(encoding="utf-8") != text:
        kept = _free(path.with_name(f"{path.stem}.mine-{now:%Y%m%d-%H%M%S}.ipynb"))
        path.replace(kept)
    _put(path, text)
    return kept


def _free(path: Path) -> Path:
    """Return `path`, or the first numbered name beside it that is not taken."""
    names = itertools.chain([path], (path.with_name(f"{path.stem}-{n}{path.suffix}") for n in itertools.count(2)))
    return next(name for name in names if not name.exists())


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
