"""`course build [LESSON…]`: lesson sources to notebooks and solutions; `--check` says what is stale, runs nothing."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from course.cli.command import run_typer
from course.facts.text import say

__all__ = ["build", "run"]

ROOT = Path(__file__).resolve().parents[2]


def run(args: Sequence[str]) -> int:
    """Run the verb; 0: all well, 1: stale, edited or against the style, 2: wrong use."""
    return run_typer(build, args, "build")


def build(
    wanted: Annotated[list[str] | None, typer.Argument(metavar="LESSON", help=say("authoring.help.wanted"))] = None,
    check: Annotated[bool, typer.Option("--check", help=say("authoring.help.check"))] = False,
    play: Annotated[bool, typer.Option("--play", help=say("authoring.help.play"))] = False,
    run: Annotated[bool, typer.Option(help=say("authoring.help.run"))] = True,
    rerun: Annotated[bool, typer.Option("--rerun", help=say("authoring.help.rerun"))] = False,
    lang: Annotated[str, typer.Option(help=say("authoring.help.lang"))] = "en",
    root: Annotated[Path, typer.Option(hidden=True)] = ROOT,
) -> None:
    """Build notebooks and solutions from the lesson sources."""
    from course.authoring.build import House, lessons
    from course.authoring.errors import AuthoringError

    house = House(root, lang)
    try:
        found = lessons(house, tuple(wanted or ()))
        if not found:
            raise AuthoringError(say("authoring.no_house", root=root))
        problems = [*_style(house, found), *(_both_ways(found) if play else ())]
        problems += _stale(house, found) if check else _build(house, found, run, rerun)
    except AuthoringError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(1) from None
    for problem in problems:
        print(problem, file=sys.stderr)
    if check and not problems:
        print(say("authoring.fresh", count=len(found)))
    raise typer.Exit(1 if problems else 0)


def _style(house, found) -> list[str]:
    from course.authoring.build import lessons
    from course.authoring.lint import lint
    from course.authoring.overlay import outdated, read_overlay, stamp
    from course.lesson.exercises import exercises
    from course.lesson.lookback import asked

    if house.language == "en":
        return [str(problem) for lesson in found for problem in lint(lesson, exercises(), asked())]
    english = {lesson.name: lesson for lesson in lessons(type(house)(house.root))}
    late = []
    for lesson in (english[lesson.name] for lesson in found):
        sources = {cell.id: cell.source for cell in lesson.cells}
        for id in outdated(lesson, read_overlay(house.sources, house.language, lesson.name)):
            late.append(say("authoring.outdated", lesson=lesson.name, cell=id, stamp=stamp(sources[id])))
    return late


def _both_ways(found) -> list[str]:
    from course.authoring.rehearsal import both_ways

    return [str(problem) for lesson in found for problem in both_ways(lesson)]


def _stale(house, found) -> list[str]:
    from course.authoring.build import stale

    return [
        say(
            "authoring.stale",
            path=_short(late.path, house.root),
            why=say(f"authoring.why.{late.why}"),
            number=lesson.number,
        )
        for lesson in found
        for late in stale(house, lesson)
    ]


def _build(house, found, run: bool, rerun: bool) -> list[str]:
    from course.authoring.build import build as make
    from course.authoring.errors import AuthoringError

    failed = []
    for lesson in found:
        try:
            for path, changed in make(house, lesson, run=run, rerun=rerun):
                print(
                    say("authoring.built" if changed else "authoring.same", path=_short(path, house.root)), flush=True
                )
        except AuthoringError as error:
            failed.append(str(error))
    return failed


def _short(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
