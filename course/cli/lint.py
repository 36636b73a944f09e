"""`course lint`: check questions, run proofs, let the blind robots at them; check the instructor kit with them."""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from course.cli.command import run_typer
from course.facts import say
from course.quiz.bank import BankError, load_bank
from course.quiz.lint import accept_reviewed
from course.quiz.report import as_json, as_page, as_text, inspect

if TYPE_CHECKING:
    from course.workshop.kit import Finding

__all__ = ["run"]


def lint(
    place: Annotated[Path | None, typer.Argument(help=say("quiz.lint.cli.place"))] = None,
    proofs: Annotated[bool, typer.Option("--proofs", help=say("quiz.lint.cli.proofs"))] = False,
    robots: Annotated[bool, typer.Option(help=say("quiz.lint.cli.robots"))] = True,
    as_json_: Annotated[bool, typer.Option("--json", help=say("quiz.lint.cli.json"))] = False,
    strict: Annotated[bool, typer.Option("--strict", help=say("quiz.lint.cli.strict"))] = False,
    page: Annotated[Path | None, typer.Option(help=say("quiz.lint.cli.page"))] = None,
    accept: Annotated[bool, typer.Option("--accept", help=say("quiz.lint.cli.accept"))] = False,
    today: Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help=say("quiz.lint.cli.today"))] = None,
) -> None:
    try:
        bank = load_bank(place)
    except BankError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    if accept:
        typer.echo(say("quiz.lint.accepted", n=accept_reviewed(bank)))
    day: date = today.date() if today else datetime.now(UTC).date()
    report = inspect(bank, today=day, proofs=proofs, robots=robots)
    if page:
        page.write_text(as_page(report), encoding="utf-8")
    kit = [] if place else _kit()
    told = {**as_json(report), "kit": [str(found) for found in kit]} if kit else as_json(report)
    typer.echo(
        json.dumps(told, indent=2, ensure_ascii=False) if as_json_ else "\n".join([as_text(report), *map(str, kit)])
    )
    raise typer.Exit(int(report.fails(strict=strict) or bool(kit)))


def _kit() -> list["Finding"]:
    """Return what is wrong with the instructor kit: a changed question can make a page untrue."""
    from course.workshop.kit import FOLDER, check

    root = Path(__file__).parents[2]
    return check(root) if (root / FOLDER).is_dir() else []


lint.__doc__ = say("quiz.lint.cli.about")


def run(args: Sequence[str]) -> int:
    """Run the verb; exit code 0 sound, 1 something to mend, 2 no bank there."""
    return run_typer(lint, args, "lint")
