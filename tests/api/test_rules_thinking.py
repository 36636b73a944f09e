"""Thinking blocks: where they must and may stand, and that they come back as they were written."""

import pytest
from rule_helpers import HAIKU, OPUS, TOOL, assistant, body, call, found, result, text, thought, told, user

from course.api.check import Hooks

ON = {"type": "enabled", "budget_tokens": 1024}
HIDDEN = {"type": "redacted_thinking", "data": "EgQKAggB"}


def thinking(*turns, **fields):
    return body(*turns, tools=[TOOL], thinking=ON, max_tokens=2000, **fields)


def judged(verdict):
    return Hooks(signature_ok=lambda block: verdict)


def rules_of(sent, **how):
    return [broken.rule for broken in found(sent, **how)]


@pytest.mark.parametrize(
    "turns",
    [
        ("q", assistant(thought(), text("a")), "r"),
        ("q", assistant(text("an answer without a thought")), "r"),
        ("q", assistant(thought(), call()), user(result())),
        ("q", assistant(HIDDEN, call()), user(result())),
        ("q", assistant(thought(), call("a")), user(result("a")), assistant(call("b")), user(result("b"))),
    ],
)
def test_a_turn_that_is_over_or_starts_with_thinking_is_accepted(turns):
    assert told(thinking(*turns)) is None


@pytest.mark.parametrize(
    ("turns", "index", "kind"),
    [
        (("q", assistant(call()), user(result())), 1, "tool_use"),
        (("q", assistant(text("a"), call()), user(result())), 1, "text"),
        (("q", assistant("a"), "r", assistant(call()), user(result())), 3, "tool_use"),
        (("q", assistant("The answer")), 1, "text"),
    ],
)
def test_a_turn_that_goes_on_must_start_with_thinking(turns, index, kind):
    said = told(thinking(*turns))
    assert said is not None
    assert said.startswith(
        f"messages.{index}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{kind}`."
    )


def test_without_thinking_a_turn_may_start_with_a_call():
    assert told(body("q", assistant(call()), user(result()), tools=[TOOL])) is None


def test_a_thought_stands_first_unless_thinking_is_interleaved():
    sent = thinking("q", assistant(text("a"), thought()), "r")
    assert told(sent) == (
        "messages.1.content.0: If an assistant message contains any thinking blocks, the first block must be "
        "`thinking` or `redacted_thinking`. Found `text`."
    )
    woven = thinking("q", assistant(text("a"), thought(), text("b")), "r")
    assert told(woven, betas=("interleaved-thinking-2025-05-14",)) is None


@pytest.mark.parametrize("later", [(), ("go on",), ("go on", assistant(text("a")), "and?")])
def test_no_turn_ends_in_a_thought(later):
    sent = thinking("q", assistant(thought(), text("Let me see."), thought()), *later)
    assert told(sent, betas=("interleaved-thinking-2025-05-14",)) == (
        "messages.1: The final block in an assistant message cannot be `thinking`."
    )


@pytest.mark.parametrize("verdict", [True, None, "genuine"])
def test_a_signature_that_is_genuine_or_unknown_is_accepted(verdict):
    assert told(body("q", assistant(thought(), text("a")), "r"), hooks=judged(verdict)) is None


def test_a_false_signature_is_named_with_its_block():
    sent = body("q", assistant(text("a"), thought()), "r")
    assert told(sent, hooks=judged(False)) == "messages.1.content.1: Invalid `signature` in `thinking` block"


def test_an_edited_thought_is_told_from_an_invalid_one_in_the_latest_turn_alone():
    sent = body("q", assistant(thought(), text("a")), "r", assistant(thought(), text("b")), "s")
    assert rules_of(sent, hooks=judged("edited")) == ["thinking.signature", "thinking.modified"]


def test_a_thought_of_another_conversation_is_told_so():
    said = told(body("q", assistant(thought(), text("a")), "r"), hooks=judged("moved"))
    assert said is not None
    assert "The block is bound to a different conversation." in said


def test_a_signature_is_asked_about_with_its_whole_block():
    asked = []
    hooks = Hooks(signature_ok=lambda block: asked.append(block))
    told(body("q", assistant(thought(words="hm"), text("a")), "r"), hooks=hooks)
    assert asked == [thought(words="hm")]


@pytest.mark.parametrize("signature", ["sig", "<signature>", "abc!"])
def test_what_is_no_signature_at_all_is_a_placeholder_and_not_judged(signature):
    assert told(body("q", assistant(thought(signature), text("a")), "r"), hooks=judged(False)) is None


def test_without_a_judge_a_signature_is_looked_at_from_outside():
    assert told(body("q", assistant(thought("AAAA"), text("a")), "r")) == (
        "messages.1.content.0: Invalid `signature` in `thinking` block"
    )


def test_hidden_thinking_has_words_of_its_own():
    sent = body("q", assistant({**HIDDEN, "data": "AAAA"}, text("a")), "r")
    assert told(sent) == "messages.1.content.0: Invalid `data` in `redacted_thinking` block"


def test_the_last_turn_holds_no_thinking_where_none_is_asked_for():
    turns = ("q", assistant(thought(), text("a")))
    assert rules_of(body(*turns, model=HAIKU)) == ["thinking.off-last"]
    assert "thinking.off-last" not in rules_of(body(*turns, model=OPUS))


def test_a_signed_thought_may_be_empty_and_an_unsigned_one_may_not():
    assert told(body("q", assistant(thought(words=""), text("a")), "r")) is None
    assert told(body("q", assistant(thought("", ""), text("a")), "r")) == (
        "messages.1.content.0.thinking: each thinking block must contain thinking"
    )
