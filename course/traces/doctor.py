"""The doctor: what is wrong with a conversation, where, why, and the smallest mend.

Broken rules come from the API's own checks and carry its exact words. Habits are what it accepts and what hurts anyway.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from course.facts import FactError, say
from course.traces.finding import Diagnosis, Finding, Place, where
from course.traces.habits import habits
from course.traces.rules import NEWEST, OLDEST, broken_rules, is_bare
from course.traces.source import Case, read
from course.traces.trace import Answer, Exchange

if TYPE_CHECKING:
    from course.api.rules import Violation

__all__ = ["about", "diagnose", "rule_of"]

GROUPS = ("headers", "body", "fields", "model", "shape", "conversation", "tools", "choice", "capability", "size")
"""Stages of the rules, the most fundamental first: a request must be readable before its turns can be in order."""
ORDER = ("role.", "pairing.duplicate-id", "pairing.unexpected", "pairing.duplicate-result", "pairing.missing")
BROKEN_TOO = ("first-call-only",)
"""Habits that break a rule as well, and are told as the reason behind it."""
MEDIA = ("image.unreadable", "pdf.invalid", "image.type-mismatch")
BASE64 = re.compile(r"[A-Za-z0-9+/\s]*={0,2}\s*")
ROOTS = ("role.", "messages.role", "system-turn", "pairing.unexpected", "pairing.duplicate-id", "field.")


def diagnose(source: Any, *, version: str | None = None, betas: Sequence[str] = (), fix: bool = True) -> Diagnosis:
    """Say everything that is wrong with a conversation.

    source: a Trace, a `Path`, text or bytes (JSON, a log, a chat export, a Python repr, a program), JSON data, SDK
    objects, or an exception of the SDK.  version: the anthropic-version it was sent with; without it a request is held
    to the older one, and what only the newest refuses is a note.  betas: its beta headers.  fix: make a mended copy.
    Raises Unreadable when there is no conversation to be found.
    """
    case = read(source)
    findings: list[Finding] = []
    if case.kind == "code":
        from course.traces.code import code_findings

        findings += code_findings(case.code)
    patient: Mapping[str, Any] | None = None
    theirs = False
    for number, exchange in enumerate(case.trace.exchanges):
        found = [_doubted(finding, exchange.request, case) for finding in _exchange(exchange, number, version, betas)]
        if any(finding.severity == "broken" for finding in found) and exchange.request:
            patient = exchange.request
        if _openai(exchange.request):
            theirs, patient = True, exchange.request
            found += _changes(exchange.request, number)
        findings += found
    findings += _habits(case)
    mended = _mended(patient, theirs, version or OLDEST, betas) if fix and patient is not None else {}
    return Diagnosis(
        kind="openai" if theirs else case.kind,
        trace=case.trace,
        findings=tuple(sorted(findings, key=_rank)),
        repairs=case.repairs,
        **mended,
    )


# broken rules -------------------------------------------------------------------------------------------------------


def _exchange(exchange: Exchange, number: int, version: str | None, betas: Sequence[str]) -> Iterator[Finding]:
    """Yield the broken rules of one request; one that the API accepted breaks none."""
    refused = exchange.response if exchange.response and _error(exchange.response) else None
    if exchange.response is not None and refused is None:
        return
    said = _error(refused) if refused else ""
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


def _doubted(finding: Finding, body: Mapping[str, Any], case: Case) -> Finding:
    """Make a note of what is said of a place whose value was not given: a name of a program, a part left out or cut."""
    if finding.severity != "broken":
        return finding
    inside = _at(body, finding.place)
    pairing = finding.rule.startswith("pairing.")
    messages = body.get("messages")
    last = isinstance(messages, list) and finding.place[:2] == ("messages", len(messages) - 1)
    if case.names and (
        (pairing and finding.rule != "pairing.duplicate-id") or case.names.intersection(_strings(inside))
    ):
        return replace(finding, severity="note", reported=False, mechanical=False, why=say("traces.doctor.names"))
    if "elided" in case.gaps and (pairing or inside in ("", [], {}, None)):
        return replace(finding, severity="note", reported=False, mechanical=False, why=say("traces.doctor.elided"))
    if "cut" in case.gaps and last:
        return replace(finding, severity="note", reported=False, mechanical=False, why=say("traces.doctor.cut"))
    return finding


def _at(body: Any, place: Place) -> Any:
    """Return what stands at a place; of a missing field what should hold it."""
    for key in place:
        held = body.get(key) if isinstance(body, Mapping) else None
        if isinstance(body, list) and isinstance(key, int) and key < len(body):
            held = body[key]
        if held is None:
            return body
        body = held
    return body.get("content", body) if isinstance(body, Mapping) and "role" in body else body


def _strings(node: Any) -> list[str]:
    if isinstance(node, str):
        return [node]
    inner = node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
    return [item for item in inner if isinstance(item, str)]


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


def _error(answer: Answer) -> str:
    error = answer.body.get("error")
    if isinstance(error, Mapping):
        return str(error.get("message", ""))
    return str(error) if answer.status >= 400 else ""


def _unmatched(answer: Answer, said: str, exchange: int) -> Finding:
    """Explain an error of the API that the request at hand does not show (or that came without its request)."""
    error = answer.body.get("error")
    kind = str(error.get("type")) if isinstance(error, Mapping) else ""
    rule = rule_of(said)
    place = _named_place(said)
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


@cache
def _templates() -> tuple[tuple[str, re.Pattern[str]], ...]:
    from course.api.rules import rules

    made = []
    for rule in rules().values():
        parts = re.split(r"\{\w+\}", rule.template)
        pattern = re.compile("(?s:.*?)".join(re.escape(part) for part in parts) + r"\Z")
        made.append((len("".join(parts)), rule.id, pattern))
    return tuple((id, pattern) for _, id, pattern in sorted(made, key=lambda row: -row[0]))


def rule_of(message: str) -> str:
    """Return the id of the rule whose template gives the API's `message`; "" when there is none."""
    return next((id for id, pattern in _templates() if pattern.match(message)), "")


