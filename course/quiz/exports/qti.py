"""QTI packages, version 2.1 and 3.0, from one tree: the names of 2.1, respelt for 3.0 (`choiceInteraction` becomes
`qti-choice-interaction`). Scoring is all or nothing, as in the exam; reasons come as feedback on each option.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from course.facts import language, say
from course.quiz.exports.cards import Block, card, trace_text
from course.quiz.exports.markup import blocks_html
from course.quiz.exports.moodle import ESTIMATE
from course.quiz.grading import key
from course.quiz.items import Item, in_language
from course.quiz.kinds import FadedCode, Match, Numeric, Order, RepairJson, SelectN, Single, SpotBlock, WriteSchema
from course.quiz.markdown import html, inline_html
from course.quiz.pairing import PAIRING_RULES, rule_in_words

__all__ = ["item_xml", "package", "write_qti"]

NAMESPACES = {
    "2.1": ("http://www.imsglobal.org/xsd/imsqti_v2p1", "http://www.imsglobal.org/xsd/imscp_v1p1"),
    "3.0": ("http://www.imsglobal.org/xsd/imsqtiasi_v3p0", "http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1"),
}
PACKAGE = {"2.1": ("QTIv2.1 Package", "1.0.0", "v2p1"), "3.0": ("QTI Package", "3.0.0", "v3p0")}
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
HUMP = re.compile(r"(?<!^)([A-Z])")


def write_qti(items: Sequence[Item], path: Path, *, version: str, lang: str | None = None) -> None:
    """Write `items` as a package: a manifest, a test with all of them, and a file an item."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in package(items, version=version, lang=lang):
            target.writestr(zipfile.ZipInfo(name, ZIP_DATE), data, zipfile.ZIP_DEFLATED)


def package(items: Sequence[Item], *, version: str, lang: str | None = None) -> Iterable[tuple[str, bytes]]:
    """Yield (name, bytes) of every file of the package."""
    yield "imsmanifest.xml", _bytes(_manifest(items, version))
    yield "test.xml", _bytes(_test(items, version))
    for item in items:
        yield f"items/{item.id}.xml", item_xml(item, version=version, lang=lang)


def item_xml(item: Item, *, version: str, lang: str | None = None) -> bytes:
    """Return one item as a QTI document."""
    return _bytes(_ItemDocument(item, version, lang).root())


def _bytes(root: Any) -> bytes:
    made = io.BytesIO()
    etree.ElementTree(root).write(made, encoding="UTF-8", xml_declaration=True, pretty_print=True)
    return made.getvalue()


class _Dialect:
    """Makes elements by their 2.1 names, spelt as the version wants."""

    def __init__(self, version: str) -> None:
        self.version, self.space = version, NAMESPACES[version][0]

    def kebab(self, name: str) -> str:
        """Return `maxChoices` as `max-choices` in 3.0."""
        return HUMP.sub(r"-\1", name).lower() if self.version == "3.0" else name

    def __call__(self, parent: Any, name: str, text: str = "", **attributes: str) -> Any:
        spelt = f"qti-{self.kebab(name)}" if self.version == "3.0" else name
        found = {self.kebab(key): value for key, value in attributes.items()}
        tag = f"{{{self.space}}}{spelt}"
        element = (
            etree.Element(tag, found, nsmap={None: self.space})
            if parent is None
            else etree.SubElement(parent, tag, found)
        )
        if text:
            element.text = text
        return element

    def markup(self, parent: Any, source: str) -> None:
        """Append HTML, each element in the namespace of the item."""
        fragments = lxml_html.fragments_fromstring(source) if source.strip() else []
        for fragment in fragments:
            if isinstance(fragment, str):
                self._append_text(parent, fragment)
            else:
                parent.append(self._named(fragment))

    def _append_text(self, parent: Any, text: str) -> None:
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + text
        else:
            parent.text = (parent.text or "") + text

    def _named(self, node: Any) -> Any:
        element = etree.Element(
            f"{{{self.space}}}{node.tag}", {k: v for k, v in node.attrib.items() if k in ("class", "href")}
        )
        element.text, element.tail = node.text, node.tail
        element.extend(self._named(child) for child in node)
        return element


