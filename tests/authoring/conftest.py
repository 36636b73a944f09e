import pytest

from course.authoring.build import House

TINY = """\
# %% [markdown] id="tiny-title" tags=["title"]
# # Tiny

# %% [markdown] id="tiny-section" objectives="CYC-1 BLK-2" misconceptions="claude-runs-tools"
# ## A section
#
# Some prose.

# %% [markdown] id="tiny-task" tags=["task"]
# **Your turn.** Add.

# %% id="tiny-greet"
print("The answer?")

# %% id="tiny-exercise" tags=["exercise"]
# BEGIN SOLUTION
answer = 40 + 2
# OPEN
# answer = ...  # your sum
# END SOLUTION
answer
"""


@pytest.fixture
def tiny_source():
    return TINY


@pytest.fixture
def house(tmp_path):
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "90_tiny.py").write_text(TINY, encoding="utf-8")
    return House(tmp_path)
