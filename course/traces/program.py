"""Tell a program from data, and take the code out of a notebook."""

import ast
import json
import warnings
from typing import Any

__all__ = ["literals", "program"]


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


def literals(code: str) -> list[Any]:
    """Return the lists and dictionaries of a program that are written out whole, the outermost of each."""
    try:
        level: list[ast.AST] = [ast.parse(code)]
    except (SyntaxError, ValueError, RecursionError):
        return []
    found = []
    while level:
        node = level.pop(0)
        if isinstance(node, ast.List | ast.Dict):
            try:
                found.append(ast.literal_eval(node))
                continue
            except (ValueError, TypeError, RecursionError, MemoryError):
                pass
        level.extend(ast.iter_child_nodes(node))
    return found
