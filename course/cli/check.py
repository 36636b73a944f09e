"""`course check FILE`: say what is wrong with a conversation."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from course.cli.command import run_typer
from course.cli.started import STARTED, command
from course.facts import say

if TYPE_CHECKING:
    from course.traces.finding import Diagnosis

__all__ = ["run"]

SOUND, BROKEN, UNREADABLE = 0, 1, 2


def run(args: Sequence[str]) -> int:
    """Run the verb: 0 sound, 1 broken, 2 unreadable."""
    return run_typer(check, args, "check")


def check(
    file: Annotated[str, typer.Argument(help=say("traces.check.file"), metavar="FILE")],
    as_json: Annotated[bool, typer.Option("--json", help=say("traces.check.json"))] = False,
    fix: Annotated[Path | None, typer.Option("--fix", metavar="OUT", help=say("traces.check.fix"))] = None,
    version: Annotated[str | None, typer.Option("--version", help=say("traces.check.version"))] = None,
    beta: Annotated[list[str] | None, typer.Option("--beta", help=say("traces.check.beta"))] = None,
    steps: Annotated[bool, typer.Option("--steps", help=say("traces.check.steps"))] = False,
) -> None:
    """Say which rules of the Messages API a conversation breaks, where, why, and how to mend it.

    FILE holds a messages array, a request body, a trace, an error, a log, a chat export or a program; - reads it from
    standard input. Exit code 0: sound, 1: broken, 2: unreadable (make ends with 2 for either).
    """
    from course.traces.doctor import diagnose
    from course.traces.encoding import Unreadable
    from course.traces.report import report_text
    from course.traces.rules import NEWEST, OLDEST
    from course.traces.text import to_text
    from course.traces.wording import clean

    if version not in (None, OLDEST, NEWEST):
        raise typer.BadParameter(say("traces.check.versions", older=OLDEST, newer=NEWEST), param_hint="--version")
    try:
        given = _pasted() if file == "-" else Path(file)
        diagnosis = diagnose(given, version=version, betas=tuple(beta or ()))
    except Unreadable as error:
        print(json.dumps({"error": str(error)}) if as_json else str(error), file=sys.stdout if as_json else sys.stderr)
        raise typer.Exit(UNREADABLE) from None
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if as_json:
        print(_json(diagnosis.as_dict()))
    else:
        if steps:
            print(to_text(diagnosis.trace, color=color))
        print(report_text(diagnosis, color=color), end="")
        if fix is None and diagnosis.mended is not None:
            target = say("traces.report.fix_target")
            print("\n" + say("traces.report.how_to_fix", command=command("check", file, "--fix", target)))
    if fix is not None:
        print(clean(_write(diagnosis, fix, file)), file=sys.stderr)
    if diagnosis.sound:
        raise typer.Exit(SOUND)
    if os.environ.get(STARTED) == "make":
        print(say("traces.report.make_says"), file=sys.stderr)
    raise typer.Exit(BROKEN)


def _json(value: object) -> str:
    """Return JSON that any terminal and file can hold: half characters stay escaped."""
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace").decode()


def _pasted() -> bytes:
    """Return what comes from standard input; somebody who sits before it is told how to end."""
    if sys.stdin.isatty():
        print(say("traces.check.paste"), file=sys.stderr)
    return sys.stdin.buffer.read()


def _write(diagnosis: "Diagnosis", path: Path, source: str) -> str:
    """Write the mended copy; return what was done, in words."""
    if diagnosis.mended is None:
        return say("traces.report.no_need" if diagnosis.sound else "traces.report.no_fix")
    if source != "-" and path.exists() and path.samefile(source):
        return say("traces.report.same", path=path)
    try:
        path.write_text(_json(diagnosis.mended) + "\n", encoding="utf-8")
    except OSError as error:
        return say("traces.report.refused", path=path, reason=error.strerror)
    lines = [say("traces.report.written", path=path), say("traces.report.actions")]
    lines += [f"  - {action}" for action in diagnosis.actions]
    if diagnosis.left:
        lines += [say("traces.report.left"), *(f"  - {message}" for message in diagnosis.left)]
    return "\n".join(lines)
