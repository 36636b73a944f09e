"""A trace as HTML without scripts, style sheets or pictures: for GitHub, untrusted notebooks and nbconvert.

Everything is in the text: labels, lanes, pair numbers, marks. Styles are a few attributes that may be stripped without
loss. Every string from the trace is escaped.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from course.facts import say
from course.traces.trace import Trace
from course.traces.view import Block, Step, Timing
from course.traces.walk import steps
from course.traces.wording import arrow, clean, coded, mark_words, pair, pretty, shortened, tokens_of, tool_lines, who

__all__ = ["to_html", "to_page"]

BORDER = {"app": "#2563eb", "claude": "#b45309", "tool": "#15803d"}


def to_html(trace: Any, *, title: bool = True) -> str:
    """Return all steps of a trace (Trace, document, request body or `messages` array) as one HTML fragment.

    `title`: begin with the trace's own title.
    """
    found = steps(trace)
    head = _head(trace, title) if isinstance(trace, Trace) else ""
    body = "".join(map(_step, found)) or f"<p>{_text(say('traces.view.nothing'))}</p>"
    return f"<div>{head}{body}</div>"


def to_page(trace: Any) -> str:
    """Return a whole HTML document around the fragment, to be saved as a file."""
    title = _text(trace.title if isinstance(trace, Trace) and trace.title else say("traces.view.title"))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title></head>\n"
        '<body style="max-width:60rem;margin:1rem auto;padding:0 1rem;font-family:sans-serif;line-height:1.5">'
        f"<main><h1>{title}</h1>{to_html(trace, title=False)}</main></body></html>\n"
    )


def _text(words: str) -> str:
    return escape(clean(words), quote=True)


def _lines(words: str) -> str:
    return _text(shortened(words)).replace("\n", "<br>")


def _paragraph(words: str) -> str:
    return f"<p>{_lines(words)}</p>" if words else ""


def _list(items: Iterable[str], *, ordered: bool = False) -> str:
    tag, inner = ("ol" if ordered else "ul"), "".join(f"<li>{item}</li>" for item in items)
    return f"<{tag}>{inner}</{tag}>" if inner else ""


def _head(trace: Trace, titled: bool) -> str:
    source = say(f"traces.source.{trace.source}")
    objectives = say("traces.view.objectives", ids=", ".join(trace.objectives)) if trace.objectives else ""
    title = f"<p><strong>{_text(trace.title)}</strong></p>" if titled and trace.title else ""
    return title + _paragraph(trace.notes) + _paragraph(" ".join(filter(None, (source, objectives))))


def _step(step: Step) -> str:
    style = f"border-left:4px solid {BORDER[step.sender]};padding:0.25rem 0 0.25rem 0.75rem;margin:0.75rem 0"
    facts = [f"<em>{_text(arrow(step))}</em>", _text(tokens_of(step))]
    parts = [
        f"<p><strong>{step.index + 1}. {_text(step.label)}: {_text(step.title)}</strong><br>"
        + " · ".join(filter(None, facts))
        + "</p>",
        _list(f"<strong>{coded(mark_words(mark))}</strong>" for mark in step.marks),
        f"<p>{coded(step.words)}</p>",
        _details(say("traces.view.tools", count=len(step.tools)), _list(map(_text, tool_lines(step)))),
        _list(map(_block, step.blocks)),
        _timing(step.timing),
        _details(say("traces.view.raw"), _json(step.raw)),
    ]
    return f'<div style="{style}">{"".join(parts)}</div>'


def _block(block: Block) -> str:
    badge = f" <strong>[{_text(pair(block))}]</strong>" if block.pairing else ""
    notice = f"<br><strong>{_text(block.notice)}</strong>" if block.notice else ""
    return f"{_text(who(block))}{badge}<br>{_lines(block.words)}{notice}"


def _details(title: str, inner: str) -> str:
    return f"<details><summary>{_text(title)}</summary>{inner}</details>" if inner else ""


def _json(raw: Any) -> str:
    return f'<pre style="white-space:pre-wrap;overflow-wrap:anywhere">{_text(pretty(raw))}</pre>'


def _timing(rows: Sequence[Timing]) -> str:
    if not rows or not any(row.ended for row in rows):
        return ""
    names = ("pair", "tool", "started", "ended", "seconds")
    head = "".join(f'<th scope="col">{_text(say(f"traces.timing.{name}"))}</th>' for name in names)
    body = "".join(
        f'<tr><td>{row.badge or ""}</td><th scope="row">{_text(row.name)}</th><td>{row.started:.3f}</td>'
        f"<td>{row.ended:.3f}</td><td>{row.ended - row.started:.3f}</td></tr>"
        for row in rows
    )
    caption = _text(say("traces.timing.caption"))
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
