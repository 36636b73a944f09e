import pytest

from course.authoring.coverage import holes, page, rows, uncalled
from course.authoring.source import parse
from course.lesson.exercise import Exercise, right

LESSON = """\
# %% [markdown] id="c-1" objectives="CYC-1 CYC-2" misconceptions="claude-runs-tools"
# ## Asking and acting
"""
ITEMS = {"q1": ("CYC-1",), "q2": ("CYC-1", "CYC-2"), "q3": ("CYC-1",)}


@pytest.fixture
def found():
    exercises = {"run-it": Exercise("run-it", "01", "c-1", ("CYC-1",), lambda value: right())}
    return rows([parse(LESSON, "01_six")], exercises, ITEMS, upto="01")


def test_a_row_tells_sections_exercises_and_items(found):
    first = found[0]
    assert (first.objective, first.sections, first.exercises) == ("CYC-1", (("01", "Asking and acting"),), ("run-it",))
    assert first.items == ("q1", "q2", "q3")


def test_only_lessons_up_to_the_asked_one_count(found):
    assert {row.lesson for row in found} == {"01"}


def test_every_hole_is_named(found):
    missing = holes(found)
    assert not [hole for hole in missing if "CYC-1" in hole]
    assert "CYC-2 has no exercise" in missing
    assert "CYC-2 has 1 quiz items; 3 are wanted" in missing
    assert "CYC-3 has no lesson section" in missing


def test_the_page_holds_a_line_for_each_objective(found):
    text = page(found)
    assert "| CYC-1 | " in text
    assert "01 Asking and acting" in text
    assert text.count("\n| ") == len(found) + 1


def test_a_misconception_nobody_calls_out_is_named_once_its_lessons_are_there():
    lessons = [parse(LESSON, "01_six")]
    assert uncalled(lessons, "01") == [
        "misconception model-remembers is called out in no lesson",
        "misconception prose-is-proof is called out in no lesson",
    ]
