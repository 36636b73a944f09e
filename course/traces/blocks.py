"""Blocks of any shape, said in plain words, and paired by id. Nothing here raises: what is odd is shown as it is."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from course.facts import say
from course.traces.view import Block

__all__ = ["Pairs", "blocks_of", "compact", "content_list"]

CALLS = {"tool_use", "server_tool_use", "mcp_tool_use"}
RESULT_ID = "tool_use_id"


def compact(value: Any) -> str:
    """Return a value as one line of JSON."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)


def content_list(content: Any) -> list[Any]:
    """Return the blocks of a message: a string is one text block, anything that is no list is one odd block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else [content]


class Pairs:
    """Which call and which result belong together: ids numbered in the order they first appear."""

    def __init__(self) -> None:
        self._badges: dict[str, int] = {}
        self._calls: set[str] = set()
        self._results: set[str] = set()

    def note(self, contents: Iterable[Any]) -> None:
        """Read message contents in the order in which they were written."""
        for content in contents:
            for block in content_list(content):
                if not isinstance(block, Mapping):
                    continue
                if isinstance(id := _id(block), str):
                    self._badges.setdefault(id, len(self._badges) + 1)
                    (self._calls if _is_call(block) else self._results).add(id)

    def of(self, block: Mapping[str, Any]) -> tuple[int | None, Any]:
        """Return badge and pairing of a block ("" when it takes no part in pairing)."""
        call, id = _is_call(block), _id(block)
        if not call and RESULT_ID not in block and not _is_result(block):
            return None, ""
        if not isinstance(id, str):
            return None, "unanswered" if call else "orphan"
        if call:
            return self._badges.get(id), "call" if id in self._results else "unanswered"
        return self._badges.get(id), "result" if id in self._calls else "orphan"


def blocks_of(
    role: Any, content: Any, place: tuple[str | int, ...], pairs: Pairs, *, echo: bool = False
) -> tuple[Block, ...]:
    """Return the blocks of one message as a view shows them."""
    return tuple(
        _block(str(role), block, place if isinstance(content, str) else (*place, number), pairs, echo)
        for number, block in enumerate(content_list(content))
    )


def _block(role: str, raw: Any, place: tuple[str | int, ...], pairs: Pairs, echo: bool) -> Block:
    if not isinstance(raw, Mapping):
        return Block(role, "?", compact(raw), raw, place, echo=echo, notice=say("traces.notice.not_object"))
    kind = raw.get("type")
    if not isinstance(kind, str):
        return Block(role, "?", compact(raw), raw, place, echo=echo, notice=say("traces.notice.no_type"))
    badge, pairing = pairs.of(raw)
    words, notice = _words(kind, raw)
    if pairing == "orphan":
        notice = say("traces.notice.orphan", id=compact(_id(raw)))
    elif pairing == "unanswered" and not isinstance(_id(raw), str):
        notice = say("traces.notice.no_id")
    id = _id(raw)
    return Block(
        role=role,
        kind=kind,
        words=words,
        raw=raw,
        place=place,
        id=id if isinstance(id, str) else None,
        badge=badge,
        pairing=pairing,
        is_error=_failed(kind, raw),
        echo=echo,
        notice=notice,
    )


def _id(block: Mapping[str, Any]) -> Any:
    return block.get("id") if _is_call(block) else block.get(RESULT_ID)


def _is_call(block: Mapping[str, Any]) -> bool:
    kind = block.get("type")
    return isinstance(kind, str) and kind in CALLS


def _is_result(block: Mapping[str, Any]) -> bool:
    return str(block.get("type", "")).endswith("tool_result")


def _failed(kind: str, raw: Mapping[str, Any]) -> bool:
    inner = raw.get("content")
    coded = isinstance(inner, Mapping) and "error_code" in inner
    return kind.endswith("tool_result") and (raw.get("is_error") is True or coded)


def _words(kind: str, raw: Mapping[str, Any]) -> tuple[str, str]:
    """Return what the block says, and a notice when it is not shaped as its type demands."""
    match kind:
        case "text":
            text = raw.get("text")
            return (text, "") if isinstance(text, str) else _odd(raw, "text")
        case "thinking":
            text = raw.get("thinking")
            return (text or say("traces.words.hidden"), "") if isinstance(text, str) else _odd(raw, "thinking")
        case "redacted_thinking":
            return say("traces.words.redacted"), ""
        case "tool_use" | "server_tool_use" | "mcp_tool_use":
            name, input = raw.get("name"), raw.get("input")
            if not isinstance(name, str):
                return _odd(raw, "name")
            if not isinstance(input, Mapping):
                return _odd(raw, "input")
            return f"{name}({', '.join(f'{key}={compact(value)}' for key, value in input.items())})", ""
        case _ if _is_result(raw):
            return _result_words(raw), ""
        case "image" | "document":
            return say(f"traces.words.{kind}"), ""
        case "web_search_result":
            return f"{raw.get('title')} ({raw.get('url')})", ""
        case "tool_reference":
            return say("traces.words.reference", name=raw.get("tool_name")), ""
    return compact(raw), ""


def _result_words(raw: Mapping[str, Any]) -> str:
    content = raw.get("content")
    if content is None or content == "" or content == []:
        return say("traces.words.empty")
    if isinstance(content, Mapping):
        found = content.get("tool_references")
        if isinstance(found, list):
            names = ", ".join(str(item.get("tool_name")) for item in found if isinstance(item, Mapping))
            return say("traces.words.found", names=names or say("traces.words.nothing"))
        return compact(content)
    parts = []
    for part in content_list(content):
        if isinstance(part, Mapping) and isinstance(part.get("type"), str):
            parts.append(_words(part["type"], part)[0])
        else:
            parts.append(compact(part))
    return "\n".join(parts)


def _odd(raw: Mapping[str, Any], field: str) -> tuple[str, str]:
    return compact(raw), say("traces.notice.field", field=field)
