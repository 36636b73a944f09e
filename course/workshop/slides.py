"""Slides from a lesson: what people look at stands on the slide, the prose around it becomes the speaker's notes.

A section of the lesson is a column of slides. Headings, lists, tables, call-outs, code and outputs are shown; of a
paragraph only the first sentence, and the whole in the notes. A solution is never on a slide, it is in the notes.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal

from course.authoring.cut import has_solution, opened, solved
from course.authoring.source import Cell, Lesson
from course.facts import say

__all__ = ["Piece", "Slide", "columns", "parser"]

FULL = 560  # pixels of a slide below its title, at 1280 × 720
MOST_CODE = 17  # lines of code on one slide
MOST_OUTPUT = 14  # lines of output
SENTENCE_END = re.compile(r"([.!?…:])(?:\s+(?=[A-Z`*“\"(가-힣])|$)")


@dataclass(frozen=True)
class Piece:
    """One thing on a slide. kind: "markdown" and "html" hold markup, "code" and "output" plain text.

    asks: it sets a task, and may lead to the question that follows.
    """

    kind: Literal["markdown", "html", "code", "output"]
    text: str
    asks: bool = False

    @property
    def height(self) -> int:
        """About how many pixels of a slide it takes (an estimate)."""
        if self.kind == "html":
            return 540 if len(self.text) > 3000 else 60 + len(re.sub(r"<[^>]*>", "", self.text)) // 2
        is_code = self.kind in ("code", "output")
        width, line, around = (98, 28, 52) if is_code else (72, 42, 22)
        rows = [row for row in self.text.splitlines() if row.strip() or is_code]
        if self.text.startswith("|"):
            return around + sum(18 + 34 * _table_lines(row) for row in rows)
        if not is_code and not _is_listed(self.text):
            rows = [" ".join(rows)]
        return around + sum(line * (1 + max(len(row) - 1, 0) // width) for row in rows)


@dataclass(frozen=True)
class Slide:
    """One slide. `notes` is Markdown for the speaker; `level` 1 is the title slide of the deck."""

    title: str
    pieces: tuple[Piece, ...] = ()
    notes: str = ""
    level: int = 2

    @property
    def height(self) -> int:
        """About how many pixels its pieces take (an estimate)."""
        return sum(piece.height for piece in self.pieces) + 150 * (self.level == 1)


@dataclass
class _Column:
    title: str
    level: int = 2
    slides: list[Slide] = field(default_factory=list)


def columns(lesson: Lesson, solution: Mapping[str, Any]) -> tuple[tuple[Slide, ...], ...]:
    """Return the deck as columns of slides. solution: the lesson's executed notebook, whose outputs are shown."""
    outputs = {cell["id"]: cell.get("outputs", []) for cell in solution["cells"]}
    found: list[_Column] = []
    for cell in lesson.cells:
        if cell.kind == "markdown":
            for title, level, body in _parts(cell.source):
                if level <= 2 and title:
                    found.append(_Column(title, level))
                found[-1].slides += _prose(title or found[-1].title, body, cell, level)
        elif found and not _is_setting(cell):
            found[-1].slides += _code(cell, found[-1].title, outputs.get(cell.id, []), lesson.number)
    return tuple(tuple(_numbered(_fused(column.slides))) for column in found)


def _parts(source: str) -> Iterator[tuple[str, int, str]]:
    """Cut a prose cell at its headings: (title, level, body); a body before the first heading has title ""."""
    body: list[str] = []
    title, level, fenced = "", 0, False
    for line in source.splitlines():
        fenced ^= line.startswith("```")
        head = re.fullmatch(r"(#{1,4})\s+(.*)", line) if not fenced else None
        if head:
            if title or any(body):
                yield title, level or 9, "\n".join(body)
            title, level, body = head[2], len(head[1]), []
        else:
            body.append(line)
    yield title, level or 9, "\n".join(body)


