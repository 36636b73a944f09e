"""`course coverage`: objective × (section, exercise, quiz items); fails on a hole."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from course.cli.command import run_typer
from course.facts.text import say

__all__ = ["coverage", "run"]

ROOT = Path(__file__).resolve().parents[2]


def run(args: Sequence[str]) -> int:
    """Run the verb; 0: no hole, 1: a hole, or the page is not up to date, 2: wrong use."""
    return run_typer(coverage, args, "coverage")


def coverage(
    page: Annotated[Path | None, typer.Option(help=say("authoring.help.page"))] = None,
    upto: Annotated[str, typer.Option(help=say("authoring.help.upto"))] = "99",
    root: Annotated[Path, typer.Option(hidden=True)] = ROOT,
) -> None:
    """Show which objective is taught, practised and asked where; fail on a hole."""
    from course.authoring.build import House, lessons
    from course.authoring.coverage import LEAST_ITEMS, holes, rows, uncalled
    from course.authoring.coverage import page as table
    from course.lesson.exercises import exercises
    from course.quiz.bank import load_bank

    items = {item.id: item.objectives for item in load_bank(root / "quizzes")}
    taught = lessons(House(root))
    found = rows(taught, exercises(), items, upto=upto.zfill(2))
    if page:
        page.write_text(table(found), encoding="utf-8")
    else:
        print(table(found))
    missing = [*holes(found), *uncalled(taught, upto.zfill(2))]
    for hole in missing:
        print(hole, file=sys.stderr)
    if not missing:
        print(say("authoring.coverage.whole", count=len(found), least=LEAST_ITEMS))
    raise typer.Exit(1 if missing else 0)
