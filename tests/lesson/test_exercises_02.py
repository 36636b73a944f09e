from copy import deepcopy
from types import SimpleNamespace

import pytest

from course.lesson import ask, call, check


def text(words):
    return {"type": "text", "text": words}


def result(id, content="12 seats", **more):
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def order(id):
    return {"type": "tool_use", "id": id, "name": "get_order", "input": {"order_id": "T-81"}}


ASKED = {
    "role": "assistant",
    "content": [
        {"type": "tool_use", "id": "toolu_f", "name": "seats_left", "input": {"day": "Friday"}},
        {"type": "tool_use", "id": "toolu_s", "name": "seats_left", "input": {"day": "Saturday"}},
    ],
}
BOTH = [result("toolu_f"), result("toolu_s", "sold out")]
PORTED = [{"role": "user", "content": "Seats?"}, ASKED, {"role": "user", "content": BOTH}]
ADULTS = {"role": "user", "content": "Two adults."}
FAILED = result("toolu_s", [text("The box office did not answer, try later.")], is_error=True)
WRITERS = {"text": "both", "thinking": "assistant", "tool_use": "assistant", "tool_result": "user"}
BROKEN = [
    {"role": "user", "content": "Is order T-81 paid?"},
    {"role": "assistant", "content": [text("Let me look."), order("toolu_a")]},
    {"role": "user", "content": [result("toolu_a", "timed out", is_error=True)]},
    {"role": "assistant", "content": [order("toolu_b")]},
    {"role": "user", "content": [result("toolu_a", "paid on 2 December")]},
]


def mended(**changes):
    history = deepcopy(BROKEN)
    history[4]["content"][0] |= {"tool_use_id": "toolu_b", **changes}
    return history


def turns(message, results):
    return [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]


RIGHT = [
    ("pair-who-writes", (WRITERS,)),
    ("pair-who-writes", ({key: value.upper() for key, value in WRITERS.items()},)),
    ("pair-pick-calls", (lambda m: [b for b in m.content if b.type == "tool_use"],)),
    ("pair-pick-calls", (lambda m: (b for b in m.content if b.type == "tool_use"),)),
    ("pair-pick-calls", (lambda m: [b.model_dump() for b in m.content if b.type == "tool_use"],)),
    ("pair-answer-both", ({"role": "user", "content": [*BOTH, text("Two adults.")]}, ASKED)),
    ("pair-answer-both", ({"role": "user", "content": [*reversed(BOTH), text("We are two adults")]}, ASKED)),
    ("pair-right-role", ([*PORTED, ADULTS],)),
    ("pair-right-role", ([*PORTED[:2], {"role": "user", "content": [*BOTH, text("Two adults.")]}],)),
    ("pair-failed-result", (FAILED, ASKED)),
    ("pair-whole-turn", (turns,)),
    ("pair-whole-turn", (lambda m, r: tuple(turns(m, r)),)),
    ("pair-whole-turn", (lambda m, r: turns(SimpleNamespace(content=m.model_dump(exclude_none=True)["content"]), r),)),
    ("pair-read-the-trace", ((4, 0), "b")),
    ("pair-read-the-trace", ([4, 0], "B.")),
    ("pair-mend-the-trace", ("b", mended())),
    ("pair-mend-the-trace", ("B", mended(content=[text("paid on 2 December")]))),
]

