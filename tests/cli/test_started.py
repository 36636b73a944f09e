"""What a person is told to type works where they started."""

import pytest

from course.cli.started import as_started, command
from course.cli.terminal import Terminal

MAKE = {"COURSE_STARTED": "make"}
SCRIPT = {"COURSE_STARTED": "python start.py"}


@pytest.mark.parametrize(
    ("environ", "line"),
    [
        ({}, "course quiz --resume"),
        (MAKE, "make quiz ARGS=--resume"),
        (SCRIPT, "python start.py quiz --resume"),
    ],
)
def test_a_line_to_type_is_that_of_the_way_in(environ, line):
    assert command("quiz", "--resume", environ=environ) == line


def test_several_words_are_quoted_for_make():
    assert command("check", "a.json", "--fix", "b.json", environ=MAKE) == 'make check ARGS="a.json --fix b.json"'
    assert command("quiz", environ=MAKE) == "make quiz"


def test_a_verb_that_make_does_not_know_is_named_by_its_place():
    assert command("trace", environ=MAKE).replace("\\", "/").startswith(".venv/")


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("Go on with: course quiz --resume", "Go on with: make quiz ARGS=--resume"),
        ("first (course quiz --missed): a, b", "first (make quiz ARGS=--missed): a, b"),
        ("Run `course build`.", "Run `make build`."),
        ("course progress --export --name blue-heron (kept)", 'make progress ARGS="--export --name blue-heron" (kept)'),
        ("This course quizzes you.", "This course quizzes you."),
    ],
)
def test_sentences_are_told_with_the_line_that_works(told, shown):
    assert as_started(told, MAKE) == shown
    assert as_started(told, {}) == told


def test_the_terminal_tells_it_so(capsys):
    import io
    import sys

    Terminal(sys.stdout, io.StringIO(), MAKE).write("Go on with: course exam --resume")
    assert capsys.readouterr().out == "Go on with: make exam ARGS=--resume\n"
