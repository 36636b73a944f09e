"""`course slides`: one HTML file a lesson, with the speaker's notes, that needs no network."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from course.cli.command import run_typer
from course.facts.text import say

__all__ = ["run", "slides"]

ROOT = Path(__file__).resolve().parents[2]


def run(args: Sequence[str]) -> int:
    """Run the verb; 0: written, 1: a lesson's outputs are missing, 2: wrong use."""
    return run_typer(slides, args, "slides")


def slides(
    wanted: Annotated[list[str] | None, typer.Argument(metavar="[LESSON]...", help=say("slides.help.lessons"))] = None,
    out: Annotated[Path, typer.Option(help=say("slides.help.out"))] = Path("slides"),
    root: Annotated[Path, typer.Option(hidden=True)] = ROOT,
) -> None:
    """Write slides with speaker's notes from the lessons, one file each."""
    from course.authoring.build import House, lessons
    from course.authoring.errors import AuthoringError
    from course.workshop.deck import page
    from course.workshop.slides import columns

    try:
        found = lessons(House(root), tuple(wanted or ()))
    except AuthoringError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from None
    for lesson in found:
        solution = root / "solutions" / f"{lesson.name}.ipynb"
        if not solution.is_file():
            print(say("slides.verb.no_solution", lesson=lesson.number), file=sys.stderr)
            raise typer.Exit(1)
        deck = columns(lesson, json.loads(solution.read_text(encoding="utf-8")))
        path = out / f"{lesson.name}.html"
        out.mkdir(parents=True, exist_ok=True)
        path.write_text(page(deck, lesson=lesson.number, title=lesson.title), encoding="utf-8")
        print(say("slides.verb.written", path=path, count=sum(map(len, deck))))
    print(say("slides.verb.done"))