def _named_place(message: str) -> Place:
    """Return the place that a message names at its front: `messages.2.content.0: …`."""
    found = re.match(r"((?:messages|tools|system)(?:\.\w+)*):? ", message)
    keys = found[1].split(".") if found else []
    return tuple(int(key) if key.isdigit() else key for key in keys)


# words --------------------------------------------------------------------------------------------------------------


def about(rule: str, part: str, place: Place) -> str:
    """Return what, why or mend of a rule: the words for its field, its own, its family's, or those of its stage."""
    from course.api.rules import rules

    field = next((str(key) for key in reversed(place) if isinstance(key, str)), "")
    known = rules().get(rule)
    inside = [f"{rule}.block.{field}"] if len(place) > 4 and place[2] == "content" else []
    group = f"group.{rule.partition('.')[0]}"
    keys = [*inside, f"{rule}.{field}", rule, group, f"stage.{known.stage}" if known else "stage.other"]
    for key in keys:
        try:
            return say(f"traces.rule.{key}.{part}")
        except FactError:
            continue
    return say(f"traces.rule.stage.other.{part}")


def _rank(finding: Finding) -> tuple[int, int, int, int]:
    from course.api.rules import rules

    severity = ("broken", "note", "habit").index(finding.severity)
    known = rules().get(finding.rule)
    stage = GROUPS.index(known.stage) if known else len(GROUPS)
    order = next((n for n, start in enumerate(ORDER) if finding.rule.startswith(start)), len(ORDER))
    return severity, finding.exchange, stage, order


# other APIs, habits, mends ------------------------------------------------------------------------------------------


def _openai(body: Mapping[str, Any]) -> bool:
    from course.traces.openai import is_openai

    return is_openai(body)


def _changes(body: Mapping[str, Any], exchange: int) -> list[Finding]:
    """Return what would have to change in a request for another API, one note a change."""
    from course.traces.openai import translated

    return [
        Finding(
            severity="note",
            rule="openai",
            place=(),
            where=say("traces.where.whole"),
            message=change,
            why=say("traces.doctor.openai_why"),
            mend=say("traces.doctor.openai_mend"),
            mechanical=True,
            exchange=exchange,
        )
        for change in translated(body)[1]
    ]


def _habits(case: Case) -> list[Finding]:
    """Return the habits of the longest request, which holds the whole conversation, and of its answer."""
    with_request = [(n, e) for n, e in enumerate(case.trace.exchanges) if e.request]
    if not with_request:
        return []
    number, longest = max(with_request, key=lambda pair: _length(pair[1]))
    answer = longest.response.body if longest.response and not _error(longest.response) else None
    return [
        Finding(
            severity="note" if habit.id in BROKEN_TOO else "habit",
            rule=f"habit.{habit.id}",
            place=habit.place,
            where=where(habit.place, longest.request),
            message=say(f"traces.habit.{habit.id}.what", **habit.values),
            why=say(f"traces.habit.{habit.id}.why"),
            mend=say(f"traces.habit.{habit.id}.mend"),
            exchange=number,
        )
        for habit in habits(longest.request, answer)
    ]


def _length(exchange: Exchange) -> int:
    messages = exchange.request.get("messages")
    return len(messages) if isinstance(messages, list) else 0


def _mended(body: Mapping[str, Any], theirs: bool, version: str, betas: Sequence[str]) -> dict[str, Any]:
    from course.traces.mend import mend
    from course.traces.openai import translated

    start, changes = translated(body) if theirs else (body, ())
    done = mend(start, version=version, betas=betas)
    actions = (*changes, *done.actions)
    if not actions:
        return {"left": tuple(broken.message for broken in done.left)}
    only_messages = is_bare(body) and done.body.keys() == {"messages"}
    return {
        "mended": done.body["messages"] if only_messages else done.body,
        "actions": actions,
        "left": tuple(broken.message for broken in done.left),
    }
