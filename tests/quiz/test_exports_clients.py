"""Exports read by programs of other people: Anki itself, a GIFT parser, a QTI player in Chromium.

Slow; `python tests/run.py --clients`. Each program is installed into an environment of its own.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from environments import node_with, python_with
from guide import changed, examples

from course.quiz.bank import load_bank
from course.quiz.exports import export
from course.quiz.exports.gift import gift_text
from course.quiz.exports.qti import item_xml
from course.quiz.grading import key

pytestmark = pytest.mark.clients

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
EXAMPLES = tuple(examples().values())
BANK = tuple(item for item in load_bank() if item.status != "retired")
ITEMS = (*BANK, *EXAMPLES)


def _run_json(command: list[str], cwd: Any = None) -> Any:
    """Run a command that prints JSON as its last line."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


IMPORT = """
import json, sys
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
base = Collection(sys.argv[1])
logs = []
for path in sys.argv[2:]:
    options = ImportAnkiPackageOptions(update_notes=0, merge_notetypes=True)
    log = base.import_anki_package(ImportAnkiPackageRequest(package_path=path, options=options)).log
    logs.append({"new": len(log.new), "updated": len(log.updated), "duplicate": len(log.duplicate)})
cards = [base.get_card(id) for id in base.find_cards("")]
shown = [
    {"id": card.note()["Id"], "front": card.question(), "back": card.answer(), "tags": card.note().tags}
    for card in cards
]
decks = sorted(deck.name for deck in base.decks.all_names_and_ids())
print(json.dumps({"logs": logs, "decks": decks, "cards": shown}))
"""


def test_anki_imports_the_deck_and_updates_it_on_the_next_import(tmp_path):
    python = python_with("anki==26.9.3")
    first, second = tmp_path / "first.apkg", tmp_path / "second.apkg"
    export(EXAMPLES, "anki", first, when=NOW)
    mended = changed("single", explanation="A mended explanation, which the next import must bring.")
    export([mended, *EXAMPLES[1:]], "anki", second, when=NOW + timedelta(days=1))
    script = tmp_path / "script.py"
    script.write_text(IMPORT)
    seen = _run_json([str(python), str(script), str(tmp_path / "base.anki2"), str(first), str(first), str(second)])
    n = len(EXAMPLES)
    assert seen["logs"] == [
        {"new": n, "updated": 0, "duplicate": 0},
        {"new": 0, "updated": 0, "duplicate": n},
        {"new": 0, "updated": n, "duplicate": 0},
    ]
    assert len(seen["cards"]) == n
    assert any(name.startswith("Claude tool use::") for name in seen["decks"])
    shown = {card["id"]: card for card in seen["cards"]}
    single = shown["example-single"]
    assert "A mended explanation" in single["back"]
    assert "A mended explanation" not in single["front"]
    assert "What happens to that first request?" in single["front"]
    assert "exam::1.1" in single["tags"]


PARSE = """
const fs = require('fs');
console.log(JSON.stringify(require('gift-pegjs').parse(fs.readFileSync(process.argv[2], 'utf8'))));
"""


def _parsed(folder: Any, text: str, tmp_path: Any) -> list[dict[str, Any]]:
    (tmp_path / "bank.gift").write_text(text, encoding="utf-8")
    (folder / "parse.js").write_text(PARSE)
    return _run_json(["node", "parse.js", str(tmp_path / "bank.gift")], cwd=folder)


def test_a_gift_parser_reads_every_item_with_its_key_and_reasons(tmp_path):
    found = _parsed(node_with("gift-pegjs@1.0.2"), gift_text(ITEMS), tmp_path)
    questions = {question["title"]: question for question in found if question["type"] != "Category"}
    types = {
        "single": "MC",
        "select_n": "MC",
        "spot_block": "MC",
        "order": "Matching",
        "match": "Matching",
        "numeric": "Numerical",
    }
    for item in ITEMS:
        question = questions[item.id]
        assert question["type"] == types.get(item.kind, "Essay")
        assert question["globalFeedback"]["text"].startswith(item.text("explanation").strip())
        assert question["stem"]["text"].startswith(item.text("stem").strip())
        if item.kind == "single":
            right = [choice["text"]["text"] for choice in question["choices"] if choice["isCorrect"]]
            assert right == [option.text for option in item.options if option.correct]
            assert [choice["feedback"]["text"] for choice in question["choices"]] == [
                option.why for option in item.options
            ]
        if item.kind == "select_n":
            right = [choice["text"]["text"] for choice in question["choices"] if choice["weight"] > 0]
            assert right == [option.text for option in item.options if option.correct]
        if item.kind == "numeric":
            assert question["choices"][0]["text"]["number"] == item.answer


