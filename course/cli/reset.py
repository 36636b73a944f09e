"""`course reset LESSON…`: restore a lesson's notebook; your version is kept beside it as a dated copy."""

import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from course.cli.command import run_typer
from course.facts.text import say

__all__ = ["reset", "run"]

ROOT = Path(__file__).resolve().parents[2]


def run(args: Sequence[str]) -> int:
    """Run the verb; 0: restored, 1: no such lesson, 2: wrong use."""
    return run_typer(reset, args, "reset")


def reset(
    wanted: Annotated[list[str], typer.Argument(metavar="LESSON", help=say("authoring.help.wanted"))],
    lang: Annotated[str, typer.Option(help=say("authoring.help.lang"))] = "en",
    root: Annotated[Path, typer.Option(hidden=True)] = ROOT,
) -> None:
    """Restore the notebook of a lesson, and keep your version as a copy."""
    from course.authoring.build import House, lessons
    from course.authoring.build import reset as restore
    from course.authoring.errors import AuthoringError

    house = House(root, lang)
    try:
        for lesson in lessons(house, tuple(wanted)):
            kept = restore(house, lesson, datetime.now())
            print(say("authoring.restored", path=house.place(lesson, "learner").relative_to(root).as_posix()))
            if kept:
                print(say("authoring.kept", path=kept.relative_to(root).as_posix()))
    except AuthoringError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(1) from None
