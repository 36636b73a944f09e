"""A learner's home on a hub: filled once, brought up to date, never overwritten."""

import json

import pytest

from course.authoring.notebook import fingerprint
from course.workshop.seat import FOLDER, command, fill


def book(text, outputs=()):
    cells = [{"id": "a", "cell_type": "code", "source": text, "outputs": list(outputs), "metadata": {}}]
    return {"cells": cells, "metadata": {"course": {"lesson": "01", "built": fingerprint(cells)}}}


@pytest.fixture
def release(tmp_path):
    root = tmp_path / "root"
    (root / "notebooks" / "recall").mkdir(parents=True)
    put(root / "notebooks" / "01_six.ipynb", book("one"))
    put(root / "notebooks" / "recall" / "01_six.ipynb", book("recall"))
    return root


def put(path, found):
    path.write_text(json.dumps(found), encoding="utf-8")


def source(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]


def told(home, release):
    return [(path.relative_to(home / FOLDER).as_posix(), written) for path, written in fill(home, release)]


def test_an_empty_home_gets_every_notebook(tmp_path, release):
    assert told(tmp_path, release) == [("notebooks/01_six.ipynb", True), ("notebooks/recall/01_six.ipynb", True)]
    assert told(tmp_path, release) == []


def test_a_copy_that_was_run_but_not_edited_keeps_its_outputs(tmp_path, release):
    list(fill(tmp_path, release))
    mine = tmp_path / FOLDER / "notebooks" / "01_six.ipynb"
    put(mine, book("one", [{"output_type": "stream", "name": "stdout", "text": "ran"}]))
    assert told(tmp_path, release) == []
    assert "ran" in mine.read_text(encoding="utf-8")


def test_an_unedited_copy_follows_a_new_release(tmp_path, release):
    list(fill(tmp_path, release))
    put(release / "notebooks" / "01_six.ipynb", book("two"))
    assert told(tmp_path, release) == [("notebooks/01_six.ipynb", True)]
    assert source(tmp_path / FOLDER / "notebooks" / "01_six.ipynb") == "two"


def test_an_edited_copy_stays_and_is_told(tmp_path, release):
    list(fill(tmp_path, release))
    mine = tmp_path / FOLDER / "notebooks" / "01_six.ipynb"
    put(mine, book("one") | {"cells": [{"id": "a", "cell_type": "code", "source": "my work", "metadata": {}}]})
    put(release / "notebooks" / "01_six.ipynb", book("two"))
    assert told(tmp_path, release) == [("notebooks/01_six.ipynb", False)]
    assert source(mine) == "my work"


def test_copies_that_a_person_keeps_in_the_release_are_nobody_elses(tmp_path, release):
    put(release / "notebooks" / "01_six.mine-20261201-120000.ipynb", book("private"))
    assert all(".mine-" not in name for name, _ in told(tmp_path, release))


def test_the_server_works_in_the_learners_folder_and_fetches_nothing(tmp_path):
    line = command(tmp_path, ["--allow-root"])
    assert f"--ServerApp.root_dir={tmp_path / FOLDER}" in line
    assert "--LabApp.news_url=None" in line
    assert line[-1] == "--allow-root"
