import json

import pytest

from course.authoring.build import build, lessons, stale
from course.authoring.errors import ExecutionFailed
from course.authoring.execute import execute, keep_pictures, settle
from course.authoring.notebook import make
from course.authoring.source import parse


def code(source, id="tiny-a", tags=""):
    return f'# %% id="{id}" tags=[{tags}]\n{source}\n\n'


def solved(text):
    return make(parse(text, "90_tiny"), "solved")


def cell(outputs, source="plot()", tags=()):
    return {"cell_type": "code", "id": "a", "source": source, "metadata": {"tags": list(tags)}, "outputs": outputs}


def picture(pixels, numbers):
    html = f'<img alt="bars" src="data:image/png;base64,{pixels}"><table><tr><td>{numbers}</td></tr></table>'
    return {"output_type": "display_data", "data": {"text/html": html, "image/png": pixels}, "metadata": {}}


def test_two_runs_of_one_lesson_give_the_same_bytes(house):
    (lesson,) = lessons(house)
    first = {path: path.read_bytes() for path, _ in build(house, lesson)}
    assert {path.name for path in first} == {"90_tiny.ipynb"}
    assert len(first) == 3
    assert all(not changed for _, changed in build(house, lesson, rerun=True))
    assert {path: path.read_bytes() for path in first} == first
    assert list(stale(house, lesson)) == []


def test_the_solved_notebook_keeps_outputs_and_run_counts_and_no_timing(house):
    (lesson,) = lessons(house)
    list(build(house, lesson))
    book = json.loads(house.place(lesson, "solved").read_text(encoding="utf-8"))
    last = book["cells"][-1]
    assert last["execution_count"] == 2
    assert last["outputs"][0]["data"]["text/plain"] == ["42"]
    assert "execution" not in last["metadata"]
    assert "version" not in book["metadata"]["language_info"]


def test_an_error_names_the_cell_and_not_the_machinery(tmp_path):
    with pytest.raises(ExecutionFailed, match=r"cell tiny-b: .* ZeroDivisionError: division by zero"):
        execute(solved(code("1") + code("1 / 0", "tiny-b")), tmp_path)


def test_an_announced_error_is_an_output_but_its_paths_are_refused(tmp_path):
    done = execute(solved(code("raise ValueError('on purpose')", tags='"raises-exception"')), tmp_path)
    assert done["cells"][0]["outputs"][0]["evalue"] == "on purpose"


def test_a_solution_runs_without_a_key_and_with_a_store_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    monkeypatch.setenv("COURSE_LIVE", "1")
    names = "('ANTHROPIC_API_KEY', 'COURSE_LIVE')"
    source = f"import os\n[*map(os.environ.get, {names}), os.path.isdir(os.environ['COURSE_HOME'])]"
    done = execute(solved(code(source)), tmp_path)
    assert done["cells"][0]["outputs"][0]["data"]["text/plain"] == "[None, None, True]"


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ({"output_type": "stream", "name": "stdout", "text": "<object at 0x7f12ab34cd56>"}, "memory address"),
        ({"output_type": "stream", "name": "stdout", "text": "/home/me/course"}, "path of this machine"),
        ({"output_type": "stream", "name": "stderr", "text": "UserWarning"}, "writes to stderr"),
    ],
)
def test_outputs_that_no_rebuild_repeats_are_refused(output, said):
    with pytest.raises(ExecutionFailed, match=said):
        settle(cell([output]), "90", ("/home/me",))


def test_widget_views_go_and_their_fallback_stays():
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "f3"}, "text/html": "<p>still</p>"}
    shown = cell([{"output_type": "display_data", "data": view, "metadata": {}}])
    settle(shown, "90")
    assert shown["outputs"][0]["data"] == {"text/html": "<p>still</p>"}


def test_a_widget_without_a_fallback_leaves_no_output():
    bare = cell([{"output_type": "display_data", "data": {"application/vnd.jupyter.widget-view+json": {}}}])
    settle(bare, "90")
    assert bare["outputs"] == []


def test_a_picture_with_the_same_numbers_keeps_its_old_pixels():
    old, new = {"cells": [cell([picture("AAAA", 3)])]}, {"cells": [cell([picture("BBBB", 3)])]}
    assert keep_pictures(new, old)["cells"][0]["outputs"] == [picture("AAAA", 3)]


def test_a_picture_with_other_numbers_is_taken():
    old, new = {"cells": [cell([picture("AAAA", 3)])]}, {"cells": [cell([picture("BBBB", 4)])]}
    assert keep_pictures(new, old)["cells"][0]["outputs"] == [picture("BBBB", 4)]


def test_an_output_that_may_vary_stays_until_its_source_changes():
    def varying(text, source="slow()"):
        return {
            "cells": [
                cell([{"output_type": "stream", "name": "stdout", "text": text}], source, ["nbval-ignore-output"])
            ]
        }

    assert keep_pictures(varying("0.2 s"), varying("0.1 s"))["cells"][0]["outputs"][0]["text"] == "0.1 s"
    assert keep_pictures(varying("0.2 s", "slower()"), varying("0.1 s"))["cells"][0]["outputs"][0]["text"] == "0.2 s"


def test_a_lesson_runs_in_the_language_it_is_built_for(tmp_path):
    done = execute(solved(code("import os\nos.environ['COURSE_LANG']")), tmp_path, language="ko")
    assert done["cells"][0]["outputs"][0]["data"]["text/plain"] == "'ko'"
