"""A trace as Markdown: for a README, an issue or a chat."""

import re
from html import escape
from typing import Any

from course.facts import say
from course.traces.trace import Trace
from course.traces.view import Block, Step
from course.traces.walk import steps
from course.traces.wording import arrow, clean, mark_words, pair, pretty, shortened, tokens_of, tool_lines, who

__all__ = ["to_markdown"]

SPECIAL = re.compile(r"([\\`*_{}\[\]#|~])")


def to_markdown(trace: Any) -> str:
    """Return all steps of a trace (Trace, document, request body or `messages` array) as Markdown."""
    parts = []
    if isinstance(trace, Trace):
        parts += [f"## {_safe(trace.title)}"] if trace.title else []
        parts += [_safe(trace.notes), _safe(say(f"traces.source.{trace.source}"))]
    parts += map(_step, steps(trace))
    return "\n\n".join(filter(None, parts)) + "\n"


def _safe(words: str) -> str:
    """Return the words so that none of them is Markdown or HTML, in one line."""
    return SPECIAL.sub(r"\\\1", escape(" ".join(clean(shortened(words)).split()), quote=False))


def _step(step: Step) -> str:
    facts = " · ".join(filter(None, (f"*{arrow(step)}*", tokens_of(step))))
    parts = [
        f"**{step.index + 1}. {step.label}: {_safe(step.title)}**\\\n{facts}",
        "\n".join(f"- **{_safe(mark_words(mark))}**" for mark in step.marks),
        _safe(step.words),
        "\n".join(f"- {_safe(line)}" for line in tool_lines(step)),
        "\n".join(map(_block, step.blocks)),
        f"<details><summary>{say('traces.view.raw')}</summary>\n\n{_fenced(clean(pretty(step.raw)))}\n\n</details>",
    ]
    return "\n\n".join(filter(None, parts))


def _block(block: Block) -> str:
    badge = f" **\\[{_safe(pair(block))}\\]**" if block.pairing else ""
    notice = f" **{_safe(block.notice)}**" if block.notice else ""
    return f"- {_safe(who(block))}{badge}: {_safe(block.words)}{notice}"


def _fenced(text: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}json\n{text}\n{fence}"
