"""Conversations written for OpenAI's APIs: seen as such, told what changes, translated into something sound."""

import json

from course.traces import diagnose
from course.traces.openai import is_openai, translated

CHAT = {
    "model": "gpt-6",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Weather in Oslo and Lima?"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": "w", "arguments": '{"city": "Oslo"}'}},
                {"id": "call_2", "type": "function", "function": {"name": "w", "arguments": '{"city": "Lima",}'}},
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "4 C"},
        {"role": "tool", "tool_call_id": "call_2", "content": "22 C"},
    ],
    "tools": [{"type": "function", "function": {"name": "w", "parameters": {"type": "object"}, "strict": True}}],
    "tool_choice": "required",
    "parallel_tool_calls": False,
    "max_completion_tokens": 300,
    "frequency_penalty": 1,
}
RESPONSES = {
    "model": "gpt-6",
    "instructions": "Be brief.",
    "input": [
        {"role": "user", "content": [{"type": "input_text", "text": "Weather?"}]},
        {"type": "function_call", "call_id": "c1", "name": "w", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "4 C"},
    ],
    "tools": [{"type": "function", "name": "w", "parameters": {"type": "object"}}],
}


def test_it_is_recognised_and_claude_s_own_shape_is_not():
    assert is_openai(CHAT)
    assert is_openai(RESPONSES)
    assert not is_openai({"messages": [{"role": "user", "content": [{"type": "text", "text": "tool_calls"}]}]})


def test_calls_results_tools_and_choice_are_translated():
    body, _ = translated(CHAT)
    assert body["system"] == "Be brief."
    assert body["messages"][1]["content"][0] == {
        "type": "tool_use", "id": "call_1", "name": "w", "input": {"city": "Oslo"},
    }  # fmt: skip
    assert [block["tool_use_id"] for block in body["messages"][2]["content"]] == ["call_1", "call_2"]
    assert body["tools"] == [{"name": "w", "input_schema": {"type": "object"}, "strict": True}]
    assert body["tool_choice"] == {"type": "any", "disable_parallel_tool_use": True}
    assert body["max_tokens"] == 300
    assert body["model"].startswith("claude-")


def test_every_kind_of_change_is_said_once():
    _, changes = translated(CHAT)
    assert len(changes) == len(set(changes))
    told = " ".join(changes)
    for word in ("system", "tool_use", "string of JSON", "no valid JSON", "tool_result", "input_schema", "max_tokens"):
        assert word in told


def test_items_of_the_responses_api_are_translated():
    body, _ = translated(RESPONSES)
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert body["messages"][2]["content"] == [{"type": "tool_result", "tool_use_id": "c1", "content": "4 C"}]


def test_the_doctor_says_it_names_the_rules_and_gives_a_sound_copy():
    for given in (CHAT, RESPONSES, CHAT["messages"], json.dumps(CHAT)):
        found = diagnose(given)
        assert found.kind == "openai"
        assert not found.sound
        assert [f for f in found.findings if f.rule == "openai"]
        assert found.left == ()
        assert diagnose(found.mended).sound


def test_the_old_function_call_form_is_paired_by_order():
    history = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": None, "function_call": {"name": "w", "arguments": "{}"}},
        {"role": "function", "name": "w", "content": "4 C"},
    ]
    found = diagnose(history)
    assert found.mended[1]["content"][0]["id"] == found.mended[2]["content"][0]["tool_use_id"]
