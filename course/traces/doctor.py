"""The doctor: what is wrong with a conversation, where, why, and the smallest mend.

Broken rules come from the API's own checks and carry its exact words. Habits are what it accepts and what hurts anyway.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from course.facts import say
from course.traces.broken import broken_in, error_of
from course.traces.finding import Diagnosis, Finding, Place, where
from course.traces.habits import habits
from course.traces.rules import OLDEST, is_bare
from course.traces.source import Case, read
from course.traces.trace import Exchange

if TYPE_CHECKING:
    pass

__all__ = ["diagnose"]

GROUPS = ("headers", "body", "fields", "model", "shape", "conversation", "tools", "choice", "capability", "size")
"""Stages of the rules, the most fundamental first: a request must be readable before its turns can be in order."""
ORDER = ("role.", "pairing.duplicate-id", "pairing.unexpected", "pairing.duplicate-result", "pairing.missing")
BROKEN_TOO = ("first-call-only",)
"""Habits that break a rule as well, and are told as the reason behind it."""


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
        found = [_doubted(finding, exchange.request, case) for finding in broken_in(exchange, number, version, betas)]
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
    answer = longest.response.body if longest.response and not error_of(longest.response) else None
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
