"""A diagnosis as text for the terminal and as script-free HTML for a notebook."""

from collections.abc import Iterator, Sequence
from html import escape

from course.facts import say
from course.traces.finding import Diagnosis, Finding
from course.traces.text import wrapped
from course.traces.wording import clean, coded

__all__ = ["report_html", "report_text"]

SHOWN = 20
LONGEST = 1_000
CODE = {0: "clean", 1: "one"}

Line = tuple[int, str, str]


def report_text(diagnosis: Diagnosis, *, width: int = 80, color: bool = False) -> str:
    """Return the whole report, folded to `width` columns."""
    return wrapped(list(_lines(diagnosis)), width=width, color=color)


def _verdict(diagnosis: Diagnosis) -> str:
    if diagnosis.kind == "code":
        found = len(diagnosis.findings)
        return say(f"traces.report.code_{CODE.get(found, 'many')}", count=found)
    count = len(diagnosis.broken)
    if not count:
        return say("traces.report.sound")
    more = sum(finding.follows for finding in diagnosis.broken)
    number = "one" if count - more == 1 else "many"
    if not more:
        return say(f"traces.report.broken_{number}", count=count)
    faults = say(f"traces.report.faults_{number}", count=count - more)
    it = say(f"traces.report.it_{number}")
    return say(f"traces.report.follows_{'one' if more == 1 else 'many'}", faults=faults, more=more, it=it)


def _lines(diagnosis: Diagnosis) -> Iterator[Line]:
    yield 0, _verdict(diagnosis), "bold green" if diagnosis.sound else "bold red"
    yield 0, say("traces.report.kind", kind=say(f"traces.report.kinds.{diagnosis.kind}")), "dim"
    yield from _listed(say("traces.report.repairs"), diagnosis.repairs)
    for severity, title in (("broken", ""), ("note", "notes"), ("habit", "habits")):
        found = [finding for finding in diagnosis.findings if finding.severity == severity]
        if found and title and diagnosis.kind != "code":
            yield 0, "", ""
            yield 0, say(f"traces.report.{title}"), "bold"
        for number, finding in enumerate(found[:SHOWN], start=1):
            yield 0, "", ""
            yield from _finding(number, finding, diagnosis)
        if len(found) > SHOWN:
            yield 0, say("traces.report.more", count=len(found) - SHOWN), "dim"


def _listed(title: str, items: Sequence[str]) -> Iterator[Line]:
    if items:
        yield 0, title, ""
        yield from ((2, f"- {item}", "") for item in items)


def _place(finding: Finding, diagnosis: Diagnosis) -> str:
    total = len(diagnosis.trace.exchanges)
    before = say("traces.report.exchange", number=finding.exchange + 1, total=total) if total > 1 else ""
    return before + finding.where


def _finding(number: int, finding: Finding, diagnosis: Diagnosis) -> Iterator[Line]:
    style = {"broken": "red", "habit": "yellow", "note": "cyan"}[finding.severity]
    yield 0, f"{number}. {finding.message}", f"bold {style}"
    rule = say("traces.report.rule", rule=finding.rule)
    tag = f"{rule}, {say('traces.report.consequence')}" if finding.follows else rule
    yield 3, f"{_place(finding, diagnosis)}  [{tag}]", ""
    if finding.error:
        alone = len(diagnosis.broken) == 1
        reported = f" ({say('traces.report.reported')})" if finding.reported and not alone else ""
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
        items = "".join(f"<li>{_html_finding(finding, diagnosis)}</li>" for finding in found[:SHOWN])
        parts.append(f"<ol>{items}</ol>" if items else "")
        if len(found) > SHOWN:
            parts.append(f"<p>{escape(say('traces.report.more', count=len(found) - SHOWN))}</p>")
    parts.append(_html_list(say("traces.report.actions"), diagnosis.actions))
    parts.append(_html_list(say("traces.report.left"), diagnosis.left))
    return f"<div>{''.join(parts)}</div>"


def _html_list(title: str, items: Sequence[str]) -> str:
    if not items:
        return ""
    return f"<p>{escape(title)}</p><ul>{''.join(f'<li>{coded(item)}</li>' for item in items[:SHOWN])}</ul>"


def _html_finding(finding: Finding, diagnosis: Diagnosis) -> str:
    place = escape(clean(f"{_place(finding, diagnosis)} [{finding.rule}]"))
    lines = [f"<strong>{coded(finding.message)}</strong>", place]
    if finding.error:
        said = say("traces.report.says", status=finding.status, type=finding.error_type)
        lines.append(f"{escape(said)} <code>{escape(clean(finding.error[:LONGEST]))}</code>")
    lines += [coded(say("traces.report.why", why=finding.why)), coded(say("traces.report.mend", mend=finding.mend))]
    return "<br>".join(lines)
