import pytest

from course.lesson import check

CALL = {"type": "tool_use", "id": "toolu_1", "name": "next_ferry", "input": {"harbour": "Mokpo"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "14:20 to Jeju"}


def text(words):
    return {"type": "text", "text": words}


def user(*content):
    return {"role": "user", "content": content[0] if isinstance(content[0], str) else list(content)}


def claude(*content):
    return {"role": "assistant", "content": content[0] if isinstance(content[0], str) else list(content)}


HISTORY = [user("When does the next ferry leave Mokpo?"), claude(CALL), user(RESULT)]
FAILED = {
    "type": "tool_result",
    "tool_use_id": "toolu_1",
    "content": "The service is down, try later.",
    "is_error": True,
}
WORDS = text("And the one after that?")
ROUND = [
    user("When does the next ferry leave Busan?"),
    claude(text("Let me look."), CALL),
    user(RESULT | {"content": "16:05 to Fukuoka"}),
    claude("At 16:05."),
]
DUTIES = {
    "decide whether a tool is needed": "claude",
    "fill in the arguments": "claude",
    "refuse a caller without permission": "app",
    "stop a call that takes too long": "app",
    "run the function": "app",
    "log what was run": "app",
    "word the final answer": "claude",
}

RIGHT = [
    ("six-run-the-call", ("14:20 to Jeju", ["Mokpo"])),
    ("six-run-the-call", ("14:20 to Jeju", ["Busan", "Mokpo", "Mokpo"])),
    ("six-in-order", ("c e f d a b",)),
    ("six-in-order", ("CEFDAB",)),
    ("six-in-order", (["c", "e", "f", "d", "a", "b"],)),
    ("six-in-order", ("c, e, f, d, a, b",)),
    ("six-round-trip", (ROUND,)),
    ("six-round-trip", ([*ROUND[:2], user(RESULT | {"content": [text("16:05 to Fukuoka")]}), ROUND[3]],)),
    ("six-mend-the-gap", ([*HISTORY[:2], user(FAILED, WORDS)],)),
    ("six-mend-the-gap", ([*HISTORY[:2], user(FAILED), user("And the one after that?")],)),
    ("six-who-does-it", (DUTIES,)),
    ("six-who-does-it", ({key: f" {value.title()}" for key, value in DUTIES.items()},)),
    ("six-send-it-all", ([*HISTORY, claude("At 14:20."), user("And how long is the crossing?")],)),
    ("six-send-it-all", ([*HISTORY, claude(text("At 14:20.")), user(text("How long does the crossing take?"))],)),
]

WRONG = [
    ("six-run-the-call", ("14:20 to Jeju", []), "has not been called"),
    ("six-run-the-call", ("16:05 to Fukuoka", ["Busan"]), "ran for Busan"),
    ("six-run-the-call", ("noon", ["Mokpo"]), "'noon'"),
    ("six-in-order", ("abc",), "Each of the letters"),
    ("six-in-order", ("c e d f a b",), "first two are right"),
    ("six-in-order", ("e c f d a b",), "first letter"),
    ("six-in-order", ("c f e d a b",), "after the Offer it is Claude's turn"),
    ("six-in-order", ("c e f a d b",), "first three"),
    ("six-in-order", ("c e f d b a",), "first four"),
    ("six-round-trip", ([ROUND[0], ROUND[3]],), "step 5 is missing"),
    ("six-round-trip", (ROUND[:3],), "user, assistant, user"),
    ("six-round-trip", ([*ROUND[:2], user(RESULT | {"tool_use_id": "toolu_9"}), ROUND[3]],), "would refuse"),
    ("six-round-trip", ([*ROUND[:2], user(RESULT), ROUND[3]],), "returns for Busan"),
    ("six-round-trip", ([*ROUND[:3], claude(CALL | {"id": "toolu_2"})],), "in words"),
    ("six-mend-the-gap", ([*HISTORY[:2], user("And the one after that?")],), "still refuses"),
    ("six-mend-the-gap", ([*HISTORY[:2], user(WORDS, FAILED)],), "still refuses"),
    ("six-mend-the-gap", ([HISTORY[0], user("And the one after that?")],), "Answer the call instead"),
    ("six-mend-the-gap", ([*HISTORY[:2], user(FAILED | {"is_error": False}, WORDS)],), "is_error"),
    ("six-mend-the-gap", ([*HISTORY[:2], user(FAILED | {"content": ""}, WORDS)],), "few words"),
    ("six-mend-the-gap", ([*HISTORY[:2], user(FAILED)],), "are gone"),
    ("six-who-does-it", (DUTIES | {"run the function": "claude"},), "1 not right yet: run the function"),
    ("six-send-it-all", ([user("And how long is the crossing?")],), "earlier messages are missing"),
    ("six-send-it-all", ([*HISTORY, user("And how long is the crossing?")],), "final answer"),
    ("six-send-it-all", ([*HISTORY, claude("At 14:20."), user("Thanks")],), "new question"),
    ("six-send-it-all", (["crossing"],), "could not read your value"),
]


@pytest.mark.parametrize(("exercise", "values"), RIGHT)
def test_every_right_answer_is_accepted(exercise, values):
    verdict = check(exercise, *values)
    assert verdict.ok, verdict


@pytest.mark.parametrize(("exercise", "values", "said"), WRONG)
def test_a_wrong_answer_is_told_why(exercise, values, said):
    verdict = check(exercise, *values)
    assert verdict.state == "wrong"
    assert said.lower() in verdict.message.lower(), verdict
    assert verdict.place


def test_a_broken_rule_of_the_api_is_in_the_verdict():
    verdict = check("six-mend-the-gap", [*HISTORY[:2], user("And the one after that?")])
    assert "`tool_use` ids were found without `tool_result` blocks" in verdict.rule
