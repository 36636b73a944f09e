"""What the page gets of a trace: every step, the exact JSON, and no answer of a prediction."""

import json

import pytest
import view_samples as samples
from hypothesis import given, settings
from hypothesis import strategies as st

from course.traces import Trace, steps
from course.widgets.payload import keys, panel, questions

TRACE = samples.parallel()


def test_every_step_of_the_trace_is_in_the_panel():
    assert [step["title"] for step in panel(TRACE)["steps"]] == [step.title for step in steps(TRACE)]


def test_a_trace_and_its_document_give_the_same_panel():
    trace = Trace.model_validate(TRACE)
    assert panel(trace) == panel(trace.model_dump(mode="json"))


def test_the_raw_json_of_a_request_is_the_body_that_went_out():
    shown = [step for step in panel(TRACE)["steps"] if step["travels"] == "request"]
    assert [json.loads(step["raw"]) for step in shown] == [one["request"] for one in TRACE["exchanges"]]


def test_the_fresh_lines_hold_just_the_messages_that_are_new():
    step = next(step for step in panel(TRACE)["steps"] if step["label"] == "Return")
    start, end = step["fresh"]
    new = json.loads("[" + "\n".join(step["raw"].split("\n")[start:end]) + "]")
    assert new == TRACE["exchanges"][1]["request"]["messages"][1:]


def test_a_first_request_has_no_fresh_lines_for_all_of_it_is_new():
    assert panel(TRACE)["steps"][0]["fresh"] is None


def test_a_message_that_looks_like_the_messages_field_does_not_move_the_fresh_lines():
    request = {"system": '  "messages": [\n  "messages": [', **TRACE["exchanges"][1]["request"]}
    document = {"exchanges": [TRACE["exchanges"][0], {"request": request}]}
    step = next(step for step in panel(document)["steps"] if step["label"] == "Return")
    start, end = step["fresh"]
    assert json.loads("[" + "\n".join(step["raw"].split("\n")[start:end]) + "]") == request["messages"][1:]


def test_the_answer_of_a_prediction_and_its_reason_are_not_in_the_panel():
    text = json.dumps(panel(TRACE))
    assert "two-calls-who" in text
    assert TRACE["questions"][0]["why"] not in text
    assert '"answer":' not in text.replace('"travels": "answer"', "")


def test_the_keys_of_the_predictions_stay_in_python():
    assert keys(TRACE)["two-calls-who"]["answer"] == 1


@pytest.mark.parametrize("spoiled", [{"options": 3}, {"answer": 9}, {"step": "1"}, {"id": None}, {"answer": -1}])
def test_a_question_that_is_not_whole_is_left_out(spoiled):
    assert questions({**TRACE, "questions": [{**TRACE["questions"][0], **spoiled}]}) == []


def test_a_question_about_a_step_that_does_not_exist_is_not_asked():
    assert panel({**TRACE, "questions": [{**TRACE["questions"][0], "step": 99}]})["asks"] == []


def test_the_block_that_breaks_a_rule_is_pointed_at():
    blocks = [block for step in panel(samples.orphan())["steps"] for block in step["blocks"]]
    assert [block["id"] for block in blocks if block["pairing"] == "orphan"] == ["toolu_99"]
    assert [block["kind"] for block in blocks if block["broken"]]


def test_an_outcome_of_the_harness_shows_its_trace():
    class Outcome:
        trace = TRACE

    assert panel(Outcome()) == panel(TRACE)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def places(value, path=()):
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from places(inner, (*path, key))


def changed(value, path, action, new):
    if not path:
        return new
    key, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    if rest:
        copy[key] = changed(value[key], rest, action, new)
    elif action == "drop":
        del copy[key]
    elif action == "rename" and isinstance(copy, dict):
        copy[f"{key}_"] = copy.pop(key)
    else:
        copy[key] = new
    return copy


@st.composite
def mutations(draw):
    """A sample with one place dropped, renamed or replaced."""
    document = draw(st.sampled_from([samples.parallel(), samples.one_by_one(), samples.orphan()]))
    path = draw(st.sampled_from(list(places(document))[1:]))
    return changed(document, path, draw(st.sampled_from(["drop", "rename", "replace"])), draw(JSON))


@given(mutations())
@settings(max_examples=60, deadline=None)
def test_any_mutation_of_a_trace_gives_a_panel_of_plain_json(document):
    shown = panel(document)
    assert json.loads(json.dumps(shown)) == shown
    assert all(isinstance(step["raw"], str) and step["title"] for step in shown["steps"])


def test_a_message_alone_is_not_named_by_its_id():
    message = {"id": "msg_1", "type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hi."}]}
    assert panel(message)["title"] == "One message"
