"""The script and the style: small, without imports, without addresses, and pure where no page is needed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from course.facts import say
from course.facts.text import table
from course.widgets.assets import HERE, script
from course.widgets.predict import PredictView
from course.widgets.quiz import QuizView
from course.widgets.trace import TraceView

LIMIT = 25_000
SOURCES = sorted(HERE.iterdir())


@pytest.mark.parametrize("view", [TraceView, QuizView, PredictView])
def test_script_and_style_of_a_view_stay_within_25_kb(view):
    assert len(view._esm.encode()) + len(view._css.encode()) <= LIMIT


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_nothing_is_fetched_imported_or_parsed_as_markup(source):
    text = source.read_text(encoding="utf-8")
    assert not re.search(
        r"https?:|\bimport\b|@import|url\(|innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", text
    )


def test_slimming_a_script_changes_no_line_of_code():
    slim = script("dom", "state", "ask", "score", "step", "trace")
    for line in (HERE / "state.js").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("/*"):
            assert line.strip() in slim


def test_every_label_a_script_asks_for_exists():
    asked = set()
    for source in HERE.glob("*.js"):
        asked |= set(re.findall(r"\blabel\(\"(\w+)\"", source.read_text(encoding="utf-8")))
    assert asked <= set(table("widgets.trace")) | set(table("widgets.quiz"))
    assert say("widgets.trace.next")


NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not installed; the same logic runs in the browser tests")
def test_the_cursor_in_node():
    done = subprocess.run(
        [NODE, "--test", str(Path(__file__).parent / "state.test.mjs")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
