"""The conversation: same-role turns merged, and how its blocks must stand to one another.

`merge` gives the turns the API sees; `shape` and `pairing` yield the rules that turns, roles, calls and results break.
Indices in messages are those of the merged turns where the API counts so (pairing, roles of blocks), and those of the
array as sent where it does not (system turns, empty turns); places are always those of the request as sent.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from course.api.rules import VERSIONS, Place, Violation

if TYPE_CHECKING:
    from course.api.context import Context

__all__ = ["THINKING", "Turn", "merge", "pairing", "shape"]

DICT = frozenset({dict})
NEWER = VERSIONS[1:]
SCOPED = "next_user_message"
THINKING = frozenset({"thinking", "redacted_thinking"})
SYSTEM_BLOCKS = frozenset({"text", "tool_addition", "tool_removal"})
ASSISTANT_ONLY = frozenset({"server_tool_use", "mcp_tool_use", "mcp_tool_listing", "compaction", "fallback"})
# Blocks that only the user may send, each with the rule that one in an assistant turn breaks.
USER_ONLY = {
    "container_upload": "role.user-only",
    "document": "version.assistant-document",
    "image": "role.user-only",
    "search_result": "role.user-only",
    "tool_result": "role.tool-result",
}
# Blocks that close a run of calls when they follow one in the same assistant turn.
CLOSING = frozenset({"text", "tool_result", "image", "document"})


class Part(NamedTuple):
    """One message of a turn: its index, where its blocks begin in the turn, whether its content is a string."""

    message: int
    start: int
    is_text: bool


class Turn(NamedTuple):
    """One turn after merging. `blocks` may be the list of the request itself: it is for reading alone.

    `message` and `is_text` are those of the first message; `more` are the messages merged into it.
    """

    role: str
    blocks: list[dict[str, Any]]
    message: int
    is_text: bool
    more: list[Part] | None = None

    def grow(self, part: Part, blocks: list[dict[str, Any]]) -> None:
        """Take in another message of the same role."""
        assert self.more is not None
        self.more.append(part)
        self.blocks.extend(blocks)

    def place(self, block: int | None = None) -> Place:
        """Return the place of a block, or of the turn's first message, in the request as sent."""
        if block is None:
            return ("messages", self.message)
        message, start, is_text = Part(self.message, 0, self.is_text)
        for part in self.more or ():
            if part.start <= block:
                message, start, is_text = part
        return ("messages", message, "content") if is_text else ("messages", message, "content", block - start)


def merge(messages: Any) -> list[Turn]:
    """Return the turns of `messages`: neighbours of one role merged, a string made a text block.

    What is no message is passed over, what is no block becomes an empty one (field errors tell of both); empty strings
    add no block. The blocks are those of `messages`, not copies.
    """
    turns: list[Turn] = []
    last: Any = None
    for index, message in enumerate(messages if type(messages) is list else ()):
        if type(message) is not dict:
            continue
        role = message.get("role")
        content: Any = message.get("content")
        is_text = type(content) is not list
        blocks: list[dict[str, Any]]
        if not is_text:
            blocks = content if DICT.issuperset(map(type, content)) else list(map(_as_block, content))
        else:
            blocks = [{"type": "text", "text": content}] if content and type(content) is str else []
        if role == last and turns:
            if turns[-1].more is None:
                turns[-1] = turns[-1]._replace(blocks=turns[-1].blocks[:], more=[])
            turns[-1].grow(Part(index, len(turns[-1].blocks), is_text), blocks)
        else:
            last = role
            turns.append(Turn(role if type(role) is str else "", blocks, index, is_text))
    return turns


def _as_block(block: Any) -> dict[str, Any]:
    return block if type(block) is dict else {}


