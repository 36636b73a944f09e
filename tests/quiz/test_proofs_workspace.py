"""Proofs that use a coding agent's tools on a few files."""

import pytest

from course.quiz.proofs import Choice, Sheet, proofs

FILES = {"a.ini": "[x]\nport = 1\n[y]\nport = 1\n", "b.py": "port(1)\n"}


def claims(kind="single", **by_id):
    return Sheet("an-item", kind, "Which?", tuple(Choice(id, id, claim) for id, claim in by_id.items()))


def test_the_calls_that_reach_the_wanted_files_are_picked():
    picked = proofs()["workspace_reaches"](
        claims(
            ambiguous=[{"edit": ["a.ini", "port = 1", "port = 2"]}],
            context=[{"edit": ["a.ini", "[x]\nport = 1", "[x]\nport = 2"]}],
            whole=[{"write": ["a.ini", "port = 2\n"]}],
        ),
        files=FILES,
        want={"failed": False, "files": {"a.ini": "[x]\nport = 2\n[y]\nport = 1\n"}},
    )
    assert picked == "context"


def test_calls_do_not_see_what_another_option_has_changed():
    same = [{"edit": ["b.py", "port", "door"]}]
    picked = proofs()["workspace_reaches"](
        claims("select_n", one=same, two=same), files=FILES, want={"changed": ["b.py"]}
    )
    assert picked == ["one", "two"]


@pytest.mark.parametrize(("calls", "value", "number"), [
    ([{"edit": ["a.ini", "port = 1", ""]}], "matches", 2),
    ([{"grep": ["port"]}], "lines", 3),
    ([{"glob": ["*.py"]}], "lines", 1),
])  # fmt: skip
def test_a_number_is_read_from_what_came_back(calls, value, number):
    assert proofs()["workspace_says"](claims("numeric"), files=FILES, calls=calls, value=value) == number


def test_a_refused_call_says_why():
    refused = [{"read": ["c.md"]}]
    right, other = {"failed": True, "message": "no file c.md"}, {"failed": False}
    assert proofs()["workspace_says"](claims(right=right, other=other), files=FILES, calls=refused) == "right"
