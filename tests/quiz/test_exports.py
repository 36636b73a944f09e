"""Exports: what is written, what is lost and said to be, and that no format can be broken by an author's text."""

import csv
import io
import json
import re
import sqlite3
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from guide import changed, examples, records
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from course.cli import main
from course.quiz.bank import load_bank
from course.quiz.exports import EXTENSIONS, FORMATS, export, loss_report, losses
from course.quiz.exports.cards import card
from course.quiz.exports.csvfile import csv_text, safe_cell
from course.quiz.exports.gift import gift_text
from course.quiz.exports.moodle import FRACTIONS
from course.quiz.exports.paper import paper_source
from course.quiz.exports.qti import NAMESPACES, item_xml, package
from course.quiz.exports.typstdoc import inline_typst, literal
from course.quiz.kinds import KINDS

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
ALL = tuple(examples().values())
NASTY = [
    "~ = # { } : \\ ::x:: // $CATEGORY: x -> %50%",
    "<script>alert(1)</script> & ]]> <![CDATA[x",
    '=HYPERLINK("http://x")',
    '"); #panic("x") \\u{41} #let x = 1 \\',
    '$x$ @ref <label> #image("x") *a* _b_ `c`',
    "\x1b[31mred\x00\u202e",
    "한국어 👍 é",
]


def nasty(text):
    options = [
        {**option, "text": f"{text} {at}", "why": f"{text} is one reason of {at}"}
        for at, option in enumerate(records()["single"]["options"])
    ]
    return changed("single", stem=text, options=options, explanation=text, proof=None)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_writes_every_kind_and_the_same_bytes_twice(format, tmp_path):
    written = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}{EXTENSIONS[format]}"
        export(ALL, format, path, when=NOW, digest="abc")
        written.append(path.read_bytes())
    assert written[0] == written[1]
    assert len(written[0]) > 1000


@pytest.mark.parametrize("format", FORMATS)
def test_losses_are_told_by_kind(format):
    found = [loss for item in ALL for loss in losses(item, format)]
    report = loss_report(found)
    assert report
    assert {loss.kind for loss in found} <= set(KINDS)
    assert {"repair_json", "write_schema", "faded_code"} <= {loss.kind for loss in found}
    assert all(re.match(r"[\w ,-]+, \d+: \w", line) for line in report)


@pytest.mark.parametrize("kind", KINDS)
def test_a_card_shows_the_answer_on_its_back_only(kind):
    shown = card(examples()[kind])
    front, back = (
        "\n".join([*(block.text for block in side), *(text for block in side for _, text in block.rows)])
        for side in (shown.question, shown.answer)
    )
    item = examples()[kind]
    assert item.text("stem") in front
    assert item.text("explanation") in back
    assert item.text("explanation") not in front
    for thing in (*getattr(item, "options", ()), *getattr(item, "rows", ())):
        assert thing.why not in front


def test_the_options_of_a_card_keep_their_order():
    item = examples()["single"]
    assert card(item).question == card(item).question
    assert card(item, order=["waits", "refused_role", "refused_call", "refused_result"]).marks == "C"


# Anki


def _notes(path):
    with zipfile.ZipFile(path) as package:
        data = package.read("collection.anki2")
    base = sqlite3.connect(":memory:")
    base.deserialize(data)
    try:
        return {row[0]: row[1:] for row in base.execute("select guid, mod, flds, tags from notes")}
    finally:
        base.close()


def test_anki_notes_keep_their_ids_and_get_newer(tmp_path):
    first, second = tmp_path / "a.apkg", tmp_path / "b.apkg"
    export(ALL, "anki", first, when=NOW)
    export(
        [changed("single", explanation="Another thing to take away from this question."), *ALL[1:]],
        "anki",
        second,
        when=NOW + timedelta(days=1),
    )
    old, new = _notes(first), _notes(second)
    assert old.keys() == new.keys()
    assert len(old) == len(ALL)
    assert all(new[guid][0] > old[guid][0] for guid in old)
    assert sum("Another thing" in row[1] for row in new.values()) == 1


@pytest.mark.parametrize("text", NASTY)
def test_anki_fields_hold_no_active_markup(text, tmp_path):
    path = tmp_path / "x.apkg"
    export([nasty(text)], "anki", path, when=NOW)
    [(_, fields, _)] = _notes(path).values()
    assert "<script" not in fields
    assert "\x1b" not in fields
    assert "\u202e" not in fields


# Moodle


def _moodle(items, tmp_path):
    path = tmp_path / "x.xml"
    export(items, "moodle", path, when=NOW)
    return etree.parse(str(path), etree.XMLParser(resolve_entities=False)).getroot()


def test_moodle_has_a_question_of_the_right_type_for_every_kind(tmp_path):
    root = _moodle(ALL, tmp_path)
    types = {q.findtext("idnumber"): q.get("type") for q in root if q.get("type") != "category"}
    assert types == {
        "example-single": "multichoice",
        "example-select-n": "multichoice",
        "example-order": "ordering",
        "example-match": "matching",
        "example-spot-block": "multichoice",
        "example-numeric": "numerical",
        "example-open": "essay",
        "example-repair-json": "essay",
        "example-write-schema": "essay",
        "example-faded-code": "essay",
    }


def test_moodle_fractions_are_from_its_list_and_add_up(tmp_path):
    allowed = {*FRACTIONS.values(), "0", *(f"-{value}" for value in FRACTIONS.values())}
    for question in _moodle(ALL, tmp_path):
        if question.get("type") == "multichoice":
            fractions = [answer.get("fraction") for answer in question.findall("answer")]
            assert set(fractions) <= allowed
            assert sum(float(f) for f in fractions if float(f) > 0) == pytest.approx(100, abs=0.01)