WRONG = [
    ("pair-who-writes", (WRITERS | {"text": "user"},), "1 not right yet: text"),
    ("pair-pick-calls", (lambda m: None,), "returns nothing yet"),
    ("pair-pick-calls", (lambda m: ...,), "returns nothing yet"),
    ("pair-pick-calls", (lambda m: [m.content[-1]],), "A message without any call"),
    ("pair-pick-calls", (lambda m: [b for b in m.content if b.type == "tool_use"][:1],), "two calls"),
    ("pair-pick-calls", (lambda m: [b for b in m.content[1:] if b.type == "tool_use"][-2:][::-1],), "two calls"),
    ("pair-pick-calls", (lambda m: [b.id for b in m.content if b.type == "tool_use"],), "the blocks themselves"),
    ("pair-answer-both", ({"role": "tool", "content": BOTH}, ASKED), "role is 'tool'"),
    ("pair-answer-both", ({"role": "user", "content": [text("Two adults."), *BOTH]}, ASKED), "refuse"),
    ("pair-answer-both", ({"role": "user", "content": BOTH[:1]}, ASKED), "refuse"),
    ("pair-answer-both", ({"role": "user", "content": BOTH}, ASKED), "words are gone"),
    ("pair-right-role", ([*PORTED[:2], {"role": "tool", "content": BOTH}, ADULTS],), "still refuses"),
    ("pair-right-role", ([*PORTED[:1], ADULTS],), "results are gone"),
    ("pair-right-role", (PORTED,), "words are gone"),
    ("pair-failed-result", (FAILED | {"tool_use_id": "toolu_f"}, ASKED), "Saturday's call"),
    ("pair-failed-result", (FAILED | {"is_error": False}, ASKED), "is_error"),
    ("pair-failed-result", (FAILED | {"content": "It did not answer at all."}, ASKED), "is a str"),
    ("pair-failed-result", (FAILED | {"content": [text("No.")]}, ASKED), "what happened"),
    ("pair-failed-result", (FAILED | {"content": {"error": "down"}}, ASKED), "refuse"),
    ("pair-whole-turn", (lambda m, r: None,), "returns nothing yet"),
    ("pair-whole-turn", (lambda m, r: turns(m, r)[::-1],), "user, assistant"),
    ("pair-whole-turn", (lambda m, r: turns(SimpleNamespace(content=m.content[1:]), r),), "has lost: thinking"),
    ("pair-whole-turn", (lambda m, r: turns(SimpleNamespace(content=m.content[:2]), r),), "has lost: tool_use"),
    ("pair-whole-turn", (lambda m, r: turns(m, [{**r[0], "tool_use_id": "toolu_9"}]),), "refuse"),
    ("pair-read-the-trace", ((3, 0), "b"), "That is the call"),
    ("pair-read-the-trace", ((2, 0), "b"), "That result is fine"),
    ("pair-read-the-trace", ((0, 0), "b"), "Not (0, 0)"),
    ("pair-read-the-trace", (4, "b"), "Not (4,)"),
    ("pair-read-the-trace", ((4, 0), "a"), "does stand in a user message"),
    ("pair-read-the-trace", ((4, 0), "c"), "does have a result"),
    ("pair-read-the-trace", ((4, 0), "d"), "ordinary and allowed"),
    ("pair-read-the-trace", ((4, 0), "?"), "one of the letters"),
    ("pair-mend-the-trace", ("a", mended()), "before Claude reads"),
    ("pair-mend-the-trace", ("c", mended()), "rewrites Claude's own turn"),
    ("pair-mend-the-trace", ("d", BROKEN[:4]), "no result at all"),
    ("pair-mend-the-trace", ("b", BROKEN), "still refuses"),
    ("pair-mend-the-trace", ("b", mended(content="done")), "is gone"),
]


@pytest.mark.parametrize(("exercise", "values"), RIGHT)
def test_every_right_answer_is_accepted(exercise, values):
    verdict = check(exercise, *values)
    assert verdict.ok, verdict


@pytest.mark.parametrize(("exercise", "values", "said"), WRONG)
def test_a_wrong_answer_is_told_why(exercise, values, said):
    verdict = check(exercise, *values)
    assert verdict.state == "wrong"
    assert said in verdict.message, verdict


def test_rewriting_claudes_call_is_no_mend_even_if_the_api_takes_it():
    rewritten = mended(tool_use_id="toolu_c")
    rewritten[3]["content"][0]["id"] = "toolu_c"
    assert "must stay as they were" in check("pair-mend-the-trace", "b", rewritten).message


def test_an_edited_thinking_block_is_told_apart_from_a_lost_one():
    def edits(message, results):
        content = [block.model_dump(exclude_none=True) for block in message.content]
        content[0]["signature"] = "other"
        return turns(SimpleNamespace(content=content), results)

    assert "came back changed" in check("pair-whole-turn", edits).message


def test_the_sdks_own_message_is_read_like_a_dict():
    asked = ask("Seats?", script=[[call("seats_left", day="Friday"), call("seats_left", day="Saturday")]], tools=[TOOL])
    ids = [block.id for block in asked.content if block.type == "tool_use"]
    both = {"role": "user", "content": [*map(result, ids), text("Two adults.")]}
    assert check("pair-answer-both", both, asked).ok


TOOL = {"name": "seats_left", "description": "Count seats.", "input_schema": {"type": "object"}}
