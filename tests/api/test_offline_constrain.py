import pytest
from wire_helpers import HAIKU, OPUS, WEATHER, Says, body, call, message, text

from course.api import OfflineAPI

SEARCH = {"type": "web_search_20250305", "name": "web_search"}
TIME = {"name": "get_time", "input_schema": {"type": "object", "properties": {"zone": {"type": "string"}}}}
STRICT = {
    "name": "book",
    "strict": True,
    "input_schema": {
        "type": "object",
        "properties": {
            "seats": {"type": "integer"},
            "class": {"type": "string", "enum": ["first", "second"]},
            "day": {"type": "string", "format": "date"},
        },
        "required": ["seats", "class", "day"],
        "additionalProperties": False,
    },
}


def written(*blocks, rest=None, **fields):
    return message(OfflineAPI(Says(*blocks, **(rest or {}))), body(**fields))


def kinds(got):
    return [block["type"] for block in got["content"]]


def names(got):
    return [block["name"] for block in got["content"] if block["type"] == "tool_use"]


def test_auto_leaves_text_and_calls_as_they_are():
    got = written(text("Let me look."), call(city="Oslo"), call("get_time"), tools=[WEATHER, TIME])
    assert kinds(got) == ["text", "tool_use", "tool_use"]


def test_none_leaves_no_call():
    got = written(text("I can't look."), call(city="Oslo"), tools=[WEATHER], tool_choice={"type": "none"})
    assert kinds(got) == ["text"]
    assert got["stop_reason"] == "end_turn"


@pytest.mark.parametrize("choice", [{"type": "any"}, {"type": "tool", "name": "get_weather"}])
def test_a_forced_call_has_no_text_before_it(choice):
    got = written(text("Let me look."), call(city="Oslo"), tools=[WEATHER], tool_choice=choice)
    assert kinds(got) == ["tool_use"]
    assert got["content"][0]["input"] == {"city": "Oslo"}


@pytest.mark.parametrize("choice", [{"type": "any"}, {"type": "tool", "name": "get_weather"}])
def test_a_forced_call_is_made_where_the_model_made_none(choice):
    got = written(text("No need to."), tools=[WEATHER], tool_choice=choice)
    assert names(got) == ["get_weather"]
    assert got["content"][0]["input"] == {"city": ""}
    assert got["content"][0]["id"].startswith("toolu_")
    assert got["content"][0]["caller"] == {"type": "direct"}
    assert got["stop_reason"] == "tool_use"


@pytest.mark.parametrize("tool", [SEARCH, {"type": "computer_toolset_20260801"}])
def test_a_call_is_not_forced_on_what_is_no_client_tool(tool):
    got = written(text("Nothing found."), tools=[tool], tool_choice={"type": "any"}, model="claude-haiku-5-5")
    assert kinds(got) == ["text"]


def test_a_forced_call_of_a_tool_without_a_schema_of_ours_is_made_too():
    got = written(text("No."), tools=[{"type": "bash_20250124", "name": "bash"}], tool_choice={"type": "any"})
    assert names(got) == ["bash"]


def test_a_named_tool_is_the_only_one_called():
    choice = {"type": "tool", "name": "get_time"}
    assert names(written(call(city="Oslo"), tools=[WEATHER, TIME], tool_choice=choice)) == ["get_time"]


@pytest.mark.parametrize("kind", ["auto", "any"])
def test_without_parallel_calls_one_is_left(kind):
    choice = {"type": kind, "disable_parallel_tool_use": True}
    got = written(call(city="Oslo"), call(city="Rome"), tools=[WEATHER], tool_choice=choice)
    assert [block["input"] for block in got["content"]] == [{"city": "Oslo"}]


def test_the_input_of_a_strict_tool_fits_its_schema():
    got = written(call("book", seats="2", day=None, note="window"), tools=[STRICT])
    assert got["content"][0]["input"] == {"seats": 2, "class": "first", "day": "2026-01-01"}


def test_an_input_that_fits_a_strict_schema_is_left_alone():
    fitting = {"seats": 2, "class": "second", "day": "2026-12-24"}
    assert written(call("book", **fitting), tools=[STRICT])["content"][0]["input"] == fitting


def test_a_stop_sequence_ends_the_text_and_is_named():
    got = written(text("one END two"), call(city="Oslo"), tools=[WEATHER], stop_sequences=["STOP", "END"])
    assert got["content"] == [text("one ")]
    assert (got["stop_reason"], got["stop_sequence"]) == ("stop_sequence", "END")


def test_the_stop_sequence_that_comes_first_wins():
    assert written(text("a B c A"), stop_sequences=["A", "B"])["stop_sequence"] == "B"


def test_max_tokens_cuts_a_text():
    whole = "word " * 200
    got = written(text(whole), max_tokens=20)
    assert whole.startswith(got["content"][0]["text"])
    assert len(got["content"][0]["text"]) < len(whole)
    assert got["stop_reason"] == "max_tokens"
    assert got["usage"]["output_tokens"] == 20


def test_max_tokens_in_the_middle_of_an_input_keeps_its_whole_members():
    got = written(call(city="Oslo", note="x" * 500), tools=[WEATHER], max_tokens=60)
    assert got["content"][0]["input"] == {"city": "Oslo"}
    assert got["stop_reason"] == "max_tokens"


def test_a_call_that_has_no_room_to_begin_is_not_there():
    got = written(text("Let me look."), call(city="Oslo"), tools=[WEATHER], max_tokens=10)
    assert kinds(got) == ["text"]
    assert got["stop_reason"] == "max_tokens"


def test_no_tokens_at_all_warm_the_cache():
    got = written(text("a"), max_tokens=0)
    assert got["content"] == []
    assert got["stop_reason"] == "max_tokens"
    assert got["usage"]["output_tokens"] == 0


def test_a_refusal_has_details():
    got = written(text("I can't help with that."), rest={"stop_reason": "refusal"})
    assert got["stop_reason"] == "refusal"
    assert got["stop_details"] == {"type": "refusal", "category": None, "explanation": None}


def test_scripted_details_of_a_refusal_are_kept():
    details = {"type": "refusal", "category": "cyber", "explanation": "no"}
    assert written(rest={"stop_reason": "refusal", "stop_details": details})["stop_details"] == details


def test_the_last_text_is_json_where_a_schema_is_asked_for():
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    config = {"format": {"type": "json_schema", "schema": {**schema, "additionalProperties": False}}}
    assert written(text("yes"), output_config=config, model=OPUS)["content"][-1]["text"] == '{"ok": false}'
    assert written(text('{"ok": true}'), output_config=config, model=OPUS)["content"][-1]["text"] == '{"ok": true}'


def test_thinking_that_was_not_asked_for_is_left_out():
    thought = {"type": "thinking", "thinking": "Hm."}
    assert kinds(written(thought, text("Yes."), model=HAIKU)) == ["text"]
    assert kinds(written(thought, text("Yes."), model=OPUS)) == ["thinking", "text"]


def test_an_unknown_tool_name_of_the_model_reaches_the_client():
    assert names(written(call("no_such_tool"), tools=[WEATHER])) == ["no_such_tool"]


@pytest.mark.parametrize(("most", "reason"), [(10, "max_tokens"), (4000, "model_context_window_exceeded")])
def test_a_reply_that_leaves_the_window_says_so(most, reason):
    api = OfflineAPI(Says(text("more " * 400)))
    got = message(api, body("word " * 191_900, model=HAIKU, max_tokens=most))
    assert got["stop_reason"] == reason
    assert got["usage"]["input_tokens"] + got["usage"]["output_tokens"] <= 200_000