def _prose(title: str, body: str, cell: Cell, level: int) -> list[Slide]:
    """Return the slides of one part: its blocks until a slide is full, then the next slide."""
    whole = "task" in cell.tags
    slides = [Slide(title, level=min(level, 2))]
    for block in _blocks(body):
        shown, noted = (block, "") if whole or _is_looked_at(block) else (_lead(block), block)
        piece = Piece("markdown", shown, asks=whole)
        if slides[-1].pieces and slides[-1].height + piece.height > FULL:
            slides.append(Slide(title))
        last = slides[-1]
        slides[-1] = replace(last, pieces=(*last.pieces, piece), notes="\n\n".join(filter(None, [last.notes, noted])))
    return [slide for slide in slides if slide.pieces or slide.level == 1]


@cache
def parser() -> Any:
    """Return the Markdown parser of the deck: tables, and no HTML of an author's."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def _blocks(body: str) -> list[str]:
    """Return the top-level blocks of Markdown as they stand in the source."""
    lines = body.splitlines()
    tokens = parser().parse(body)
    return ["\n".join(lines[t.map[0] : t.map[1]]).rstrip() for t in tokens if t.level == 0 and t.nesting >= 0 and t.map]


def _is_looked_at(block: str) -> bool:
    """Tell a list, table, call-out, picture or fenced block from a paragraph."""
    return bool(re.match(r"\s*([-*+]\s|\d+[.)]\s|\||>|```|!\[|\*\*[^*]+\*\*\s*$)", block))


def _is_listed(block: str) -> bool:
    return bool(re.match(r"\s*([-*+]\s|\d+[.)]\s|```)", block))


def _table_lines(row: str) -> int:
    """About how many lines a row of a table takes: columns share the width by their cells' lengths."""
    cells = [len(cell.strip()) for cell in row.strip("|").split("|")]
    return 1 + sum(cells) // 76 if max(cells) > 30 else 1


def _lead(paragraph: str) -> str:
    """Return the first sentence of a paragraph."""
    text = paragraph.strip()
    ends = (found.end(1) for found in SENTENCE_END.finditer(text))
    return next((text[:end] for end in ends if text[:end].count("`") % 2 == 0), text)


def _is_setting(cell: Cell) -> bool:
    return cell.source.strip() == "from course.lesson import *"


def _code(cell: Cell, title: str, outputs: list[Mapping[str, Any]], number: str) -> list[Slide]:
    asked = _predicted(cell)
    if asked:
        question, options = asked
        rows = "\n".join(f"{n}. {option}" for n, option in enumerate(options, 1))
        return [Slide(say("slides.deck.question"), (Piece("markdown", f"**{question}**\n\n{rows}"),))]
    if re.match(r"quiz\(", cell.source.strip()):
        return [Slide(say("slides.deck.quiz"), (Piece("markdown", say("slides.deck.quiz_how", lesson=number)),))]
    if has_solution(cell.source):
        notes = f"{say('slides.deck.solution')}:\n\n```python\n{solved(cell.source)}\n```"
        pieces = (*_listing(opened(cell.source)), Piece("markdown", say("slides.deck.open_notebook", id=cell.id)))
        return _spread(say("slides.deck.turn"), pieces, notes)
    return _spread(title, (*_listing(cell.source), *_shown(outputs)))


def _listing(source: str) -> Iterator[Piece]:
    """Return code in pieces that fit a slide, cut before a definition or at an empty line where there is one."""
    rest = source.rstrip().splitlines()
    while len(rest) > MOST_CODE:
        empty = [n for n in range(4, MOST_CODE) if not rest[n].strip() and not rest[n + 1].startswith(" ")]
        cut = empty[-1] if empty else MOST_CODE
        yield Piece("code", "\n".join(rest[:cut]).rstrip())
        rest = rest[cut:]
        while rest and not rest[0].strip():
            rest.pop(0)
    yield Piece("code", "\n".join(rest))


