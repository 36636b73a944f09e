"""The script and the style of the views, put together from the files in `static/`.

JupyterLab loads a widget's script as one module without imports, so a script is its parts one after the other.
Comments and indentation stay behind: the text travels with every view.
"""

import re
from functools import cache
from pathlib import Path

__all__ = ["script", "style"]

HERE = Path(__file__).parent / "static"


def _slim(text: str) -> str:
    return re.sub(r"^\s+|^\s*/\*.*?\*/\n?", "", text, flags=re.MULTILINE)


@cache
def script(*parts: str) -> str:
    """Return the module made of `static/<part>.js`, in order; the last part exports the view."""
    return _slim("\n".join((HERE / f"{part}.js").read_text(encoding="utf-8") for part in parts))


@cache
def style(*parts: str) -> str:
    """Return `static/<part>.css`, in order; `view` is what all views share."""
    text = _slim("\n".join((HERE / f"{part}.css").read_text(encoding="utf-8") for part in parts))
    return re.sub(r"\s*([{};,])\s*", r"\1", text)
