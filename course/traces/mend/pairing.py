"""Mend a history whose calls and results do not belong together, changing no turn that is sound.

Nothing is invented: a call without a result gets a result with `is_error` that says so; a result without a call is kept
as text. Every action is told in words. One pass, linear in the number of blocks.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from course.facts import say

__all__ = ["mend_pairing"]

CLAUDES = ("tool_use", "server_tool_use", "mcp_tool_use", "thinking", "redacted_thinking")
Message = dict[str, Any]
Turn = tuple[str, list[Any], list[Message]]
"""Role, blocks, and the messages they came from."""


def mend_pairing(messages: list[Any]) -> tuple[list[Any], list[str]]:
    """Return the history with every call answered at once, in order, and what was done to get there."""
    actions: list[str] = []
    turns = list(_turns(messages, actions))
    mended: list[Message] = []
    late = _Late(turns)
    used: set[str] = set()
    number = 0
    while number < len(turns):
        role, blocks, origin = turns[number]
        if role != "assistant":
            mended += _sound(role, blocks, origin, _orphans_told(blocks, late, actions))
            number += 1
            continue
        calls = [block for block in blocks if _kind(block) == "tool_use"]
        follows = turns[number + 1] if number + 1 < len(turns) and turns[number + 1][0] == "user" else None
        answers = list(follows[1]) if follows else []
        asked = _asked(blocks, calls, answers, used, actions)
        mended += _sound(role, blocks, origin, asked)
        if calls:
            given = _answered([block for block in asked if _kind(block) == "tool_use"], answers, late, actions)
            mended += _sound("user", follows[1] if follows else [], follows[2] if follows else [], given)
            number += 2 if follows else 1
        else:
            number += 1
    return mended, actions


def _kind(block: Any) -> Any:
    return block.get("type") if isinstance(block, Mapping) else None


def _id(block: Any) -> str | None:
    """Return the id that ties a call or a result to its pair; None when it is no string."""
    id = block.get("id" if _kind(block) == "tool_use" else "tool_use_id")
    return id if isinstance(id, str) else None


def _as_blocks(content: Any) -> list[Any]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(content) if isinstance(content, list) else []


def _turns(messages: list[Any], actions: list[str]) -> Iterator[Turn]:
    """Yield merged turns; blocks that stand in the wrong role start a turn of the right one."""
    role = ""
    blocks: list[Any] = []
    origin: list[Message] = []
    for number, message in enumerate(messages):
        if not isinstance(message, dict):
            continue
        own = str(message.get("role"))
        for side, part in _sides(own, _as_blocks(message.get("content")), number, actions):
            if side != own:
                actions.append(say("traces.action.role", number=number, role=side))
            if side != role and origin:
                yield role, blocks, origin
                blocks, origin = [], []
            role = side
            blocks.extend(part)
            origin.append(message if side == own and len(part) == len(_as_blocks(message.get("content"))) else {})
    if origin:
        yield role, blocks, origin


def _sides(own: str, blocks: list[Any], number: int, actions: list[str]) -> Iterator[tuple[str, list[Any]]]:
    """Split the blocks of a message into runs by the role they must have."""
    if own not in ("user", "assistant"):
        yield own, blocks
        return
    run: list[Any] = []
    side = own
    for block in blocks:
        kind = _kind(block)
        needed = "assistant" if kind in CLAUDES else "user" if kind == "tool_result" else own
        if own == "user" and kind in ("thinking", "redacted_thinking"):
            actions.append(say("traces.action.thinking", number=number))
            continue
        if needed != side and run:
            yield side, run
            run = []
        side = needed
        run.append(block)
    if run or not blocks:
        yield side, run


class _Late:
    """Results that do not stand right after their call, by id, each to be used once."""

    def __init__(self, turns: list[Turn]) -> None:
        self.found: dict[str, list[Any]] = defaultdict(list)
        self.moved: set[int] = set()
        asked: set[Any] = set()
        for role, blocks, _ in turns:
            if role == "user":
                for block in blocks:
                    if _kind(block) == "tool_result" and _id(block) not in asked:
                        self.found[str(_id(block))].append(block)
            asked = {_id(block) for block in blocks if _kind(block) == "tool_use"} if role == "assistant" else set()

    def take(self, call: str) -> Any:
        """Return a result for the call and note that it moved; None when there is none."""
        while waiting := self.found.get(call):
            block = waiting.pop(0)
            if id(block) not in self.moved:
                self.moved.add(id(block))
                return block
        return None

    def has_moved(self, block: Any) -> bool:
        return id(block) in self.moved


def _asked(blocks: list[Any], calls: list[Any], answers: list[Any], used: set[str], actions: list[str]) -> list[Any]:
    """Return an assistant turn with its calls last and their ids unique; renames reach the answers."""
    renamed: dict[int, Any] = {}
    for call in calls:
        old = call.get("id")
        if not isinstance(old, str):
            new = _fresh("toolu_mended", used)
        elif old in used:
            new = _fresh(old, used)
        else:
            used.add(old)
            continue
        used.add(new)
        renamed[id(call)] = {**call, "id": new}
        actions.append(say("traces.action.id", old=old, new=new))
        positions = [n for n, block in enumerate(answers) if _kind(block) == "tool_result"]
        same = [n for n in positions if answers[n].get("tool_use_id") == old]
        within = sum(other.get("id") == old for other in calls)
        if same and (within == 1 or len(same) > 1):
            answers[same[-1 if within > 1 else 0]] = {**answers[same[-1 if within > 1 else 0]], "tool_use_id": new}
    turned = [renamed.get(id(block), block) for block in blocks]
    first = next((n for n, block in enumerate(turned) if _kind(block) == "tool_use"), len(turned))
    if all(_kind(block) == "tool_use" for block in turned[first:]):
        return turned
    actions.append(say("traces.action.calls_last"))
    return [b for b in turned if _kind(b) != "tool_use"] + [b for b in turned if _kind(b) == "tool_use"]


def _fresh(base: str, used: set[str]) -> str:
    number = 2
    while f"{base}_{number}" in used:
        number += 1
    return f"{base}_{number}"


def _answered(calls: list[Any], answers: list[Any], late: _Late, actions: list[str]) -> list[Any]:
    """Return the user turn after calls: one result for each call, in its place, and everything else behind them."""
    ids = dict.fromkeys(call["id"] for call in calls)
    results: dict[str, Any] = {}
    strangers, rest = [], []
    for block in answers:
        if _kind(block) != "tool_result":
            rest.append(block)
        elif late.has_moved(block):
            continue
        elif (id := _id(block)) is None or id not in ids:
            strangers.append(block)
        elif id in results:
            actions.append(say("traces.action.duplicate", id=id))
            if block.get("content") != results[id].get("content"):
                rest.append(_told(block))
        else:
            results[id] = block
    missing = [id for id in ids if id not in results]
    if len(missing) == 1 and len(strangers) == 1:
        stranger, id = strangers.pop(), missing.pop()
        actions.append(say("traces.action.renamed", old=stranger.get("tool_use_id"), new=id))
        results[id] = {**stranger, "tool_use_id": id}
    for id in missing:
        moved = late.take(id)
        actions.append(say("traces.action.moved" if moved else "traces.action.inserted", id=id))
        results[id] = moved or _unknown(id)
    for stranger in strangers:
        rest += _orphan_told(stranger, late, actions)
    last = max((n for n, block in enumerate(answers) if _kind(block) == "tool_result"), default=0)
    if any(_kind(block) != "tool_result" for block in answers[:last]):
        actions.append(say("traces.action.results_first"))
    return [*results.values(), *rest]


def _unknown(id: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": say("traces.action.no_result"), "is_error": True}


def _orphans_told(blocks: list[Any], late: _Late, actions: list[str]) -> list[Any]:
    told: list[Any] = []
    for block in blocks:
        told += _orphan_told(block, late, actions) if _kind(block) == "tool_result" else [block]
    return told


def _orphan_told(block: Any, late: _Late, actions: list[str]) -> list[Any]:
    """Return a result without a call as text, unless it has been moved to its call."""
    if late.has_moved(block):
        return []
    actions.append(say("traces.action.orphan", id=block.get("tool_use_id")))
    return [_told(block)]


def _told(block: Any) -> dict[str, Any]:
    content = block.get("content")
    parts = content if isinstance(content, list) else [{"type": "text", "text": str(content or "")}]
    text = "\n".join(str(part.get("text", part)) if isinstance(part, Mapping) else str(part) for part in parts)
    return {"type": "text", "text": say("traces.action.told", id=block.get("tool_use_id"), text=text)}


def _sound(role: str, before: list[Any], origin: list[Message], after: list[Any]) -> list[Message]:
    """Return the messages of a turn: the original ones when nothing changed, else one; none when it is empty."""
    unchanged = len(before) == len(after) and all(a is b for a, b in zip(before, after, strict=True))
    if unchanged and all(origin):
        return list(origin)
    return [{"role": role, "content": after}] if after else []
