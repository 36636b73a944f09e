"""`course export`: write the questions as Anki, Moodle, GIFT, QTI, CSV or PDF, and say what a format can't carry."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from course.cli.command import run_typer
from course.facts import say
from course.quiz.bank import BankError, load_bank
from course.quiz.exports import EXTENSIONS, FORMATS, export, loss_report
from course.quiz.items import Item

__all__ = ["run"]


def write(
    format: Annotated[str, typer.Argument(help=say("quiz.export.cli.format", formats=", ".join(FORMATS)))],
    out: Annotated[Path | None, typer.Option("--out", "-o", help=say("quiz.export.cli.out"))] = None,
    place: Annotated[Path | None, typer.Option("--bank", help=say("quiz.lint.cli.place"))] = None,
    unit: Annotated[list[str] | None, typer.Option(help=say("quiz.export.cli.unit"))] = None,
    task: Annotated[list[str] | None, typer.Option(help=say("quiz.export.cli.task"))] = None,
    kind: Annotated[list[str] | None, typer.Option(help=say("quiz.export.cli.kind"))] = None,
    reviewed: Annotated[bool, typer.Option("--reviewed", help=say("quiz.export.cli.reviewed"))] = False,
    seed: Annotated[str, typer.Option(help=say("quiz.export.cli.seed"))] = "1",
    large: Annotated[bool, typer.Option("--large", help=say("quiz.export.cli.large"))] = False,
    strict: Annotated[bool, typer.Option("--strict", help=say("quiz.export.cli.strict"))] = False,
) -> None:
    try:
        bank = load_bank(place)
    except BankError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    if format not in FORMATS:
        typer.echo(say("quiz.export.cli.unknown", format=format, formats=", ".join(FORMATS)), err=True)
        raise typer.Exit(2)

    def wanted(item: Item) -> bool:
        file = bank.places[item.id].file.name
        return (
            item.status != "retired"
            and (not reviewed or item.status == "reviewed")
            and (not unit or any(file.startswith(prefix) for prefix in unit))
            and (not task or any(item.exam_task == name or item.exam_task.startswith(f"{name}.") for name in task))
            and (not kind or item.kind in kind)
        )

    items = [item for item in bank if wanted(item)]
    if not items:
        typer.echo(say("quiz.export.cli.none"), err=True)
        raise typer.Exit(2)
    path = out or Path(f"claude-tool-use{EXTENSIONS[format]}")
    try:
        found = export(items, format, path, when=_when(), seed=seed, digest=bank.digest, large=large)
    except OSError as error:
        typer.echo(say("quiz.export.cli.failed", path=path, why=error.strerror), err=True)
        raise typer.Exit(2) from None
    typer.echo(say("quiz.export.cli.done", n=len(items), path=path))
    typer.echo(say(f"quiz.export.about.{format}"))
    for line in loss_report(found):
        typer.echo(f"  {line}")
    raise typer.Exit(int(strict and bool(found)))


def _when() -> datetime:
    """Return now, or the moment a reproducible build names."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)


write.__doc__ = say("quiz.export.cli.describe")


def run(args: Sequence[str]) -> int:
    """Run the verb; exit code 0 written, 1 with --strict when something was lost, 2 nothing written."""
    return run_typer(write, args, "export")
