"""The broken rules of one exchange, as findings: what the API told, what else is wrong, and what follows from what."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from course.facts import say
from course.traces.finding import Finding, where
from course.traces.rules import NEWEST, OLDEST, broken_rules
from course.traces.told import about, named_place, rule_of
from course.traces.trace import Answer, Exchange

if TYPE_CHECKING:
    from course.api.rules import Violation

__all__ = ["broken_in", "error_of"]

MEDIA = ("image.base64", "image.unreadable", "pdf.invalid", "image.type-mismatch")
BASE64 = re.compile(r"[A-Za-z0-9+/\s]*={0,2}\s*")
ROOTS = ("role.", "messages.role", "system-turn", "pairing.unexpected", "pairing.duplicate-id", "field.")


def broken_in(exchange: Exchange, number: int, version: str | None, betas: Sequence[str]) -> Iterator[Finding]:
    """Yield the broken rules of one request; one that the API accepted breaks none."""
    refused = exchange.response if exchange.response and error_of(exchange.response) else None
    if exchange.response is not None and refused is None:
        return
    said = error_of(refused) if refused else ""
    found: list[Violation] = []
    if exchange.request:
        found = broken_rules(exchange.request, version=version or OLDEST, betas=betas)
        newest = [] if version else _newer(exchange.request, found, betas)
        matched = _reported(found, said)
        judged = [
            _finding(broken, exchange.request, number, reported=position == matched)
            for position, broken in enumerate(found)
        ]
        if said and matched is not None:
            judged[matched] = replace(judged[matched], error=said)
        yield from _linked(map(_undamaged(exchange.request), judged))
        yield from newest
    if refused and _reported(found, said) is None:
        yield _unmatched(refused, said, number)


def _reported(found: "Sequence[Violation]", said: str) -> int | None:
    """Return the number of the violation that the API told: the first without its words; else the one in its words.

    Where it counts the turns in another way, its words without the place tell.
    """
    if not said:
        return 0
    rest = said.partition(": ")[2]
    same = [n for n, broken in enumerate(found) if broken.message == said]
    like = [n for n, broken in enumerate(found) if rest and broken.message.partition(": ")[2] == rest]
    return next(iter((*same, *like)), None)


def _finding(broken: "Violation", body: Mapping[str, Any], exchange: int, *, reported: bool) -> Finding:
    from course.traces.mend import MENDED_RULES

    return Finding(
        severity="broken",
        rule=broken.rule,
        place=broken.place,
        where=where(broken.place, body),
        message=about(broken.rule, "what", broken.place),
        why=about(broken.rule, "why", broken.place),
        mend=about(broken.rule, "mend", broken.place),
        error=broken.message,
        status=broken.status,
        error_type=broken.error_type,
        reported=reported,
        mechanical=broken.rule in MENDED_RULES,
        exchange=exchange,
    )


def _undamaged(body: Mapping[str, Any]) -> Callable[[Finding], Finding]:
    """Make a note of what is said about pictures and documents whose data was shortened by copying."""

    def judge(finding: Finding) -> Finding:
        if finding.rule not in MEDIA:
            return finding
        node: Any = body
        for key in finding.place:
            inner = node.get(key) if isinstance(node, dict) else node[key] if isinstance(key, int) else None
            node = inner if isinstance(inner, dict | list) else node
        source = node.get("source", node) if isinstance(node, dict) else {}
        data = source.get("data") if isinstance(source, dict) else None
        if isinstance(data, str) and not BASE64.fullmatch(data):
            return replace(finding, severity="note", why=say("traces.doctor.shortened"))
        return finding

    return judge


def _linked(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Say of a missing or unexpected result that it follows from a fault in the turns around it, where there is one."""
    found = list(findings)
    shapes = {f.place[:4] for f in found if f.rule.startswith("field.") and len(f.place) > 4}
    roots = {
        f.place[1] for f in found if f.rule.startswith(ROOTS) and f.place[:1] == ("messages",) and len(f.place) > 1
    }
    for finding in found:
        at = finding.place[1] if len(finding.place) > 1 else None
        near = isinstance(at, int) and ({at, at + 1, at + 2} & roots)
        misshapen = finding.rule == "pairing.unexpected-result" and finding.place[:4] in shapes
        if (finding.rule == "pairing.missing-result" and near) or misshapen:
            finding = replace(finding, follows=True, why=f"{finding.why} {say('traces.doctor.follows')}")
        yield finding


def _newer(body: Mapping[str, Any], known: "Sequence[Violation]", betas: Sequence[str]) -> list[Finding]:
    """Return what only the newest API version refuses, as notes."""
    seen = {(broken.rule, broken.place) for broken in known}
    found = []
    for broken in broken_rules(body, version=NEWEST, betas=betas):
        if (broken.rule, broken.place) not in seen:
            finding = _finding(broken, body, 0, reported=False)
            why = say("traces.doctor.newer", version=NEWEST)
            found.append(replace(finding, severity="note", why=why))
    return found


def error_of(answer: Answer) -> str:
    """Return the message of an answer that is an error; "" of any other."""
    error = answer.body.get("error")
    if isinstance(error, Mapping):
        return str(error.get("message", ""))
    return str(error) if answer.status >= 400 else ""


def _unmatched(answer: Answer, said: str, exchange: int) -> Finding:
    """Explain an error of the API that the request at hand does not show (or that came without its request)."""
    error = answer.body.get("error")
    kind = str(error.get("type")) if isinstance(error, Mapping) else ""
    rule = rule_of(said)
    place = named_place(said)
    base = rule or f"error.{kind or 'unknown'}"
    return Finding(
        severity="broken",
        rule=base,
        place=place,
        where=where(place, {}) if place else say("traces.where.answer"),
        message=about(base, "what", place),
        why=about(base, "why", place),
        mend=about(base, "mend", place),
        error=said,
        status=answer.status,
        error_type=kind,
        reported=True,
        exchange=exchange,
    )
