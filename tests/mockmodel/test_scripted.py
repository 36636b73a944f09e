"""The scripted stand-in: which turn it plays, and what it says when there is none left."""

import pytest

from course.mockmodel import ModelRequest, Reply, Scripted, ScriptEnded, call, text
from tests.mockmodel.talks import HAIKU, called, results, said, user

WISH = user("Weather in Paris?")
PARIS = called(("get_weather", {"city": "Paris"}))


def request(*messages: dict) -> ModelRequest:
    return ModelRequest(HAIKU, messages)


def test_the_first_request_gets_the_first_turn() -> None:
    assert Scripted(["one", "two"]).reply(request(WISH)).blocks == (text("one"),)


def test_the_turn_is_found_by_how_often_the_assistant_has_spoken() -> None:
    script = Scripted([call("get_weather", city="Paris"), "Sunny."])
    assert script.reply(request(WISH, PARIS, results("sunny"))).blocks == (text("Sunny."),)
    assert script.reply(request(WISH)).blocks == (call("get_weather", city="Paris"),)


def test_it_keeps_no_place_of_its_own_between_requests() -> None:
    script = Scripted(["one", "two"])
    assert [script.reply(request(WISH)).blocks for _ in range(3)] == [(text("one"),)] * 3


def test_a_script_that_is_over_names_the_turn_and_how_many_there_are() -> None:
    with pytest.raises(ScriptEnded, match=r"Short: this request asks for turn 2, and the script has 1"):
        Scripted(["one"], name="Short").reply(request(WISH, said("one"), user("more")))


def test_a_turn_may_be_blocks_a_reply_or_a_function_of_the_request() -> None:
    turns = [
        [text("I look."), call("get_weather", city="Paris")],
        Reply((text("cut"),), stop_reason="max_tokens"),
        lambda given: f"{len(given.messages)} messages",
    ]
    script = Scripted(turns)
    assert [block["type"] for block in script.reply(request(WISH)).blocks] == ["text", "tool_use"]
    assert script.reply(request(WISH, said("a"), user("b"))).stop_reason == "max_tokens"
    assert script.reply(request(WISH, said("a"), user("b"), said("c"), user("d"))).blocks == (text("5 messages"),)


def test_a_prefill_is_the_beginning_of_the_turn_that_is_asked_for() -> None:
    assert Scripted(["one", "two"]).reply(request(WISH, said("on"))).blocks == (text("one"),)


def test_a_server_tool_that_was_answered_brings_the_next_turn_within_the_message() -> None:
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    script = Scripted([search, "Found nothing."])
    grown = {"role": "assistant", "content": [search, found]}
    assert script.reply(request(WISH, grown)).blocks == (text("Found nothing."),)


def test_an_empty_turn_is_a_turn_without_blocks() -> None:
    assert Scripted([""]).reply(request(WISH)).blocks == ()


def test_its_explanation_names_the_stand_in_and_the_turn() -> None:
    assert Scripted(["one", "two"]).reply(request(WISH)).explain == {
        "model": "Scripted",
        "stand_in": True,
        "turn": 1,
        "turns": 2,
    }
