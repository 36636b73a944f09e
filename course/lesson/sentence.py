"""A text for people that shows itself without quotes, with what stands in backticks as code.

A notebook shows `code` as code, and so lines between two ```; plain text has quotes, 'code', and no fences.
"""

import re
from collections.abc import Iterable
from html import escape
from typing import Literal

__all__ = ["Sentence", "State", "framed", "in_html", "in_words", "mark"]

State = Literal["right", "wrong", "open"]
MARKS = {"right": "✓", "wrong": "✗", "open": "○"}
EDGES = {"right": "solid #009E73", "wrong": "dashed #D55E00", "open": "dotted #0072B2"}

FENCE = "```"
CODE = re.compile(r"`([^`\n]+)`")


class Sentence(str):
    """A text for people, as the last value of a cell."""

    def __repr__(self) -> str:
        return in_words(self)

    def _repr_html_(self) -> str:
        parts = self.split(FENCE)
        return "".join(
            f"<pre><code>{escape(part.strip(chr(10)))}</code></pre>" if number % 2 else _paragraphs(part)
            for number, part in enumerate(parts)
        )


def mark(state: State) -> str:
    """Return the sign of a state: a tick, a cross, a circle."""
    return MARKS[state]


def framed(state: State, head: str, lines: Iterable[str], role: str = "") -> str:
    """Return HTML lines beside an edge whose colour and stroke tell the state."""
    spoken = f' role="{role}"' if role else ""
    body = "".join(f"<div>{line}</div>" for line in lines)
    return f'<div{spoken} style="border-left:4px {EDGES[state]};padding:4px 12px"><div>{head}</div>{body}</div>'


def in_html(words: str) -> str:
    """Return words as HTML: escaped, line breaks kept, code as code."""
    return CODE.sub(r"<code>\1</code>", escape(words)).replace("\n", "<br>")


def in_words(words: str) -> str:
    """Return words for a place that knows only plain text."""
    return CODE.sub(r"'\1'", words.replace(f"{FENCE}\n", "").replace(f"\n{FENCE}", ""))


def _paragraphs(words: str) -> str:
    return "".join(f"<p>{in_html(part)}</p>" for part in words.strip("\n").split("\n\n") if part)
