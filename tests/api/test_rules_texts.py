"""Empty texts, a last turn to continue, markers of the cache, and the size of the context."""

import pytest
from rule_helpers import (
    HAIKU,
    OPUS,
    SEARCH,
    TOOL,
    assistant,
    body,
    call,
    first,
    result,
    server_result,
    server_use,
    system,
    text,
    told,
    tool,
    user,
)

from course.api.check import Hooks


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        ((user(text("")),), "messages: text content blocks must be non-empty"),
        ((user(text("\n")),), "messages: text content blocks must contain non-whitespace text"),
        ((user(text("a"), text("")),), "messages: text content blocks must be non-empty"),
        (("q", assistant("a"), user(text(""), text(" "))), "messages: text content blocks must be non-empty"),
        (("  ",), "messages: text content blocks must contain non-whitespace text"),
    ],
)
def test_the_last_turn_holds_no_empty_text(turns, words):
    assert told(body(*turns)) == words


@pytest.mark.parametrize(
    "turns",
    [
        (user(text("")), assistant("a"), "r"),
        ("q", assistant(text("")), "r"),
        ("q", assistant()),
        ("q", user()),
        (user(), "q"),
        ("q", assistant(call()), user(result(content=""))),
        ("q", assistant(call()), user(result(content=[text("")]))),
    ],
)
def test_texts_before_it_and_results_may_be_empty(turns):
    assert told(body(*turns, tools=[TOOL])) is None


def test_a_system_prompt_of_blocks_holds_no_empty_text_and_a_string_may():
    assert told(body(system="")) is None
    assert told(body(system=[text("")])) == "system: text content blocks must be non-empty"
    assert told(body(system=[text("a"), text(" ")])) == "system: text content blocks must contain non-whitespace text"


def test_a_system_turn_has_words_of_its_own_for_some_empty_texts():
    assert told(body("q", system(text("")), model=OPUS)) == "messages: text content blocks must be non-empty"
    assert told(body("q", system(text("a"), text("")), model=OPUS)) == (
        "messages.1: system text blocks must contain non-whitespace text"
    )


@pytest.mark.parametrize("words", ["The answer ", "The answer\n"])
def test_a_text_to_continue_does_not_end_in_space(words):
    assert told(body("q", assistant(words))) == (
        "messages: final assistant content cannot end with trailing whitespace"
    )
    assert told(body("q", assistant(words), "r")) is None


def test_a_server_tool_at_the_end_is_continued_by_models_without_prefill():
    turns = ("q", assistant(server_use(), server_result()))
    assert told(body(*turns, tools=[SEARCH], model=OPUS)) is None


def test_a_last_call_is_missing_its_result_rather_than_a_prefill():
    broken = first(body("q", assistant(call()), tools=[TOOL], model=OPUS))
    assert broken is not None
    assert broken.rule == "pairing.missing-result"


def marked(block, ttl=None):
    return {**block, "cache_control": {"type": "ephemeral", **({"ttl": ttl} if ttl else {})}}


def test_four_markers_are_accepted_wherever_they_stand():
    sent = body(
        user(marked(text("a"))),
        tools=[marked(TOOL)],
        system=[marked(text("s"))],
        cache_control={"type": "ephemeral"},
    )
    assert told(sent) is None
    sent["messages"].append(user(marked(text("b"))))
    assert told(sent) == "A maximum of 4 blocks with cache_control may be provided. Found 5."


def test_a_marker_inside_a_result_counts():
    inside = result(content=[marked(text("a"))])
    sent = body(user(*[marked(text(str(n))) for n in range(4)]), assistant(call()), user(inside), tools=[TOOL])
    assert told(sent) == "A maximum of 4 blocks with cache_control may be provided. Found 5."


def test_null_is_no_marker():
    assert told(body(user(*[{**text(str(n)), "cache_control": None} for n in range(6)]))) is None


@pytest.mark.parametrize(
    ("fields", "turns", "loc"),
    [
        ({"tools": [marked(TOOL, "5m"), marked(tool("b"), "1h")]}, ("q",), "tools.1.cache_control.ttl"),
        ({"tools": [marked(TOOL)], "system": [marked(text(), "1h")]}, ("q",), "system.0.cache_control.ttl"),
        ({"system": [marked(text(), "5m")]}, (user(marked(text(), "1h")),), "messages.0.content.0.cache_control.ttl"),
        (
            {"tools": [TOOL]},
            (user(marked(text())), assistant(call()), user(marked(result(), "1h"))),
            "messages.2.content.0.cache_control.ttl",
        ),
    ],
)
def test_longer_lived_markers_come_first(fields, turns, loc):
    said = told(body(*turns, **fields))
    assert said is not None
    assert said.startswith(f"{loc}: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.")


def test_markers_in_falling_lifetimes_are_accepted():
    assert told(body(user(marked(text(), "5m")), tools=[marked(TOOL, "1h")], system=[marked(text(), "1h")])) is None


def test_a_marker_within_a_result_stands_on_the_last_part_and_not_beside_its_own():
    def sent(block):
        return body("q", assistant(call()), user(block), tools=[TOOL])

    assert told(sent(result(content=[text("a"), marked(text("b"))]))) is None
    for wrong in (
        result(content=[marked(text("a")), text("b")]),
        marked(result(content=[marked(text("a"))])),
    ):
        assert (told(sent(wrong)) or "").startswith("messages.2.content.0.tool_result.content.0.cache_control: ")


@pytest.mark.parametrize(("tokens", "accepted"), [(200_000, True), (200_001, False)])
def test_a_prompt_fits_the_context_of_its_model(tokens, accepted):
    said = told(body(model=HAIKU), hooks=Hooks(estimate=lambda body: tokens))
    assert (said is None) == accepted
    assert accepted or said == "prompt is too long: 200001 tokens > 200000 maximum"


def test_the_long_context_is_a_beta_for_some_and_built_in_for_others():
    hooks = Hooks(estimate=lambda body: 900_000)
    assert told(body(model="claude-sonnet-4-20250514"), hooks=hooks) is not None
    assert told(body(model="claude-sonnet-4-20250514"), hooks=hooks, betas=("context-1m-2025-08-07",)) is None
    assert told(body(model=OPUS), hooks=hooks) is None


def test_input_and_output_share_the_context_of_older_models_alone():
    hooks = Hooks(estimate=lambda body: 199_000)
    assert told(body(model="claude-3-7-sonnet-20250219", max_tokens=2000), hooks=hooks) == (
        "input length and `max_tokens` exceed context limit: 199000 + 2000 > 200000, "
        "decrease input length or `max_tokens` and try again"
    )
    assert told(body(model=HAIKU, max_tokens=2000), hooks=hooks) is None


def test_without_an_estimate_nothing_is_too_long():
    assert told(body("a " * 1_000_000)) is None