PAGE = "<!doctype html><html><body><qti-item><item-container></item-container></qti-item></body></html>"
SIT = """
async ([xml, response]) => {
  const container = document.querySelector('item-container');
  container.itemXML = xml;
  for (let tries = 0; tries < 200; tries++) {
    await new Promise(done => setTimeout(done, 20));
    if (container.shadowRoot?.querySelector('qti-assessment-item')?.identifier) break;
  }
  await new Promise(done => setTimeout(done, 100));
  const item = container.shadowRoot.querySelector('qti-assessment-item');
  if (response !== null) item.updateResponseVariable('RESPONSE', response);
  item.processResponse();
  await new Promise(done => setTimeout(done, 30));
  const score = item.variables.find(variable => variable.identifier === 'SCORE');
  const interactions = [...item.querySelectorAll('*')].filter(node => node.localName.endsWith('-interaction'));
  return {
    id: item.identifier, score: Number(score.value), text: item.textContent,
    interactions: interactions.map(node => node.localName),
    choices: item.querySelectorAll('qti-simple-choice, qti-simple-associable-choice').length,
    heights: interactions.map(node => node.getBoundingClientRect().height),
  };
}
"""


@pytest.fixture(scope="module")
def player() -> Iterator[Any]:
    """A page in Chromium on which the QTI player is loaded."""
    sync_api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    code = node_with("@citolab/qti-components@7.27.4") / "node_modules/@citolab/qti-components/cdn/index.js"
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_content(PAGE)
        page.add_script_tag(content=code.read_text(encoding="utf-8"), type="module")
        page.wait_for_function(
            "() => ['qti-assessment-item', 'item-container'].every(name => !!customElements.get(name))"
        )
        yield page
        browser.close()


def _responses(item: Any) -> tuple[Any, Any]:
    """A right and a wrong response as the player takes them."""

    def o(id: str) -> str:
        return f"o_{id.replace('.', '_')}"

    match item.kind:
        case "single":
            wrong = next(option.id for option in item.options if not option.correct)
            return o(key(item)), o(wrong)
        case "select_n":
            wrong = [option.id for option in item.options if not option.correct][: item.select_n]
            return [o(id) for id in key(item)], [o(id) for id in wrong]
        case "order":
            right = [o(id) for id in key(item)]
            return right, right[::-1]
        case "match":
            right = [f"o_{row.id} t_{row.answer}" for row in item.rows]
            other = next(target.id for target in item.targets if target.id != item.rows[0].answer)
            return right, [f"o_{item.rows[0].id} t_{other}", *right[1:]]
        case "spot_block":
            return o(item.answer.rule), "o_nothing"
    return f"{item.answer:g}", f"{item.answer + 17:g}"


CLOSED = [item for item in ITEMS if item.kind in ("single", "select_n", "order", "match", "spot_block", "numeric")]


@pytest.mark.parametrize("item", CLOSED, ids=lambda item: item.id)
def test_a_qti_player_renders_the_item_and_scores_its_key_and_nothing_else(player, item):
    xml = item_xml(item, version="3.0").decode()
    right, wrong = _responses(item)
    seen = player.evaluate(SIT, [xml, right])
    assert seen["id"] == f"i_{item.id}"
    assert seen["score"] == 1
    assert len(seen["interactions"]) == 1
    assert seen["heights"][0] > 10
    shown = " ".join(seen["text"].split())
    assert " ".join(item.text("stem").replace("`", "").replace("*", "").split())[:60] in shown
    assert player.evaluate(SIT, [xml, wrong])["score"] == 0


@pytest.mark.parametrize("item", [item for item in EXAMPLES if item not in CLOSED], ids=lambda item: item.kind)
def test_a_qti_player_renders_an_essay_without_a_score(player, item):
    seen = player.evaluate(SIT, [item_xml(item, version="3.0").decode(), None])
    assert seen["interactions"] == ["qti-extended-text-interaction"]
    assert seen["score"] == 0


def test_the_paper_is_a_pdf_with_text_that_can_be_read(tmp_path):
    """Chromium's own PDF viewer is no text reader; pypdf is one."""
    python = python_with("pypdf==6.4.0")
    path = tmp_path / "paper.pdf"
    export(BANK, "pdf", path, when=NOW, digest="abc123")
    script = """
import json, sys
from pypdf import PdfReader
reader = PdfReader(sys.argv[1])
text = " ".join(page.extract_text() for page in reader.pages)
print(json.dumps({"text": text, "marked": "/MarkInfo" in reader.trailer["/Root"]}))
"""
    (tmp_path / "read.py").write_text(script)
    paper = _run_json([str(python), str(tmp_path / "read.py"), str(path)])
    answers = _run_json([str(python), str(tmp_path / "read.py"), str(tmp_path / "paper-key.pdf")])
    squeezed = {name: "".join(seen["text"].split()) for name, seen in (("paper", paper), ("key", answers))}
    assert paper["marked"]
    assert "abc123" in squeezed["paper"]
    for item in BANK:
        for option in getattr(item, "options", ()):
            reason = "".join(max(str(option.why).split("`")[::2], key=len).split())
            assert len(reason) > 20
            assert reason not in squeezed["paper"]
    assert json.dumps(squeezed["key"]).count("Notright") >= sum(item.kind in ("single", "select_n") for item in BANK)
