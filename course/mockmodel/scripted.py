"""`Scripted`: a stand-in that plays prepared turns, chosen by what the conversation already holds."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course.facts import say
from course.mockmodel.model import MockModelError, ModelRequest, Reply

__all__ = ["ScriptEnded", "Scripted", "Turn", "call", "text"]

Turn = str | Mapping[str, Any] | Sequence[Mapping[str, Any]] | Reply | Callable[[ModelRequest], Any]


class ScriptEnded(MockModelError):
    """The conversation is longer than the script: names the turn that was asked for and how many there are."""


def text(words: str) -> dict[str, Any]:
    """Return a text block."""
    return {"type": "text", "text": words}


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    """Return a `tool_use` block without an id (the API gives it one)."""
    return {"type": "tool_use", "name": tool, "input": arguments}


def _rounds(message: Mapping[str, Any]) -> int:
    """How often the model was asked while this message grew: once, and once after each server tool's result."""
    content = message["content"]
    if isinstance(content, str):
        return 1
    answered = [place for place, block in enumerate(content) if str(block.get("type", "")).endswith("_tool_result")]
    return 1 + sum(place < len(content) - 1 for place in answered)


def _opens(turn: Turn) -> bool:
    """Whether a turn may leave a server tool's call for the API to answer within the same assistant message."""
    if callable(turn):
        return True
    blocks = turn.blocks if isinstance(turn, Reply) else [turn] if isinstance(turn, Mapping) else turn
    kinds = [] if isinstance(blocks, str) else [str(block.get("type", "")) for block in blocks]
    return "server_tool_use" in kinds and not any(kind.endswith("_tool_result") for kind in kinds)


class Scripted:
    """Plays `turns` in order. The turn is found from the request alone: how much the assistant has said in it.

    A turn is a text, a block, blocks, a `Reply`, or a function of the request that returns one of these.
    """

    def __init__(self, turns: Sequence[Turn], *, name: str = "Scripted") -> None:
        self.turns = tuple(turns)
        self.name = name

    def place(self, request: ModelRequest) -> int:
        """Return which turn (zero-based) this request asks for; it may lie beyond the script."""
        place = 0
        for number, message in enumerate(request.messages):
            if message["role"] != "assistant":
                continue
            last = number == len(request.messages) - 1
            if last and not any(str(b.get("type", "")).endswith("_tool_result") for b in _blocks(message)):
                break  # a prefill: the beginning of the turn asked for
            place += 1
            for _ in range(_rounds(message) - 1):
                place += place <= len(self.turns) and _opens(self.turns[place - 1])
        return place

    def reply(self, request: ModelRequest) -> Reply:
        """Return the prepared turn. Raises ScriptEnded when there is none left."""
        place = self.place(request)
        if place >= len(self.turns):
            raise ScriptEnded(say("mockmodel.scripted.ended", name=self.name, turn=place + 1, count=len(self.turns)))
        turn: Any = self.turns[place]
        if callable(turn):
            turn = turn(request)
        reply = turn if isinstance(turn, Reply) else Reply(tuple(_as_blocks(turn)))
        explain = {"model": self.name, "stand_in": True, "turn": place + 1, "turns": len(self.turns)}
        return Reply(
            reply.blocks, reply.stop_reason, reply.stop_sequence, reply.stop_details, explain | dict(reply.explain)
        )


def _blocks(message: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    content = message["content"]
    return [text(content)] if isinstance(content, str) else content


def _as_blocks(turn: str | Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    if isinstance(turn, str):
        return [text(turn)] if turn else []
    return [turn] if isinstance(turn, Mapping) else turn
