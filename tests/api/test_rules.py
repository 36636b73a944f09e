"""The table of rules and the checks agree: every row is checked, every check has a row, every row has an example."""

import ast
import re
import string
from collections.abc import Iterator
from datetime import date

import pytest
from rule_examples import EXAMPLES
from rule_helpers import first, sources

from course.api.headers import check_body, check_headers
from course.api.predicates import PREDICATES
from course.api.rules import RuleError, rules, table, violation

MAKERS = {"breaks", "fault", "violation", "Fault"}
NAMING = {"bad", "below"}


def _texts(node: ast.AST) -> Iterator[str]:
    yield from (part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str))


def named_in_code() -> set[str]:
    """Return what the checks pass as a rule: the first argument of what makes a fault, or `bad=` and `below=`."""
    names: set[str] = set()
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            named = [word.value for word in node.keywords if word.arg in NAMING]
            for part in named + (node.args[:1] if called in MAKERS else []):
                names |= set(_texts(part))
    return names


def test_a_check_names_rows_that_exist():
    assert {name for name in named_in_code() if "." in name} <= set(rules())


def test_a_row_is_named_by_a_check():
    words = {text for path in sources() for text in _texts(ast.parse(path.read_text("utf-8")))}
    assert set(rules()) <= words


def test_every_rule_has_an_example():
    assert set(EXAMPLES) == set(rules())


@pytest.mark.parametrize("rule", EXAMPLES)
def test_the_example_of_a_rule_breaks_it_first(rule):
    example = EXAMPLES[rule]
    if example.headers is not None:
        broken = check_headers(example.headers)
    elif example.raw is not None:
        broken = check_body(example.raw)[1]
    else:
        broken = first(example.body, **example.how)
    assert broken is not None
    assert broken.rule == rule, broken.message
    row = rules()[rule]
    assert (broken.status, broken.error_type, broken.details) == (row.status, row.error_type, row.details)
    assert fits(row.template, broken.message)


def fits(template: str, message: str) -> bool:
    parts = string.Formatter().parse(template)
    pattern = "".join(re.escape(text) + ("" if name is None else ".*") for text, name, *_ in parts)
    return re.fullmatch(pattern, message, re.DOTALL) is not None


def test_a_row_names_a_predicate_that_exists():
    named = {row.models for row in rules().values() if row.models}
    assert named == set(PREDICATES)


def test_a_row_says_what_it_rests_on():
    for row in rules().values():
        assert row.template, row.id
        assert row.source, row.id
        assert date(2025, 1, 1) <= row.date <= date(2026, 12, 1), row.id


def test_a_message_is_only_made_by_filling_a_template():
    made = violation("field.required", ("max_tokens",), loc="max_tokens")
    assert (made.message, made.place) == ("max_tokens: Field required", ("max_tokens",))
    with pytest.raises(RuleError, match="no-such-rule"):
        violation("no-such-rule")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"evidence": "hearsay"}, "unknown evidence, stage or version"),
        ({"versions": ["2020-01-01"]}, "unknown evidence, stage or version"),
        ({"source": "nowhere"}, "nowhere"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_row_that_is_none_is_named(changed, words):
    row = {"id": "a.b", "stage": "body", "template": "t", "evidence": "docs", "source": "s", "date": date(2026, 1, 1)}
    with pytest.raises(RuleError, match=f"'a.b'.*{words}"):
        table({"sources": {"s": "Docs"}, "rule": [{**row, **changed}]})


def test_two_rows_of_one_id_are_an_error():
    row = {"id": "a.b", "stage": "body", "template": "t", "evidence": "docs", "source": "s", "date": date(2026, 1, 1)}
    with pytest.raises(RuleError, match="two rows"):
        table({"sources": {"s": "Docs"}, "rule": [row, row]})