class _ItemDocument:
    """One item being written."""

    def __init__(self, item: Item, version: str, lang: str | None) -> None:
        self.item, self.lang, self.make = item, lang, _Dialect(version)

    def words(self, text: Any) -> str:
        """Return a text of the item in the language of the export."""
        return in_language(text, self.lang)

    def root(self) -> Any:
        """Return the whole document."""
        item, make = self.item, self.make
        root = make(
            None, "assessmentItem", identifier=f"i_{item.id}", title=item.id, adaptive="false", timeDependent="false"
        )
        root.set("{http://www.w3.org/XML/1998/namespace}lang", self.lang or language())
        self._declare(root)
        body = make(root, "itemBody")
        make.markup(body, self._stem())
        self._interact(body)
        self._process(root)
        self._feedback(root)
        return root

    def _stem(self) -> str:
        item = self.item
        blocks = [Block("prose", self.words(item.stem))]
        blocks += [
            Block("prose" if part.kind in ("text", "table") else "code", self.words(part.body))
            for part in item.exhibits
        ]
        match item:
            case SpotBlock():
                blocks += [Block("code", trace_text(item.trace)), Block("prose", say("quiz.export.which_rule"))]
            case FadedCode():
                blocks.append(Block("code", item.code))
            case RepairJson() | WriteSchema():
                blocks += [block for block in card(item, lang=self.lang).question if block.kind == "code"]
        return blocks_html(blocks)

    def _declare(self, root: Any) -> None:
        cardinality, base, values = self._response()
        declared = self.make(root, "responseDeclaration", identifier="RESPONSE", cardinality=cardinality, baseType=base)
        if values:
            correct = self.make(declared, "correctResponse")
            for value in values:
                self.make(correct, "value", value)
        for name, default in (("SCORE", "0"), ("MAXSCORE", "1")):
            outcome = self.make(root, "outcomeDeclaration", identifier=name, cardinality="single", baseType="float")
            self.make(self.make(outcome, "defaultValue"), "value", default)
        if self._has_feedback():
            self.make(root, "outcomeDeclaration", identifier="FEEDBACK", cardinality=cardinality, baseType="identifier")

    def _response(self) -> tuple[str, str, list[str]]:
        """Return cardinality, base type and the correct values."""
        match self.item:
            case Single():
                return "single", "identifier", [_id(key(self.item))]
            case SelectN():
                return "multiple", "identifier", [_id(id) for id in key(self.item)]
            case SpotBlock():
                return "single", "identifier", [_id(self.item.answer.rule)]
            case Order():
                return "ordered", "identifier", [_id(id) for id in key(self.item)]
            case Match():
                return "multiple", "directedPair", [f"{_id(row.id)} {_id(row.answer, 't')}" for row in self.item.rows]
            case Numeric():
                return "single", "float", [f"{self.item.answer:g}"]
        return "single", "string", []

    def _has_feedback(self) -> bool:
        return isinstance(self.item, Single | SelectN)

    def _interact(self, body: Any) -> None:
        item, make = self.item, self.make
        match item:
            case Single() | SelectN():
                most = str(item.select_n) if isinstance(item, SelectN) else "1"
                self._choice(body, most, [(option.id, self.words(option.text)) for option in item.options])
            case SpotBlock():
                self._choice(
                    body, "1", [(rule, rule_in_words(rule, self.lang)) for rule in item.rules or PAIRING_RULES]
                )
            case Order():
                made = make(body, "orderInteraction", responseIdentifier="RESPONSE", shuffle="true")
                steps = {step.id: step for step in item.options}
                for id in key(item):
                    make.markup(make(made, "simpleChoice", identifier=_id(id)), inline_html(self.words(steps[id].text)))
            case Match():
                self._match(body, item)
            case Numeric():
                place = etree.SubElement(body, f"{{{make.space}}}p")
                make(place, "textEntryInteraction", responseIdentifier="RESPONSE", expectedLength="10")
                place[-1].tail = f" {self.words(item.unit)}" if item.unit else ""
            case _:
                make(body, "extendedTextInteraction", responseIdentifier="RESPONSE", expectedLines="15")

    def _choice(self, body: Any, most: str, options: Sequence[tuple[str, str]]) -> None:
        made = self.make(
            body,
            "choiceInteraction",
            responseIdentifier="RESPONSE",
            maxChoices=most,
            minChoices=most,
            shuffle="true" if self.item.shuffle else "false",
        )
        for id, text in options:
            self.make.markup(self.make(made, "simpleChoice", identifier=_id(id)), inline_html(text))

    def _match(self, body: Any, item: Match) -> None:
        n = str(len(item.rows))
        made = self.make(body, "matchInteraction", responseIdentifier="RESPONSE", shuffle="true", maxAssociations=n)
        for prefix, things, most in (("o", item.rows, "1"), ("t", item.targets, n)):
            group = self.make(made, "simpleMatchSet")
            for thing in things:
                choice = self.make(group, "simpleAssociableChoice", identifier=_id(thing.id, prefix), matchMax=most)
                self.make.markup(choice, inline_html(self.words(thing.text)))

    def _process(self, root: Any) -> None:
        """All or nothing; an essay gets no score here, its model answer is for the scorer."""
        make = self.make
        if not self._response()[2]:
            return
        processing = make(root, "responseProcessing")
        branch = make(make(processing, "responseCondition"), "responseIf")
        compare = self._comparison(branch)
        make(compare, "variable", identifier="RESPONSE")
        make(compare, "correct", identifier="RESPONSE")
        for parent, score in ((branch, "1"), (make(branch.getparent(), "responseElse"), "0")):
            setting = make(parent, "setOutcomeValue", identifier="SCORE")
            make(setting, "baseValue", score, baseType="float")
        if self._has_feedback():
            make(make(processing, "setOutcomeValue", identifier="FEEDBACK"), "variable", identifier="RESPONSE")

    def _comparison(self, branch: Any) -> Any:
        if not isinstance(self.item, Numeric):
            return self.make(branch, "match")
        around = ESTIMATE * abs(self.item.answer) if self.item.estimate else self.item.tolerance
        if not around:
            return self.make(branch, "equal", toleranceMode="exact")
        return self.make(branch, "equal", toleranceMode="absolute", tolerance=f"{around:g} {around:g}")

    def _feedback(self, root: Any) -> None:
        if not isinstance(self.item, Single | SelectN):
            return
        for option in self.item.options:
            shown = self.make(
                root, "modalFeedback", outcomeIdentifier="FEEDBACK", identifier=_id(option.id), showHide="show"
            )
            place = self.make(shown, "contentBody") if self.make.version == "3.0" else shown
            self.make.markup(place, html(self.words(option.why)))


