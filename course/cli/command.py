"""Run one typer command as a verb, with exit codes as return values."""

from collections.abc import Callable, Sequence
from typing import Any

import typer

__all__ = ["run_typer"]


def run_typer(app: typer.Typer | Callable[..., Any], args: Sequence[str], verb: str) -> int:
    """Run a Typer app, or one function as a command, on `args`; return its exit code."""
    if not isinstance(app, typer.Typer):
        function, app = app, typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command()(function)
    try:
        result = app(args=list(args), prog_name=f"course {verb}", standalone_mode=True)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return result if isinstance(result, int) else 0
