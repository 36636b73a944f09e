"""Patterns from outside are searched in bounded time. A test here that hangs has failed."""

import re

import pytest

from course.api.examples import failing
from course.api.patterns import TooComplex, finder, is_plain

ENDLESS = [
    ("(a+)+$", "a" * 200 + "b"),
    ("(a|a)*b", "a" * 5000),
    ("a?" * 60 + "a" * 60, "a" * 59),
    ("(a|a)" * 40 + "b", "a" * 400),
    (".*" * 10 + "x", "a" * 4000),
]


@pytest.mark.parametrize(("pattern", "text"), ENDLESS)
def test_a_pattern_that_could_backtrack_for_ever_comes_to_an_end(pattern, text):
    assert not is_plain(pattern)
    assert not finder(pattern)(text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("weather", "get_Weather"),
        ("(?<=get_)weather", "get_weather"),
        ("get_.*rate|stock", "get_a_RATE"),
        (r"\bprice\b", "the price of"),
        ("[]|*]x+", "*xx"),
        (r"(?:ab)*c|\d{2,}", "ababc"),
    ],
)
def test_a_pattern_finds_what_it_means(pattern, text):
    assert finder(pattern, any_case=True)(text)
    assert not finder(pattern, any_case=True)("")


def test_what_only_a_backtracking_engine_knows_is_not_run_where_it_could_last():
    with pytest.raises(TooComplex):
        finder(r"(a+)\1+b")


def test_what_is_no_pattern_is_told_in_pythons_words():
    with pytest.raises(re.error, match="missing \\), unterminated subpattern at position 0"):
        finder("(a+")


@pytest.mark.parametrize("pattern", ["(a+)+$", r"(a+)+\1$"])
def test_an_example_is_judged_in_bounded_time(pattern):
    schema = {"type": "object", "properties": {"x": {"type": "string", "pattern": pattern}}}
    assert list(failing([{"x": "aaa"}], schema)) == []
    assert list(failing([{"x": "a" * 100 + "b"}], schema)) == ([0] if "\\1" not in pattern else [])


def test_names_of_properties_by_a_risky_pattern_say_nothing_of_an_example():
    schema = {"type": "object", "patternProperties": {"^(a+)+$": {"type": "integer"}}, "additionalProperties": False}
    assert list(failing([{"a" * 40 + "b": 1}], schema)) == []
