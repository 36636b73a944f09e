"""The fakes of the built-in tools behave as their names promise."""

import pytest

from course.labs.workspace import ToolFailed, Workspace


def test_glob_looks_at_names_and_grep_at_contents():
    place = Workspace()
    assert place.glob("**/test_*.py") == ["tests/test_dates.py", "tests/test_orders.py"]
    assert place.grep(r"def rounded") == ["src/money.py:4: def rounded(value):"]
    assert place.glob("*rounded*") == []


def test_edit_wants_exactly_one_match_and_changes_nothing_otherwise():
    place = Workspace()
    with pytest.raises(ToolFailed, match="occurs 2 times"):
        place.edit("src/dates.py", "= 5", "= 30")
    with pytest.raises(ToolFailed, match="occurs 0 times"):
        place.edit("src/none.py", "x", "y")
    place.edit("src/dates.py", "TIMEOUT = 5", "TIMEOUT = 30")
    assert "RETRIES = 5" in place.files["src/dates.py"]


def test_a_missing_file_is_named():
    with pytest.raises(ToolFailed, match=r"src/none\.py"):
        Workspace().read("src/none.py")


def test_what_was_read_is_counted():
    place = Workspace()
    place.read("README.md")
    place.write("new.md", "x")
    assert [entry[0] for entry in place.log] == ["Read", "Write"]
    assert place.log[0][2] == len(place.files["README.md"])