def _id(id: str, prefix: str = "o") -> str:
    """Return an identifier as QTI allows it."""
    return f"{prefix}_{id.replace('.', '_')}"


def _test(items: Sequence[Item], version: str) -> Any:
    make = _Dialect(version)
    root = make(None, "assessmentTest", identifier="test", title=say("quiz.export.deck"))
    part = make(root, "testPart", identifier="part", navigationMode="nonlinear", submissionMode="individual")
    section = make(part, "assessmentSection", identifier="section", title=say("quiz.export.deck"), visible="true")
    for item in items:
        make(section, "assessmentItemRef", identifier=f"i_{item.id}", href=f"items/{item.id}.xml")
    return root


def _manifest(items: Sequence[Item], version: str) -> Any:
    space = NAMESPACES[version][1]
    schema, number, suffix = PACKAGE[version]

    def make(parent: Any, name: str, text: str = "", **attributes: str) -> Any:
        element = etree.SubElement(parent, f"{{{space}}}{name}", attributes)
        element.text = text or None
        return element

    root = etree.Element(f"{{{space}}}manifest", {"identifier": "claude-tool-use-course"}, nsmap={None: space})
    metadata = make(root, "metadata")
    make(metadata, "schema", schema)
    make(metadata, "schemaversion", number)
    make(root, "organizations")
    resources = make(root, "resources")
    test = make(resources, "resource", identifier="r_test", type=f"imsqti_test_xml{suffix}", href="test.xml")
    make(test, "file", href="test.xml")
    for item in items:
        href = f"items/{item.id}.xml"
        made = make(resources, "resource", identifier=f"r_{item.id}", type=f"imsqti_item_xml{suffix}", href=href)
        make(made, "file", href=href)
        make(test, "dependency", identifierref=f"r_{item.id}")
    return root
