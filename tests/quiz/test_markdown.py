"""Texts of authors are shown safely: in the browser and in the terminal."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.quiz.markdown import html, inline_html, plain


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](data:text/html,a)",
        "![x](https://evil.example/pixel.png)",
        "<a href='javascript:alert(1)'>x</a>",
        "[x](http://plain.example)",
        "<iframe src='https://x'></iframe>",
        "[x](https://ok.example 'a\" onmouseover=\"b')",
        "`<b>`",
        "<svg/onload=alert(1)>",
        "```html\n<script>x</script>\n```",
        "&lt;script&gt;",
        "<<script>script>",
        "[x]: javascript:alert(1)\n\n[x]",
    ],
)
def test_nothing_an_author_writes_becomes_active(text):
    for render in (html, inline_html):
        shown = render(text)
        tags = re.findall(r"<\s*/?\s*([a-zA-Z0-9]+)([^>]*)>", shown)
        assert {name for name, _ in tags} <= {"p", "a", "code", "pre", "em", "strong"}
        for _, attributes in tags:
            assert "on" not in re.findall(r"\b(on)\w+=", re.sub(r'"[^"]*"', '""', attributes))
            assert "javascript:" not in attributes
            assert "data:" not in attributes
            assert "src" not in attributes


def test_markdown_is_rendered():
    assert html("A `code` and **bold**.\n\n- one\n- two") == (
        "<p>A <code>code</code> and <strong>bold</strong>.</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"
    )
    assert inline_html("`<T>` stays") == "<code>&lt;T&gt;</code> stays"
    assert 'href="https://docs.example"' in html("[docs](https://docs.example)")
    assert "<table>" in html("| a | b |\n|---|---|\n| 1 | 2 |")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\x08\x08b\x00c\x7f", "abc"),
        ("\u202egnp.exe", "gnp.exe"),
        ("a\u200bb\u2066c\ufeff", "abc"),
        ("\x9b31mred", "red"),
        ("line\r\nline\rline\tend", "line\nline\nline\tend"),
        ("한국어 – “quotes” 👍🏽", "한국어 – “quotes” 👍🏽"),
        ("a\u200db", "a\u200db"),
    ],
)
def test_the_terminal_gets_no_sequences_and_no_tricks(text, shown):
    assert plain(text) == shown


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_plain_text_has_no_controls_whatever_goes_in(text):
    shown = plain(text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    assert plain(shown) == shown
