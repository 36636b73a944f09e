"""A trace in the terminal: 80 columns, wide characters counted as two, colour only where it is wanted."""

import io
from collections.abc import Iterator
from typing import Any

from course.facts import say
from course.traces.trace import Trace
from course.traces.view import Block, Step
from course.traces.walk import steps
from course.traces.wording import arrow, clean, mark_words, pair, pretty, shortened, tokens_of, tool_lines, who

__all__ = ["to_text", "wrapped"]

STYLES = {"app": "bold blue", "claude": "bold yellow", "tool": "bold green"}
MARKS = {"error": "red", "broken": "red", "parallel": "cyan", "notice": "magenta"}

Line = tuple[int, str, str]
"""Indent, words, style."""


def to_text(trace: Any, *, width: int = 80, color: bool = False, raw: bool = False) -> str:
    """Return all steps of a trace (Trace, document, request body or `messages` array) as text; `raw` adds the JSON."""
    lines: list[Line] = []
    if isinstance(trace, Trace):
        about = (trace.title, "bold"), (trace.notes, ""), (say(f"traces.source.{trace.source}"), "dim")
        lines += [(0, words, style) for words, style in about if words]
    for step in steps(trace):
        lines += [(0, "", ""), *_step(step)]
        if raw:
            lines += [(4, line, "dim") for line in pretty(step.raw).splitlines()]
    return wrapped(lines, width=width, color=color)


def wrapped(lines: list[Line], *, width: int = 80, color: bool = False) -> str:
    """Return lines folded to `width` columns, each paragraph with its indent."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    out = io.StringIO()
    console = Console(
        force_jupyter=False,
        file=out,
        width=width,
        force_terminal=color,
        no_color=not color,
        color_system="standard" if color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    for indent, words, style in lines:
        text = Text(clean(words), style=style if color else "", overflow="fold")
        console.print(Padding(text, (0, 0, 0, indent), expand=False) if words else "")
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _step(step: Step) -> Iterator[Line]:
    facts = "  ".join(filter(None, (arrow(step), tokens_of(step))))
    yield 0, f"{step.index + 1:>2}  {step.label:<9} {facts}", STYLES[step.sender]
    yield 4, step.title, "bold"
    for mark in step.marks:
        yield 4, f"! {mark_words(mark)}", MARKS[mark.kind]
    yield 4, step.words, "dim"
    if step.tools:
        yield 4, say("traces.view.tools", count=len(step.tools)) + ": " + ", ".join(tool_lines(step)), ""
    for block in step.blocks:
        yield from _block(block)
    if any(row.ended for row in step.timing):
        for row in step.timing:
            yield (
                6,
                say("traces.timing.line", name=row.name, started=f"{row.started:.3f}", ended=f"{row.ended:.3f}"),
                "",
            )


def _block(block: Block) -> Iterator[Line]:
    badge = f"[{pair(block)}] " if block.pairing else ""
    yield 6, f"{badge}{who(block)}", "underline"
    yield 8, shortened(block.words), ""
    if block.notice:
        yield 8, f"! {block.notice}", "magenta"
