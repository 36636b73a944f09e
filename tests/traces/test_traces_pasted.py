"""One fault (a call without its result) in every wrapping that people paste: the same rule at the same place."""

import json
import pprint
from urllib.parse import quote

import pytest
import yaml

from course.api.check import violations
from course.traces import Unreadable, diagnose

WEATHER = {
    "name": "get_weather",
    "description": "Get the weather in a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
CALLS = [
    {"type": "tool_use", "id": f"toolu_{n}", "name": "get_weather", "input": {"city": city}}
    for n, city in enumerate(("Paris", "Rome"))
]
TURNS = [
    {"role": "user", "content": "Weather in Paris and Rome?"},
    {"role": "assistant", "content": [{"type": "text", "text": "I'll look."}, *CALLS]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_0", "content": 'it\'s "fine"'}]},
]
BODY = {"model": "claude-haiku-4-5", "max_tokens": 1024, "tools": [WEATHER], "messages": TURNS}
TEXT, LINES = json.dumps(BODY), json.dumps(BODY, indent=2)
ERROR = (
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` "
    "block must have a corresponding `tool_result` block in the next message."
)
OBJECT = (
    "Message(id='msg_1', content=[TextBlock(citations=None, text=\"I'll look.\", type='text'), "
    "ToolUseBlock(id='toolu_0', input={'city': 'Paris'}, name='get_weather', type='tool_use'), "
    "ToolUseBlock(id='toolu_1', input={'city': 'Rome'}, name='get_weather', type='tool_use')], role='assistant')"
)
RAISED = {"type": "error", "error": {"type": "invalid_request_error", "message": ERROR}}
HAR = {"log": {"entries": [{"request": {"method": "POST", "postData": {"text": TEXT}}}]}}
QUOTED = TEXT.replace("'", "'\\''")
PASTED = {
    "messages": json.dumps(TURNS),
    "a body": LINES,
    "cut at the end": TEXT[:-30],
    "encoded twice": json.dumps(TEXT),
    "encoded three times": json.dumps(json.dumps(TEXT)),
    "escaped": json.dumps(TEXT)[1:-1],
    "a Python repr": f"messages = {TURNS!r}",
    "pprint": pprint.pformat(BODY, width=60),
    "a log line": f"2026-12-01 10:00:00 DEBUG Request options: {dict(method='post', json_data=BODY)!r}",
    "a log of many lines": "\n".join(f"2026-12-01 10:00:00,123 DEBUG api: {line}" for line in LINES.split("\n")),
    "a quoted mail": "\n".join(f"> {line}" for line in LINES.split("\n")),
    "numbered lines": "\n".join(f"{n:4} | {line}" for n, line in enumerate(LINES.split("\n"), 1)),
    "objects of the SDK": f"[{TURNS[0]!r}, {{'role': 'assistant', 'content': {OBJECT[OBJECT.index('content=') + 8 : OBJECT.index(', role=')]}}}, {TURNS[2]!r}]",  # noqa: E501
    "one a line": "\n".join(json.dumps(turn) for turn in TURNS),
    "YAML": yaml.safe_dump(BODY, sort_keys=False),
    "curl": f"curl https://api.anthropic.com/v1/messages -H 'anthropic-version: 2023-06-01' -d '{QUOTED}'",
    "curl with double quotes": 'curl -d "' + TEXT.replace("\\", "\\\\").replace('"', '\\"') + '"',
    "a fence in Markdown": f"My request:\n\n```json\n{LINES}\n```\nand I get a 400",
    "an error and the messages": f"BadRequestError: Error code: 400 - {RAISED!r}\n\nmy messages:\n{TURNS!r}",
    "a HAR file": json.dumps(HAR),
    "log records": "\n".join(json.dumps({"type": turn["role"], "message": turn, "uuid": "1"}) for turn in TURNS),
    "UTF-8 with a mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "UTF-16": TEXT.encode("utf-16"),
    "UTF-16 without a mark": TEXT.encode("utf-16-le"),
    "a Windows code page": TEXT.replace("Weather in", "“Wetter” in Köln,").encode("cp1252"),
    "a Korean code page": TEXT.replace("Weather in", "날씨").encode("cp949"),
    "lines of Windows": LINES.replace("\n", "\r\n"),
    "typographic quotes": json.dumps(TURNS).replace('\\"', "").replace('"', "”"),
    "no outer brackets": json.dumps(TURNS)[1:-1],
    "comments and commas": LINES.replace('"Rome"\n', '"Rome", // the second\n'),
    "percent-encoded": quote(TEXT),
    "a program": f"import anthropic\nanthropic.Anthropic().messages.create(max_tokens=9, messages={TURNS!r})",
}


@pytest.mark.parametrize("wrapping", PASTED)
def test_the_same_fault_is_found_once_in_every_wrapping_and_mended(wrapping):
    found = diagnose(PASTED[wrapping])
    assert [(finding.rule, finding.place, finding.reported) for finding in found.broken] == [
        ("pairing.missing-result", ("messages", 1, "content", 2), True)
    ]
    mended = found.mended if isinstance(found.mended, dict) else {"messages": found.mended}
    assert (
        list(violations({"model": "claude-haiku-4-5", "max_tokens": 9, **mended}, version="2023-06-01", betas=())) == []
    )


@pytest.mark.parametrize("nothing", ["", "My agent does not work", "42", bytes(range(256)), "[" * 5000, "a: b\nc: d"])
def test_where_there_is_no_conversation_it_says_so(nothing):
    with pytest.raises(Unreadable):
        diagnose(nothing)


def test_the_words_of_the_api_are_kept_where_it_counts_the_turns_in_another_way():
    assert diagnose(PASTED["an error and the messages"]).broken[0].error == ERROR


def test_a_number_that_json_does_not_have_is_named():
    assert "JSON has no `NaN`" in diagnose(TEXT.replace('"Rome"', "NaN")).repairs[0]


def test_names_of_a_program_are_no_values_and_break_no_rule():
    pasted = (
        "messages=[{'role': 'user', 'content': prompt}, {'role': 'assistant', 'content': response.content},"
        " {'role': 'user', 'content': [{'type': 'tool_result', 'tool_use_id': tool_use.id, 'content': result}]}]"
    )
    found = diagnose(pasted)
    assert found.sound
    assert found.mended is None
    assert any("its value was not given" in finding.why for finding in found.findings)


def test_what_a_console_folded_is_not_judged():
    found = diagnose(
        "[ { role: 'user', content: 'hi' }, { role: 'assistant', content: 'ho' }, "
        "{ role: 'user', content: [ [Object] ] } ]"
    )
    assert found.sound
    assert any("leaves out" in finding.why for finding in found.findings)


def test_the_events_of_a_stream_are_one_answer():
    events = [
        {"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello"}},
    ]
    stream = "\n\n".join(f"event: {event['type']}\ndata: {json.dumps(event)}" for event in events)
    found = diagnose(stream)
    assert found.kind == "answer"
    assert found.trace.exchanges[0].response.body["content"] == [{"type": "text", "text": "Hello"}]
