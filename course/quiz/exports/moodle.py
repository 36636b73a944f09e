"""Moodle XML, read by Moodle's question import: multiple choice, ordering, matching, numerical, essay.

Marks of answers are taken from Moodle's own list of percentages, since others are refused. Ordering questions need
Moodle 4.4 or its ordering plugin. Written to Moodle's documented format; not run in a Moodle.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from course.facts import say
from course.quiz.exports.cards import Block, trace_text
from course.quiz.exports.markup import blocks_html
from course.quiz.grading import key
from course.quiz.items import Item, in_language
from course.quiz.kinds import (
    FadedCode,
    Match,
    Numeric,
    Open,
    Order,
    RepairJson,
    SelectN,
    Single,
    SpotBlock,
    WriteSchema,
)
from course.quiz.markdown import html, inline_html, plain
from course.quiz.pairing import PAIRING_RULES, rule_in_words

__all__ = ["FRACTIONS", "write_moodle"]

FRACTIONS = {1: "100", 2: "50", 3: "33.33333", 4: "25", 5: "20", 6: "16.66667"}
ESTIMATE = 0.25


def write_moodle(items: Sequence[Item], path: Path, *, lang: str | None = None) -> None:
    """Write `items` as one XML file, a category per exam task."""
    quiz = etree.Element("quiz")
    category = ""
    for item in sorted(items, key=lambda item: item.exam_task):
        if item.exam_task != category:
            category = item.exam_task
            named = etree.SubElement(quiz, "question", type="category")
            _text(named, "category", f"$course$/top/{say('quiz.export.deck')}/{category}")
        quiz.append(_Question(item, lang).element())
    etree.ElementTree(quiz).write(str(path), encoding="UTF-8", xml_declaration=True, pretty_print=True)


def _text(parent: Any, name: str, text: str, markup: bool = False, **attributes: str) -> Any:
    element = etree.SubElement(parent, name, **({"format": "html"} if markup else {}), **attributes)
    inner = etree.SubElement(element, "text")
    inner.text = etree.CDATA(text) if markup and text else text
    return element


class _Question:
    """One item being written: the element, and the small steps that fill it."""

    def __init__(self, item: Item, lang: str | None) -> None:
        self.item, self.lang = item, lang
        self.root = etree.Element("question", type=self._type())

    def _type(self) -> str:
        match self.item:
            case Single() | SelectN() | SpotBlock():
                return "multichoice"
            case Order():
                return "ordering"
            case Match():
                return "matching"
            case Numeric():
                return "numerical"
        return "essay"

    def _words(self, text: Any) -> str:
        return in_language(text, self.lang)

    def element(self) -> Any:
        """Return the whole question."""
        item, root = self.item, self.root
        _text(root, "name", item.id)
        _text(root, "questiontext", self._question_text(), markup=True)
        _text(root, "generalfeedback", html(self._words(item.explanation)), markup=True)
        for name, value in (("defaultgrade", "1"), ("penalty", "0.3333333"), ("hidden", "0"), ("idnumber", item.id)):
            etree.SubElement(root, name).text = value
        self._body()
        for hint in item.hints:
            _text(root, "hint", html(self._words(hint)), markup=True)
        tags = etree.SubElement(root, "tags")
        for tag in (item.kind, f"exam {item.exam_task}", *item.objectives):
            _text(tags, "tag", tag)
        return root

    def _question_text(self) -> str:
        item = self.item
        blocks = [Block("prose", self._words(item.stem))]
        blocks += [
            Block("prose" if part.kind in ("text", "table") else "code", self._words(part.body))
            for part in item.exhibits
        ]
        match item:
            case SpotBlock():
                blocks += [Block("code", trace_text(item.trace)), Block("prose", say("quiz.export.which_rule"))]
            case FadedCode():
                blocks.append(Block("code", item.code))
        return blocks_html(blocks)

    def _body(self) -> None:
        match self.item:
            case Single() | SelectN():
                self._choices([(option.text, option.correct, option.why) for option in self.item.options])
            case SpotBlock():
                answer = self.item.answer.rule
                self._choices(
                    [(rule_in_words(rule, self.lang), rule == answer, "") for rule in self.item.rules or PAIRING_RULES]
                )
            case Order():
                self._order(self.item)
            case Match():
                self._match(self.item)
            case Numeric():
                self._number(self.item)
            case _:
                self._essay()

    def _choices(self, options: Sequence[tuple[Any, bool, Any]]) -> None:
        right = sum(correct for _, correct, _ in options)
        etree.SubElement(self.root, "single").text = "true" if right == 1 else "false"
        etree.SubElement(self.root, "shuffleanswers").text = "true" if self.item.shuffle else "false"
        etree.SubElement(self.root, "answernumbering").text = "none"
        for text, correct, why in options:
            fraction = FRACTIONS[right] if correct else "0" if right == 1 else f"-{FRACTIONS[right]}"
            answer = _text(self.root, "answer", inline_html(self._words(text)), markup=True, fraction=fraction)
            _text(answer, "feedback", html(self._words(why)) if why else "", markup=True)

    def _order(self, item: Order) -> None:
        steps = {step.id: step for step in item.options}
        settings = (
            ("layouttype", "VERTICAL"),
            ("selecttype", "ALL"),
            ("selectcount", "0"),
            ("gradingtype", "ABSOLUTE_POSITION"),
            ("showgrading", "SHOW"),
            ("numberingstyle", "none"),
        )
        for name, value in settings:
            etree.SubElement(self.root, name).text = value
        for name in ("correctfeedback", "partiallycorrectfeedback", "incorrectfeedback"):
            _text(self.root, name, "", markup=True)
        etree.SubElement(self.root, "shownumcorrect").text = "1"
        for place, id in enumerate(key(item), 1):
            _text(self.root, "answer", inline_html(self._words(steps[id].text)), markup=True, fraction=str(place))

    def _match(self, item: Match) -> None:
        etree.SubElement(self.root, "shuffleanswers").text = "true"
        targets = {target.id: plain(self._words(target.text)).replace("`", "") for target in item.targets}
        used = {row.answer for row in item.rows}
        pairs = [(inline_html(self._words(row.text)), targets[row.answer]) for row in item.rows]
        for question, answer in [*pairs, *(("", text) for id, text in targets.items() if id not in used)]:
            _text(_text(self.root, "subquestion", question, markup=True), "answer", answer)

    def _number(self, item: Numeric) -> None:
        tolerance = ESTIMATE * abs(item.answer) if item.estimate else item.tolerance
        rows = [(item.answer, "100", tolerance, item.why), *((miss.value, "0", 0.0, miss.why) for miss in item.near)]
        for value, fraction, around, why in rows:
            answer = _text(self.root, "answer", f"{value:g}", fraction=fraction)
            etree.SubElement(answer, "tolerance").text = f"{around:g}"
            _text(answer, "feedback", html(self._words(why)), markup=True)
        etree.SubElement(self.root, "unitgradingtype").text = "0"
        etree.SubElement(self.root, "showunits").text = "3"

    def _essay(self) -> None:
        item = self.item
        for name, value in (
            ("responseformat", "monospaced" if not isinstance(item, Open) else "editor"),
            ("responserequired", "1"),
            ("responsefieldlines", "15"),
            ("attachments", "0"),
        ):
            etree.SubElement(self.root, name).text = value
        _text(self.root, "graderinfo", blocks_html(_solution(item, self.lang)), markup=True)
        start = getattr(item, "start", "") if isinstance(item, RepairJson | WriteSchema) else ""
        _text(self.root, "responsetemplate", start, markup=True)


def _solution(item: Item, lang: str | None) -> Sequence[Block]:
    from course.quiz.exports.cards import card

    return card(item, lang=lang).answer
