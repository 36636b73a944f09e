from base64 import b64decode

import pytest
from wire_helpers import OPUS, WEATHER, Says, body, call, document, message, post, text

from course.api import OfflineAPI

THOUGHT = {"type": "thinking", "thinking": "I need the weather."}
SHOWN = {"thinking": {"type": "adaptive", "display": "summarized"}}


def turn(model=OPUS, blocks=(), **fields):
    """Return an API, and the turns that answer the call it made."""
    api = OfflineAPI(Says(*(blocks or (THOUGHT, call(city="Oslo")))))
    got = message(api, body("Weather?", model=model, tools=[WEATHER], **SHOWN, **fields))
    results = [
        {"type": "tool_result", "tool_use_id": block["id"], "content": "22 degrees"}
        for block in got["content"]
        if block["type"] == "tool_use"
    ]
    asked = {"role": "user", "content": "Weather?"}
    return api, [asked, {"role": "assistant", "content": got["content"]}, {"role": "user", "content": results}]


def again(api, turns, model=OPUS, **fields):
    return post(api, body(model=model, tools=[WEATHER], messages=turns, **{**SHOWN, **fields}))


def refused(answer):
    assert answer.status == 400
    return document(answer)["error"]["message"]


def test_a_signature_looks_like_a_real_one():
    _, turns = turn()
    signature = turns[1]["content"][0]["signature"]
    assert signature.startswith("E")
    assert len(b64decode(signature)) > 48


def test_a_block_that_comes_back_unchanged_is_taken():
    assert again(*turn()).status == 200


def test_it_is_taken_by_another_process_too():
    _, turns = turn()
    assert again(OfflineAPI(Says(text("a"))), turns).status == 200


def test_an_edited_block_of_the_last_turn_is_refused():
    api, turns = turn()
    turns[1]["content"][0]["thinking"] += " Really."
    assert "cannot be modified" in refused(again(api, turns))


def test_blocks_in_another_order_are_refused():
    blocks = (THOUGHT, {**THOUGHT, "thinking": "In Oslo."}, call(city="Oslo"))
    api, turns = turn(blocks=blocks)
    first, second, *rest = turns[1]["content"]
    turns[1]["content"] = [second, first, *rest]
    assert "cannot be modified" in refused(again(api, turns))


def test_an_edited_block_of_an_earlier_turn_has_an_invalid_signature():
    api, turns = turn()
    turns[1]["content"][0]["thinking"] += " Really."
    more = [{"role": "assistant", "content": "Sunny."}, {"role": "user", "content": "Thanks."}]
    assert "signature" in refused(again(api, [*turns, *more]))


def test_a_block_in_another_conversation_is_refused_where_the_model_binds_it():
    api, turns = turn()
    turns[0] = {"role": "user", "content": "Weather in Rome?"}
    assert "bound to a different conversation" in refused(again(api, turns))


def test_a_block_in_another_conversation_is_taken_by_a_model_that_does_not_bind():
    api, turns = turn(model="claude-opus-5")
    turns[0] = {"role": "user", "content": "Weather in Rome?"}
    assert again(api, turns, model="claude-opus-5").status == 200


@pytest.mark.parametrize(
    "change",
    [
        lambda turns: turns[0].update(content=[{"type": "text", "text": "Weather?"}]),
        lambda turns: turns[1]["content"][1].pop("caller"),
        lambda turns: turns[0].update(
            content=[{"type": "text", "text": "Weather?", "cache_control": {"type": "ephemeral"}}]
        ),
    ],
)
def test_what_does_not_change_the_conversation_does_not_move_a_block(change):
    api, turns = turn()
    change(turns)
    assert again(api, turns).status == 200


def test_omitted_thinking_is_signed_and_comes_back():
    api = OfflineAPI(Says(THOUGHT, call(city="Oslo")))
    got = message(api, body("Weather?", model=OPUS, tools=[WEATHER]))
    assert got["content"][0]["thinking"] == ""
    result = {"type": "tool_result", "tool_use_id": got["content"][1]["id"], "content": "22"}
    turns = [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": got["content"]},
        {"role": "user", "content": [result]},
    ]
    assert post(api, body(model=OPUS, tools=[WEATHER], messages=turns)).status == 200


def test_a_long_conversation_with_thinking_in_every_turn_is_taken():
    api = OfflineAPI(Says(THOUGHT, call(city="Oslo")))
    turns = [{"role": "user", "content": "Weather?"}]
    for _ in range(4):
        got = message(api, body(model=OPUS, tools=[WEATHER], messages=turns, **SHOWN))
        result = {"type": "tool_result", "tool_use_id": got["content"][1]["id"], "content": "22"}
        turns = [*turns, {"role": "assistant", "content": got["content"]}, {"role": "user", "content": [result]}]
    assert again(api, turns).status == 200
