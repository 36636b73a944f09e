"""The Python side of the trace view: the step follows, predictions are graded here, a still picture goes with it."""

import re

import pytest
import view_samples as samples
from bs4 import BeautifulSoup

from course.widgets import Prediction, TraceView

FORBIDDEN = ("script", "style", "svg", "iframe", "object", "embed", "link", "img")


def from_page(widget, **state):
    """What a kernel does with a message of the page."""
    widget._handle_msg({"content": {"data": {"method": "update", "state": state, "buffer_paths": []}}, "buffers": []})


def test_the_step_of_the_page_reaches_python():
    view = TraceView(samples.parallel())
    from_page(view, index=3)
    assert view.index == 3


@pytest.mark.parametrize(("asked", "shown"), [(-4, 0), (2, 2), (99, 4)])
def test_a_step_outside_of_the_trace_becomes_the_nearest_one(asked, shown):
    assert TraceView(samples.parallel(), start=asked).index == shown


def test_the_longer_of_two_traces_sets_the_last_step():
    view = TraceView(samples.parallel(), compare=samples.one_by_one())
    view.index = 99
    assert view.index == 7


def test_another_trace_in_the_same_view_keeps_the_step_as_far_as_there_is_one():
    view = TraceView(samples.one_by_one(), start=7)
    view.show(samples.parallel())
    assert view.index == 4
    assert view.panels[0]["title"] == "Two calls in one message"


def test_a_prediction_is_graded_in_python_and_told():
    told = []
    view = TraceView(samples.parallel(), on_answer=told.append)
    assert view.verdicts == {}
    from_page(view, answers={"two-calls-who": 1})
    assert told == [Prediction("two-calls-who", 1, "Two tool_use blocks in one message", True)]
    assert view.verdicts["two-calls-who"]["right"] is True
    assert "never runs a tool" in view.verdicts["two-calls-who"]["why"]


def test_show_me_is_told_as_no_choice():
    told = []
    view = TraceView(samples.parallel(), on_answer=told.append)
    from_page(view, answers={"two-calls-who": -1})
    assert (told[0].choice, told[0].right) == (None, None)
    assert view.verdicts["two-calls-who"]["answer"] == "Two tool_use blocks in one message"


def test_a_prediction_counts_once():
    told = []
    view = TraceView(samples.parallel(), on_answer=told.append)
    from_page(view, answers={"two-calls-who": 0})
    from_page(view, answers={"two-calls-who": 1})
    assert [prediction.choice for prediction in told] == [0]


def test_the_state_that_is_saved_holds_no_answer_before_the_guess():
    view = TraceView(samples.parallel())
    assert samples.parallel()["questions"][0]["why"] not in str(view.get_state())


def test_the_still_picture_holds_every_step_and_no_script():
    view = TraceView(samples.parallel(), compare=samples.one_by_one())
    data, _ = view._repr_mimebundle_()
    page = BeautifulSoup(data["text/html"], "html.parser")
    assert not page.find_all(FORBIDDEN)
    assert not re.search(r"\son\w+=", data["text/html"])
    text = page.get_text(" ")
    for shown in view.panels:
        for step in shown["steps"]:
            assert step["title"] in text
    assert "run this cell" in text
    assert data["text/plain"].startswith("Interactive trace")
    assert "application/vnd.jupyter.widget-view+json" in data


def test_markup_in_a_trace_stays_text_in_the_still_picture():
    request = samples.request({"role": "user", "content": "<script>alert(1)</script><img src=x onerror=alert(2)>"})
    data, _ = TraceView(request)._repr_mimebundle_()
    assert not BeautifulSoup(data["text/html"], "html.parser").find_all(FORBIDDEN)
    assert "alert(1)" in data["text/html"]


def test_a_trace_without_steps_has_a_view():
    assert TraceView({"exchanges": []}).index == 0


def test_the_labels_follow_the_language(monkeypatch):
    from course.facts import text

    monkeypatch.setattr(text, "language", lambda: "ko")
    monkeypatch.setattr(text, "_room", _korean(text._room))
    assert TraceView(samples.parallel()).labels["next"] == "다음"
    assert TraceView(samples.parallel()).labels["back"] == "Back"


def _korean(room):
    def read(lang, name):
        return {"trace": {"next": "다음"}} if (lang, name) == ("ko", "widgets") else room(lang, name)

    return read
