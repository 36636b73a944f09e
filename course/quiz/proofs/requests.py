"""Proofs that put requests to the offline API."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.facts import say
from course.quiz.offline import API_VERSION, outcome
from course.quiz.proofs.registry import ProofFailure, Sheet, agrees, proof

__all__ = ["api_accepts", "api_says", "patched"]


def patched(base: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` changed by a JSON merge patch (null removes a field); `append` adds to `messages`."""
    changed = dict(base)
    for name, value in patch.items():
        if name == "append":
            changed["messages"] = [*changed.get("messages", ()), *value]
        elif value is None:
            changed.pop(name, None)
        elif isinstance(value, Mapping) and isinstance(changed.get(name), Mapping):
            changed[name] = patched(changed[name], value)
        else:
            changed[name] = value
    return changed


@proof("api_says")
def api_says(
    sheet: Sheet,
    *,
    request: Mapping[str, Any] | None = None,
    replies: Sequence[Any] = (),
    value: str = "",
    version: str = API_VERSION,
    betas: Sequence[str] = (),
) -> Any:
    """One request, several claims about what comes back: the right option is the one whose claim agrees.

    match: each row's claim is a patch of `request`, each target's claim is about the outcome.
    numeric: `value` names the field of the outcome that is the answer, or whose length is.
    """

    def run(patch: Mapping[str, Any]) -> dict[str, Any]:
        return outcome(patched(request or {}, patch), replies=replies, version=version, betas=betas)

    if sheet.kind == "match":
        return {row.id: _target(sheet, row.id, run(row.claim or {})) for row in sheet.rows}
    observed = run({})
    if sheet.kind == "numeric":
        found = observed[value]
        return len(found) if isinstance(found, list) else found
    return sheet.pick(lambda claim: agrees(claim, observed), observed)


def _target(sheet: Sheet, row: str, observed: Mapping[str, Any]) -> str:
    found = [target.id for target in sheet.choices if target.claim is not None and agrees(target.claim, observed)]
    if len(found) != 1:
        raise ProofFailure(say("quiz.lint.proof.row", row=row, n=len(found), observed=dict(observed)))
    return found[0]


@proof("api_accepts")
def api_accepts(
    sheet: Sheet,
    *,
    request: Mapping[str, Any] | None = None,
    want: str = "accepted",
    version: str = API_VERSION,
    betas: Sequence[str] = (),
) -> Any:
    """One request, several changes to it (each option's claim is a patch): the right one is accepted, or refused."""

    def holds(patch: Mapping[str, Any]) -> bool:
        status = outcome(patched(request or {}, patch), version=version, betas=betas)["status"]
        return (status == 200) == (want == "accepted")

    return sheet.pick(holds)
