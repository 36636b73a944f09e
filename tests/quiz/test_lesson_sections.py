"""Where an objective is taught."""

from course.quiz.sections import Section, sections

LESSON = """# %% [markdown] id="a" objectives="BLK-1"
# ## Four kinds of block
# Text.

# %% id="b"
x = 1

# %% [markdown] id="c" objectives="BLK-2, BLK-3" tags=["task"]
# ## The `tool_use` rule
"""


def test_the_first_section_that_names_an_objective_teaches_it(tmp_path):
    (tmp_path / "02_blocks.py").write_text(LESSON)
    (tmp_path / "03_more.py").write_text(LESSON)
    found = sections(tmp_path)
    assert found["BLK-1"] == Section("02_blocks.ipynb", "Four kinds of block")
    assert found["BLK-3"].href == "02_blocks.ipynb#The-tool_use-rule"
    assert set(found) == {"BLK-1", "BLK-2", "BLK-3"}


def test_no_lessons_no_sections(tmp_path):
    assert sections(tmp_path / "none") == {}


def test_the_course_teaches_the_pairing_rule_in_lesson_02():
    assert sections()["BLK-2"].notebook == "02_blocks_and_pairing.ipynb"
