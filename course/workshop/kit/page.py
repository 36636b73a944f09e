"""A page of the instructor kit, read from Markdown: sections, tables and what their texts name, each with its line."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

__all__ = ["Page", "Row", "Section", "Table", "Text", "parse", "read"]


@dataclass(frozen=True)
class Text:
    """A paragraph, list item, heading or table cell; `line` counts from 1. `plain` has no marks.

    codes, italics, links: what stands in `code`, in *italics*, and behind links, in order. code_block: a fenced block,
    whose lines are `codes`.
    """

    line: int
    plain: str
    codes: tuple[str, ...] = ()
    italics: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    code_block: bool = False

    def head_codes(self) -> tuple[str, ...]:
        """Return the code spans before the first colon: what the text is about."""
        head = self.plain.partition(":")[0]
        return tuple(code for code in self.codes if code in head)


@dataclass(frozen=True)
class Row:
    """A row of a table."""

    line: int
    cells: tuple[Text, ...]


@dataclass(frozen=True)
class Table:
    """A table: the words of its head in small letters, and its rows."""

    line: int
    head: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Section:
    """What stands under one heading, up to the next heading of any level."""

    level: int
    heading: Text
    texts: tuple[Text, ...] = ()
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True)
class Page:
    """One file of the kit. `sections` in order; the first has level 1 where the page has a title."""

    name: str
    words: int
    sections: tuple[Section, ...] = field(default=())

    @property
    def number(self) -> str:
        """The lesson's number, or "" where the page is of no lesson."""
        return self.name[:2] if re.fullmatch(r"\d\d\.md", self.name) else ""

    def section(self, heading: str) -> Section | None:
        """Return the section of level 2 with this heading."""
        return next((s for s in self.sections if s.level == 2 and s.heading.plain == heading), None)

    def below(self, heading: str) -> tuple[Section, ...]:
        """Return the sections of level 3 that stand under the section `heading`."""
        found: list[Section] = []
        inside = False
        for section in self.sections:
            if section.level <= 2:
                inside = section.heading.plain == heading
            elif inside:
                found.append(section)
        return tuple(found)

    def texts(self) -> Iterator[Text]:
        """Yield every text of the page: headings, paragraphs, items and cells."""
        for section in self.sections:
            yield section.heading
            yield from section.texts
            for table in section.tables:
                for row in table.rows:
                    yield from row.cells


def read(path: Path) -> Page:
    """Read one file of the kit."""
    return parse(path.read_text(encoding="utf-8"), path.name)


def parse(source: str, name: str) -> Page:
    """Turn Markdown into a Page."""
    tokens = MarkdownIt("commonmark").enable("table").parse(source)
    sections: list[Section] = []
    level, heading = 0, Text(1, "")
    texts: list[Text] = []
    tables: list[Table] = []

    def close() -> None:
        if level:
            sections.append(Section(level, heading, tuple(texts), tuple(tables)))
        texts.clear()
        tables.clear()

    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.type == "heading_open":
            close()
            level, heading = int(token.tag[1]), _text(tokens[index + 1], _line(token))
            index += 2
        elif token.type == "table_open":
            end = next(i for i in range(index, len(tokens)) if tokens[i].type == "table_close")
            tables.append(_table(tokens[index:end]))
            index = end
        elif token.type == "inline":
            texts.append(_text(token, _line(token)))
        elif token.type == "fence":
            lines = tuple(line.strip() for line in token.content.splitlines() if line.strip())
            texts.append(Text(_line(token), token.content, lines, code_block=True))
        index += 1
    close()
    return Page(name, len(source.split()), tuple(sections))


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 0


def _text(token: Token, line: int) -> Text:
    children: Sequence[Token] = token.children or ()
    plain, codes, italics, links = [], [], [], []
    emphasised: list[str] | None = None
    for child in children:
        word = child.content if child.type in ("text", "code_inline") else " " if child.type == "softbreak" else ""
        plain.append(word)
        if child.type == "code_inline":
            codes.append(child.content)
        elif child.type == "link_open":
            links.append(_href(child.attrs))
        elif child.type == "em_open":
            emphasised = []
        elif child.type == "em_close" and emphasised is not None:
            italics.append("".join(emphasised))
            emphasised = None
        if emphasised is not None:
            emphasised.append(word)
    return Text(line, "".join(plain).strip(), tuple(codes), tuple(italics), tuple(links))


def _href(attrs: dict[str, Any]) -> str:
    return str(attrs.get("href", ""))


def _table(tokens: Sequence[Token]) -> Table:
    rows: list[Row] = []
    head: tuple[str, ...] = ()
    line = 0
    cells: list[Text] = []
    for token in tokens:
        if token.type == "tr_open":
            line, cells = _line(token), []
        elif token.type == "inline":
            cells.append(_text(token, line))
        elif token.type == "tr_close" and not head:
            head = tuple(cell.plain.lower() for cell in cells)
        elif token.type == "tr_close":
            rows.append(Row(line, tuple(cells)))
    return Table(_line(tokens[0]), head, tuple(rows))