def test_moodle_matching_has_the_targets_nobody_needs_as_distractors(tmp_path):
    [question] = [q for q in _moodle(ALL, tmp_path) if q.get("type") == "matching"]
    pairs = [(sub.findtext("text"), sub.findtext("answer/text")) for sub in question.findall("subquestion")]
    assert [answer for text, answer in pairs if not text] == ["auto"]
    assert len(pairs) == 4


@pytest.mark.parametrize("text", NASTY)
def test_moodle_survives_any_text(text, tmp_path):
    root = _moodle([nasty(text)], tmp_path)
    assert "<script" not in root.findtext("question[2]/questiontext/text")


# GIFT


def test_gift_marks_the_key_and_escapes_its_own_signs():
    text = gift_text([nasty("a ~ b = c # d { e } f : g")])
    assert text.count("\n\t=") == 1
    assert r"a \~ b \= c \# d \{ e \} f \: g" in text


def test_gift_has_no_empty_line_inside_a_question():
    text = gift_text([changed("single", stem="One.\n\n```\ncode\n\nmore\n```\n\nWhat now?")])
    assert len(text.strip().split("\n\n")) == 2


# QTI


@pytest.mark.parametrize("version", NAMESPACES)
@pytest.mark.parametrize("kind", KINDS)
def test_qti_items_are_well_formed_and_name_their_key(version, kind):
    root = etree.fromstring(item_xml(examples()[kind], version=version))
    space = {"q": NAMESPACES[version][0]}
    assert {node.tag.split("}")[0][1:] for node in root.iter() if isinstance(node.tag, str)} == {space["q"]}
    prefix = "qti-" if version == "3.0" else ""
    values = root.xpath(
        f"//q:{prefix}{'correct-response' if prefix else 'correctResponse'}/q:{prefix}value/text()", namespaces=space
    )
    assert bool(values) is (kind not in ("repair_json", "write_schema", "faded_code", "open"))
    known = set(root.xpath("//@identifier"))
    if kind in ("single", "select_n", "order", "spot_block"):
        assert set(values) <= known


@pytest.mark.parametrize("version", NAMESPACES)
def test_a_qti_package_lists_every_file_it_holds(version, tmp_path):
    files = dict(package(ALL, version=version))
    manifest = etree.fromstring(files["imsmanifest.xml"])
    listed = set(manifest.xpath("//@href"))
    assert listed == files.keys() - {"imsmanifest.xml"}
    test = etree.fromstring(files["test.xml"])
    assert set(test.xpath("//@href")) == {name for name in files if name.startswith("items/")}


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("version", NAMESPACES)
def test_qti_survives_any_text(text, version):
    root = etree.fromstring(item_xml(nasty(text), version=version))
    assert not [node for node in root.iter() if etree.QName(node).localname == "script"]


# CSV


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"])
def test_a_cell_never_starts_a_formula(text):
    assert safe_cell(text).startswith("'")


@pytest.mark.parametrize("text", NASTY)
def test_csv_reads_back(text):
    [row] = csv.DictReader(io.StringIO(csv_text([nasty(text)]), newline=""))
    assert row["id"] == "example-single"
    assert not any(value.startswith(("=", "+", "-", "@", "\t")) for value in row.values())
    assert json.loads(row["key"]) == "refused_call"


def test_csv_starts_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "x.csv"
    export(ALL, "csv", path, when=NOW)
    assert path.read_bytes().startswith(b"\xef\xbb\xbfid,")


# Paper


@pytest.mark.parametrize("kind", KINDS)
def test_the_paper_carries_no_key_and_no_reason(kind):
    item = examples()[kind]
    settings_ = {"title": "T", "footer": "F", "large": False, "lang": None}
    paper = paper_source([card(item)], with_key=False, **settings_)
    key = paper_source([card(item)], with_key=True, **settings_)
    first = re.split(r"[`*\"]", item.text("explanation"))[0].strip()
    assert first in key
    assert first not in paper
    assert item.id not in paper
    for thing in (*getattr(item, "options", ()), *getattr(item, "rows", ())):
        assert re.split(r"[`*\"]", thing.why)[0].strip() not in paper


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=40))
def test_author_text_stays_inside_string_literals(text):
    """Outside of literals, only the calls that the writer makes are left."""
    for source in (literal(text), inline_typst(text)):
        outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", source)
        assert re.fullmatch(r"(?:text|raw|strong|emph|strike|linebreak|[(){}\[\], +])*", outside)


@pytest.mark.parametrize("text", NASTY)
def test_the_paper_compiles_with_any_text(text, tmp_path):
    export([nasty(text)], "pdf", tmp_path / "x.pdf", when=NOW)
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "x-key.pdf").exists()


# The command


def test_the_command_writes_a_file_and_tells_what_is_lost(tmp_path, capsys):
    path = tmp_path / "bank.gift"
    assert main(["export", "gift", "--out", str(path), "--unit", "02"]) == 0
    said = capsys.readouterr().out
    assert "find the broken block, " in said
    assert "::blk" in path.read_text()
    assert "::cyc" not in path.read_text()
    assert main(["export", "gift", "--out", str(path), "--unit", "02", "--strict"]) == 1
    assert main(["export", "docx"]) == 2
    assert main(["export", "gift", "--unit", "99"]) == 2
    assert main(["export", "gift", "--out", str(tmp_path / "no" / "where.gift")]) == 2


def test_the_whole_bank_can_be_exported_in_every_format(tmp_path):
    items = [item for item in load_bank() if item.status != "retired"]
    for format in FORMATS:
        export(items, format, tmp_path / f"x{EXTENSIONS[format]}", when=NOW)
