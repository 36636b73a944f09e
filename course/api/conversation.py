"""The conversation: same-role turns merged, and how its blocks must stand to one another.

`merge` gives the turns the API sees; `shape` and `pairing` yield the rules that turns, roles, calls and results break.
Indices in messages are those of the merged turns where the API counts so (pairing, roles of blocks), and those of the
array as sent where it does not (system turns, empty turns); places are always those of the request as sent.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from course.api.rules import Place, Violation, violation

__all__ = ["Turn", "merge", "pairing", "shape"]

ASSISTANT_ONLY = frozenset(
    {"tool_use", "server_tool_use", "mcp_tool_use", "mcp_tool_result", "mcp_tool_listing", "tool_search_tool_result"}
)
THINKING = frozenset({"thinking", "redacted_thinking"})
SYSTEM_BLOCKS = frozenset({"text", "tool_addition", "tool_removal"})


class Turn(NamedTuple):
    """One turn after merging. `at` gives, block by block, (message, block) in the request; block None: a string."""

    role: str
    blocks: list[dict[str, Any]]
    at: list[tuple[int, int | None]]
    first: int

    def place(self, block: int | None = None) -> Place:
        """Return the place of a block, or of the turn's first message, in the request as sent."""
        if block is None:
            return ("messages", self.first)
        message, index = self.at[block]
        return ("messages", message, "content") if index is None else ("messages", message, "content", index)


def merge(messages: Any) -> list[Turn]:
    """Return the turns of `messages`: neighbours of one role merged, a string made a text block.

    What is no message or no block (field errors tell of it) is passed over; empty strings add no block.
    """
    turns: list[Turn] = []
    for index, message in enumerate(messages if type(messages) is list else ()):
        if type(message) is not dict:
            continue
        role, content = message.get("role"), message.get("content")
        if turns and turns[-1].role == role:
            turn = turns[-1]
        else:
            turn = Turn(role if type(role) is str else "", [], [], index)
            turns.append(turn)
        if type(content) is str:
            if content:
                turn.blocks.append({"type": "text", "text": content})
                turn.at.append((index, None))
        elif type(content) is list:
            for number, block in enumerate(content):
                if type(block) is dict:
                    turn.blocks.append(block)
                    turn.at.append((index, number))
    return turns


def _content(message: Any) -> list[dict[str, Any]]:
    turns = merge([message])
    return turns[0].blocks if turns else []


def _is_empty(message: Any) -> bool:
    return type(message) is dict and message.get("content") in ("", [])


def _ends_in_server_result(message: Any) -> bool:
    blocks = _content(message)
    kind = blocks[-1].get("type") if blocks else None
    return type(kind) is str and kind.endswith("_tool_result")


def _system_turn(messages: Sequence[Any], index: int) -> Iterator[Violation]:
    item = messages[index]
    place: Place = ("messages", index)
    if _is_empty(item):
        if not item.get("output_config"):
            yield violation("system-turn.empty", place, index=index)
        return
    blocks = _content(item)
    if any(block.get("type") not in SYSTEM_BLOCKS for block in blocks):
        yield violation("system-turn.blocks", place, index=index)
    yield from _system_position(messages, index)
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    if any(type(text) is str and not text.strip() for text in texts):
        yield violation("system-turn.whitespace", place, index=index)


def _role(messages: Sequence[Any], index: int) -> Any:
    inside = 0 <= index < len(messages) and type(messages[index]) is dict
    return messages[index].get("role") if inside else None


def _system_position(messages: Sequence[Any], index: int) -> Iterator[Violation]:
    before, after = _role(messages, index - 1), _role(messages, index + 1)
    place: Place = ("messages", index)
    if index == 0:
        yield violation("system-turn.first", place)
        return
    if before == "assistant" and not _ends_in_server_result(messages[index - 1]):
        yield violation("system-turn.must-follow-user", place, index=index)
    if after == "user":
        yield violation("system-turn.must-precede-assistant", place, index=index)


def shape(messages: Any) -> Iterator[Violation]:
    """Yield the broken rules of turns as wholes: where system turns may stand, which turns may be empty."""
    items = messages if type(messages) is list else []
    empty_from: int | None = None
    for index, item in enumerate(items):
        role = _role(items, index)
        if role == "system":
            yield from _system_turn(items, index)
        if role == "user":
            if not _is_empty(item):
                empty_from = -1
            elif empty_from is None:
                empty_from = index
        if _role(items, index + 1) != "user" and role == "user":
            if empty_from is not None and empty_from >= 0:
                yield violation("user-turn.empty", ("messages", empty_from), index=empty_from)
            empty_from = None


def pairing(turns: Sequence[Turn]) -> Iterator[Violation]:
    """Yield the broken rules of calls and results, block by block as the API meets them."""
    waiting: dict[str, Place] = {}
    asked: set[str] = set()
    answered: set[str] = set()
    known: set[str] = set()
    last = len(turns) - 1
    for number, turn in enumerate(turns):
        if turn.role == "assistant":
            yield from _unanswered(waiting, number)
            waiting, asked, answered = {}, set(), set()
            for index, block in enumerate(turn.blocks):
                kind, id = block.get("type"), block.get("id")
                if kind == "tool_use":
                    if type(id) is not str:
                        continue
                    if id in known:
                        yield violation("pairing.duplicate-id", turn.place(index), index=number, content_index=index)
                    known.add(id)
                    asked.add(id)
                    waiting[id] = turn.place(index)
                elif kind == "text" and waiting:
                    yield from _unanswered(waiting, number)
                    waiting = {}
                elif kind == "tool_result":
                    yield violation("role.tool-result", turn.place(index), index=number)
            continue
        for index, block in enumerate(turn.blocks):
            kind = block.get("type")
            if kind == "tool_result" and turn.role == "user":
                id = block.get("tool_use_id")
                if type(id) is not str:
                    continue
                values = {"index": number, "content_index": index, "id": id}
                if id in answered:
                    yield violation("pairing.duplicate-result", turn.place(index), **values)
                elif id not in asked:
                    yield violation("pairing.unexpected-result", turn.place(index), **values)
                else:
                    answered.add(id)
                    waiting.pop(id, None)
                continue
            if waiting and turn.role == "user":
                yield from _unanswered(waiting, number)
                waiting = {}
            if kind in ASSISTANT_ONLY or (type(kind) is str and kind.endswith("_tool_result") and kind != "tool_result"):
                yield violation("role.assistant-only", turn.place(index), index=number, type=kind)
            elif kind in THINKING:
                yield violation("role.thinking", turn.place(index), index=number)
        if turn.role == "user":
            yield from _unanswered(waiting, number)
            waiting = {}
            if number < last:
                asked, answered = set(), set()
    yield from _unanswered(waiting, last)


def _unanswered(waiting: dict[str, Place], index: int) -> Iterator[Violation]:
    if waiting:
        place = next(iter(waiting.values()))
        yield violation("pairing.missing-result", place, index=index, ids=", ".join(sorted(waiting)))