def shape(ctx: "Context") -> Iterator[Violation]:
    """Yield the broken rules of turns as wholes: where system turns may stand, which turns may be empty."""
    items = ctx.messages
    empty_from: int | None = None
    for index, item in enumerate(items):
        role = item.get("role") if type(item) is dict else None
        if role == "user":
            if item.get("content"):
                empty_from = -1
            elif empty_from is None and _is_empty(item):
                empty_from = index
            continue
        if empty_from is not None:
            yield from _empty_user(ctx, empty_from)
            empty_from = None
        if role == "system":
            yield from _system_turn(ctx, index)
    yield from _empty_user(ctx, empty_from)


def _empty_user(ctx: "Context", index: int | None) -> Iterator[Violation]:
    if index is not None and index >= 0:
        yield from ctx.breaks("user-turn.empty", ("messages", index), index=index)


def _role(messages: Sequence[Any], index: int) -> Any:
    inside = 0 <= index < len(messages) and type(messages[index]) is dict
    return messages[index].get("role") if inside else None


def _is_empty(message: Any) -> bool:
    return type(message) is dict and message.get("content") in ("", [])


def _system_turn(ctx: "Context", index: int) -> Iterator[Violation]:
    item, place = ctx.messages[index], ("messages", index)
    if item.get("content", []) in ("", []):
        if not item.get("output_config"):
            yield from ctx.breaks("system-turn.empty", place, index=index)
        return
    turns = merge([item])
    blocks = turns[0].blocks
    if any(block.get("type") not in SYSTEM_BLOCKS for block in blocks):
        yield from ctx.breaks("system-turn.blocks", place, index=index)
    if item.get("clear_at") == SCOPED:
        yield from _scoped(ctx, item, index, blocks)
    yield from _system_position(ctx, index)
    texts = [text for block in blocks if type(text := block.get("text")) is str]
    if any(not text.strip() for text in texts) and (len(texts) > 1 or texts[0]):
        yield from ctx.breaks("system-turn.whitespace", place, index=index)


def _scoped(ctx: "Context", item: Any, index: int, blocks: list[dict[str, Any]]) -> Iterator[Violation]:
    """Yield what a system turn that holds until the next user message may not have."""
    place = ("messages", index)
    if any(block.get("type") != "text" for block in blocks):
        yield from ctx.breaks("system-turn.scoped-blocks", place, index=index)
    if item.get("output_config") is not None:
        yield from ctx.breaks("system-turn.scoped-config", (*place, "output_config"), index=index)
    for number, block in enumerate(blocks):
        if block.get("cache_control") is not None:
            where = (*place, "content", number, "cache_control")
            yield from ctx.breaks("system-turn.scoped-cache", where, index=index, content_index=number)


def _system_position(ctx: "Context", index: int) -> Iterator[Violation]:
    before, after = _role(ctx.messages, index - 1), _role(ctx.messages, index + 1)
    place = ("messages", index)
    if index == 0:
        yield from ctx.breaks("system-turn.first", place)
        return
    if before == "assistant" and not _ends_in_server_result(ctx.messages[index - 1]):
        yield from ctx.breaks("system-turn.must-follow-user", place, index=index)
    if after == "user":
        yield from ctx.breaks("system-turn.must-precede-assistant", place, index=index)


def _ends_in_server_result(message: Any) -> bool:
    blocks = merge([message])[0].blocks
    kind = blocks[-1].get("type") if blocks else None
    return type(kind) is str and kind.endswith("_tool_result")


