"""GIFT, Moodle's text format for questions. It has no ordering: steps become a match of steps with places."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from course.facts import say
from course.quiz.exports.cards import card, trace_text
from course.quiz.exports.moodle import ESTIMATE, FRACTIONS
from course.quiz.grading import key
from course.quiz.items import Item, in_language
from course.quiz.kinds import FadedCode, Match, Numeric, Order, SelectN, Single, SpotBlock
from course.quiz.markdown import plain
from course.quiz.pairing import PAIRING_RULES, rule_in_words

__all__ = ["gift_text", "write_gift"]

ESSAYS = ("repair_json", "write_schema", "faded_code", "open")
SPECIAL = re.compile(r"([\\~=#{}:])")


def write_gift(items: Sequence[Item], path: Path, *, lang: str | None = None) -> None:
    """Write `items` as one text file, a category per exam task."""
    path.write_text(gift_text(items, lang=lang), encoding="utf-8")


def gift_text(items: Sequence[Item], *, lang: str | None = None) -> str:
    """Return `items` as GIFT."""
    parts, category = [], ""
    for item in sorted(items, key=lambda item: item.exam_task):
        if item.exam_task != category:
            category = item.exam_task
            parts.append(f"$CATEGORY: $course$/top/{say('quiz.export.deck')}/{category}")
        parts.append(_question(item, lang))
    return "\n\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    """Escape what GIFT reads as its own; a line break becomes its escape, since an empty line ends a question."""
    return SPECIAL.sub(r"\\\1", plain(text).strip()).replace("\n", "\\n")


def _question(item: Item, lang: str | None) -> str:
    def words(text: Any) -> str:
        return _escaped(in_language(text, lang))

    stem = [in_language(item.stem, lang)]
    stem += [_fence(in_language(part.body, lang)) for part in item.exhibits]
    match item:
        case SpotBlock():
            stem += [_fence(trace_text(item.trace)), say("quiz.export.which_rule")]
        case FadedCode():
            stem.append(_fence(item.code))
    head = f"::{_escaped(item.id)}::[markdown]{_escaped(chr(10).join(f'{part}{chr(10)}' for part in stem))}"
    told = words(item.explanation)
    if item.kind in ESSAYS:
        told += "\\n\\n" + _escaped(solution_note(item, lang))
    lines = "\n".join(f"\t{line}" for line in [*_answers(item, lang), f"####{told}"])
    return f"// {item.id} v{item.version}\n{head} {{{_opening(item)}\n{lines}\n}}"


def _fence(text: str) -> str:
    return f"\n```\n{text}\n```\n"


def _opening(item: Item) -> str:
    return "#" if isinstance(item, Numeric) else ""


def _answers(item: Item, lang: str | None) -> Iterator[str]:
    def words(text: Any) -> str:
        return _escaped(in_language(text, lang))

    match item:
        case Single():
            yield from (
                f"{'=' if option.correct else '~'}{words(option.text)}#{words(option.why)}" for option in item.options
            )
        case SelectN():
            share = FRACTIONS[item.select_n]
            yield from (
                f"~%{'' if option.correct else '-'}{share}%{words(option.text)}#{words(option.why)}"
                for option in item.options
            )
        case SpotBlock():
            yield from (
                f"{'=' if rule == item.answer.rule else '~'}{_escaped(rule_in_words(rule, lang))}"
                for rule in item.rules or PAIRING_RULES
            )
        case Order():
            steps = {step.id: step for step in item.options}
            yield from (f"={words(steps[id].text)} -> {place}" for place, id in enumerate(key(item), 1))
        case Match():
            targets = {target.id: words(target.text) for target in item.targets}
            yield from (f"={words(row.text)} -> {targets[row.answer]}" for row in item.rows)
            used = {row.answer for row in item.rows}
            yield from (f"= -> {text}" for id, text in targets.items() if id not in used)
        case Numeric():
            around = ESTIMATE * abs(item.answer) if item.estimate else item.tolerance
            yield f"=%100%{item.answer:g}:{around:g}#{words(item.why)}"
            yield from (f"=%0%{miss.value:g}:0#{words(miss.why)}" for miss in item.near)


def solution_note(item: Item, lang: str | None) -> str:
    """Return the model answer of an essay as text."""
    return "\n".join(block.text for block in card(item, lang=lang).answer if block.text)
