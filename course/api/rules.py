"""The request rules of the Messages API as data: `rules.toml`, read once.

A row has id, stage, the API versions and the models it holds for, the template of the API's message, status,
error type, and what the row rests on: evidence (recorded exchange, verbatim report, docs, inferred), source, date.
Checks name a row and the values of its placeholders; no message is written anywhere else.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

__all__ = ["EVIDENCE", "STAGES", "VERSIONS", "Place", "Rule", "RuleError", "Violation", "rules", "table", "violation"]

VERSIONS = ("2023-06-01", "2026-10-21")
EVIDENCE = ("recorded", "verbatim report", "docs", "inferred")
STAGES = ("headers", "body", "fields", "model", "shape", "tools", "choice", "capability", "conversation", "size")

Place = tuple[str | int, ...]


class RuleError(Exception):
    """The rule table is broken, or a check names a row that it lacks; the message names the row."""


@dataclass(frozen=True)
class Rule:
    """One row of the table. `models` names a predicate of `predicates.py`; empty: every model.

    `details` is the body of `error.details` where the API sends one; `envelope` is "edge" for answers that come
    from in front of the API and lack its outer object. `issues` are public threads (owner/name#number).
    """

    id: str
    stage: str
    template: str
    evidence: str
    source: str
    date: date
    versions: tuple[str, ...] = VERSIONS
    models: str = ""
    status: int = 400
    error_type: str = "invalid_request_error"
    details: Mapping[str, str] | None = None
    envelope: str = ""
    issues: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Violation:
    """A broken rule in one request. `place` is the path in the request as sent, e.g. ("messages", 2, "content", 0)."""

    rule: str
    message: str
    status: int
    error_type: str
    place: Place
    details: Mapping[str, str] | None = field(default=None, hash=False)


def _rule(row: dict[str, Any], sources: Mapping[str, str]) -> Rule:
    try:
        source = sources[row["source"]]
        versions = tuple(row.get("versions", VERSIONS))
        issues = tuple(row.get("issues", ()))
        entry = Rule(**{**row, "source": source, "versions": versions, "issues": issues})
    except (KeyError, TypeError) as error:
        raise RuleError(f"rules.toml, row {row.get('id')!r}: {error}") from error
    if entry.evidence not in EVIDENCE or entry.stage not in STAGES or not set(versions) <= set(VERSIONS):
        raise RuleError(f"rules.toml, row {entry.id!r}: unknown evidence, stage or version")
    return entry


def table(data: Mapping[str, Any]) -> Mapping[str, Rule]:
    """Return the rules of a parsed table by id, in its order. Raises RuleError when a row is malformed."""
    entries: dict[str, Rule] = {}
    for row in data["rule"]:
        entry = _rule(row, data["sources"])
        if entry.id in entries:
            raise RuleError(f"rules.toml: two rows with the id {entry.id!r}")
        entries[entry.id] = entry
    return MappingProxyType(entries)


@cache
def rules() -> Mapping[str, Rule]:
    """Return every rule by id, in the order of the table."""
    return table(tomllib.loads((Path(__file__).parent / "rules.toml").read_text(encoding="utf-8")))


def violation(rule: str, place: Place = (), **values: object) -> Violation:
    """Return the violation of the row `rule` at `place`, its template filled with `values`."""
    try:
        row = rules()[rule]
    except KeyError:
        raise RuleError(f"rules.toml has no rule {rule!r}") from None
    return Violation(rule, row.template.format(**values), row.status, row.error_type, place, row.details)
