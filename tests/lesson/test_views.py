import json
import sys

import pytest

from course.lesson import MODEL, check_conversation, client, run, show, tool
from course.lesson.views import Page, timeless

BROKEN = [
    {"role": "user", "content": "Is it paid?"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_b", "name": "get_order", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_a", "content": "paid"}]},
]


@tool
def tides(harbour: str) -> str:
    """Return the time of the next high tide in a harbour."""
    return "18:40"


@pytest.fixture
def outcome():
    return run(client(), model=MODEL, messages="When is high tide in Busan?", tools=[tides])


@pytest.mark.parametrize("form", ["outcome", "trace", "messages", "request", "message"])
def test_whatever_holds_a_conversation_can_be_shown(outcome, form):
    exchange = outcome.trace.exchanges[0]
    forms = {
        "outcome": outcome,
        "trace": outcome.trace,
        "messages": outcome.messages,
        "request": exchange.request,
        "message": exchange.response.body,
    }
    html = show(forms[form]).still()
    assert "tides" in html or "high tide" in html
    assert "<script" not in html


def test_where_no_widget_can_be_made_the_same_steps_are_plain_html(outcome, monkeypatch):
    monkeypatch.setitem(sys.modules, "course.widgets", None)
    page = show(outcome)
    assert isinstance(page, Page)
    assert "tides" in page._repr_html_()
    assert "tides" in repr(page)


def test_times_are_left_out_unless_asked_for(outcome):
    assert "seconds" not in show(outcome).still()
    assert all(run.ended == 0 for run in timeless(outcome).executions)
    assert timeless(BROKEN) == BROKEN


def test_two_conversations_stand_side_by_side_under_their_titles():
    view = show(BROKEN, compare=BROKEN[:1], titles=["As sent", "Cut"])
    assert [panel["title"] for panel in view.panels] == ["As sent", "Cut"]
    assert "<strong>As sent</strong>" in view.still()
    assert "toolu_a" in view.still()


def test_a_title_alone_is_fine(outcome):
    assert show(outcome, titles=["The tide"]).panels[0]["title"] == "The tide"


def test_dots_are_told_as_an_open_exercise():
    assert repr(show(...)) == "Nothing to look at yet: the exercise before this cell is still open."
    assert repr(check_conversation(...)) == repr(show(...))


def test_the_doctor_names_rule_and_place_in_words_and_html():
    report = check_conversation(BROKEN)
    assert not report.sound
    assert "unexpected `tool_use_id`" in repr(report)
    assert "toolu_a" in report._repr_html_()


def test_the_doctor_reads_json_text_and_sdk_objects():
    assert not check_conversation(json.dumps(BROKEN)).sound
    message = client().messages.create(model=MODEL, max_tokens=99, messages=BROKEN[:1])
    assert check_conversation([BROKEN[0], {"role": "assistant", "content": message.content}]).sound


def test_what_is_no_conversation_gets_a_sentence():
    assert isinstance(repr(check_conversation("hello")), str)
    assert check_conversation("hello") != "hello"
