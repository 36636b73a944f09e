"""Run one typer command as a verb, with exit codes as return values."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer

from course.cli.started import STARTED
from course.facts.text import say

__all__ = ["run_typer"]


def run_typer(app: typer.Typer | Callable[..., Any], args: Sequence[str], verb: str) -> int:
    """Run a Typer app, or one function as a command, on `args`; return its exit code.

    Called through make without a word, wrong use is also told how make passes words on.
    """
    if not isinstance(app, typer.Typer):
        function, app = app, typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command()(function)
    try:
        result = app(args=list(args), prog_name=f"course {verb}", standalone_mode=True)
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        if code == 2 and not args and os.environ.get(STARTED) == "make":
            print(say("cli.through_make", verb=verb), file=sys.stderr)
        return code
    return result if isinstance(result, int) else 0
