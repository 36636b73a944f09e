"""Turns: how messages merge, how calls and results must stand to one another, which blocks may stand where."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_helpers import (
    HAIKU,
    OLD,
    OPUS,
    TOOL,
    asked,
    assistant,
    at,
    body,
    call,
    first,
    found,
    result,
    server_result,
    server_use,
    system,
    text,
    thought,
    told,
    user,
)

from course.api.conversation import merge

MISSING = (
    "messages.{}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)
UNEXPECTED = (
    "messages.{}.content.{}: unexpected `tool_use_id` found in `tool_result` blocks: {}. "
    "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
)


def chat(*turns, **fields):
    return body(*turns, tools=[TOOL], **fields)


def test_neighbours_of_one_role_are_one_turn():
    turns = merge([user("a"), user(text("b"), text("c")), assistant("d"), user("")])
    assert [(turn.role, [block["text"] for block in turn.blocks]) for turn in turns] == [
        ("user", ["a", "b", "c"]),
        ("assistant", ["d"]),
        ("user", []),
    ]


def test_a_block_of_a_merged_turn_knows_where_it_stands_in_the_request():
    turn = merge([user("a"), user(text("b"), text("c"))])[0]
    assert [turn.place(index) for index in range(3)] == [
        ("messages", 0, "content"),
        ("messages", 1, "content", 0),
        ("messages", 1, "content", 1),
    ]
    assert turn.place() == ("messages", 0)


def test_what_is_no_message_or_no_block_does_not_stop_a_merge():
    assert [turn.role for turn in merge([None, {"role": 7}, {"role": "user", "content": [1]}, 5])] == ["", "user"]
    assert merge("messages") == merge(None) == []


messages = st.lists(
    st.builds(
        lambda role, content: {"role": role, "content": content},
        st.sampled_from(["user", "assistant", "system"]),
        st.text(max_size=3) | st.lists(st.builds(text, st.text(max_size=3)), max_size=3),
    ),
    max_size=8,
)


@given(messages)
def test_a_merge_loses_no_block_and_leaves_no_neighbours_of_one_role(sent):
    turns = merge(sent)
    assert all(one.role != following.role for one, following in pairwise(turns))
    assert sum(len(turn.blocks) for turn in turns) == sum(
        len(m["content"]) if isinstance(m["content"], list) else bool(m["content"]) for m in sent
    )
    again = merge([{"role": turn.role, "content": turn.blocks} for turn in turns])
    assert [(turn.role, turn.blocks) for turn in again] == [(turn.role, turn.blocks) for turn in turns]


@given(messages)
def test_every_block_of_a_merge_is_found_at_its_place(sent):
    for turn in merge(sent):
        for index, block in enumerate(turn.blocks):
            there = at({"messages": sent}, turn.place(index))
            assert there is block or there == block["text"]


@pytest.mark.parametrize(
    "turns",
    [
        ("q", assistant(text(), call()), user(result())),
        ("q", assistant(call("a"), call("b")), user(result("b"), result("a"), text("and?"))),
        ("q", assistant(call("a")), assistant(call("b")), user(result("a")), user(result("b"))),
        ("q", assistant(call()), user(result()), assistant("done"), "thanks"),
        ("q", assistant(call()), user(result(content=[]))),
        ("q", assistant(text(), server_use(), server_result(), call()), user(result())),
    ],
)
def test_results_that_follow_their_calls_are_accepted(turns):
    assert told(chat(*turns)) is None


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        (("q", assistant(call())), MISSING.format(1, "toolu_1")),
        (("q", assistant(call()), "and?"), MISSING.format(2, "toolu_1")),
        (("q", assistant(call()), user()), "messages.2: user messages must have non-empty content"),
        (("q", assistant(call(), text("I looked.")), user(result())), MISSING.format(1, "toolu_1")),
        (("q", assistant(call()), user(text(), result())), MISSING.format(2, "toolu_1")),
        (("q", assistant(call("b"), call("a")), "and?"), MISSING.format(2, "a, b")),
        (("q", assistant(call("a"), call("b")), user(result("a"))), MISSING.format(2, "b")),
        (("q", assistant(call("a"), call("b")), user(result("a"), text(), result("b"))), MISSING.format(2, "b")),
        (("p", "q", assistant(call()), "and?"), MISSING.format(2, "toolu_1")),
        (("q", assistant(call("a")), "so", assistant(call("b")), "so"), MISSING.format(2, "a")),
    ],
)
def test_a_call_without_its_result_is_named_with_the_turn_where_something_else_stands(turns, words):
    assert told(chat(*turns)) == words


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        ((user(result()),), UNEXPECTED.format(0, 0, "toolu_1")),
        (("q", user(result())), UNEXPECTED.format(0, 1, "toolu_1")),
        (("q", assistant("a"), user(text(), result())), UNEXPECTED.format(2, 1, "toolu_1")),
        (("q", assistant(call()), user(result("x"))), UNEXPECTED.format(2, 0, "x")),
        (("q", assistant(call()), user(result(), result("x"))), UNEXPECTED.format(2, 1, "x")),
        (("q", assistant(call()), user(result()), assistant("a"), user(result())), UNEXPECTED.format(4, 0, "toolu_1")),
    ],
)
def test_a_result_without_its_call_in_the_turn_before_is_named(turns, words):
    assert told(chat(*turns)) == words


def test_the_place_of_a_fault_is_where_it_stands_in_the_request_not_after_merging():
    sent = chat("p", "q", assistant("so"), assistant(call()), "and?")
    broken = first(sent)
    assert broken is not None
    assert broken.message == MISSING.format(2, "toolu_1")
    assert broken.place == ("messages", 3, "content", 0)
    assert at(sent, broken.place)["id"] == "toolu_1"


def test_every_fault_of_a_conversation_is_listed():
    sent = chat("q", assistant(call("a")), "so", assistant(call("a")), user(result("b")))
    assert [broken.rule for broken in found(sent)] == [
        "pairing.missing-result",
        "pairing.duplicate-id",
        "pairing.unexpected-result",
        "pairing.missing-result",
    ]


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        ((user(text(), call()),), "messages.0: `tool_use` blocks can only be in `assistant` messages"),
        ((user(server_use()),), "messages.0: `server_tool_use` blocks can only be in `assistant` messages"),
        ((user(server_result()),), "messages.0: `web_search_tool_result` blocks can only be in `assistant` messages"),
        ((user(thought()),), "messages.0.content: thinking blocks may only be in `assistant` messages"),
        (("q", assistant(result()), "r"), "messages.1: `tool_result` blocks can only be in `user` messages"),
        (
            (
                "q",
                assistant(text(), {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}),
                "r",
            ),
            "messages.1.content: 'image' blocks are not permitted within assistant turns",
        ),
        (
            ("q", assistant({"type": "container_upload", "file_id": "file_1"}), "r"),
            "messages.1.content: 'container_upload' blocks are not permitted within assistant turns",
        ),
    ],
)
def test_a_block_may_stand_only_in_turns_of_its_role(turns, words):
    assert words in [broken.message for broken in found(body(*turns))]


def test_a_document_of_the_assistant_is_refused_by_the_newer_version_alone():
    paper = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a"}}
    sent = body("q", assistant(paper, text()), "r")
    assert told(sent) is None
    assert told(sent, version="2026-10-21") == (
        "messages.1.content: 'document' blocks are not permitted within assistant turns"
    )


def test_the_first_turn_must_be_the_user_s_only_for_the_oldest_models():
    turns = (assistant("Hello."), "hi")
    assert told(body(*turns, model=OLD)) == 'messages: first message must use the "user" role'
    assert told(body(*turns, model=HAIKU)) is None


@pytest.mark.parametrize(
    "turns",
    [
        ("q", system("Be brief.")),
        ("q", system("Be brief."), assistant("a"), "r"),
        ("q", system("one"), system("two"), assistant("a"), "r"),
        ("q", assistant(server_use(), server_result()), system("Be brief.")),
    ],
)
def test_a_system_turn_stands_behind_the_user_s_and_before_the_assistant_s(turns):
    search = {"type": "web_search_20250305", "name": "web_search"}
    assert told(body(*turns, tools=[search], model=OPUS)) is None


def test_a_system_turn_of_directives_alone_may_stand_anywhere():
    directive = {"role": "system", "content": [], "output_config": {"effort": "low"}}
    betas = ("mid-conversation-output-config-2026-07-01",)
    assert told(body(directive, "q", assistant("a"), directive, "r", model=OPUS), betas=betas) is None
    assert told(body(directive, "q", model=OPUS)) == "messages.0.output_config: Extra inputs are not permitted"


def test_the_index_of_a_system_turn_is_the_one_of_the_request_as_sent():
    said = told(body("p", "q", assistant("a"), system("Be brief."), "r", model=OPUS))
    assert said is not None
    assert said.startswith("messages.3: role 'system' must follow a 'user' message")


def test_a_sound_conversation_breaks_nothing():
    assert told(asked()) is None
    assert told(asked(), version="2026-10-21") is None
