from datetime import datetime

import pytest

from course.authoring.build import build, lessons, reset, stale
from course.authoring.errors import EditedNotebook


@pytest.fixture
def lesson(house):
    return lessons(house)[0]


def whys(house, lesson):
    return {late.path.relative_to(house.root).as_posix(): late.why for late in stale(house, lesson)}


def test_nothing_built_is_all_missing(house, lesson):
    assert set(whys(house, lesson).values()) == {"missing"}
    assert len(whys(house, lesson)) == 3


def test_a_changed_source_makes_every_edition_stale(house, lesson, tiny_source):
    list(build(house, lesson))
    (house.sources / "90_tiny.py").write_text(tiny_source.replace("40 + 2", "41 + 1").replace("# A section", "# One"))
    assert set(whys(house, lessons(house)[0]).values()) == {"stale"}


def test_only_the_solution_changes_with_the_solution(house, lesson, tiny_source):
    list(build(house, lesson))
    (house.sources / "90_tiny.py").write_text(tiny_source.replace("40 + 2", "41 + 1"))
    assert whys(house, lessons(house)[0]) == {"solutions/90_tiny.ipynb": "stale"}


def test_an_edited_notebook_is_told_apart_from_a_stale_one(house, lesson):
    list(build(house, lesson, run=False))
    path = house.place(lesson, "learner")
    path.write_text(path.read_text().replace("your sum", "MY sum"))
    assert whys(house, lesson)["notebooks/90_tiny.ipynb"] == "edited"
    with pytest.raises(EditedNotebook):
        list(build(house, lesson, run=False))


def test_reset_restores_the_learners_notebook_and_keeps_theirs(house, lesson):
    list(build(house, lesson, run=False))
    path = house.place(lesson, "learner")
    before = path.read_text()
    path.write_text(before.replace("your sum", "MY sum"))
    kept = reset(house, lesson, datetime(2026, 12, 1))
    assert path.read_text() == before
    assert "MY sum" in kept.read_text()


def test_a_solution_whose_source_is_the_same_is_not_run_again(house, lesson):
    list(build(house, lesson))
    path = house.place(lesson, "solved")
    marked = path.read_text().replace('"42"', '"marked"')
    path.write_text(marked)
    list(build(house, lesson))
    assert path.read_text() == marked
