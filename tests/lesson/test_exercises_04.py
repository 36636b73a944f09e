"""What the checks of lesson 04 accept, and how they tell a wrong answer."""

import json

import pytest

from course.harness import Deny
from course.lesson import check

FERRIES = {"Mokpo": "14:20 to Jeju", "Busan": "16:05 to Fukuoka"}


def result(call, content, **more):
    return {"type": "tool_result", "tool_use_id": call.id, "content": content, **more}


def calls(message):
    return [block for block in message.content if block.type == "tool_use"]


@pytest.mark.parametrize("order", [1, -1])
def test_results_may_come_in_any_order(order):
    assert check("loop-every-call", lambda m: [result(c, FERRIES[c.input["harbour"]]) for c in calls(m)][::order]).ok


@pytest.mark.parametrize(
    "answer",
    [
        lambda m: [result(calls(m)[0], "14:20 to Jeju")],
        lambda m: [result(c, "14:20 to Jeju") for c in calls(m)],
        lambda m: [],
    ],
)
def test_a_lost_or_mixed_result_is_not_right(answer):
    assert not check("loop-every-call", answer).ok


def careful(call, unknown="There is no such tool here.", marked=True):
    flag = {"is_error": True} if marked else {}
    if call.name != "next_ferry":
        return result(call, unknown, **flag)
    try:
        return result(call, FERRIES[call.input["harbour"]])
    except KeyError as error:
        return result(call, f"{error} is no harbour we know.", **flag)


def test_a_call_that_fails_may_be_told_in_any_words():
    assert check("loop-safe-call", careful).ok


@pytest.mark.parametrize(
    "safe",
    [
        lambda call: result(call, FERRIES[call.input["harbour"]]),
        lambda call: careful(call, marked=False),
        lambda call: careful(call, unknown="error"),
        lambda call: None,
    ],
)
def test_a_call_that_fails_silently_or_loudly_is_not_right(safe):
    assert not check("loop-safe-call", safe).ok


@pytest.mark.parametrize("full", ["more room", "stop"])
def test_a_full_context_may_be_shortened_or_end_the_run(full):
    steps = {"tool_use": "execute", "pause_turn": "resend", "max_tokens": "more room"}
    steps["model_context_window_exceeded"] = full
    assert check("loop-next-step", lambda reason: steps.get(reason, "stop")).ok


def test_an_unknown_reason_must_stop():
    steps = {"tool_use": "execute", "pause_turn": "resend", "max_tokens": "more room"}
    assert not check("loop-next-step", lambda reason: steps.get(reason, "execute")).ok


def gate(counts=lambda r: r.call.name == "verify_customer" and not r.is_error, name="refund"):
    def asked(call, done):
        if call.name == name and not any(counts(result) for result in done):
            return Deny("Verify the customer first.")

    return asked


def test_a_gate_that_waits_for_the_verification_is_right():
    assert check("loop-verified-first", gate()).ok


@pytest.mark.parametrize(
    "asked",
    [
        gate(counts=lambda r: r.call.name == "verify_customer"),
        gate(counts=lambda r: False),
        gate(name="verify_customer"),
        lambda call, done: "no" if call.name == "refund" else None,
        lambda call, done: None,
    ],
)
def test_a_gate_that_lets_pass_or_shuts_for_good_is_not_right(asked):
    assert not check("loop-verified-first", asked).ok


def test_fragments_are_joined_before_they_are_read():
    assert check("loop-whole-input", lambda pieces: json.loads("".join(pieces))).ok
    assert not check("loop-whole-input", "".join).ok
    assert not check("loop-whole-input", lambda pieces: json.loads(pieces[-1])).ok
    assert not check("loop-whole-input", lambda pieces: {"harbour": "Mokpo"}).ok
