"""Tell a program from data, and take the code out of a notebook."""

import ast
import json
import warnings

__all__ = ["program"]


def program(text: str) -> str | None:
    """Return the Python code of a script or a notebook; None when the text is data."""
    if text.lstrip()[:1] in ("{", "["):
        return _notebook(text) if '"nbformat"' in text else None
    return text if _is_program(text) else None


def _notebook(text: str) -> str | None:
    try:
        cells = json.loads(text).get("cells")
    except (ValueError, AttributeError, RecursionError):
        return None
    if not isinstance(cells, list):
        return None
    code = [cell.get("source") for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "code"]
    lines = "\n".join("".join(part) if isinstance(part, list) else str(part) for part in code)
    return "\n".join("" if line.lstrip()[:1] in ("%", "!") else line for line in lines.split("\n"))


def _is_program(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    telling = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.While, ast.For, ast.If, ast.With)
    return any(isinstance(node, telling) for node in ast.walk(tree))
