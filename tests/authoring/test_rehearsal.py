import os

import pytest

from course.authoring.rehearsal import both_ways, rehearse
from course.authoring.source import parse
from course.lesson import practice
from course.lesson.exercise import Exercise, Verdict, right, wrong


class Worded(Exercise):
    def say(self, key, /, **values):
        return key


EXERCISE = Worded("r-sum", "90", "r", (), lambda value: right() if value == 42 else wrong("off"))
HEAD = '# %% id="r-import"\nfrom course.lesson import *\n\n'
CELL = """\
# %% id="r-ex" tags=["exercise"]
# BEGIN SOLUTION
x = {solved}
# OPEN
# x = {open}
# END SOLUTION
check("r-sum", x)
"""


@pytest.fixture(autouse=True)
def one_exercise(monkeypatch):
    monkeypatch.setattr(practice, "find", lambda id: EXERCISE)


def lesson(solved="42", open="...", more=""):
    return parse(HEAD + CELL.format(solved=solved, open=open) + more, "90_rehearsed")


def said(lesson):
    return [str(problem) for problem in both_ways(lesson)]


def test_an_exercise_that_is_red_when_open_and_green_when_solved_has_no_problem():
    assert said(lesson()) == []


def test_a_check_that_is_green_though_open_is_named():
    assert said(lesson(open="42")) == [
        "90_rehearsed, cell r-ex: the check of r-sum is green although the exercise is open"
    ]


def test_a_check_that_is_red_though_solved_is_named_with_its_message():
    assert said(lesson(solved="41")) == [
        "90_rehearsed, cell r-ex: the check of r-sum is red in the solved edition: off"
    ]


def test_an_open_exercise_that_raises_is_named():
    (first, second) = said(lesson(open="nowhere"))
    assert "the learner edition raises here, and must not: NameError" in first
    assert "did not run in the learner edition" in second


def test_a_cell_that_raises_on_purpose_is_fine():
    assert said(lesson(more='\n# %% id="r-raise" tags=["raises-exception"]\n1 / 0\n')) == []


def test_a_rehearsal_leaves_environment_and_desk_as_they_were(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "mine")
    before = dict(os.environ)
    cell = '\n# %% id="r-env"\nimport os\nassert "ANTHROPIC_API_KEY" not in os.environ\nos.environ["LEFT"] = "over"\n'
    played = rehearse(lesson(more=cell), "solved")
    assert played.errors == {}
    assert played.verdicts["r-sum"] == Verdict("r-sum", "right", "right", place="place")
    assert dict(os.environ) == before


def test_one_lessons_names_do_not_leak_into_the_next():
    rehearse(lesson(more='\n# %% id="r-leak"\nleaked = 1\n'), "solved")
    assert "NameError" in rehearse(lesson(more='\n# %% id="r-leak"\nleaked\n'), "solved").errors["r-leak"]
