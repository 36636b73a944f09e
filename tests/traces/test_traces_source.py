"""What was given is recognised: every form of input, and what is said of it."""

import json
from types import SimpleNamespace

import pytest

from course.traces import Trace, Unreadable, sample
from course.traces.source import read

ASKED = {"role": "user", "content": "Weather?"}
CALLED = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]}
GIVEN = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "4 C"}]}
HISTORY = [ASKED, CALLED, GIVEN]
BODY = {"model": "claude-opus-5-5", "max_tokens": 100, "messages": HISTORY}
ERROR = {"type": "error", "error": {"type": "invalid_request_error", "message": "messages: no"}, "request_id": "req_1"}
ANSWER = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "text", "text": "Hi"}],
    "stop_reason": "end_turn",
}


def requests(source):
    return [exchange.request for exchange in read(source).trace.exchanges]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (HISTORY, "messages"),
        (ASKED, "messages"),
        (CALLED["content"], "messages"),
        ({"messages": HISTORY, "system": "Be brief."}, "messages"),
        (BODY, "request"),
        ({"request": BODY, "response": ANSWER}, "request"),
        ({"model": "m", "max_tokens": 5}, "request"),
        (ERROR, "error"),
        (ANSWER, "answer"),
        ({"exchanges": [{"request": BODY}]}, "trace"),
        (sample("happy-path"), "trace"),
        ([], "messages"),
    ],
)
def test_the_kind_is_recognised_as_data_and_as_text(source, kind):
    assert read(source).kind == kind
    if not isinstance(source, Trace):
        assert read(json.dumps(source)).kind == kind
        assert read(json.dumps(source).encode()).kind == kind


def test_data_that_is_nested_without_end_is_unreadable_and_no_crash():
    deep = {"type": "string"}
    for _ in range(3000):
        deep = {"type": "array", "items": deep}
    loop = {"messages": [{"role": "user", "content": "hi"}]}
    loop["messages"].append(loop)
    for data in (
        {"messages": [{"role": "user", "content": "hi"}], "tools": [{"name": "a", "input_schema": deep}]},
        loop,
    ):
        with pytest.raises(Unreadable, match="nested more than 150 levels"):
            read(data)


def test_a_bare_array_becomes_the_messages_of_one_exchange():
    assert requests(HISTORY) == [{"messages": HISTORY}]


def test_an_error_after_its_request_is_the_answer_to_it():
    for source in ({"request": BODY, "error": ERROR}, f"POST {json.dumps(BODY)}\n400 {json.dumps(ERROR)}"):
        exchange = read(source).trace.exchanges[0]
        assert exchange.request == BODY
        assert (exchange.response.status, exchange.response.body) == (400, ERROR)


def test_an_error_before_its_request_belongs_to_it_too():
    exchanges = read(f"Error code: 429 - {ERROR!r}\nfor {json.dumps(BODY)}").trace.exchanges
    assert len(exchanges) == 1
    assert exchanges[0].response.body == ERROR


def test_an_exception_of_the_sdk_carries_both():
    class BadRequestError(Exception):
        status_code, body = 400, ERROR
        request = SimpleNamespace(content=json.dumps(BODY).encode())

    exchange = read(BadRequestError("no")).trace.exchanges[0]
    assert exchange.request == BODY
    assert exchange.response.status == 400


def test_any_other_exception_is_told_by_its_words():
    exchange = read(ValueError("odd")).trace.exchanges[0]
    assert exchange.response.body["error"]["message"] == "odd"


def test_a_log_of_several_requests_gives_several_exchanges():
    lines = "\n".join(json.dumps({"request": {**BODY, "max_tokens": n}, "response": ANSWER}) for n in (1, 2))
    found = read(lines).trace.exchanges
    assert [exchange.request["max_tokens"] for exchange in found] == [1, 2]
    assert all(exchange.response.status == 200 for exchange in found)


