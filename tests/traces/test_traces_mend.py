"""Mended copies: sound, as little changed as possible, nothing invented, everything said."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.traces.mend import MENDED_RULES, mend
from course.traces.mend.pairing import mend_pairing
from course.traces.rules import OLDEST, broken_rules


def user(*blocks):
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks):
    return {"role": "assistant", "content": list(blocks)}


def text(words):
    return {"type": "text", "text": words}


def call(id, name="f"):
    return {"type": "tool_use", "id": id, "name": name, "input": {}}


def result(id, content="ok", **more):
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


HELLO = {"role": "user", "content": "Hi"}


def mended(*messages):
    """Mend a history, check that it is sound now and the input untouched; return it and what was done."""
    given = list(messages)
    before = copy.deepcopy(given)
    done, actions = mend_pairing(given)
    assert given == before
    assert broken_rules({"messages": done}) == []
    return done, " ".join(actions)


@pytest.mark.parametrize(
    ("value", "now"),
    [
        ({"degrees": 4}, '{"degrees": 4}'),
        ({"type": "text", "text": "mild"}, [{"type": "text", "text": "mild"}]),
    ],
)
def test_a_result_that_is_an_object_becomes_text_or_a_list_of_its_block(value, now):
    call = {"type": "tool_use", "id": "t1", "name": "w", "input": {}}
    answer = {"type": "tool_result", "tool_use_id": "t1", "content": value}
    turns = [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [answer]},
    ]
    body = {"model": "claude-opus-5-5", "max_tokens": 100, "messages": turns}
    done = mend(body, version=OLDEST)
    assert done.body["messages"][2]["content"][0]["content"] == now
    assert not done.left


@pytest.mark.parametrize(
    ("part", "now"),
    [
        (
            {"type": ["string", "null"], "enum": ["a", None], "description": "which"},
            {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}], "description": "which"},
        ),
        ({"type": "string", "enum": ["a", 1]}, {"type": "string", "enum": ["a"]}),
    ],
)
@pytest.mark.parametrize("where", ["tool", "answer"])
def test_an_enum_beside_several_types_becomes_branches_and_stays_strict(where, part, now):
    schema = {"type": "object", "properties": {"x": dict(part)}, "required": ["x"], "additionalProperties": False}
    body = {"model": "claude-opus-5-5", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}
    if where == "tool":
        body["tools"] = [{"name": "pick", "strict": True, "input_schema": schema}]
    else:
        body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    done = mend(body, version=OLDEST)
    assert not done.left
    mended = done.body["tools"][0] if where == "tool" else done.body["output_config"]["format"]
    assert mended["input_schema" if where == "tool" else "schema"]["properties"]["x"] == now
    assert where == "answer" or mended["strict"] is True


def test_an_older_code_execution_beside_a_filtering_search_becomes_a_newer_one():
    tools = [
        {"type": "web_search_20260209", "name": "web_search"},
        {"type": "code_execution_20250825", "name": "code_execution"},
    ]
    body = {
        "model": "claude-opus-5-5",
        "max_tokens": 100,
        "messages": [{"role": "user", "content": "hi"}],
        "tools": tools,
    }
    done = mend(body, version=OLDEST)
    assert done.body["tools"][1]["type"] == "code_execution_20260120"
    assert not done.left


def test_a_sound_history_is_left_alone_object_by_object():
    history = [HELLO, assistant(text("a"), call("t1")), user(result("t1")), assistant(text("b"))]
    done, actions = mend_pairing(history)
    assert [id(message) for message in done] == [id(message) for message in history]
    assert actions == []


def test_a_missing_result_becomes_an_error_result_that_says_so():
    done, actions = mended(HELLO, assistant(call("t1"), call("t2")), user(result("t1")))
    added = done[2]["content"][1]
    assert (added["tool_use_id"], added["is_error"]) == ("t2", True)
    assert "No result was recorded" in added["content"]
    assert "Nothing was invented" in actions


def test_a_conversation_that_ends_in_a_call_gets_its_answer():
    done, _ = mended(HELLO, assistant(call("t1")))
    assert done[-1]["role"] == "user"
    assert done[-1]["content"][0]["is_error"] is True


def test_the_one_result_with_a_wrong_id_gets_the_id_of_the_one_open_call():
    done, actions = mended(HELLO, assistant(call("t1")), user(result("t9", "4 C")))
    assert done[2]["content"] == [result("t1", "4 C")]
    assert "Check that it belongs there" in actions


def test_several_strangers_are_not_guessed_at_but_kept_as_text():
    done, actions = mended(HELLO, assistant(call("t1"), call("t2")), user(result("x", "A"), result("y", "B")))
    kinds = [(block["type"], block.get("is_error")) for block in done[2]["content"]]
    assert kinds == [("tool_result", True), ("tool_result", True), ("text", None), ("text", None)]
    assert "A" in done[2]["content"][2]["text"]
    assert "kept as text" in actions


def test_a_late_result_moves_to_its_call():
    done, actions = mended(
        HELLO, assistant(call("t1")), user(text("Wait.")), assistant(text("Yes.")), user(result("t1"))
    )
    assert done[2]["content"] == [result("t1"), text("Wait.")]
    assert len(done) == 4
    assert "was moved" in actions


def test_results_come_first_and_text_before_them_is_kept():
    done, _ = mended(HELLO, assistant(call("t1")), user(text("Here:"), result("t1")))
    assert done[2]["content"] == [result("t1"), text("Here:")]


def test_text_after_a_call_moves_before_it():
    done, _ = mended(HELLO, assistant(call("t1"), text("One moment.")), user(result("t1")))
    assert done[1]["content"] == [text("One moment."), call("t1")]


def test_a_second_result_is_taken_out_and_its_words_are_kept():
    done, _ = mended(HELLO, assistant(call("t1")), user(result("t1", "A"), result("t1", "B"), result("t1", "A")))
    assert done[2]["content"][0] == result("t1", "A")
    assert [block["type"] for block in done[2]["content"]] == ["tool_result", "text"]
    assert "B" in done[2]["content"][1]["text"]


def test_two_calls_of_one_id_are_told_apart_with_their_results():
    done, _ = mended(HELLO, assistant(call("t1"), call("t1")), user(result("t1", "A"), result("t1", "B")))
    ids = [block["id"] for block in done[1]["content"]]
    assert len(set(ids)) == 2
    assert [(block["tool_use_id"], block["content"]) for block in done[2]["content"]] == [(ids[0], "A"), (ids[1], "B")]


def test_an_id_used_again_in_a_later_turn_is_renamed_there():
    turns = [assistant(call("t1")), user(result("t1", "A")), assistant(call("t1")), user(result("t1", "B"))]
    done, _ = mended(HELLO, *turns)
    assert done[3]["content"][0]["id"] == done[4]["content"][0]["tool_use_id"] != "t1"
    assert done[4]["content"][0]["content"] == "B"


def test_results_in_the_assistant_s_turn_move_to_a_user_message():
    done, _ = mended(HELLO, assistant(call("t1"), result("t1")), user(text("Go on.")))
    assert [message["role"] for message in done] == ["user", "assistant", "user"]
    assert done[2]["content"] == [result("t1"), text("Go on.")]


def test_a_call_in_a_user_message_moves_to_an_assistant_message():
    done, _ = mended(user(text("Hi"), call("t1")), user(result("t1")))
    assert [message["role"] for message in done] == ["user", "assistant", "user"]


def test_thinking_in_a_user_message_is_removed_and_that_is_said():
    _, actions = mended(user({"type": "thinking", "thinking": "x", "signature": "y"}, text("Hi")))
    assert "Thinking in message 0" in actions


def test_a_call_without_an_id_gets_one_and_its_result_finds_it():
    bare = {key: value for key, value in call("x").items() if key != "id"}
    done, _ = mended(HELLO, assistant(bare), user(result("t1")))
    assert done[1]["content"][0]["id"] == done[2]["content"][0]["tool_use_id"]


blocks = st.one_of(
    st.builds(text, st.sampled_from(["a", "b"])),
    st.builds(call, st.sampled_from(["t1", "t2", "t3"])),
    st.builds(result, st.sampled_from(["t1", "t2", "t3"]), st.sampled_from(["A", "B"])),
)
histories = st.lists(
    st.builds(lambda role, content: {"role": role, "content": content}, st.sampled_from(["user", "assistant"]),
              st.lists(blocks, min_size=1, max_size=4)),
    min_size=1, max_size=7,
)  # fmt: skip


@given(histories)
@settings(max_examples=150, deadline=None)
def test_any_history_of_text_calls_and_results_becomes_sound(history):
    body = {"model": "claude-haiku-4-5", "max_tokens": 9, "messages": history}
    done = mend(body, version=OLDEST)
    assert done.left == ()


@given(histories)
@settings(max_examples=60, deadline=None)
def test_no_word_of_a_result_or_a_text_is_lost(history):
    done, _ = mend_pairing(history)
    for message in history:
        for block in message["content"]:
            words = block.get("text") or block.get("content")
            assert words is None or words in str(done)


@pytest.mark.parametrize(
    ("change", "path", "value"),
    [
        ({"tool_choice": "required"}, ("tool_choice",), {"type": "any"}),
        ({"max_tokens": "300"}, ("max_tokens",), 300),
        ({"messages": "Hi"}, ("messages",), [HELLO]),
        ({"messages": [{"role": "human", "content": "Hi"}]}, ("messages", 0, "role"), "user"),
        ({"messages": [{**HELLO, "name": "Ada", "id": 3}]}, ("messages", 0), HELLO),
        ({"messages": [{"role": "system", "content": "Brief."}, HELLO]}, ("system",), "Brief."),
        ({"messages": [user(text(""), text("Hi"))]}, ("messages",), [user(text("Hi"))]),
        ({"temperature": 0.3, "top_p": 0.9}, ("top_p",), None),
        ({"stop_sequences": " "}, ("stop_sequences",), None),
    ],
)
def test_faults_of_fields_are_mended_where_they_stand(change, path, value):
    body = {"model": "claude-haiku-4-5", "max_tokens": 100, "messages": [HELLO], "tools": [TOOL], **change}
    done = mend(body, version=OLDEST)
    assert done.left == ()
    node = done.body
    for key in path:
        node = node.get(key) if isinstance(node, dict) else node[key]
    assert node == value
    assert done.actions


TOOL = {"name": "f", "description": "F.", "input_schema": {"type": "object"}}


def test_a_bad_tool_name_is_renamed_wherever_it_stands():
    history = [HELLO, assistant(call("t1", "get weather")), user(result("t1"))]
    body = {
        "model": "claude-haiku-4-5",
        "max_tokens": 100,
        "messages": history,
        "tools": [{**TOOL, "name": "get weather"}],
        "tool_choice": {"type": "tool", "name": "get weather"},
    }
    done = mend(body, version=OLDEST)
    assert done.left == ()
    assert done.body["tools"][0]["name"] == done.body["tool_choice"]["name"] == "get_weather"
    assert done.body["messages"][1]["content"][0]["name"] == "get_weather"


def test_what_needs_a_person_is_left_and_named():
    body = {
        "model": "claude-haiku-4-5",
        "max_tokens": 100,
        "messages": [HELLO],
        "tools": [{**TOOL, "input_schema": {"type": "object", "anyOf": [{}]}}],
    }
    done = mend(body, version=OLDEST)
    assert done.actions == ()
    assert [violation.rule for violation in done.left] == ["schema.root-union"]


def test_the_given_body_is_not_changed():
    body = {"model": "claude-haiku-4-5", "messages": [HELLO, assistant(call("t1"))]}
    before = copy.deepcopy(body)
    mend(body, version=OLDEST)
    assert body == before


def test_every_mended_rule_exists():
    from course.api.rules import rules

    assert set(rules()) >= MENDED_RULES
