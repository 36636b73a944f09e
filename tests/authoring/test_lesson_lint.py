import re

import pytest

from course.authoring.lint import called, checked, lint, sections
from course.authoring.source import parse
from course.lesson.exercise import Exercise, right
from course.lesson.lookback import Asked

WORDS = " ".join(["word"] * 1190)
GOOD = f"""\
# %% [markdown] id="g-title" tags=["title"]
# # A lesson

# %% [markdown] id="g-goals" tags=["goals"]
# - one thing
# - another

# %% [markdown] id="g-before" tags=["before"]
# **Time:** about 30 minutes.

# %% id="g-pre" tags=["pretest"]
predict("a", "A?", ["b", "c"]), predict("d", "D?", ["e", "f"]), predict("g", "G?", ["h", "i"])

# %% [markdown] id="g-section" objectives="CYC-1 CYC-2 CYC-3 CYC-4 CYC-5"
# ## A section
#
# {WORDS}

# %% id="g-break" tags=["break"]
1 / 1

# %% id="g-ex" tags=["exercise"]
# BEGIN SOLUTION
x = 1
# OPEN
# x = ...
# END SOLUTION
check("g-1", x), check("g-2", x), check("g-3", x), check("g-4", x)

# %% [markdown] id="g-recap" tags=["recap"]
# - one thing
# - another

# %% id="g-look"
look_back("01")

# %% id="g-quiz" tags=["quiz"]
quiz("01")

# %% [markdown] id="g-next" tags=["next"]
# Next.
"""
IDS = ("CYC-1", "CYC-2", "CYC-3", "CYC-4", "CYC-5")


class Worded(Exercise):
    """An exercise that has every string."""

    def say(self, key, /, **values):
        return key


REGISTRY = {f"g-{n}": Worded(f"g-{n}", "01", "g-section", IDS, lambda value: right()) for n in range(1, 5)}


class Told(Asked):
    """A question that comes back, with its strings."""

    def say(self, key):
        return {"ask": f"{self.id.upper()}?", "right": chr(ord(self.id) + 1), "place": "A section"}[key]


ASKED = {id: Told(id, "01") for id in ("a", "d", "g")}


def problems(text, registry=REGISTRY, asked=ASKED):
    return [str(problem) for problem in lint(parse(text, "01_good"), registry, asked)]


def test_a_lesson_in_the_style_has_no_problem():
    assert problems(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('tags=["goals"]', "", "no cell is tagged `goals`"),
        ('tags=["next"]', 'tags=["surprise"]', "no tag surprise"),
        ("# # A lesson", "# A lesson", "the first cell must hold"),
        (
            '# - one thing\n# - another\n\n# %% [markdown] id="g-before"',
            '# - one\n\n# %% [markdown] id="g-before"',
            "1 goals",
        ),
        ("**Time:** about 30 minutes", "Soon", "says no time"),
        (', predict("g", "G?", ["h", "i"])', "", "2 pretest questions"),
        ('quiz("01")', 'quiz("02")', 'must call `quiz("01")`'),
        ('look_back("01")', 'look_back("02")', 'must call `look_back("01")`'),
        ('predict("a", "A?"', 'predict("b", "A?"', "the guess b never comes back"),
        ('predict("a", "A?"', 'predict("a", "Which?"', "the guess a asks something else"),
        ('"A?", ["b", "c"]', '"A?", ["bee", "c"]', "none of its options: b"),
        ("# ## A section", "# ## Another section", "sends the guess a to the section A section"),
        (WORDS, "few words", "words; 1200 to 1800 are wanted"),
        (WORDS, WORDS + " " + WORDS, "words; 1200 to 1800 are wanted"),
        ("1 / 1", "x = " + "1 + " * 30 + "1", "a line of 125 characters"),
        ("1 / 1", "\n".join(f"a{n} = {n}" for n in range(21)), "21 lines of code"),
        ('objectives="CYC-1 CYC-2 CYC-3 CYC-4 CYC-5"', "", "a section heading without objectives"),
        ("CYC-5", "CYC-9", "no objective CYC-9"),
        (" CYC-5", "", "objective CYC-5 belongs to this lesson, and no section"),
        ('objectives="CYC-1', 'misconceptions="pigs-fly" objectives="CYC-1', "no misconception pigs-fly"),
        (' tags=["break"]', "", "no cell is tagged `break`"),
        (', check("g-4", x)', "", "3 exercises; at least 4"),
        (', check("g-4", x)', "", "exercise g-4 is registered for this lesson, but no cell checks it"),
        ('check("g-4"', 'check("g-5"', "no exercise g-5"),
        ('id="g-ex" tags=["exercise"]', 'id="g-ex"', "must be tagged `exercise` and call"),
        ('# - one thing\n# - another\n\n# %% id="g-look"', '# - one\n\n# %% id="g-look"', "`recap` has 1 lines"),
    ],
)
def test_each_broken_rule_is_named(old, new, said):
    assert old in GOOD
    assert any(said in problem for problem in problems(GOOD.replace(old, new)))


def test_the_fourth_cell_in_a_row_that_only_runs_is_one_too_many():
    cells = "".join(f'# %% id="g-run-{n}"\n{n}\n\n# %% [markdown] id="g-say-{n}"\n# Prose.\n\n' for n in range(3))
    found = problems(GOOD.replace('# %% id="g-break"', cells + '# %% id="g-break"'))
    assert [re.sub(r":.*", "", problem) for problem in found] == ["01_good, cell g-break"]
    asked = GOOD.replace('# %% id="g-break"', cells + '# %% id="g-p"\npredict("x", "X?", ["y"])\n\n# %% id="g-break"')
    assert problems(asked) == []


def test_skeleton_cells_out_of_order_are_named():
    recap = GOOD[GOOD.index('# %% [markdown] id="g-recap"') : GOOD.index('# %% id="g-look"')]
    moved = recap + GOOD.replace(recap, "")
    assert any("comes too late" in problem for problem in problems(moved))


def test_an_exercise_of_another_lesson_is_named():
    other = REGISTRY | {"g-4": Worded("g-4", "02", "s", IDS, lambda value: right())}
    assert any("belongs to lesson 02" in problem for problem in problems(GOOD, other))


def test_an_exercise_that_points_at_no_cell_is_named():
    lost = REGISTRY | {"g-4": Worded("g-4", "01", "g-nowhere", IDS, lambda value: right())}
    assert any("points at the cell g-nowhere" in problem for problem in problems(GOOD, lost))


def test_an_exercise_without_its_strings_is_named():
    mute = REGISTRY | {"g-4": Exercise("g-4", "01", "g-section", IDS, lambda value: right())}
    named = [problem for problem in problems(GOOD, mute) if "has no string" in problem]
    assert [problem.rsplit(" ", 1)[-1] for problem in named] == ["nudge", "rule", "shape", "place", "right"]


def test_calls_and_checks_are_read_from_the_solved_code():
    lesson = parse(GOOD, "01_good")
    cell = next(cell for cell in lesson.cells if cell.id == "g-ex")
    assert called(cell) == {"check": 4}
    assert checked(cell) == ["g-1", "g-2", "g-3", "g-4"]


def test_sections_give_their_objectives():
    assert sections(parse(GOOD, "01_good")) == {"A section": IDS}
