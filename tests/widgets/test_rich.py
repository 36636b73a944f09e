"""Markdown as a tree: what the page builds elements from."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.widgets.rich import rich


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("plain", [["p", "plain"]]),
        ("a `b` **c** *d*", [["p", "a ", ["code", "b"], " ", ["strong", "c"], " ", ["em", "d"]]]),
        ("- one\n- two", [["ul", ["li", "one"], ["li", "two"]]]),
        ("```json\n{}\n```", [["pre", ["code", "{}"]]]),
        ("# Title", [["p", ["strong", "Title"]]]),
        ("<script>x</script>", [["p", "<script>x</script>"]]),
        ("[docs](https://a.example)", [["p", "docs", " (https://a.example)"]]),
        ("![cat](cat.png)", [["p", "cat"]]),
        ("a  \nb", [["p", "a", ["br"], "b"]]),
    ],
)
def test_markdown_becomes_a_tree(text, tree):
    assert rich(text) == tree


def test_a_table_keeps_its_cells():
    assert json.dumps(rich("|a|b|\n|-|-|\n|1|2|")).count('"td"') == 2


def tags(tree):
    for part in tree:
        if isinstance(part, list):
            yield part[0]
            yield from tags(part[1:])


@given(st.text())
def test_no_text_brings_a_tag_of_its_own(text):
    listed = {"p", "code", "pre", "strong", "em", "ul", "ol", "li", "br", "table", "thead", "tbody", "tr", "th", "td"}
    assert set(tags(rich(text))) <= listed | {"blockquote"}
