"""Proofs that use a coding agent's five tools on a few files: the lab's Grep, Glob, Read, Write and Edit."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.quiz.proofs.registry import Sheet, agrees, proof

__all__ = ["workspace_reaches", "workspace_says"]

Call = Mapping[str, Any]


def _use(files: Mapping[str, str], calls: Sequence[Call]) -> dict[str, Any]:
    """Make `calls` ({grep: [pattern]}, {edit: [path, old, new]}, …) in a workspace of `files`, up to a failure."""
    from course.labs.workspace import ToolFailed, Workspace

    place = Workspace(dict(files))
    seen: dict[str, Any] = {"failed": False, "found": [], "lines": 0}
    for call in calls:
        ((name, given),) = call.items()
        try:
            found = getattr(place, name)(*given)
        except ToolFailed as error:
            seen |= {"failed": True, "message": str(error)}
            seen["matches"] = place.files.get(given[0], "").count(given[1]) if name == "edit" else 0
            break
        lines = found.splitlines() if isinstance(found, str) else found or []
        seen |= {"found": lines, "lines": seen["lines"] + len(lines)}
    return {**seen, "files": place.files, "changed": sorted(p for p in place.files if place.files[p] != files.get(p))}


@proof("workspace_says")
def workspace_says(sheet: Sheet, *, files: Mapping[str, str], calls: Sequence[Call], value: str = "") -> Any:
    """The calls are made in a workspace of `files`; claims are about what comes back.

    Observed: found (lines of the last call), lines (of all calls together), failed, message, matches (of a
    refused Edit), changed (paths), files.
    """
    observed = _use(files, calls)
    if sheet.kind == "numeric":
        return observed[value]
    return sheet.pick(lambda claim: agrees(claim, observed), observed)


@proof("workspace_reaches")
def workspace_reaches(sheet: Sheet, *, files: Mapping[str, str], want: Mapping[str, Any]) -> Any:
    """Each option's claim is a list of calls, made in a fresh workspace; it holds where the outcome is `want`."""
    return sheet.pick(lambda claim: agrees(want, _use(files, claim)))
