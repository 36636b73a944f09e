"""A cohort report as one page: no scripts, nothing from elsewhere, every number in a table; light, dark, on paper."""

from html import escape
from pathlib import Path

from course.facts import language, say
from course.quiz.handin import SELF_REPORTED
from course.quiz.markdown import plain
from course.workshop.report import Report
from course.workshop.report_masks import LEAST
from course.workshop.report_tables import Bar, Table, tables

__all__ = ["as_html"]

STYLE = Path(__file__).with_name("report.css")
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def as_html(found: Report) -> str:
    """Return the page; the same report gives the same bytes."""
    title = _text(say("report.head.title"))
    body = _body(found) if found.people else f"<p>{_text(say('report.words.too_few', least=LEAST))}</p>"
    return (
        f'<!DOCTYPE html>\n<html lang="{_text(language())}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE.read_text(encoding='utf-8')}</style></head>\n"
        f"<body><main><h1>{title}</h1>{body}</main></body></html>\n"
    )


def _text(words: str) -> str:
    return escape(plain(words), quote=True)


def _body(found: Report) -> str:
    trust = say(f"report.words.trust.{found.trust}", self_reported=SELF_REPORTED)
    facts = [say("report.words.people", people=found.people, until=found.until), trust]
    about = "".join(f"<li>{_text(say(f'report.about.{name}'))}</li>" for name in ("first", "interval", "mask"))
    return (
        f"<p>{_text(' '.join(facts))}</p>"
        f"<section><h2>{_text(say('report.head.about'))}</h2><ul>{about}</ul></section>"
        + "\n".join(_section(table, found) for table in tables(found))
        + _no_gain(found)
    )


def _no_gain(found: Report) -> str:
    if not found.asked_in_vain:
        return ""
    return f"<section><h2>{_text(say('report.head.gain'))}</h2><p>{_text(say('report.words.gain_thin'))}</p></section>"


def _section(table: Table, found: Report) -> str:
    heading = _text(say(f"report.head.{table.name}"))
    after = ""
    if table.name == "objectives" and found.thin:
        after = f"<p>{_text(say('report.words.thin', ids=', '.join(found.thin)))}</p>"
    intro = f"<h2>{heading}</h2><p>{_text(table.note)}</p>"
    return f'<section id="{table.name}">{intro}{_table(table, heading)}{after}</section>'


def _table(table: Table, heading: str) -> str:
    head = "".join(f'<th scope="col">{_text(say(f"report.column.{name}"))}</th>' for name in table.columns)
    rows = []
    for place, row in enumerate(table.rows):
        first, *others = row
        cells = [f'<th scope="row">{_text(first)}</th>']
        for name, cell in zip(table.columns[1:], others, strict=True):
            bar = _bar(table.bars[place]) if name == "share" and table.bars else ""
            cells.append(f'<td class="{name}">{_text(cell)}{bar}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{heading}"><table><caption>{heading}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _bar(bar: Bar) -> str:
    """Return a picture of what the cell says in numbers: full up to the share, striped over a range, a line for the
    interval."""
    low, high = bar.interval
    return (
        '<span class="bar" aria-hidden="true">'
        f'<i class="full" style="width:{_percent(bar.low)}"></i>'
        f'<i class="range" style="left:{_percent(bar.low)};width:{_percent(bar.high - bar.low)}"></i>'
        f'<i class="interval" style="left:{_percent(low)};width:{_percent(high - low)}"></i></span>'
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
