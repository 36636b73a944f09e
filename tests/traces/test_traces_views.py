"""HTML, Markdown and text: complete, script-free, safe."""

import unicodedata
from html.parser import HTMLParser

import pytest

from course.traces import Trace, sample, samples, steps, to_html, to_markdown, to_page, to_text

ATTACK = "<script>alert(1)</script><img src=x onerror=y> & \"q\" 'p' \x1b[31mred\x07 \u202ex `tick` [x](http://y)"


def attacked():
    block = {"type": "tool_use", "id": ATTACK, "name": ATTACK, "input": {ATTACK: ATTACK}}
    messages = [
        {"role": "user", "content": ATTACK},
        {"role": ATTACK, "content": [{"type": ATTACK, "text": ATTACK}]},
        {"role": "assistant", "content": [{"type": "text", "text": ATTACK}, block]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": ATTACK, "content": ATTACK}]},
    ]
    tools = [{"name": ATTACK, "type": ATTACK, "description": ATTACK}]
    trace = {"title": ATTACK, "notes": ATTACK, "exchanges": [{"request": {"messages": messages, "tools": tools}}]}
    return Trace.model_validate(trace)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.open = set(), set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in ("br", "meta"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(html):
    tags = Tags()
    tags.feed(html)
    assert tags.open == []
    return tags


@pytest.mark.parametrize("make", [to_html, to_page])
def test_html_has_no_script_style_or_picture_and_every_tag_is_closed(make):
    allowed = {
        "div",
        "p",
        "strong",
        "em",
        "br",
        "ul",
        "ol",
        "li",
        "details",
        "summary",
        "pre",
        "code",
        "table",
        "caption",
    }
    allowed |= {"thead", "tbody", "tr", "th", "td", "html", "head", "meta", "title", "body", "main", "h1"}
    tags = parsed(make(attacked()))
    assert tags.tags <= allowed
    assert tags.attributes <= {"style", "scope", "lang", "charset", "name", "content"}


def test_html_shows_every_step_label_lane_and_pair():
    trace = sample("parallel")
    html = to_html(trace)
    for step in steps(trace):
        assert f"<strong>{step.index + 1}. {step.label}: " in html
    assert html.count("[pair 2]") >= 4
    assert "app → Claude" in html
    assert "Objectives: PAR-1" in html


def test_html_has_the_exact_json_of_each_step_and_a_table_of_times():
    html = to_html(sample("parallel"))
    assert html.count("<pre") == len(steps(sample("parallel")))
    assert "&quot;disable_parallel_tool_use&quot;" in to_html(sample("one-at-a-time"))
    assert '<th scope="col">' in html
    assert "<caption>" in html


def test_html_says_broken_rules_in_the_text_not_only_in_colour():
    html = to_html(sample("duplicate-result"))
    assert "Broken rule [pairing.duplicate-result]" in html
    assert "each tool_use must have a single result" in html


def test_a_page_is_a_whole_document_with_language_and_title():
    page = to_page(sample("happy-path"))
    assert page.startswith("<!DOCTYPE html>")
    assert '<html lang="en">' in page
    assert "<title>One question, one call, one answer</title>" in page


def test_an_empty_trace_says_so():
    assert "nothing in this trace" in to_html(Trace())


def test_markdown_escapes_what_is_markdown_or_html():
    from markdown_it import MarkdownIt

    rendered = parsed(MarkdownIt("commonmark").render(to_markdown(attacked())))
    assert rendered.tags <= {"h2", "p", "strong", "em", "br", "ul", "ol", "li", "details", "summary", "pre", "code"}


def test_markdown_fences_json_that_holds_fences():
    trace = {"messages": [{"role": "user", "content": "```\nclosing\n```"}]}
    fences = [line for line in to_markdown(trace).splitlines() if line.startswith("`")]
    assert fences == ["````json", "````"] or fences == ["```json", "```"]


def test_text_fits_eighty_columns_with_wide_characters_counted_twice():
    wide = {"messages": [{"role": "user", "content": "서울과 부산의 날씨를 비교해 주세요. " * 20}]}
    for trace in [wide, *map(sample, samples())]:
        for line in to_text(trace).splitlines():
            assert sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line) <= 80


def test_text_without_colour_has_no_escape_sequences_even_from_the_data():
    text = to_text(attacked(), raw=True)
    assert not [char for char in text if unicodedata.category(char) == "Cc" and char != "\n"]
    assert "\u202e" not in text
    assert "\\u001b" in text


def test_text_with_colour_colours_and_keeps_the_data_harmless():
    text = to_text(attacked(), color=True)
    assert "\x1b[" in text
    assert "\x1b[31mred" not in text


def test_text_shows_the_json_when_asked():
    assert '"stop_reason": "end_turn"' in to_text(sample("happy-path"), raw=True)
    assert '"stop_reason"' not in to_text(sample("happy-path"))


def test_long_blocks_are_cut_and_say_so_but_the_json_is_whole():
    trace = {"messages": [{"role": "user", "content": "x" * 5000}]}
    assert "(3000 more" in to_text(trace)
    assert "x" * 5000 in to_html(trace)
