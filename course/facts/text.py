"""Every string the program shows to a person, by key and language.

`text/<language>/<room>.toml` holds the strings of one room; the key `quiz.verdict.correct` is table
`[verdict]`, key `correct`, in `quiz.toml`. A key that a language lacks falls back to English, so an edition can
grow piece by piece.
"""

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from course.facts.loader import FactError

__all__ = ["language", "names", "say", "table"]

HERE = Path(__file__).parent / "text"


def language() -> str:
    """Return the language in force: `COURSE_LANG` where it is set, else English."""
    return os.environ.get("COURSE_LANG", "en")


@cache
def _room(lang: str, room: str) -> dict[str, Any]:
    path = HERE / lang / f"{room}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _node(lang: str, key: str) -> Any:
    room, *parts = key.split(".")
    node: Any = _room(lang, room)
    for part in parts:
        node = node.get(part) if isinstance(node, dict) else None
    return node


def _find(lang: str, key: str) -> str | None:
    node = _node(lang, key)
    return node if isinstance(node, str) else None


def say(key: str, /, *, lang: object = None, **values: object) -> str:
    """Return the string `key` (`room.table.name`) with `{placeholders}` filled from `values`.

    Raises FactError when not even English has the key.
    """
    found = _find(str(lang or language()), key) or _find("en", key)
    if found is None:
        raise FactError(f"no string {key!r} in course/facts/text/en/")
    return found.format(**values) if values else found


def table(key: str, /, *, lang: str | None = None) -> dict[str, str]:
    """Return every string of the table `key` (`room.table`) by name, placeholders unfilled, for a view that fills them.

    Raises FactError when English has no such table.
    """
    node = _node("en", key)
    if not isinstance(node, dict):
        raise FactError(f"no table {key!r} in course/facts/text/en/")
    return {name: say(f"{key}.{name}", lang=lang) for name, value in node.items() if isinstance(value, str)}


def names(key: str) -> tuple[str, ...]:
    """Return what stands right under `key` (`room` or `room.table`) in English, in the file's order; () for nothing."""
    node = _node("en", key)
    return tuple(node) if isinstance(node, dict) else ()
