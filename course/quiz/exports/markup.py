"""Cards as HTML: blocks of Markdown made safe, code and marks escaped."""

from collections.abc import Iterable
from html import escape

from course.quiz.exports.cards import Block
from course.quiz.markdown import html, inline_html, plain

__all__ = ["blocks_html"]


def blocks_html(blocks: Iterable[Block]) -> str:
    """Return the blocks as HTML; room to write is left out."""
    return "\n".join(filter(None, map(_block, blocks)))


def _block(block: Block) -> str:
    if block.kind == "prose":
        return html(block.text).strip()
    if block.kind == "code":
        return f"<pre><code>{escape(plain(block.text))}</code></pre>"
    if block.kind == "lines":
        return ""
    rows = (f"<tr><th>{escape(mark)}</th><td>{inline_html(text)}</td></tr>" for mark, text in block.rows)
    return f'<table class="{block.kind}">{"".join(rows)}</table>'
