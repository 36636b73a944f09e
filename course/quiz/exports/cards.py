"""An item as a question and an answer that can be read: blocks for flash cards, paper and tables.

Texts are the author's Markdown. Marks (A, B … for what can be chosen, 1, 2 … for rows) exist on a card only: the
order of its options is drawn once and kept.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from course.facts import say
from course.quiz.grading import key
from course.quiz.items import Item, Text, in_language
from course.quiz.kinds import FadedCode, Match, Numeric, Open, Order, RepairJson, SpotBlock, WriteSchema
from course.quiz.pairing import rule_in_words
from course.quiz.public import choice_order, public

__all__ = ["Block", "Card", "card", "trace_text"]


@dataclass(frozen=True)
class Block:
    """kind: "prose" and "code" have `text`; "choices" and "rows" have `rows` of (mark, text); "lines" is room."""

    kind: str
    text: str = ""
    rows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Card:
    """One item to be read: the question, the answer, and the marks of its right options."""

    id: str
    question: tuple[Block, ...]
    answer: tuple[Block, ...]
    marks: str


def card(item: Item, *, seed: int | str = "card", order: Sequence[str] | None = None, lang: str | None = None) -> Card:
    """Return the card of one item, its options in `order` or drawn from `seed`."""
    view = public(item, order or choice_order(item, seed), lang=lang)
    marks = {
        thing["id"]: mark
        for field in ("options", "targets", "rules")
        for thing, mark in zip(view.get(field, ()), ascii_uppercase, strict=False)
    }
    return Card(item.id, tuple(_question(item, view, marks)), tuple(_answer(item, marks, lang)), _marks(item, marks))


def _question(item: Item, view: Mapping[str, Any], marks: Mapping[str, str]) -> Iterator[Block]:
    yield Block("prose", view["stem"])
    for exhibit in view["exhibits"]:
        if exhibit["title"]:
            yield Block("prose", exhibit["title"])
        yield Block("prose" if exhibit["kind"] in ("text", "table") else "code", exhibit["body"])
    match item:
        case Match():
            yield Block("rows", rows=tuple((str(at), row["text"]) for at, row in enumerate(view["rows"], 1)))
            yield _choices(view["targets"], marks)
        case SpotBlock():
            yield Block("code", trace_text(view["trace"]))
            yield _choices(view["rules"], marks)
        case RepairJson() | WriteSchema():
            yield Block("code", _json(view.get("given") or view.get("tool")))
            yield Block("lines", "10")
        case FadedCode():
            yield Block("code", view["code"])
            yield from (_choices_of_hole(hole) for hole in view["holes"] if hole["choices"])
            yield Block("lines", str(3 * len(view["holes"])))
        case Numeric():
            yield Block("lines", "1")
        case Open():
            yield Block("lines", "14")
        case _:
            yield _choices(view["options"], marks)


def _choices(things: Sequence[Mapping[str, str]], marks: Mapping[str, str]) -> Block:
    return Block("choices", rows=tuple((marks[thing["id"]], thing["text"]) for thing in things))


def _choices_of_hole(hole: Mapping[str, Any]) -> Block:
    return Block("rows", rows=tuple((hole["id"], f"`{choice}`") for choice in hole["choices"]))


def trace_text(trace: Sequence[Mapping[str, Any]]) -> str:
    """Return a conversation as text, each block with its place [message, block]."""
    lines = []
    for number, message in enumerate(trace):
        content = message.get("content")
        lines.append(f"[{number}] {message.get('role')}")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        lines += [f"    [{number}, {at}] {json.dumps(block, ensure_ascii=False)}" for at, block in enumerate(blocks)]
    return "\n".join(lines)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _answer(item: Item, marks: Mapping[str, str], lang: str | None) -> Iterator[Block]:
    def words(text: Text) -> str:
        return in_language(text, lang)

    match item:
        case Order():
            steps = {step.id: step for step in item.options}
            yield Block("rows", rows=tuple((str(at), words(steps[id].text)) for at, id in enumerate(key(item), 1)))
            yield from (
                Block("prose", say("quiz.export.stranger", text=words(step.text), why=words(step.why)))
                for step in item.options
                if not step.correct
            )
        case Match():
            targets = {target.id: words(target.text) for target in item.targets}
            yield Block(
                "rows",
                rows=tuple(
                    (f"{at} → {marks[row.answer]}", f"{targets[row.answer]}. {words(row.why)}")
                    for at, row in enumerate(item.rows, 1)
                ),
            )
        case SpotBlock():
            message, block = item.answer.places[0]
            yield Block(
                "prose",
                say("quiz.export.place", message=message, block=block, rule=rule_in_words(item.answer.rule, lang)),
            )
        case RepairJson() | WriteSchema():
            yield Block("code", key(item) or "")
        case FadedCode():
            yield Block("code", item.filled({hole.id: hole.solution for hole in item.holes}))
            yield Block("rows", rows=tuple((hole.id, words(hole.why)) for hole in item.holes))
        case Numeric():
            unit = f" {words(item.unit)}" if item.unit else ""
            yield Block("prose", f"**{item.answer:g}{unit}**. {words(item.why)}")
        case Open():
            yield Block("prose", words(item.model_answer))
            yield Block("rows", rows=tuple((str(point.points), words(point.text)) for point in item.rubric))
        case _:
            options = sorted(item.options, key=lambda option: (not option.correct, marks[option.id]))  # type: ignore[attr-defined]
            for correct in (True, False):
                rows = tuple(
                    (marks[option.id], f"{words(option.text)} *{words(option.why)}*")
                    for option in options
                    if option.correct is correct
                )
                yield Block("prose", f"**{say('quiz.export.right' if correct else 'quiz.export.wrong')}**")
                yield Block("rows", rows=rows)
    yield Block("prose", words(item.explanation))
    for name, text in (("exam_says", item.exam_says), ("docs_say", item.docs_say)):
        if text:
            yield Block("prose", say(f"quiz.export.{name}", text=words(text)))
    if item.sources:
        listed = "; ".join(f"{source.title} ({source.checked_on})" for source in item.sources)
        yield Block("prose", say("quiz.export.sources", sources=listed))


def _marks(item: Item, marks: Mapping[str, str]) -> str:
    """Return the right answer in marks, for the table of an answer sheet; "–" where it has none."""
    match item:
        case Order():
            return " ".join(marks[id] for id in key(item))
        case Match():
            return " ".join(f"{at}{marks[row.answer]}" for at, row in enumerate(item.rows, 1))
        case SpotBlock():
            return f"{list(item.answer.places[0])} {marks[item.answer.rule]}"
        case Numeric():
            return f"{item.answer:g}"
    right = sorted(marks[option.id] for option in getattr(item, "options", ()) if option.correct)
    return " ".join(right) or "–"
