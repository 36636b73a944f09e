"""A diagnosis as text for the terminal and as script-free HTML for a notebook."""

from collections.abc import Iterator, Sequence
from html import escape

from course.facts import say
from course.traces.finding import Diagnosis, Finding
from course.traces.text import wrapped

__all__ = ["report_html", "report_text"]

SHOWN = 20
LONGEST = 1_000

Line = tuple[int, str, str]


def report_text(diagnosis: Diagnosis, *, width: int = 80, color: bool = False) -> str:
    """Return the whole report, folded to `width` columns."""
    return wrapped(list(_lines(diagnosis)), width=width, color=color)


def _verdict(diagnosis: Diagnosis) -> str:
    count = len(diagnosis.broken)
    if not count:
        return say("traces.report.sound")
    return say("traces.report.broken_one" if count == 1 else "traces.report.broken_many", count=count)


def _lines(diagnosis: Diagnosis) -> Iterator[Line]:
    yield 0, _verdict(diagnosis), "bold green" if diagnosis.sound else "bold red"
    yield 0, say("traces.report.kind", kind=say(f"traces.report.kinds.{diagnosis.kind}")), "dim"
    yield from _listed(say("traces.report.repairs"), diagnosis.repairs)
    for severity, title in (("broken", ""), ("note", "notes"), ("habit", "habits")):
        found = [finding for finding in diagnosis.findings if finding.severity == severity]
        if found and title:
            yield 0, "", ""
            yield 0, say(f"traces.report.{title}"), "bold"
        for number, finding in enumerate(found[:SHOWN], start=1):
            yield 0, "", ""
            yield from _finding(number, finding)
        if len(found) > SHOWN:
            yield 0, say("traces.report.more", count=len(found) - SHOWN), "dim"


def _listed(title: str, items: Sequence[str]) -> Iterator[Line]:
    if items:
        yield 0, title, ""
        yield from ((2, f"- {item}", "") for item in items)


def _place(finding: Finding) -> str:
    before = say("traces.report.exchange", number=finding.exchange) if finding.exchange else ""
    return before + finding.where


def _finding(number: int, finding: Finding) -> Iterator[Line]:
    style = {"broken": "red", "habit": "yellow", "note": "cyan"}[finding.severity]
    yield 0, f"{number}. {finding.message}", f"bold {style}"
    yield 3, f"{_place(finding)}  [{say('traces.report.rule', rule=finding.rule)}]", ""
    if finding.error:
        reported = f" ({say('traces.report.reported')})" if finding.reported else ""
        yield 3, say("traces.report.says", status=finding.status, type=finding.error_type) + reported, "dim"
        yield 5, finding.error if len(finding.error) <= LONGEST else finding.error[:LONGEST] + " …", "italic"
    yield 3, say("traces.report.why", why=finding.why), ""
    mechanical = f" ({say('traces.report.mechanical')})" if finding.mechanical else ""
    yield 3, say("traces.report.mend", mend=finding.mend) + mechanical, ""


def report_html(diagnosis: Diagnosis) -> str:
    """Return the whole report as an HTML fragment without script or style sheet."""
    parts = [f"<p><strong>{escape(_verdict(diagnosis))}</strong></p>"]
    parts.append(_html_list(say("traces.report.repairs"), diagnosis.repairs))
    for severity, title in (("broken", ""), ("note", "notes"), ("habit", "habits")):
        found = [finding for finding in diagnosis.findings if finding.severity == severity]
        if found and title:
            parts.append(f"<p><strong>{escape(say(f'traces.report.{title}'))}</strong></p>")
        parts.append("".join(f"<li>{_html_finding(finding)}</li>" for finding in found[:SHOWN]).join(("<ol>", "</ol>")))
        if len(found) > SHOWN:
            parts.append(f"<p>{escape(say('traces.report.more', count=len(found) - SHOWN))}</p>")
    parts.append(_html_list(say("traces.report.actions"), diagnosis.actions))
    parts.append(_html_list(say("traces.report.left"), diagnosis.left))
    return f"<div>{''.join(parts)}</div>".replace("<ol></ol>", "")


def _html_list(title: str, items: Sequence[str]) -> str:
    if not items:
        return ""
    return f"<p>{escape(title)}</p><ul>{''.join(f'<li>{escape(item)}</li>' for item in items[:SHOWN])}</ul>"


def _html_finding(finding: Finding) -> str:
    lines = [f"<strong>{escape(finding.message)}</strong>", escape(f"{_place(finding)} [{finding.rule}]")]
    if finding.error:
        said = say("traces.report.says", status=finding.status, type=finding.error_type)
        lines.append(f"{escape(said)} <code>{escape(finding.error[:LONGEST])}</code>")
    lines += [escape(say("traces.report.why", why=finding.why)), escape(say("traces.report.mend", mend=finding.mend))]
    return "<br>".join(lines)
