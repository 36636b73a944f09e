"""Prompt caching: which part of a request was read from the cache, which was written to it, as `usage` tells it.

A prompt is a chain, tools → system → messages, and a cached prefix is found by the hash of the chain up to a block.
What loses the cache of a part (the invalidation table of the Claude API docs, snapshot of 2026-09-26) goes into the
chain where that part begins: the definitions and the model before the tools, the web tools and citations before the
system prompt, tool_choice, thinking, effort and the presence of pictures before the messages. Deferred tools are
outside the chain.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from course.api.memory import Memory
from course.api.tokens import MESSAGE, factor, overhead, weigh, weigh_tools
from course.facts.models import Model

__all__ = ["Caching", "PromptCache"]

SECONDS = {"5m": 300.0, "1h": 3600.0}
LOOKBACK = 20
WEB = ("web_search_", "web_fetch_")


class Caching(NamedTuple):
    """Input tokens read from the cache, and written to it for five minutes and for an hour."""

    read: int = 0
    written_5m: int = 0
    written_1h: int = 0


class _Point(NamedTuple):
    """A place between two blocks: hash of the chain and tokens up to it, the run it ends, the ttl of a breakpoint."""

    digest: bytes
    tokens: float
    run: int
    ttl: str | None


class PromptCache:
    """The prefixes written so far, the last `limit` of them, each until its time is over."""

    def __init__(self, clock: Callable[[], float], limit: int = 10_000) -> None:
        self._clock = clock
        self._entries: Memory[bytes, tuple[float, float]] = Memory(limit)

    def account(self, body: Mapping[str, Any], model: Model | None) -> Caching:
        """Say what this request reads and writes, and remember what it writes."""
        if model is None or not _asks(body):
            return Caching()
        points = list(_points(body, model))
        marked = [place for place, point in enumerate(points) if point.ttl]
        marked = [place for place in marked if points[place].tokens >= model.min_cacheable]
        if not marked:
            return Caching()
        read = next((hit for place in reversed(marked) if (hit := self._hit(points, place)) is not None), None)
        start = round(points[read].tokens) if read is not None else 0
        ends = {ttl: [round(points[p].tokens) for p in marked if points[p].ttl == ttl] for ttl in SECONDS}
        hour = max([start, *ends["1h"]])
        for place in marked:
            self._write(points[place].digest, SECONDS[points[place].ttl or "5m"])
        return Caching(start, max([hour, *ends["5m"]]) - hour, hour - start)

    def _hit(self, points: list[_Point], place: int) -> int | None:
        oldest = points[place].run - LOOKBACK
        while place >= 0 and points[place].run > oldest:
            entry = self._entries.get(points[place].digest)
            if entry and entry[1] > self._clock():
                self._write(points[place].digest, entry[0])
                return place
            place -= 1
        return None

    def _write(self, digest: bytes, seconds: float) -> None:
        self._entries.put(digest, (seconds, self._clock() + seconds))


def _asks(body: Mapping[str, Any]) -> bool:
    """Tell whether the request holds a `cache_control` anywhere that counts."""
    if body.get("cache_control"):
        return True
    parts = [body.get("tools"), body.get("system"), *[message.get("content") for message in body["messages"]]]
    for part in parts:
        if type(part) is list:
            for block in part:
                if "cache_control" in block:
                    return True
    return False


def _points(body: Mapping[str, Any], model: Model) -> Iterator[_Point]:
    chain = blake2b(digest_size=16)
    rate = factor(model)
    total, run, last_kind = 0.0, 0, ""
    automatic = body.get("cache_control")
    steps = list(_steps(body, model))
    for number, (seed, block, weight) in enumerate(steps):
        chain.update(seed)
        control = block.get("cache_control") or (automatic if number == len(steps) - 1 else None)
        total += weight * rate
        kind = block.get("type", "")
        run += not (kind == last_kind and kind in ("tool_use", "tool_result"))
        last_kind = kind
        yield _Point(chain.digest(), total, run, control.get("ttl") or "5m" if isinstance(control, Mapping) else None)


def _steps(body: Mapping[str, Any], model: Model) -> Iterator[tuple[bytes, Mapping[str, Any], float]]:
    """Yield (what goes into the chain, the block, its weight) for tools, system and messages."""
    tools = [tool for tool in body.get("tools") or () if not tool.get("defer_loading")]
    choice = body.get("tool_choice") or {}
    extra = overhead(model, choice.get("type", "auto")) / factor(model) if tools else 0.0
    seed = model.id.encode()
    for tool in tools:
        web = str(tool.get("type", "")).startswith(WEB)
        yield seed + (b"" if web else _plain(tool)), tool, weigh_tools([tool]) + extra
        seed, extra = b"", 0.0
    seed += _plain([tool for tool in tools if str(tool.get("type", "")).startswith(WEB)]) + _flag(body, '"citations"')
    for block in _blocks(body.get("system") or []):
        yield seed + _plain(block), block, weigh(block)
        seed = b""
    config = body.get("output_config") or {}
    seed += _plain([choice, body.get("thinking"), config.get("effort")]) + _flag(body, '"image"')
    for message in body["messages"]:
        lead = MESSAGE / factor(model)
        for block in _blocks(message.get("content") or []):
            yield seed + message["role"].encode() + _plain(block), block, weigh(block) + lead
            seed, lead = b"", 0.0


def _blocks(content: Any) -> list[Mapping[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _flag(body: Mapping[str, Any], word: str) -> bytes:
    return b"1" if word in json.dumps(body["messages"]) else b"0"


def _plain(value: Any) -> bytes:
    if isinstance(value, Mapping):
        value = {key: member for key, member in value.items() if key != "cache_control"}
    return json.dumps(value, sort_keys=True).encode() + b"\0"
