import json

import nbformat
import pytest

from course.authoring.errors import SourceError
from course.authoring.notebook import fingerprint, make, source_hash, text_of
from course.authoring.source import parse


@pytest.fixture
def lesson(tiny_source):
    return parse(tiny_source, "90_tiny")


@pytest.mark.parametrize("edition", ["learner", "solved", "recall"])
def test_every_edition_is_a_valid_notebook_and_the_same_each_time(lesson, edition):
    text = text_of(make(lesson, edition))
    nbformat.validate(nbformat.reads(text, as_version=4))
    assert text == text_of(make(lesson, edition))
    assert json.loads(text)["cells"][0]["id"] == "tiny-title"


def test_the_learner_gets_open_exercises_and_no_outputs(lesson):
    cells = make(lesson, "learner")["cells"]
    assert cells[-1]["source"] == "answer = ...  # your sum\nanswer"
    assert all(
        cell["outputs"] == [] and cell["execution_count"] is None for cell in cells if cell["cell_type"] == "code"
    )


def test_the_solved_edition_holds_the_solution(lesson):
    assert make(lesson, "solved")["cells"][-1]["source"] == "answer = 40 + 2\nanswer"


def test_recall_keeps_headings_tasks_and_code_and_drops_explanations(lesson):
    cells = make(lesson, "recall")["cells"]
    assert [cell["source"] for cell in cells[:3]] == ["# Tiny", "## A section", "**Your turn.** Add."]
    assert "..." in cells[-1]["source"]


def test_recall_holds_the_learners_code_cell_for_cell(lesson):
    code = {
        edition: [c for c in make(lesson, edition)["cells"] if c["cell_type"] == "code"]
        for edition in ("learner", "recall")
    }
    assert code["recall"] == code["learner"]


def test_objectives_and_misconceptions_travel_in_the_cell(lesson):
    section = make(lesson, "learner")["cells"][1]
    assert section["metadata"]["course"] == {"objectives": ["CYC-1", "BLK-2"], "misconceptions": ["claude-runs-tools"]}


def test_a_cut_that_is_no_python_is_refused_with_its_cell():
    source = '# %% id="tiny-a"\nx = {\n    # BEGIN SOLUTION\n    "a": 1,\n    # END SOLUTION\n    "b": 2,\n}\n'
    with pytest.raises(SourceError, match=r"cell tiny-a: is not valid Python in the learner edition"):
        make(parse(source, "90_tiny"), "learner")


def test_top_level_await_is_allowed():
    source = '# %% id="tiny-a"\n# BEGIN SOLUTION\nx = await f()\n# END SOLUTION\n'
    assert make(parse(source, "90_tiny"), "solved")["cells"][0]["source"] == "x = await f()"


def test_the_fingerprint_follows_sources_and_not_outputs(lesson):
    cells = make(lesson, "learner")["cells"]
    before = fingerprint(cells)
    cells[-1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "hi"}]
    assert fingerprint(cells) == before
    cells[-1]["source"] += "\n1"
    assert fingerprint(cells) != before


def test_source_lines_as_jupyter_stores_them_have_the_same_fingerprint(lesson):
    book = make(lesson, "learner")
    assert fingerprint(json.loads(text_of(book))["cells"]) == fingerprint(book["cells"])


def test_the_source_hash_changes_with_any_cell(lesson, tiny_source):
    other = parse(tiny_source.replace("Some prose", "Other prose"), "90_tiny")
    assert source_hash(make(lesson, "solved")) != source_hash(make(other, "solved"))
