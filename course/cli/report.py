"""`course report`: a cohort report from result files; or a class key that signs them."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from course.cli.command import run_typer
from course.cli.started import as_started
from course.facts import say
from course.quiz.bank import Bank, BankError, load_bank
from course.quiz.errors import HandInError
from course.quiz.handin import SELF_REPORTED, SIGNED, new_class_key, read_class_key, write_new

__all__ = ["run"]

Files = Annotated[list[Path] | None, typer.Argument(metavar="[FILE]...", help=say("report.cli.files"))]
PathOption = Path | None


def write(
    files: Files = None,
    html: Annotated[PathOption, typer.Option(metavar="FILE", help=say("report.cli.html"))] = None,
    csv: Annotated[PathOption, typer.Option(metavar="FOLDER", help=say("report.cli.csv"))] = None,
    bom: Annotated[bool, typer.Option("--bom/--no-bom", help=say("report.cli.bom"))] = True,
    pre: Annotated[str | None, typer.Option(metavar="DATE|FORM", help=say("report.cli.pre"))] = None,
    post: Annotated[str | None, typer.Option(metavar="DATE|FORM", help=say("report.cli.post"))] = None,
    class_key: Annotated[PathOption, typer.Option(metavar="FILE", help=say("report.cli.class_key"))] = None,
    signed_only: Annotated[bool, typer.Option("--signed-only", help=say("report.cli.signed_only"))] = False,
    names: Annotated[bool, typer.Option("--names", help=say("report.cli.names"))] = False,
    bank: Annotated[PathOption, typer.Option(metavar="FOLDER", help=say("report.cli.bank"))] = None,
    new_key: Annotated[
        PathOption, typer.Option("--new-class-key", metavar="FILE", help=say("report.cli.new_class_key"))
    ] = None,
) -> None:
    try:
        if new_key:
            _say(say("report.cli.made_key", key=new_class_key(new_key.expanduser()), path=new_key))
            return
        if not files:
            raise HandInError(say("report.cli.nothing_named"))
        if signed_only and not class_key:
            raise HandInError(say("report.cli.key_needed"))
        key = read_class_key(class_key.expanduser()) if class_key else None
        _report(files, _bank(bank), key, signed_only, names, (pre, post), html, (csv, bom))
    except (BankError, HandInError) as why:
        typer.echo(as_started(str(why)), err=True)
        raise typer.Exit(2) from None


def _bank(place: Path | None) -> Bank:
    from course.quiz.quickbank import quick_bank
    from course.quiz.storefile import default_path

    return load_bank(place) if place else quick_bank(default_path().parent)


def _report(
    files: Sequence[Path],
    bank: Bank,
    key: bytes | None,
    signed_only: bool,
    names: bool,
    period: tuple[str | None, str | None],
    page: Path | None,
    sheets: tuple[Path | None, bool],
) -> None:
    from course.workshop.report import ReportError, as_text, report
    from course.workshop.report_cohort import cohort
    from course.workshop.report_csv import write_csv
    from course.workshop.report_html import as_html
    from course.workshop.results import read

    hand_ins, problems = read([path.expanduser() for path in files], key=key, signed_only=signed_only)
    found = cohort(hand_ins, bank, problems)
    if found.problems:
        _say(say("report.cli.problems", count=len(found.problems)), err=True)
        for problem in found.problems:
            _say(f"  {problem}", err=True)
    if not found.answers:
        raise HandInError(say("report.cli.nothing_read"))
    try:
        made = report(found, bank, pre=period[0], post=period[1])
    except ReportError as why:
        raise HandInError(str(why)) from None
    _say(as_text(made))
    if names:
        _say("\n" + say("report.cli.handed_in"))
        for person in found.people:
            trust = SIGNED if person.signed else SELF_REPORTED
            _say("  " + say("report.cli.row", name=", ".join(person.names), answers=person.answers, trust=trust))
    if page:
        write_new(page.expanduser(), as_html(made))
        _say(say("report.cli.written", path=page))
    folder, bom = sheets
    if folder:
        try:
            for path in write_csv(made, folder.expanduser(), bom=bom):
                _say(say("report.cli.written", path=path))
        except FileExistsError:
            raise HandInError(say("report.cli.csv_taken", path=folder)) from None
        except OSError as why:
            raise HandInError(say("report.handin.cannot_write", path=folder, why=why.strerror)) from None


def _say(text: str, *, err: bool = False) -> None:
    """Write text that others may have written a part of: without what would steer the terminal."""
    from course.cli.terminal import clean

    typer.echo(clean(text), file=sys.stderr if err else sys.stdout)


write.__doc__ = say("report.cli.describe")


def run(args: Sequence[str]) -> int:
    """Run the verb; exit code 0 a report (also a masked one), 2 none."""
    return run_typer(write, args, "report")
