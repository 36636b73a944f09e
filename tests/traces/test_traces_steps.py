"""From a trace to steps: labels, lanes, pairs, marks."""

import copy

import pytest

from course.traces import LABELS, Trace, sample, samples, steps
from course.traces.trace import Answer, Exchange, Execution

CALL = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Oslo"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "4 C"}
HISTORY = [
    {"role": "user", "content": "Weather?"},
    {"role": "assistant", "content": [CALL]},
    {"role": "user", "content": [RESULT]},
    {"role": "assistant", "content": "4 degrees."},
]


def labels(found):
    return [step.label for step in found]


def lanes(found):
    return [(step.sender, step.receiver) for step in found]


def test_the_plain_cycle_has_the_five_labels_in_order():
    found = steps(sample("happy-path"))
    assert labels(found) == list(LABELS)
    assert lanes(found) == [("app", "claude"), ("claude", "app"), ("app", "tool"), ("app", "claude"), ("claude", "app")]
    assert [step.index for step in found] == [0, 1, 2, 3, 4]


def test_a_pasted_conversation_gives_the_same_labels_and_says_what_is_concluded():
    found = steps(HISTORY)
    assert labels(found) == list(LABELS)
    assert [step.recorded for step in found] == [False, False, False, True, False]


@pytest.mark.parametrize("form", ["messages", "body", "document", "trace"])
def test_every_form_of_input_is_accepted(form):
    body = {"messages": HISTORY}
    given = {
        "messages": HISTORY,
        "body": body,
        "document": {"exchanges": [{"request": body}]},
        "trace": Trace(exchanges=(Exchange(request=body),)),
    }[form]
    assert labels(steps(given)) == list(LABELS)


def test_call_and_result_share_a_badge_wherever_they_stand():
    found = steps(sample("parallel"))
    badges = {}
    for step in found:
        for block in step.blocks:
            if block.id:
                badges.setdefault(block.id, set()).add(block.badge)
                assert block.pairing in ("call", "result")
    assert sorted(badge for found in badges.values() for badge in found) == [1, 2, 3]


def test_an_orphan_and_a_call_without_result_are_named():
    found = steps(sample("wrong-id"))
    returned = {block.pairing: block for block in found[3].blocks if not block.echo}
    assert returned["orphan"].badge == 3
    assert "toolu_01LimaWeatherTypedByHand" in returned["orphan"].notice
    asked = steps([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [CALL]}])
    assert [block.pairing for block in asked[1].blocks] == ["unanswered"]


def test_the_return_shows_what_was_added_and_what_is_an_echo():
    returned = steps(sample("happy-path"))[3]
    assert [message["role"] for message in returned.added] == ["assistant", "user"]
    assert [block.echo for block in returned.blocks] == [True, False]
    assert returned.raw["messages"][-2:] == list(returned.added)


def test_offered_tools_are_numbered_and_the_chosen_one_is_marked():
    tools = steps(sample("look-alikes"))[1].tools
    assert [tool.number for tool in tools] == list(range(1, 17))
    assert [tool.name for tool in tools if tool.chosen] == ["search_orders"]
    assert any(tool.deferred for tool in steps(sample("tool-search"))[0].tools)


def test_parallel_calls_are_marked_and_timed():
    found = steps(sample("parallel"))
    assert "parallel" in {mark.kind for mark in found[1].marks} & {mark.kind for mark in found[2].marks}
    rows = found[2].timing
    assert len(rows) == 3
    assert max(row.started for row in rows) < min(row.ended for row in rows)


def test_calls_run_one_after_the_other_are_not_called_parallel():
    runs = [Execution(exchange=0, tool_use_id=f"c{n}", name="f", started=n, ended=n + 1) for n in (1, 2)]
    message = {"role": "assistant", "content": [{**CALL, "id": "c1"}, {**CALL, "id": "c2"}]}
    trace = Trace(
        exchanges=(Exchange(request={"messages": HISTORY[:1]}, response=Answer(status=200, body=message)),),
        executions=tuple(runs),
    )
    assert [mark.kind for mark in steps(trace)[2].marks] == []


def test_an_error_of_the_api_is_shown_with_its_words_and_the_broken_rule_where_it_stands():
    found = steps(sample("missing-result"))
    assert [mark.rule for mark in found[3].marks if mark.kind == "broken"] == ["pairing.missing-result"]
    assert found[4].status == 400
    assert found[4].marks[0].text.startswith("messages.")


def test_a_broken_rule_is_marked_at_the_message_it_speaks_of():
    history = [*HISTORY, {"role": "user", "content": "And?"}]
    history[2] = {"role": "user", "content": "no result here"}
    found = steps(history)
    marked = [step.label for step in found if any(mark.kind == "broken" for mark in step.marks)]
    assert marked == ["Ask"]


def test_an_accepted_request_is_not_checked_again():
    body = {"messages": [{"role": "user", "content": []}]}
    trace = Trace(exchanges=(Exchange(request=body, response=Answer(status=200, body={"content": []})),))
    assert not [mark for step in steps(trace) for mark in step.marks if mark.kind == "broken"]


def test_a_turn_that_did_not_go_back_whole_is_noticed():
    found = steps(sample("half-a-turn"))
    assert any("whole" in mark.text for mark in found[3].marks)


def test_changed_fields_and_a_changed_history_are_noticed():
    trace = sample("forced-choice")
    assert any("tool_choice" in mark.text for step in steps(trace) for mark in step.marks)
    document = trace.model_dump(mode="json")
    document["exchanges"][1]["request"]["messages"][0]["content"] = "Something else"
    assert any("from message 0" in mark.text for step in steps(document) for mark in step.marks)


def test_refused_calls_are_not_said_to_have_run():
    found = steps(sample("unknown-tool"))
    assert found[2].title == "The app does not run get_forecast"
    assert found[2].timing == ()


def test_a_message_thread_is_read_without_its_history():
    found = steps(sample("sdk-runner"))
    assert labels(found) == list(LABELS)
    assert len(found[3].raw["messages"]) == 1


def test_tokens_are_the_usage_of_the_answer_or_an_estimate():
    assert steps(sample("happy-path"))[1].counted is True
    pasted = steps(HISTORY)[1]
    assert pasted.counted is False
    assert pasted.tokens > 0


def test_a_step_is_json_data():
    import json

    for step in steps(sample("tool-search")):
        assert json.loads(json.dumps(step.as_dict()))["index"] == step.index


def test_questions_of_the_samples_ask_about_steps_that_exist():
    for name in samples():
        trace = sample(name)
        count = len(steps(trace))
        assert trace.questions, name
        assert all(0 < question.step < count for question in trace.questions), name
        assert all(0 <= question.answer < len(question.options) for question in trace.questions), name


@pytest.mark.parametrize(
    "given", [None, 5, "text", [], {}, [[]], {"messages": 3}, {"exchanges": "x"}, {"exchanges": [None]}]
)
def test_anything_readable_as_json_gives_steps(given):
    steps(given)


def test_an_unreadable_exchange_is_shown_as_it_is():
    found = steps({"exchanges": [{"request": ["odd"]}], "executions": [7]})
    assert [step.blocks[0].raw for step in found] == [{"request": ["odd"]}, 7]
    assert all(step.marks[0].kind == "notice" for step in found)


def test_steps_do_not_change_what_they_are_given():
    document = sample("parallel").model_dump(mode="json")
    before = copy.deepcopy(document)
    steps(document)
    assert document == before
