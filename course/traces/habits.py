"""What the API accepts and yet hurts: habits in a conversation and in its tools.

Each check reads the conversation once. A habit is advice, never a broken rule, and never repeats a secret it found.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from course.traces.finding import Place

__all__ = ["Habit", "habits"]

Json = Any

MANY_TOOLS = 16
"""From 16 tools on accuracy falls, says the Korean CCA-F text; the docs name 30-50 (objective OVR-1)."""
ALIKE = 0.75
REPEATS = 3
LARGE = 100_000
SHORT = 30
COMPARED = 150

ERROR = re.compile(
    r"\s*(error\b|exception\b|failed\b|failure\b|traceback\b|fatal\b|\w+(error|exception):"
    r"|http [45]\d\d\b|(?-i:[45]\d\d [A-Z]))",
    re.IGNORECASE,
)
STACK = re.compile(
    r"Traceback \(most recent call last\)|^\s+File \"[^\"]+\", line \d+|^\s+at \S+ ?\(.+:\d+(:\d+)?\)", re.M
)
SECRETS = re.compile(
    r"\bsk-[A-Za-z0-9_-]{16,}|\bAKIA[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{20,}|\bxox[abps]-[A-Za-z0-9-]{10,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----|\b[a-z][a-z0-9+]*://[^\s/:@]+:[^\s/:@]+@"
    r"|\b(password|passwd|secret|api[_-]?key|access[_-]?token)[\"']?\s*[=:]\s*[\"']?[^\s\"',}]{4,}",
    re.IGNORECASE,
)
WRITES = re.compile(
    r"(^|_|-)(delete|remove|drop|send|pay|refund|transfer|cancel|purchase|buy|charge|wire|erase|terminate|deploy|publish)(_|-|$)"
)
ASKS = re.compile(r"confirm|approv|consent|permission|ask the user|dry.?run|확인|승인|동의", re.IGNORECASE)


class Habit(NamedTuple):
    """One habit at one place; `values` fill the placeholders of its texts."""

    id: str
    place: Place
    values: Mapping[str, Any] = {}


def habits(body: Mapping[str, Json], answer: Mapping[str, Json] | None = None) -> Iterator[Habit]:
    """Yield the habits of one request (and the answer to it), in the order in which they stand there."""
    messages = [m for m in _list(body.get("messages")) if isinstance(m, Mapping)]
    where = [n for n, m in enumerate(_list(body.get("messages"))) if isinstance(m, Mapping)]
    yield from _results(messages, where)
    yield from _turns(messages, where)
    yield from _repeats(messages, where, answer)
    yield from _tools(_list(body.get("tools")))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _blocks(message: Mapping[str, Json]) -> list[tuple[int, Mapping[str, Json]]]:
    return [(n, b) for n, b in enumerate(_list(message.get("content"))) if isinstance(b, Mapping)]


def _kind(block: Mapping[str, Json]) -> Any:
    return block.get("type")


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(p.get("text", "")) for p in _list(content) if isinstance(p, Mapping))


# results ------------------------------------------------------------------------------------------------------------


def _results(messages: Sequence[Mapping[str, Json]], where: Sequence[int]) -> Iterator[Habit]:
    for number, message in zip(where, messages, strict=True):
        for index, block in _blocks(message):
            if _kind(block) != "tool_result":
                continue
            place = ("messages", number, "content", index)
            text = _text(block.get("content"))
            if block.get("is_error") is not True and _says_error(text):
                yield Habit("unflagged-error", place)
            if STACK.search(text[:LARGE]):
                yield Habit("stack-trace", place)
            if SECRETS.search(text[:LARGE]):
                yield Habit("secret", place)
            if len(text) > LARGE:
                yield Habit("large-result", place, {"count": len(text)})
        if isinstance(content := message.get("content"), str) and _holds_blocks(content):
            yield Habit("blocks-as-string", ("messages", number, "content"))


def _says_error(text: str) -> bool:
    if ERROR.match(text):
        return True
    if text.lstrip()[:1] != "{" or len(text) > LARGE:
        return False
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and (bool(value.get("error")) or value.get("success") is False)


def _holds_blocks(content: str) -> bool:
    if content.lstrip()[:1] != "[" or '"type"' not in content:
        return False
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return False
    kinds = [part.get("type") for part in _list(value) if isinstance(part, dict)]
    return "tool_use" in kinds or "tool_result" in kinds


# turns --------------------------------------------------------------------------------------------------------------


def _turns(messages: Sequence[Mapping[str, Json]], where: Sequence[int]) -> Iterator[Habit]:
    """Look at each run of user messages and at the calls before it."""
    calls: list[Any] = []
    start = 0
    while start < len(messages):
        role = messages[start].get("role")
        end = start + 1
        while end < len(messages) and messages[end].get("role") == role:
            end += 1
        run = range(start, end)
        if role == "assistant":
            calls = [b.get("id") for n in run for _, b in _blocks(messages[n]) if _kind(b) == "tool_use"]
        elif role == "user":
            yield from _user_run(messages, where, run, calls)
            calls = []
        start = end


def _user_run(
    messages: Sequence[Mapping[str, Json]], where: Sequence[int], run: range, calls: Sequence[Any]
) -> Iterator[Habit]:
    holding = [n for n in run if any(_kind(b) == "tool_result" for _, b in _blocks(messages[n]))]
    if len(holding) > 1:
        yield Habit("split-results", ("messages", where[holding[1]]), {"count": len(holding)})
    answered = [b.get("tool_use_id") for n in run for _, b in _blocks(messages[n]) if _kind(b) == "tool_result"]
    if len(calls) > 1 and answered == calls[:1]:
        yield Habit("first-call-only", ("messages", where[run[0]]), {"count": len(calls)})
    for n in holding:
        kinds = [_kind(b) for _, b in _blocks(messages[n])]
        if "text" in kinds[kinds.index("tool_result") :]:
            index = len(kinds) - 1 - kinds[::-1].index("text")
            yield Habit("text-after-results", ("messages", where[n], "content", _blocks(messages[n])[index][0]))


def _repeats(
    messages: Sequence[Mapping[str, Json]], where: Sequence[int], answer: Mapping[str, Json] | None
) -> Iterator[Habit]:
    """Look for one call made again and again with the same input, whatever its result."""
    seen: dict[str, int] = {}
    places: list[Place] = [("messages", number) for number in where]
    turns = [pair for pair in zip(places, messages, strict=True) if pair[1].get("role") == "assistant"]
    if answer is not None:
        turns.append((("response",), answer))
    for place, message in turns:
        for index, block in _blocks(message):
            if _kind(block) != "tool_use":
                continue
            key = json.dumps([block.get("name"), block.get("input")], sort_keys=True, default=str)
            seen[key] = seen.get(key, 0) + 1
            if seen[key] == REPEATS:
                yield Habit("repeated-call", (*place, "content", index), {"name": block.get("name"), "count": REPEATS})


# tools --------------------------------------------------------------------------------------------------------------


def _tools(tools: Sequence[Any]) -> Iterator[Habit]:
    own = [(n, t) for n, t in enumerate(tools) if isinstance(t, Mapping) and isinstance(t.get("input_schema"), Mapping)]
    loaded = [tool for tool in tools if isinstance(tool, Mapping) and tool.get("defer_loading") is not True]
    if len(loaded) >= MANY_TOOLS:
        yield Habit("many-tools", ("tools",), {"count": len(loaded)})
    for number, tool in own:
        name, description = str(tool.get("name")), str(tool.get("description") or "")
        if len(description) < SHORT:
            yield Habit("thin-description", ("tools", number), {"name": name})
        if missing := list(_undescribed(tool["input_schema"])):
            place = ("tools", number, "input_schema")
            yield Habit("undescribed-parameter", place, {"name": name, "parameters": ", ".join(missing)})
        if WRITES.search(name.lower()) and not ASKS.search(description):
            yield Habit("write-without-confirmation", ("tools", number), {"name": name})
    yield from _alike(own[:COMPARED])


def _undescribed(schema: Mapping[str, Any]) -> Iterator[str]:
    properties = schema.get("properties")
    for name, about in properties.items() if isinstance(properties, Mapping) else ():
        if isinstance(about, Mapping) and not about.get("description") and "$ref" not in about:
            yield str(name)


def _alike(tools: Sequence[tuple[int, Mapping[str, Any]]]) -> Iterator[Habit]:
    words = [set(re.findall(r"\w{3,}", str(tool.get("description") or "").lower())) for _, tool in tools]
    for later, (number, tool) in enumerate(tools):
        for earlier in range(later):
            both = words[later] | words[earlier]
            if len(both) > 3 and len(words[later] & words[earlier]) / len(both) >= ALIKE:
                names = {"one": tools[earlier][1].get("name"), "other": tool.get("name")}
                yield Habit("look-alikes", ("tools", number, "description"), names)
                break
