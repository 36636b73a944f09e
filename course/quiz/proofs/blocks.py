"""Proofs about content blocks: in which role each may stand, and which way of picking calls finds all of them."""

from collections.abc import Callable, Mapping
from typing import Any

from course.facts import say
from course.quiz.offline import outcome
from course.quiz.proofs.registry import ProofFailure, Sheet, proof

__all__ = ["picker_finds_every_call", "roles_of_a_block"]

CALL = {"type": "tool_use", "id": "toolu_0", "name": "look_up", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_0", "content": "found"}


def _histories(block: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return a sound history around `block` for each role it might stand in."""
    ask = {"role": "user", "content": "Please look it up."}
    called = {"role": "assistant", "content": [CALL]}
    if block["type"] == "tool_result":
        return {
            "assistant": [ask, called, {"role": "assistant", "content": [block]}],
            "user": [ask, called, {"role": "user", "content": [block]}],
        }
    own_id = block.get("id")
    answer = [{**RESULT, "tool_use_id": own_id}] if own_id else [{"type": "text", "text": "Go on."}]
    return {
        "assistant": [
            ask,
            {"role": "assistant", "content": _among_text(block)},
            {"role": "user", "content": answer},
        ],
        "user": [ask, called, {"role": "user", "content": [RESULT, block]}],
    }


def _among_text(block: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return a turn of Claude's with the block where it would stand: thinking before text, all else behind it."""
    text = {"type": "text", "text": "A moment."}
    return [block, text] if block["type"] == "thinking" else [text, block]


@proof("roles_of_a_block")
def roles_of_a_block(sheet: Sheet) -> dict[str, str]:
    """Put each row's block into both roles of a sound history; targets claim the roles that the API takes."""
    found = {}
    for row in sheet.rows:
        histories = _histories(row.claim)
        roles = [
            role
            for role in ("assistant", "user")
            if outcome({"tools": ["look_up"], "messages": histories[role]})["status"] == 200
        ]
        fitting = [target.id for target in sheet.choices if target.claim == roles]
        if len(fitting) != 1:
            raise ProofFailure(say("quiz.lint.proof.row", row=row.id, n=len(fitting), observed=roles))
        found[row.id] = fitting[0]
    return found


PICKERS: Mapping[str, Callable[[list[str]], list[int]]] = {
    "first": lambda kinds: [0],
    "last": lambda kinds: [len(kinds) - 1],
    "after_thinking": lambda kinds: [int(kinds[0] == "thinking")],
    "by_type": lambda kinds: [at for at, kind in enumerate(kinds) if kind == "tool_use"],
}
TURNS = (
    [{"type": "tool_use", "name": "look_up", "input": {}}],
    [{"type": "thinking", "thinking": "Look it up."}, {"type": "tool_use", "name": "look_up", "input": {}}],
    [
        {"type": "text", "text": "A moment."},
        {"type": "tool_use", "name": "look_up", "input": {}},
        {"type": "tool_use", "name": "look_up", "input": {"again": True}},
    ],
)


@proof("picker_finds_every_call")
def picker_finds_every_call(sheet: Sheet) -> Any:
    """Claims name a way of picking; the right one finds exactly the calls of every response the API gives."""
    responses = [outcome({"tools": ["look_up"]}, replies=[turn])["blocks"] for turn in TURNS]

    def holds(name: str) -> bool:
        return all(
            PICKERS[name](kinds) == [at for at, kind in enumerate(kinds) if kind == "tool_use"] for kinds in responses
        )

    return sheet.pick(holds, responses)
