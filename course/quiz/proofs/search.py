"""Proofs about a long context: what a tool search finds, and what context editing clears."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.quiz.offline import full_request
from course.quiz.proofs.registry import Sheet, agrees, proof

__all__ = ["edits_clear", "search_finds", "tool_is_found"]


@proof("search_finds")
def search_finds(sheet: Sheet, *, tools: Sequence[Any], variant: str, asked: Mapping[str, Any] | None = None) -> Any:
    """One search of a catalogue: claims are about `found` (tool names, in order) and `error` (message, or null).

    tools: definitions, or bare names. variant: regex or bm25. Without `asked` each option's claim is
    {asked: {pattern or query, limit}, found: [...]}, and the right options are those that find what they claim.
    numeric: how many were found.
    """
    catalogue = full_request({"tools": list(tools)})["tools"]
    if asked is None:
        return sheet.pick(lambda claim: _found(variant, claim["asked"], catalogue)["found"] == list(claim["found"]))
    observed = _found(variant, asked, catalogue)
    if sheet.kind == "numeric":
        return len(observed["found"])
    return sheet.pick(lambda claim: agrees(claim, observed), observed)


@proof("tool_is_found")
def tool_is_found(sheet: Sheet, *, variant: str, asked: Mapping[str, Any]) -> Any:
    """Each option's claim is a catalogue, a list of definitions: the right one holds a tool that the search finds."""
    return sheet.pick(lambda claim: bool(_found(variant, asked, claim)["found"]))


def _found(variant: str, asked: Mapping[str, Any], catalogue: Sequence[Any]) -> dict[str, Any]:
    from course.api.search import search

    content = search(f"tool_search_tool_{variant}", asked, catalogue)
    references = content.get("tool_references", ())
    return {"found": [reference["tool_name"] for reference in references], "error": content.get("error_message")}


@proof("edits_clear")
def edits_clear(sheet: Sheet, *, uses: Sequence[str], tokens: int, edit: Mapping[str, Any] | None = None) -> Any:
    """A history of answered calls and one `clear_tool_uses_20250919`: which calls have their results cleared?

    uses: tool names, oldest first. tokens: size of the prompt. Claims are about `cleared` (tool names, oldest
    first) and `results` (how many tool_result blocks are left). Without `edit` each option's claim is
    {edit: fields, cleared: [...]}. numeric: how many were cleared.
    """
    if edit is None:
        return sheet.pick(lambda claim: _cleared(uses, tokens, claim["edit"])["cleared"] == list(claim["cleared"]))
    observed = _cleared(uses, tokens, edit)
    if sheet.kind == "numeric":
        return len(observed["cleared"])
    return sheet.pick(lambda claim: agrees(claim, observed), observed)


def _cleared(uses: Sequence[str], tokens: int, fields: Mapping[str, Any]) -> dict[str, Any]:
    from course.api.edits import CLEARED, edit

    history: list[Mapping[str, Any]] = []
    for number, name in enumerate(uses):
        call = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "A page of lines. " * 50}
        history += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    seen = edit(tuple(history), [{"type": "clear_tool_uses_20250919", **fields}], tokens, None).messages
    results = [block for turn in seen for block in turn["content"] if block["type"] == "tool_result"]
    cleared = [name for name, block in zip(uses, results, strict=True) if block["content"] == CLEARED]
    return {"cleared": cleared, "results": len(results)}
