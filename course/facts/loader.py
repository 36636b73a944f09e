"""Read the fact files that lie beside this module."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["FactError", "load"]

HERE = Path(__file__).parent


class FactError(Exception):
    """A fact file is missing, or lacks what was asked of it; the message names the file and the key."""


@cache
def load(name: str) -> dict[str, Any]:
    """Return the parsed fact file `name`.toml, e.g. `load("exam")`. Raises FactError when there is none."""
    path = HERE / f"{name}.toml"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in HERE.glob("*.toml")))
        raise FactError(f"no fact file {path.name}; there are: {known}")
    return tomllib.loads(path.read_text(encoding="utf-8"))
