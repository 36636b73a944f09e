"""Whatever is sent, the answer is a message or a well-formed error."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_helpers import OPUS, WEATHER, body, call, document, events, post

from course.api import OfflineAPI, Response
from course.mockmodel import Improviser

KINDS = ["text", "tool_use", "tool_result", "thinking", "image", "server_tool_use", "tool_reference", "document"]
WORDS = st.sampled_from([*KINDS, "user", "assistant", "system", "auto", "any", "tool", "get_weather", "toolu_1", ""])
KEYS = st.sampled_from(
    ["type", "role", "content", "text", "name", "input", "id", "tool_use_id", "source", "cache_control", "stream"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**12) | st.floats(allow_nan=False, allow_infinity=False) | WORDS
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
USE = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Oslo"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "sunny"}
SOUND = body(
    "Weather in Oslo?",
    {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, USE]},
    {"role": "user", "content": [RESULT, {"type": "text", "text": "And tomorrow?"}]},
    model=OPUS,
    tools=[WEATHER],
    tool_choice={"type": "auto"},
    system=[{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
    stop_sequences=["END"],
    thinking={"type": "adaptive"},
    stream=False,
)


def places(value, at=()):
    yield at
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in inside:
        yield from places(member, (*at, key))


def changed(value, at, new):
    """Return `value` with `new` at the place `at`; without the member when `new` is the word REMOVED."""
    if not at:
        return new
    value = copy.deepcopy(value)
    node = value
    for key in at[:-1]:
        node = node[key]
    if new == "REMOVED":
        del node[at[-1]]
    else:
        node[at[-1]] = new
    return value


def well_formed(answer):
    if answer.status == 200:
        return isinstance(answer, Response) or events(answer)[-1]["type"] == "message_stop"
    got = document(answer)
    assert answer.status in (400, 404, 413), got
    assert set(got) == {"type", "error", "request_id"}
    assert got["error"]["type"]
    return bool(got["error"]["message"])


@settings(max_examples=120, deadline=None)
@given(JSON)
def test_any_json_gets_an_answer(value):
    assert well_formed(post(OfflineAPI(Improviser()), value))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(list(places(SOUND))), JSON | st.just("REMOVED")), min_size=1, max_size=3))
def test_a_sound_request_with_anything_changed_gets_an_answer(changes):
    sent = SOUND
    for at, new in changes:
        if at in set(places(sent)):
            sent = changed(sent, at, new)
    assert well_formed(post(OfflineAPI(Improviser()), sent))
    assert well_formed(post(OfflineAPI(Improviser()), sent, path="/v1/messages/count_tokens"))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=60).map(lambda word: json.dumps(SOUND)[: len(word)].encode()))
def test_any_bytes_get_an_answer(raw):
    assert well_formed(post(OfflineAPI(Improviser()), raw))


@st.composite
def conversations(draw):
    """A conversation as a tool loop writes it: any number of calls a turn, each answered once, in any order."""
    turns, number = [{"role": "user", "content": draw(st.text(min_size=1, max_size=20).filter(str.strip))}], 0
    for _ in range(draw(st.integers(0, 4))):
        count = draw(st.integers(0, 3))
        calls = [
            {
                "type": "tool_use",
                "id": f"toolu_{number + n}",
                "name": "get_weather",
                "input": {"city": draw(st.text(max_size=9))},
            }
            for n in range(count)
        ]
        number += count
        said = draw(st.lists(st.just({"type": "text", "text": "I look."}), max_size=1 if calls else 0, min_size=0))
        results = [
            {
                "type": "tool_result",
                "tool_use_id": asked["id"],
                **draw(
                    st.sampled_from(
                        [{}, {"content": "ok"}, {"content": [{"type": "text", "text": "no"}], "is_error": True}]
                    )
                ),
            }
            for asked in draw(st.permutations(calls))
        ]
        turns.append({"role": "assistant", "content": [*said, *calls] or "Nothing to do."})
        turns.append({"role": "user", "content": [*results, {"type": "text", "text": "Go on."}]})
    return turns


@settings(max_examples=80, deadline=None)
@given(conversations(), st.booleans())
def test_any_sound_conversation_is_answered(turns, stream):
    answer = post(OfflineAPI(Improviser()), body(*turns, model=OPUS, tools=[WEATHER], stream=stream))
    assert answer.status == 200, document(answer)
    assert well_formed(answer)


@settings(max_examples=60, deadline=None)
@given(conversations(), st.data())
def test_a_sound_conversation_without_one_of_its_results_is_refused_for_that(turns, data):
    results = [
        (i, j)
        for i, turn in enumerate(turns)
        for j, b in enumerate(turn["content"])
        if isinstance(b, dict) and b["type"] == "tool_result"
    ]
    if not results:
        return
    turn, block = data.draw(st.sampled_from(results))
    lost = turns[turn]["content"].pop(block)
    answer = post(OfflineAPI(Improviser()), body(*turns, model=OPUS, tools=[WEATHER]))
    message = document(answer)["error"]["message"]
    assert answer.status == 400
    assert "`tool_use` ids were found without `tool_result` blocks" in message
    assert lost["tool_use_id"] in message


@pytest.mark.parametrize("depth", [300, 900, 965, 975, 5000])
@pytest.mark.parametrize("holder", ["schema", "input"])
def test_a_body_that_is_nested_deeply_is_answered_or_refused_as_no_json(depth, holder):
    nested = "[" * depth + "]" * depth
    if holder == "schema":
        sent = body("Weather?", tools=[{**WEATHER, "input_schema": {"type": "object", "default": "NESTED"}}])
    else:
        made = {"role": "assistant", "content": [{**call(), "id": "t1", "input": {"a": "NESTED"}}]}
        given = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]}
        sent = body("Weather in Oslo?", made, given, model=OPUS)
    raw = json.dumps(sent).replace('"NESTED"', nested).encode()
    answer = post(OfflineAPI(Improviser()), raw)
    assert answer.status == 200 or b"recursion depth exceeded" in answer.body
