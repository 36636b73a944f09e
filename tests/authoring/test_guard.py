import json
from datetime import datetime

import pytest

from course.authoring.errors import EditedNotebook
from course.authoring.guard import is_edited, restore, write
from course.authoring.notebook import make, text_of
from course.authoring.source import parse


@pytest.fixture
def text(tiny_source):
    return text_of(make(parse(tiny_source, "90_tiny"), "learner"))


@pytest.fixture
def built(tmp_path, text):
    path = tmp_path / "90_tiny.ipynb"
    write(path, text)
    return path


def edit(path, change):
    book = json.loads(path.read_text(encoding="utf-8"))
    change(book)
    path.write_text(json.dumps(book), encoding="utf-8")


def test_writing_the_same_text_again_changes_nothing(built, text):
    assert write(built, text) is False


def test_a_notebook_that_was_only_run_may_be_built_anew(built, text):
    def run(book):
        book["cells"][-1] |= {
            "execution_count": 7,
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["x"]}],
        }
        book["metadata"]["language_info"]["version"] = "3.12.1"

    edit(built, run)
    assert not is_edited(built)
    assert write(built, text) is True


def test_an_edited_notebook_is_left_alone_and_named(built, text):
    edit(built, lambda book: book["cells"][-1].update(source=["answer = 42\n", "answer"]))
    mine = built.read_text(encoding="utf-8")
    with pytest.raises(EditedNotebook, match=r"90_tiny\.ipynb was changed by hand.*course reset 90"):
        write(built, text)
    assert built.read_text(encoding="utf-8") == mine


@pytest.mark.parametrize("what", ["added", "removed", "moved"])
def test_cells_added_removed_or_moved_are_edits(built, what):
    change = {
        "added": lambda book: book["cells"].append(
            {"cell_type": "markdown", "id": "n", "metadata": {}, "source": ["note"]}
        ),
        "removed": lambda book: book["cells"].pop(),
        "moved": lambda book: book["cells"].reverse(),
    }
    edit(built, change[what])
    assert is_edited(built)


@pytest.mark.parametrize("content", ["", "not json", "[]", "{}", '{"cells": []}'])
def test_a_file_that_is_no_built_notebook_counts_as_a_persons(tmp_path, text, content):
    path = tmp_path / "90_tiny.ipynb"
    path.write_text(content)
    with pytest.raises(EditedNotebook):
        write(path, text)


def test_restoring_keeps_a_dated_copy_of_the_edited_one(built, text):
    edit(built, lambda book: book["cells"].pop())
    mine = built.read_text(encoding="utf-8")
    kept = restore(built, text, datetime(2026, 12, 1, 9, 30, 5))
    assert kept.name == "90_tiny.mine-20261201-093005.ipynb"
    assert kept.read_text(encoding="utf-8") == mine
    assert built.read_text(encoding="utf-8") == text


def test_restoring_an_untouched_notebook_keeps_no_copy(built, text):
    assert restore(built, text, datetime(2026, 12, 1)) is None


def test_restoring_a_missing_notebook_writes_it(tmp_path, text):
    path = tmp_path / "new" / "90_tiny.ipynb"
    assert restore(path, text, datetime(2026, 12, 1)) is None
    assert path.read_text(encoding="utf-8") == text


def test_a_second_restore_in_the_same_second_does_not_lose_the_first_copy(built, text):
    now = datetime(2026, 12, 1, 9, 30, 5)
    for number in (1, 2):
        edit(
            built,
            lambda book, number=number: book["cells"].append(
                {"cell_type": "markdown", "id": f"n{number}", "metadata": {}, "source": []}
            ),
        )
        restore(built, text, now)
    assert len(list(built.parent.glob("90_tiny.mine-*"))) == 2
