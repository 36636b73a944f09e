import pytest
from wire_helpers import OPUS, WEATHER, Says, body, document, events, message, post, text

from course.api import OfflineAPI

BETA = {"anthropic-beta": "context-management-2025-06-27"}
LONG = "sunny and warm, with a light wind from the west " * 20


def history(calls, thinking=False):
    turns = [{"role": "user", "content": "Weather?"}]
    for number in range(calls):
        use = {"type": "tool_use", "id": f"toolu_{number}", "name": "get_weather", "input": {"city": f"City {number}"}}
        thought = [{"type": "thinking", "thinking": LONG, "signature": "x.y"}] if thinking else []
        turns.append({"role": "assistant", "content": [*thought, use]})
        result = {"type": "tool_result", "tool_use_id": use["id"], "content": LONG}
        turns.append({"role": "user", "content": [result]})
    return turns


def clearing(**fields):
    return {"edits": [{"type": "clear_tool_uses_20250919", "trigger": {"type": "tool_uses", "value": 4}, **fields}]}


def edited(management, calls=6, **fields):
    """Return the message, and the blocks that the model saw."""
    model = Says(text("ok"))
    sent = body(*history(calls), model=OPUS, tools=[WEATHER], context_management=management, **fields)
    got = message(OfflineAPI(model), sent, **BETA)
    return got, [block for turn in model.asked[0].messages for block in turn["content"]]


def contents(blocks):
    return [block["content"] for block in blocks if block["type"] == "tool_result"]


def test_old_results_are_cleared_and_the_last_three_kept():
    got, seen = edited(clearing())
    assert contents(seen)[3:] == [LONG] * 3
    assert LONG not in contents(seen)[:3]
    [applied] = got["context_management"]["applied_edits"]
    assert (applied["type"], applied["cleared_tool_uses"]) == ("clear_tool_uses_20250919", 3)
    assert applied["cleared_input_tokens"] > 300


def test_nothing_is_cleared_below_the_trigger():
    got, seen = edited(clearing(), calls=4)
    assert contents(seen) == [LONG] * 4
    assert got["context_management"] == {"applied_edits": []}


def test_nothing_is_cleared_by_default_before_100_000_tokens():
    got, _ = edited({"edits": [{"type": "clear_tool_uses_20250919"}]})
    assert got["context_management"] == {"applied_edits": []}


@pytest.mark.parametrize(
    ("fields", "cleared"),
    [
        ({"keep": {"type": "tool_uses", "value": 1}}, 5),
        ({"exclude_tools": ["get_weather"]}, 0),
        ({"clear_at_least": {"type": "input_tokens", "value": 100_000}}, 0),
    ],
)
def test_what_is_kept_can_be_said(fields, cleared):
    _, seen = edited(clearing(**fields))
    assert sum(content != LONG for content in contents(seen)) == cleared


def test_inputs_are_cleared_where_that_is_asked_for():
    _, kept = edited(clearing())
    _, seen = edited(clearing(clear_tool_inputs=True))
    assert all(block["input"] for block in kept if block["type"] == "tool_use")
    assert [bool(block["input"]) for block in seen if block["type"] == "tool_use"] == [False] * 3 + [True] * 3


def test_thinking_of_old_turns_is_cleared():
    model = Says(text("ok"))
    management = {"edits": [{"type": "clear_thinking_20251015"}]}
    fields = {"tools": [WEATHER], "thinking": {"type": "adaptive"}, "context_management": management}
    sent = body(*history(3, thinking=True), model=OPUS, **fields)
    got = message(OfflineAPI(model), sent, **BETA)
    assert got["context_management"]["applied_edits"][0]["cleared_thinking_turns"] == 2
    kinds = [block["type"] for turn in model.asked[0].messages for block in turn["content"]]
    assert kinds.count("thinking") == 1


def test_a_cleared_prompt_counts_less_and_count_tokens_tells_both():
    sent = body(*history(6), model=OPUS, tools=[WEATHER])
    del sent["max_tokens"]
    plain = document(post(OfflineAPI(Says()), sent, "/v1/messages/count_tokens"))["input_tokens"]
    cleared = document(
        post(OfflineAPI(Says()), sent | {"context_management": clearing()}, "/v1/messages/count_tokens", **BETA)
    )
    assert cleared["input_tokens"] < plain
    assert cleared["context_management"] == {"original_input_tokens": plain}


def test_a_stream_tells_of_edits_at_its_end():
    sent = body(*history(6), model=OPUS, tools=[WEATHER], context_management=clearing(), stream=True)
    found = events(post(OfflineAPI(Says(text("ok"))), sent, **BETA))
    assert "context_management" not in found[0]["message"]
    assert found[-2]["context_management"]["applied_edits"][0]["cleared_tool_uses"] == 3
