"""What a step is called and says, and the tools it shows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from course.facts import say
from course.traces.blocks import compact, content_list
from course.traces.loose import Loose
from course.traces.view import Block, Label, Mark, Offered

__all__ = [
    "called",
    "differences",
    "named",
    "offered",
    "request_title",
    "request_words",
    "results_marks",
    "tally",
]

PLURALS = {0: "none", 1: "one"}


def differences(before: Loose, after: Loose) -> str:
    """Return the names of the fields, besides the messages, that are not as in the last request."""
    if after.threaded or not isinstance(before.request, Mapping) or not isinstance(after.request, Mapping):
        return ""
    names = [*before.request, *(name for name in after.request if name not in before.request)]
    return ", ".join(n for n in names if n != "messages" and before.request.get(n) != after.request.get(n))


def called(content: Any) -> set[str]:
    return {
        str(block.get("name"))
        for block in content_list(content)
        if isinstance(block, Mapping) and block.get("type") in ("tool_use", "server_tool_use")
    }


def tally(names: Sequence[str]) -> str:
    return ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in Counter(names).items())


def named(block: Block) -> str:
    name = block.raw.get("name") if isinstance(block.raw, Mapping) else None
    return name if isinstance(name, str) else "?"


def offered(exchange: Loose, chosen: set[str]) -> tuple[Offered, ...]:
    tools = []
    for number, raw in enumerate(exchange.tools, start=1):
        fields = raw if isinstance(raw, Mapping) else {}
        name, kind, text = fields.get("name"), fields.get("type"), fields.get("description")
        shown = name if isinstance(name, str) else kind if isinstance(kind, str) else compact(raw)
        tools.append(
            Offered(
                number=number,
                name=shown,
                description=text if isinstance(text, str) else "",
                kind=kind if isinstance(kind, str) else "custom",
                deferred=fields.get("defer_loading") is True,
                chosen=isinstance(name, str) and name in chosen,
            )
        )
    return tuple(tools)


def results_marks(results: Sequence[Block]) -> tuple[Mark, ...]:
    return tuple(Mark("error", say("traces.mark.failed", badge=block.badge)) for block in results if block.is_error)


def request_title(label: Label, blocks: Sequence[Block], tools: Sequence[Offered], bare: bool) -> str:
    results = sum(block.kind == "tool_result" for block in blocks)
    if label == "Return":
        return say(f"traces.return.{'none' if not results else 'one' if results == 1 else 'many'}_title", count=results)
    if not blocks:
        return say("traces.request.again_title")
    if bare:
        return say("traces.offer.bare_title")
    return say(f"traces.offer.{'none' if not tools else 'one' if len(tools) == 1 else 'many'}_title", count=len(tools))


def request_words(
    label: Label, blocks: Sequence[Block], tools: Sequence[Offered], exchange: Loose, history: bool
) -> str:
    if history:
        return say("traces.request.history")
    if not blocks:
        return say("traces.request.again")
    if exchange.bare:
        return say("traces.offer.bare_words")
    key = "traces.return.words" if label == "Return" else "traces.offer.words"
    if label == "Return" and not any(block.kind == "tool_result" for block in blocks):
        key = "traces.return.none_words"
    messages, offered = _number_of("messages", len(exchange.messages)), _number_of("tools", len(tools))
    return say(key, messages=messages, tools=offered)


def _number_of(what: str, count: int) -> str:
    return say(f"traces.count.{what}_{PLURALS.get(count, 'many')}", count=count)
