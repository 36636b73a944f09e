"""Lesson 02 from top to bottom in a real JupyterLab, offline, as a learner has it; COURSE_LESSONS=00,01 takes others.

COURSE_SHOTS=folder keeps pictures of each screenful, to be looked at.
"""

import os
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
WANTED = os.environ.get("COURSE_LESSONS", "02").split(",")
BOOKS = [path for path in sorted((ROOT / "notebooks").glob("*.ipynb")) if path.name[:2] in WANTED]
OUTPUTS = """() => jupyterapp.shell.currentWidget.content.widgets.filter((cell) => cell.model.type === "code")
  .map((cell) => [cell.model.id, JSON.stringify(cell.model.outputs.toJSON())])"""


@pytest.fixture(params=BOOKS, ids=lambda path: path.stem)
def lesson(request, lab):
    """One lesson's notebook, open and run."""
    shutil.copy(request.param, lab.root / request.param.name)
    lab.open(request.param.name)
    lab.page.set_default_timeout(180_000)
    lab.run_all()
    lab.name = request.param.stem
    yield lab
    lab.shut()


def shoot(lab):
    """Keep a picture of every cell that shows something, a screenful each."""
    folder = Path(os.environ["COURSE_SHOTS"]) / lab.name
    folder.mkdir(parents=True, exist_ok=True)
    count = lab.page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length")
    for place in range(0, count, 4):
        lab.page.evaluate(
            "(n) => jupyterapp.shell.currentWidget.content.scrollToItem(n, 'start').then(() => 1, () => 1)", place
        )
        lab.page.wait_for_timeout(400)
        lab.page.screenshot(path=folder / f"{place:02}.png")


def test_a_lesson_runs_with_every_exercise_open_and_every_view_drawn(lesson):
    outputs = dict(lesson.page.evaluate(OUTPUTS))
    assert not [id for id, text in outputs.items() if '"output_type":"error"' in text]
    assert sum("Nothing to check yet" in text or "Not yet." in text for text in outputs.values()) >= 2
    assert any("application/vnd.jupyter.widget-view+json" in text for text in outputs.values())
    lesson.page.evaluate("jupyterapp.shell.currentWidget.content.scrollToItem(4, 'start').then(() => 1, () => 1)")
    lesson.page.wait_for_selector(".cw-card")
    if os.environ.get("COURSE_SHOTS"):
        shoot(lesson)
    assert lesson.errors == []
    assert lesson.external == []