class _Calls:
    """The calls of the assistant turn last met: those made, those answered, and every id so far."""

    def __init__(self, ctx: "Context") -> None:
        self.ctx = ctx
        self.found: list[Violation] = []
        self.known: set[str] = set()
        self.made: dict[str, int] = {}
        self.answered: set[str] = set()
        self.waiting: set[str] = set()
        self.asking: Turn | None = None

    def breaks(self, rule: str, turn: Turn, block: int, **values: object) -> None:
        self.found += self.ctx.breaks(rule, turn.place(block), content_index=block, **values)

    def close(self, index: int) -> None:
        """No more results can come. The index is that of the turn where something else, or nothing, stands instead."""
        if self.waiting and self.asking:
            first = next(block for id, block in self.made.items() if id in self.waiting)
            ids = ", ".join(sorted(self.waiting))
            self.breaks("pairing.missing-result", self.asking, first, index=index, ids=ids)
            self.waiting.clear()

    def assistant(self, number: int, turn: Turn) -> None:
        """Take in the calls of an assistant turn; what follows them within the turn leaves them unanswered."""
        made: dict[str, int] = {}
        closed = False
        for index, block in enumerate(turn.blocks):
            kind = block.get("type")
            if kind == "tool_use":
                id = block.get("id")
                if type(id) is not str:
                    continue
                if id in self.known:
                    self.breaks("pairing.duplicate-id", turn, index, index=number)
                self.known.add(id)
                made.setdefault(id, index)
            elif made and kind in CLOSING:
                closed = True
        self.asking, self.made, self.answered, self.waiting = turn, made, set(), set(made)
        if closed:
            self.close(number)

    def same_toolset(self, number: int, turn: Turn, index: int, made: int) -> None:
        """A result names the toolset that its call names, or none where that names none."""
        assert self.asking
        asked, given = self.asking.blocks[made].get("toolset_name"), turn.blocks[index].get("toolset_name")
        if asked != given:
            self.breaks("pairing.toolset", turn, index, index=number, wanted=asked or "none", given=given or "none")

    def user(self, number: int, turn: Turn) -> None:
        """Take in the results of a user turn; anything else before the last result closes the run of results."""
        waiting = self.waiting
        for index, block in enumerate(turn.blocks):
            kind = block.get("type")
            if kind != "tool_result":
                if waiting:
                    self.close(number)
                if kind == "tool_use":
                    self.breaks("role.assistant-only", turn, index, index=number, type=kind)
                continue
            id = block.get("tool_use_id")
            if type(id) is not str:
                continue
            if id in waiting:
                waiting.remove(id)
                self.same_toolset(number, turn, index, self.made[id])
            elif id in self.answered:
                self.breaks("pairing.duplicate-result", turn, index, index=number, id=id)
            elif id not in self.made:
                self.breaks("pairing.unexpected-result", turn, index, index=number, id=id)
            self.answered.add(id)
        if waiting:
            self.close(number)


def pairing(ctx: "Context") -> Iterator[Violation]:
    """Yield the broken rules of calls and results, block by block as the API meets them; then those of roles."""
    calls = _Calls(ctx)
    for number, turn in enumerate(ctx.turns):
        if turn.role == "assistant":
            if calls.waiting:
                calls.close(number)
            calls.assistant(number, turn)
        elif turn.role == "user":
            calls.user(number, turn)
    calls.close(len(ctx.turns) - 1)
    yield from calls.found
    if ctx.kinds:
        yield from _roles(ctx)
    if ctx.cited and ctx.version in NEWER:
        yield from _citations(ctx)


def _roles(ctx: "Context") -> Iterator[Violation]:
    for kind, places in ctx.kinds.items():
        of_the_user = USER_ONLY.get(kind)
        if not of_the_user and not _of_the_assistant(kind):
            continue
        for number, index in places:
            turn = ctx.turns[number]
            if turn.role == "assistant" and of_the_user:
                yield from ctx.breaks(of_the_user, turn.place(index), index=number, type=kind)
            elif turn.role == "user" and not of_the_user:
                rule = "role.thinking" if kind in THINKING else "role.assistant-only"
                yield from ctx.breaks(rule, turn.place(index), index=number, type=kind)


def _of_the_assistant(kind: str) -> bool:
    return kind in THINKING or kind in ASSISTANT_ONLY or (kind.endswith("_tool_result") and kind not in USER_ONLY)


def _citations(ctx: "Context") -> Iterator[Violation]:
    for number, index in ctx.cited:
        turn = ctx.turns[number]
        if turn.role == "user" and turn.blocks[index]["citations"]:
            yield from ctx.breaks("version.user-citations", turn.place(index), index=number, content_index=index)
