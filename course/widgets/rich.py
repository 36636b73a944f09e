"""Author's Markdown as a tree of `[tag, child, …]` and strings: the page builds elements and never parses markup.

Raw HTML in Markdown stays text; links and pictures become their words.
"""

from functools import cache
from typing import Any

__all__ = ["rich"]

Tree = list[Any]
TAGS = {"paragraph": "p", "strong": "strong", "em": "em", "bullet_list": "ul", "ordered_list": "ol", "list_item": "li"}
TABLE = {"table", "thead", "tbody", "tr", "th", "td", "blockquote"}


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def rich(text: str) -> Tree:
    """Return the tree of a Markdown text."""
    from markdown_it.tree import SyntaxTreeNode

    return _children(SyntaxTreeNode(_parser().parse(text)))


def _children(node: Any) -> Tree:
    return [part for child in node.children for part in _node(child)]


def _node(node: Any) -> Tree:
    match node.type:
        case "text":
            return [node.content]
        case "softbreak":
            return [" "]
        case "hardbreak":
            return [["br"]]
        case "code_inline":
            return [["code", node.content]]
        case "fence" | "code_block":
            return [["pre", ["code", node.content.rstrip("\n")]]]
        case "image" | "html_block" | "html_inline":
            return [node.content]
        case "heading":
            return [["p", ["strong", *_children(node)]]]
        case "link":
            return [*_children(node), f" ({node.attrs.get('href', '')})"]
        case kind if tag := TAGS.get(kind) or (kind if kind in TABLE else None):
            inside = _children(node)
            return inside if kind == "paragraph" and node.hidden else [[tag, *inside]]
    return _children(node)
