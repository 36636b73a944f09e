"""An author's Markdown made safe to show: HTML off and an allowlist for the browser, no control characters anywhere."""

import re
from functools import cache
from typing import Any

__all__ = ["html", "inline_html", "plain"]

SEQUENCES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # operating system commands: titles, links
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?"  # device strings
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # colours, cursor
    r"|\x1b[ -/]*[0-~]?"
)
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
INVISIBLE = re.compile(
    "[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\U000e0000-\U000e007f]"
)
TAGS = frozenset(
    {"p", "br", "hr", "em", "strong", "s", "code", "pre", "ul", "ol", "li", "blockquote", "a"}
    | {"table", "thead", "tbody", "tr", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6"}
)
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "code": {"class"}}


def plain(text: str) -> str:
    """Return `text` without terminal sequences, control characters, and invisible or direction-changing characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii() and text.isprintable():
        return text
    return INVISIBLE.sub("", CONTROLS.sub("", SEQUENCES.sub("", text)))


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt

    return (
        MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"]).disable("image")
    )


def _clean(markup: str) -> str:
    import nh3

    return nh3.clean(
        markup, tags=set(TAGS), attributes=ATTRIBUTES, url_schemes={"https"}, link_rel="noopener noreferrer"
    )


def html(text: str) -> str:
    """Return the text as HTML blocks: no raw HTML, no images, links to https only."""
    return _clean(_parser().render(plain(text)))


def inline_html(text: str) -> str:
    """Return the text as HTML without paragraphs, for options and labels."""
    return _clean(_parser().renderInline(plain(text)))
