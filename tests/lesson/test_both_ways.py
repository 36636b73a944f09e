"""Every lesson, played open and solved: each check red, then green, and nothing raises."""

from pathlib import Path

import pytest

from course.authoring.lint import lint
from course.authoring.rehearsal import both_ways
from course.authoring.source import find_sources, read
from course.lesson.exercises import exercises
from course.lesson.lookback import asked

SOURCES = find_sources(Path(__file__).parents[2] / "lessons")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_exercise_is_red_when_open_and_green_when_solved(path):
    assert [str(problem) for problem in both_ways(read(path))] == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_lesson_keeps_the_style(path):
    assert [str(problem) for problem in lint(read(path), exercises(), asked())] == []


def test_every_registered_exercise_belongs_to_a_lesson_that_is_there():
    numbers = {path.stem[:2] for path in SOURCES}
    assert {exercise.lesson for exercise in exercises().values()} <= numbers