def _predicted(cell: Cell) -> tuple[str, tuple[str, ...]] | None:
    """Return question and options of a cell that asks for a prediction in plain words."""
    try:
        tree = ast.parse(cell.source)
    except SyntaxError:
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id == "predict" and len(call.args) == 3:
            try:
                _, question, options = map(ast.literal_eval, call.args)
            except ValueError:
                return None
            return question, tuple(options)
    return None


def _shown(outputs: Iterable[Mapping[str, Any]]) -> Iterator[Piece]:
    """Return what a cell printed and showed; of a view with a still picture only the picture."""
    outputs = list(outputs)
    has_still = any("cw-still" in "".join(o.get("data", {}).get("text/html", "")) for o in outputs)
    for output in outputs:
        data = output.get("data", {})
        if output["output_type"] == "stream":
            if text := _without_greeting("".join(output["text"])):
                yield Piece("output", _cut(text))
        elif "image/png" in data:
            yield Piece("html", _picture(data))
        elif "text/html" in data:
            yield Piece("html", "".join(data["text/html"]))
        elif "text/plain" in data and not has_still:
            yield Piece("output", _cut("".join(data["text/plain"])))


def _without_greeting(text: str) -> str:
    """Drop what the first cell that asks prints about itself."""
    greeting = (say("lesson.talk.loading"), say("lesson.talk.offline"))
    return "\n".join(line for line in text.splitlines() if not line.startswith(greeting))


def _picture(data: Mapping[str, Any]) -> str:
    from html import escape

    words = escape("".join(data.get("text/plain", "")), quote=True)
    return f'<img alt="{words}" src="data:image/png;base64,{"".join(data["image/png"]).strip()}">'


def _cut(text: str) -> str:
    lines = text.rstrip().splitlines()
    if len(lines) <= MOST_OUTPUT:
        return "\n".join(lines)
    kept = lines[: MOST_OUTPUT - 1]
    return "\n".join([*kept, say("slides.deck.more_lines", count=len(lines) - len(kept))])


def _spread(title: str, pieces: Iterable[Piece], notes: str = "") -> list[Slide]:
    """Put pieces on slides, a new one whenever one is full; the notes go with the last."""
    slides = [Slide(title)]
    for piece in pieces:
        if slides[-1].pieces and slides[-1].height + piece.height > FULL:
            slides.append(Slide(title))
        slides[-1] = replace(slides[-1], pieces=(*slides[-1].pieces, piece))
    slides[-1] = replace(slides[-1], notes=notes)
    return slides


def _fused(slides: list[Slide]) -> Iterator[Slide]:
    """Join neighbours that fit one slide, unless one of them asks or sets a task."""
    alone = {say("slides.deck.question"), say("slides.deck.turn"), say("slides.deck.quiz")}
    held: Slide | None = None
    for slide in slides:
        if held and slide.title == say("slides.deck.question") and held.pieces and held.pieces[-1].asks:
            slide = replace(slide, pieces=(held.pieces[-1], *slide.pieces))
            held = replace(held, pieces=held.pieces[:-1])
        if held and not held.pieces and held.level != 1 and not held.notes:
            held = None
        if held and held.title == slide.title and slide.title not in alone and held.height + slide.height <= FULL:
            notes = "\n\n".join(filter(None, [held.notes, slide.notes]))
            held = replace(held, pieces=(*held.pieces, *slide.pieces), notes=notes)
            continue
        if held:
            yield held
        held = slide
    if held:
        yield held


def _numbered(slides: Iterable[Slide]) -> Iterator[Slide]:
    """Number the slides of a column that share a title, so that a listener knows there is more; never the first one."""
    slides = list(slides)
    counts: dict[str, int] = {}
    for slide in slides:
        counts[slide.title] = counts.get(slide.title, 0) + 1
    at: dict[str, int] = {}
    for slide in slides:
        at[slide.title] = at.get(slide.title, 0) + 1
        if counts[slide.title] == 1 or slide.level == 1:
            yield slide
        else:
            yield replace(
                slide, title=say("slides.deck.part", title=slide.title, n=at[slide.title], count=counts[slide.title])
            )
