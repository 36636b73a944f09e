"""Markdown and cards as typst source. Author text only ever stands inside string literals, so it can't become code."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from course.quiz.exports.cards import Block
from course.quiz.markdown import plain

__all__ = ["blocks_typst", "inline_typst", "literal", "markdown_typst"]

MARKS = {"strong": "strong", "em": "emph", "s": "strike"}
LINE_HEIGHT = "0.85cm"


def literal(text: str) -> str:
    """Return a typst string literal."""
    escaped = plain(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def _parser() -> Any:
    from course.quiz.markdown import _parser

    return _parser()


def inline_typst(text: str) -> str:
    """Return one paragraph of Markdown as typst content."""
    tokens = _parser().parseInline(plain(text))
    return _inline(tokens[0].children or []) if tokens else "[]"


def _inline(tokens: Sequence[Any]) -> str:
    parts: list[str] = []
    stack: list[list[str]] = [parts]
    for token in tokens:
        name, _, end = token.type.rpartition("_")
        if end == "open" and name in (*MARKS, "link"):
            stack.append([])
        elif end == "close" and name in (*MARKS, "link"):
            inner = "{" + " + ".join(stack.pop() or ["[]"]) + "}"
            stack[-1].append(inner if name == "link" else f"{MARKS[name]}({inner})")
        elif token.type == "code_inline":
            stack[-1].append(f"raw({literal(token.content)})")
        elif token.type == "hardbreak":
            stack[-1].append("linebreak()")
        elif token.type == "softbreak":
            stack[-1].append('text(" ")')
        elif token.content:
            stack[-1].append(f"text({literal(token.content)})")
    return "{" + " + ".join(parts or ["[]"]) + "}"


def markdown_typst(text: str) -> Iterator[str]:
    """Yield the blocks of a Markdown text as typst calls; quotes and tables become plain paragraphs."""
    depth: list[str] = []
    for token in _parser().parse(plain(text)):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth.append("enum" if token.type.startswith("ordered") else "list")
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth.pop()
        elif token.type == "inline":
            content = _inline(token.children or [])
            yield f"#{depth[-1]}({content})" if depth else f"#par({content})"
        elif token.type in ("fence", "code_block"):
            yield _code(token.content.rstrip("\n"))


def _code(text: str) -> str:
    return f"#code-block({literal(text)})"


def blocks_typst(blocks: Iterable[Block]) -> str:
    """Return the blocks of a card as typst source."""
    lines: list[str] = []
    for block in blocks:
        match block.kind:
            case "prose":
                lines += markdown_typst(block.text)
            case "code":
                lines.append(_code(block.text))
            case "lines":
                lines.append(f"#write-lines({int(block.text)}, {LINE_HEIGHT})")
            case _:
                rows = ", ".join(f"({literal(mark)}, {inline_typst(text)})" for mark, text in block.rows)
                lines.append(f"#{block.kind}(({rows},))")
    return "\n".join(lines)
