import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_helpers import OPUS, WEATHER, Says, body, call, events, message, post, text

from course.api import Ids, OfflineAPI

THOUGHT = {"type": "thinking", "thinking": "The user wants the weather."}
DELTAS = {
    "text": {"text_delta"},
    "thinking": {"thinking_delta", "signature_delta"},
    "tool_use": {"input_json_delta"},
    "server_tool_use": {"input_json_delta"},
}


def streamed(*blocks, **fields):
    return events(post(OfflineAPI(Says(*blocks)), body(stream=True, tools=[WEATHER], **fields)))


def accumulated(found):
    """Play a stream through the grammar of the API; return the message it adds up to."""
    assert found[0]["type"] == "message_start"
    whole = found[0]["message"]
    assert (whole["content"], whole["stop_reason"]) == ([], None)
    opened, inputs, ended = None, {}, False
    for event in found[1:]:
        kind = event["type"]
        assert not ended
        if kind == "content_block_start":
            assert opened is None
            assert event["index"] == len(whole["content"])
            opened = event["index"]
            whole["content"].append(dict(event["content_block"]))
        elif kind == "content_block_delta":
            assert event["index"] == opened
            add(whole["content"][opened], event["delta"], inputs.setdefault(opened, []))
        elif kind == "content_block_stop":
            assert event["index"] == opened
            if inputs.get(opened):
                whole["content"][opened]["input"] = json.loads("".join(inputs[opened]) or "{}")
            opened = None
        elif kind == "message_delta":
            assert opened is None
            whole.update(event["delta"])
            whole["usage"].update(event["usage"])
        elif kind == "message_stop":
            ended = True
        else:
            assert kind == "ping"
    assert ended
    return whole


def add(block, delta, pieces):
    kind = delta["type"]
    assert kind in DELTAS[block["type"]]
    if kind == "input_json_delta":
        pieces.append(delta["partial_json"])
    else:
        field = kind.removesuffix("_delta")
        block[field] += delta[field]


def test_events_come_in_the_order_of_recorded_streams():
    kinds = [event["type"] for event in streamed(text("Hi"))]
    assert kinds == [
        "message_start", "content_block_start", "ping", "content_block_delta", "content_block_stop",
        "message_delta", "message_stop",
    ]  # fmt: skip


def test_the_first_piece_of_an_input_is_empty_and_the_rest_add_up():
    pieces = [
        e["delta"]["partial_json"] for e in streamed(call(city='Säter "x"')) if e["type"] == "content_block_delta"
    ]
    assert pieces[0] == ""
    assert len(pieces) > 2
    assert json.loads("".join(pieces)) == {"city": 'Säter "x"'}


def test_a_call_opens_with_an_empty_input():
    [start] = [e for e in streamed(call(city="Oslo")) if e["type"] == "content_block_start"]
    assert start["content_block"]["input"] == {}
    assert start["content_block"]["caller"] == {"type": "direct"}


def test_only_the_first_block_is_followed_by_a_ping():
    found = [event["type"] for event in streamed(text("a"), call(city="Oslo"), call(city="Rome"))]
    assert found.count("ping") == 1
    assert found[found.index("ping") - 1] == "content_block_start"


def test_omitted_thinking_is_a_signature_alone():
    deltas = [e["delta"] for e in streamed(THOUGHT, text("a"), model=OPUS) if e["type"] == "content_block_delta"]
    assert [delta["type"] for delta in deltas] == ["signature_delta", "text_delta"]
    assert deltas[0]["signature"]


def test_summarized_thinking_streams_its_text():
    config = {"type": "adaptive", "display": "summarized"}
    whole = accumulated(streamed(THOUGHT, text("a"), model=OPUS, thinking=config))
    assert whole["content"][0]["thinking"] == THOUGHT["thinking"]


def test_a_cut_input_streams_the_json_as_far_as_it_came():
    found = streamed(call(city="Oslo", note="x" * 500), max_tokens=60)
    pieces = [e["delta"]["partial_json"] for e in found if e["type"] == "content_block_delta"]
    with pytest.raises(ValueError, match="Unterminated"):
        json.loads("".join(pieces))
    assert found[-2]["delta"]["stop_reason"] == "max_tokens"


def test_the_usage_at_the_end_is_cumulative():
    found = streamed(text("a few words"))
    whole = message(OfflineAPI(Says(text("a few words"))), body(tools=[WEATHER]))["usage"]
    assert found[0]["message"]["usage"]["input_tokens"] == whole["input_tokens"]
    assert found[-2]["usage"]["output_tokens"] == whole["output_tokens"]
    assert found[-2]["usage"]["input_tokens"] == whole["input_tokens"]


def test_a_stream_is_byte_identical_on_a_rerun():
    def run():
        answer = post(OfflineAPI(Says(text("word " * 50)), ids=Ids(3)), body(stream=True))
        return b"".join(chunk for _, chunk in answer.chunks)

    assert run() == run()


WORDS = st.text(min_size=1, max_size=60)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
BLOCKS = st.one_of(
    WORDS.map(text),
    st.dictionaries(st.text(max_size=8), VALUES, max_size=4).map(lambda given: {**call(), "input": given}),
    st.text(max_size=40).map(lambda words: {"type": "thinking", "thinking": words}),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(BLOCKS, max_size=5))
def test_any_stream_keeps_the_grammar_and_adds_up_to_the_whole_message(blocks):
    fields = {"tools": [WEATHER], "model": OPUS, "max_tokens": 8000}
    whole = message(OfflineAPI(Says(*blocks), ids=Ids(1)), body(**fields))
    found = events(post(OfflineAPI(Says(*blocks), ids=Ids(1)), body(stream=True, **fields)))
    assert accumulated(found) == whole


def test_citations_come_before_the_text_they_support():
    citation = {"type": "web_search_result_location", "url": "https://example.com", "cited_text": "x"}
    found = streamed({**text("It is so."), "citations": [citation]})
    assert found[1]["content_block"] == {"type": "text", "text": "", "citations": []}
    assert found[3]["delta"] == {"type": "citations_delta", "citation": citation}
    assert found[4]["delta"]["type"] == "text_delta"


def test_the_input_of_a_toolset_member_arrives_at_once():
    found = streamed({**call("click", x=100, y=2000), "toolset_name": "computer"})
    pieces = [event["delta"]["partial_json"] for event in found if event["type"] == "content_block_delta"]
    assert pieces == ["", '{"x": 100, "y": 2000}']
