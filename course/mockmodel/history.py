"""What the conversation that was sent already holds: wish, calls, results, habits. There is no other memory."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from course.mockmodel.model import ModelRequest
from course.mockmodel.spans import find_date
from course.mockmodel.words import data, terms

__all__ = ["Call", "Scene", "argument_terms", "read_scene"]


@dataclass(frozen=True)
class Call:
    """One call in the history and what came back. turn: number of the message it stands in. text: the result as text;
    answered is False when no result was sent."""

    name: str
    input: Mapping[str, Any]
    turn: int
    answered: bool = False
    is_error: bool = False
    text: str = ""
    kinds: tuple[str, ...] = ()
    server: bool = False


@dataclass(frozen=True)
class Scene:
    """A request, read.

    wish: what the user asked for in this round, with what was added beside results. said: earlier wishes of the user,
    latest first. asked: the assistant's last text before the wish. calls: those of this round; past: all before.
    searches: (query, number of tools found) of tool searches in this round. after_results: the last message brings
    results; text_after: and text after them. split: results came in several user messages. opened: the assistant has
    already spoken in this round. system: the system prompt with what was added to it later.
    """

    wish: str = ""
    said: tuple[str, ...] = ()
    asked: str = ""
    calls: tuple[Call, ...] = ()
    past: tuple[Call, ...] = ()
    searches: tuple[tuple[str, int], ...] = ()
    after_results: bool = False
    text_after: bool = False
    split: bool = False
    opened: bool = False
    prefill: str = ""
    system: str = ""
    today: date = date(2026, 12, 1)
    today_known: bool = False


@dataclass
class _Reading:
    wish: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    asked: str = ""
    start: int = 0
    calls: dict[str, Call] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    searches: list[tuple[int, str, str, int]] = field(default_factory=list)


def _blocks(message: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    content = message.get("content") or ()
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def read_scene(request: ModelRequest) -> Scene:
    """Read a request in one pass over its messages."""
    reading = _Reading()
    system = [request.system] if request.system else []
    last_text = ""
    for number, message in enumerate(request.messages):
        blocks = _blocks(message)
        texts = [str(b.get("text", "")) for b in blocks if b.get("type") == "text"]
        if message["role"] == "assistant":
            last_text = " ".join(texts) or last_text
            _read_calls(reading, blocks, number)
        elif message["role"] == "system":
            system.extend(texts)
        else:
            _read_user(reading, blocks, texts, number, last_text)
    calls = [reading.calls[key] for key in reading.order]
    final = request.messages[-1] if request.messages else {"role": "user", "content": []}
    kinds = [str(block.get("type")) for block in _blocks(final)] if final["role"] == "user" else []
    today = find_date("\n".join(system)) if system else None
    return Scene(
        wish="\n".join(reading.wish),
        said=tuple(reversed(reading.said)),
        asked=reading.asked,
        calls=tuple(call for call in calls if call.turn > reading.start),
        past=tuple(call for call in calls if call.turn <= reading.start),
        searches=tuple((query, found) for turn, _, query, found in reading.searches if turn > reading.start),
        after_results="tool_result" in kinds,
        text_after="tool_result" in kinds and kinds[-1] == "text",
        split=_is_split(request.body.get("messages") or ()),
        opened=any(m["role"] == "assistant" for m in request.messages[reading.start + 1 :]),
        prefill=_prefill(final),
        system="\n".join(system),
        today=today or date.fromisoformat(data()["assumed"]["today"]),
        today_known=today is not None,
    )


def _prefill(final: Mapping[str, Any]) -> str:
    blocks = _blocks(final) if final["role"] == "assistant" else ()
    return str(blocks[-1].get("text", "")) if blocks and blocks[-1].get("type") == "text" else ""


def _read_user(
    reading: _Reading, blocks: Sequence[Mapping[str, Any]], texts: list[str], number: int, last_text: str
) -> None:
    results = [block for block in blocks if block.get("type") == "tool_result"]
    for block in results:
        _read_result(reading, block)
    text = "\n".join(text for text in texts if text.strip())
    if results:
        if text:
            reading.wish.append(text)
    elif text:
        if reading.wish:
            reading.said.append("\n".join(reading.wish))
        reading.wish, reading.asked, reading.start = [text], last_text, number


def _read_calls(reading: _Reading, blocks: Sequence[Mapping[str, Any]], number: int) -> None:
    for block in blocks:
        kind = str(block.get("type"))
        if kind == "tool_use":
            key = f"{number}|{block.get('id')}"
            reading.calls[key] = Call(str(block.get("name")), block.get("input") or {}, number)
            reading.order.append(key)
            reading.turns.append(number)
        elif kind == "server_tool_use" and not str(block.get("name", "")).startswith("tool_search"):
            key = f"{number}|{block.get('id')}"
            reading.calls[key] = Call(str(block.get("name")), block.get("input") or {}, number, server=True)
            reading.order.append(key)
        elif kind.endswith("_tool_result") and kind != "tool_search_tool_result":
            _read_server_result(reading, block, number)
        elif kind == "server_tool_use":
            given = block.get("input") or {}
            reading.searches.append(
                (number, str(block.get("id")), str(given.get("pattern") or given.get("query") or ""), 0)
            )
        elif kind == "tool_search_tool_result" and reading.searches:
            content = block.get("content")
            found = content.get("tool_references") if isinstance(content, Mapping) else None
            turn, ident, query, _ = reading.searches[-1]
            reading.searches[-1] = (turn, ident, query, len(found or ()))


def _read_server_result(reading: _Reading, block: Mapping[str, Any], number: int) -> None:
    key = f"{number}|{block.get('tool_use_id')}"
    content = block.get("content")
    if (call := reading.calls.get(key)) is not None:
        error = content.get("error_code") if isinstance(content, Mapping) else None
        text = str(error) if error else json.dumps(content, ensure_ascii=False)
        reading.calls[key] = replace(call, answered=True, is_error=bool(error), text=text, kinds=("text",))


def _read_result(reading: _Reading, block: Mapping[str, Any]) -> None:
    """Tie a result to the last call with its id."""
    turn = reading.turns[-1] if reading.turns else -1
    key = f"{turn}|{block.get('tool_use_id')}"
    if (call := reading.calls.get(key)) is not None:
        text, kinds = _result_text(block.get("content"))
        reading.calls[key] = Call(call.name, call.input, call.turn, True, bool(block.get("is_error")), text, kinds)


def _result_text(content: Any) -> tuple[str, tuple[str, ...]]:
    if content is None:
        return "", ()
    if isinstance(content, str):
        return content, ("text",)
    texts, kinds = [], []
    for block in content:
        kind = str(block.get("type"))
        kinds.append(kind)
        if kind == "text":
            texts.append(str(block.get("text", "")))
        elif kind == "search_result":
            inner = " ".join(
                str(part.get("text", "")) for part in block.get("content") or () if isinstance(part, Mapping)
            )
            texts.append(f"{block.get('title', '')}: {inner}".strip(": "))
        elif kind == "tool_reference":
            texts.append(str(block.get("tool_name", "")))
    return "\n".join(texts), tuple(kinds)


def _is_split(messages: Sequence[Any]) -> bool:
    """Whether results of one assistant turn were sent in several user messages."""
    before = False
    for message in messages:
        if not isinstance(message, Mapping) or message.get("role") != "user":
            before = False
            continue
        content = message.get("content")
        holds = isinstance(content, list) and any(
            isinstance(b, Mapping) and b.get("type") == "tool_result" for b in content
        )
        if holds and before:
            return True
        before = before or holds
    return False


def argument_terms(call: Call) -> frozenset[str]:
    """Return the stems of a call's arguments."""
    return frozenset(term.stem for term in terms(json.dumps(call.input, ensure_ascii=False)[:2000]))
