"""`course trace [NAME|FILE]`: list the sample traces, or show one step by step."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from course.cli.command import run_typer
from course.facts import say

__all__ = ["run"]


def run(args: Sequence[str]) -> int:
    """Run the verb: 0 shown or written, 1 the export could not be written, 2 there is no such trace."""
    return run_typer(trace, args, "trace")


def trace(
    name: Annotated[str | None, typer.Argument(help=say("traces.command.name"), metavar="NAME|FILE")] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help=say("traces.command.html"))] = None,
    interactive: Annotated[bool, typer.Option(help=say("traces.command.interactive"))] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help=say("traces.command.markdown"))] = False,
    raw: Annotated[bool, typer.Option("--raw", help=say("traces.command.raw"))] = False,
    as_json: Annotated[bool, typer.Option("--json", help=say("traces.command.json"))] = False,
) -> None:
    """List the sample traces, or show one of them (or a trace, request or conversation in a file) step by step."""
    from course.traces.html import to_page
    from course.traces.library import document
    from course.traces.markdown import to_markdown
    from course.traces.text import to_text

    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if name is None:
        print(_listing(color), end="")
        return
    shown = _found(name)
    if html is not None:
        try:
            page = _steps_in_a_page(shown) if interactive else to_page(shown)
            html.write_text(page, encoding="utf-8")
        except OSError as error:
            print(say("traces.report.refused", path=html, reason=error.strerror), file=sys.stderr)
            raise typer.Exit(1) from None
        print(say("traces.command.written", path=html))
    elif as_json:
        print(document(shown), end="")
    elif markdown:
        print(to_markdown(shown), end="")
    else:
        print(to_text(shown, color=color, raw=raw), end="")


def _found(name: str):  # type: ignore[no-untyped-def]
    from course.traces.encoding import Unreadable
    from course.traces.library import NoSuchSample, sample
    from course.traces.source import read

    try:
        path = Path(name)
        return read(path).trace if path.suffix or path.exists() else sample(name)
    except (NoSuchSample, Unreadable) as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from None


def _listing(color: bool) -> str:
    from course.traces.library import sample, samples
    from course.traces.text import wrapped

    lines = [(0, say("traces.command.list"), ""), (0, "", "")]
    for name in samples():
        found = sample(name)
        lines += [(0, name, "bold"), (2, found.title, ""), (2, ", ".join(found.objectives), "dim")]
    return wrapped(lines, color=color)


def _steps_in_a_page(shown: Any) -> str:
    """Return the trace as a page that can be stepped through."""
    from course.widgets import interactive_page

    return interactive_page(shown)
