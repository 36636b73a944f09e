"""The short phrases that every view of a step uses."""

import json
import re
from html import escape
from typing import Any

from course.facts import say
from course.traces.view import Block, Mark, Step

__all__ = [
    "arrow",
    "clean",
    "coded",
    "lane",
    "mark_words",
    "pair",
    "pretty",
    "shortened",
    "tokens_of",
    "tool_lines",
    "who",
]

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, direction marks and lone surrogates."""

CODE = re.compile(r"`([^`\n]+)`")
LONGEST = 2_000
"""Characters of one block that a page shows before it cuts; the raw JSON is never cut."""


def lane(name: str) -> str:
    """Return the shown name of a lane."""
    return say(f"traces.lane.{name}")


def arrow(step: Step) -> str:
    """Return the lanes of a step, from → to."""
    return f"{lane(step.sender)} → {lane(step.receiver)}"


def pair(block: Block) -> str:
    """Return the pairing of a block: its number, and what is missing of the pair; "" for a block outside of pairs."""
    if not block.pairing:
        return ""
    number = say("traces.pair.number", badge=block.badge) if block.badge else say("traces.pair.unnumbered")
    missing = {"orphan": "traces.pair.orphan", "unanswered": "traces.pair.unanswered"}.get(block.pairing)
    return f"{number}, {say(missing)}" if missing else number


def who(block: Block) -> str:
    """Return who wrote a block and what it is."""
    words = f"{block.role} · {block.kind}"
    if block.is_error:
        words += f" · {say('traces.block.error')}"
    return f"{words} · {say('traces.block.echo')}" if block.echo else words


def mark_words(mark: Mark) -> str:
    """Return a mark as one line, its kind in front."""
    rule = f" [{mark.rule}]" if mark.rule else ""
    return f"{say(f'traces.mark_kind.{mark.kind}')}{rule}: {mark.text}"


def tokens_of(step: Step) -> str:
    """Return the token count of a step; "" for one that costs none."""
    if not step.tokens:
        return ""
    return say("traces.tokens.counted" if step.counted else "traces.tokens.estimate", count=step.tokens)


def tool_lines(step: Step) -> list[str]:
    """Return the offered tools, numbered; the chosen and the deferred ones say so."""
    lines = []
    for tool in step.tools:
        notes = [say("traces.tool.chosen")] if tool.chosen else []
        notes += [say("traces.tool.deferred")] if tool.deferred else []
        notes += [tool.kind] if tool.kind not in ("custom", tool.name) else []
        lines.append(f"{tool.number}. {tool.name}" + (f" ({', '.join(notes)})" if notes else ""))
    return lines


def pretty(raw: Any) -> str:
    """Return the exact JSON, indented."""
    try:
        return json.dumps(raw, ensure_ascii=False, indent=2)
    except (TypeError, ValueError):
        return repr(raw)


def coded(words: str) -> str:
    """Return one of the course's own sentences as HTML: escaped, with what stands in backticks as code."""
    return CODE.sub(r"<code>\1</code>", escape(clean(words)))


def shortened(words: str) -> str:
    """Return the words, cut where they are longer than a reader would read, saying so."""
    return words if len(words) <= LONGEST else words[:LONGEST] + say("traces.view.cut", count=len(words) - LONGEST)


def clean(words: str) -> str:
    """Return the words with control and direction characters made visible, so that data cannot steer a terminal."""
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", words)