def test_log_lines_with_messages_are_put_together_and_it_is_said():
    lines = "\n".join(json.dumps({"type": m["role"], "message": {**m, "id": "msg_1"}}) for m in HISTORY)
    case = read(lines)
    assert case.trace.exchanges[0].request == {"messages": HISTORY}
    assert any("log lines" in repair for repair in case.repairs)


def test_a_chat_export_becomes_turns_with_results_on_the_user_side():
    export = {
        "name": "Chat",
        "chat_messages": [
            {"sender": "human", "text": "Weather?"},
            {
                "sender": "assistant",
                "content": [
                    {**CALLED["content"][0], "start_timestamp": "x"},
                    {**GIVEN["content"][0], "name": "f"},
                    {"type": "text", "text": "4 degrees", "citations": []},
                ],
            },
        ],
    }
    case = read(export)
    roles = [message["role"] for message in case.trace.exchanges[0].request["messages"]]
    assert roles == ["user", "assistant", "user", "assistant"]
    assert case.trace.exchanges[0].request["messages"][1] == CALLED
    assert any("chat export" in repair for repair in case.repairs)


def test_a_conversation_deep_inside_is_found_and_its_path_is_said():
    case = read({"meta": {"id": 1}, "data": {"payload": json.dumps({"messages": HISTORY})}})
    assert requests({"data": {"payload": {"messages": HISTORY}}}) == [{"messages": HISTORY}]
    assert any("data.payload" in repair for repair in case.repairs)


def test_messages_in_a_string_are_decoded():
    assert requests({**BODY, "messages": json.dumps(HISTORY)}) == [BODY]


def test_sdk_objects_are_read_as_the_json_they_came_from():
    import pydantic

    class Block(pydantic.BaseModel):
        type: str
        text: str
        citations: list | None = None

    history = [ASKED, {"role": "assistant", "content": [Block(type="text", text="Hi")]}]
    assert requests(history)[0]["messages"][1]["content"] == [{"type": "text", "text": "Hi"}]


def test_a_repr_of_an_sdk_message_is_an_answer():
    text = (
        "Message(id='m', content=[TextBlock(citations=None, text='Hi', type='text')], role='assistant', type='message')"
    )
    assert read(text).kind == "answer"


def test_a_damaged_trace_keeps_what_can_be_read_and_says_what_not():
    document = sample("parallel").model_dump(mode="json")
    document["exchanges"][0]["surprise"] = 1
    document["exchanges"].append("lost")
    case = read(document)
    assert len(case.trace.exchanges) == 2
    assert any("Exchange 2" in repair for repair in case.repairs)


def test_a_program_and_a_notebook_are_programs():
    code = "import anthropic\nmessages = [{'role': 'user', 'content': 'Hi'}]\n"
    notebook = {"nbformat": 4, "cells": [{"cell_type": "code", "source": ["%pip list\n", "import x"]}]}
    assert read(code).code == code
    assert read(json.dumps(notebook)).code == "\nimport x"


def test_an_assignment_of_data_is_data():
    assert read("messages = [{'role': 'user', 'content': 'Hi'}]").kind == "messages"


@pytest.mark.parametrize("source", [{"a": 1}, [1, 2], "5", '{"weather": "fine"}', 7, None])
def test_data_without_a_conversation_is_unreadable(source):
    with pytest.raises(Unreadable):
        read(source)


def test_files_are_read_and_what_is_no_file_is_named(tmp_path):
    path = tmp_path / "c.json"
    path.write_text(json.dumps(HISTORY), encoding="utf-8")
    assert read(path).kind == "messages"
    with pytest.raises(Unreadable, match="directory"):
        read(tmp_path)
    with pytest.raises(Unreadable, match="no file"):
        read(tmp_path / "none.json")
    empty = tmp_path / "empty.json"
    empty.touch()
    with pytest.raises(Unreadable, match="empty"):
        read(empty)
