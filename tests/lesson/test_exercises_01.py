import pytest

from course.harness import tool
from course.lesson import ask, check

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
    ("six-in-order", ("c e f d a b",)),
    ("six-in-order", ("CEFDAB",)),
    ("six-in-order", (["c", "e", "f", "d", "a", "b"],)),
    ("six-in-order", ("c, e, f, d, a, b",)),
    ("six-mend-the-gap", ([*HISTORY[:2], user(FAILED, WORDS)],)),
    ("six-mend-the-gap", ([*HISTORY[:2], user(FAILED), user("And the one after that?")],)),
    ("six-who-does-it", (DUTIES,)),
    ("six-who-does-it", ({key: f" {value.title()}" for key, value in DUTIES.items()},)),
    ("six-send-it-all", ([*HISTORY, claude("At 14:20."), user("And how long is the crossing?")],)),
    ("six-send-it-all", ([*HISTORY, claude(text("At 14:20.")), user(text("How long does the crossing take?"))],)),
]

WRONG = [
    ("six-in-order", ("abc",), "Each of the letters"),
    ("six-in-order", ("c e d f a b",), "first two are right"),
    ("six-in-order", ("e c f d a b",), "first letter"),
    ("six-in-order", ("c f e d a b",), "after the Offer it is Claude's turn"),
    ("six-in-order", ("c e f a d b",), "first three"),
    ("six-in-order", ("c e f d b a",), "first four"),
    ("six-mend-the-gap", ([*HISTORY[:2], user("And the one after that?")],), "still refuses"),
    ("six-mend-the-gap", ([*HISTORY[:2], user(WORDS, FAILED)],), "still refuses"),
    ("six-mend-the-gap", ([HISTORY[0], user("And the one after that?")],), "Answer the call instead"),
    ("six-mend-the-gap", ([*HISTORY[:2], user(FAILED | {"is_error": False}, WORDS)],), "is_error"),
    ("six-mend-the-gap", ([*HISTORY[:2], user(FAILED | {"content": ""}, WORDS)],), "still refuses"),
    ("six-mend-the-gap", ([*HISTORY[:2], user(FAILED | {"content": " "}, WORDS)],), "few words"),
    ("six-mend-the-gap", ([*HISTORY[:2], user(FAILED)],), "are gone"),
    ("six-who-does-it", (DUTIES | {"run the function": "claude"},), "1 not right yet: run the function"),
    ("six-send-it-all", ([user("And how long is the crossing?")],), "earlier messages are missing"),
    ("six-send-it-all", ([*HISTORY, user("And how long is the crossing?")],), "final answer"),
    ("six-send-it-all", ([*HISTORY, claude("At 14:20."), user("Thanks")],), "new question"),
    ("six-send-it-all", (["crossing"],), "this is a list that holds a str without a role"),
    ("six-send-it-all", ([*HISTORY, claude("At 14:20.") | {"id": "msg_1"}, user("The crossing?")],), "two keys"),
    ("six-send-it-all", ([*HISTORY, {"role": "assistant", "content": {"role": "assistant"}}],), "two keys"),
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


# running the call ---------------------------------------------------------------------------------------------------

FERRIES = {"Mokpo": "14:20 to Jeju", "Busan": "16:05 to Fukuoka"}
ran = []


@tool
def next_ferry(harbour: str) -> str:
    """Return the next ferry from a harbour today, in local time. Knows Mokpo and Busan."""
    ran.append(harbour)
    return FERRIES.get(harbour, "no ferry today")


EXECUTIONS = {
    "has not been called": lambda call: "14:20 to Jeju",
    "ran for Mokpo": lambda call: next_ferry("Mokpo"),
    "returns nothing yet": lambda call: None,
    "'noon'": lambda call: next_ferry(**call.input) and "noon",
    "next_ferry(**the_dictionary)": lambda call: next_ferry(call.input),
}


def test_a_call_is_run_with_its_own_input_and_leaves_no_trace():
    ran[:] = ["Mokpo"]
    assert check("six-run-the-call", lambda call: next_ferry(**call.input), ran).ok
    assert check("six-run-the-call", lambda call: next_ferry(harbour=call.input["harbour"]), ran).ok
    assert ran == ["Mokpo"]


@pytest.mark.parametrize("said", EXECUTIONS)
def test_a_call_that_is_run_wrongly_is_told_why(said):
    verdict = check("six-run-the-call", EXECUTIONS[said], ran)
    assert verdict.state == "wrong"
    assert said in verdict.message, verdict


# the round trip -----------------------------------------------------------------------------------------------------


def trip(question, *, id=None, tools=(next_ferry,), keep=lambda content: content, run=None, second=None, last=None):
    """A round trip that can go wrong in every way."""
    history = [user(question)]
    asked = ask(history, tools=[next_ferry])
    wanted = next(block for block in asked.content if block.type == "tool_use")
    value = run or next_ferry(**wanted.input)
    history += [
        {"role": "assistant", "content": keep(asked.content)},
        user({"type": "tool_result", "tool_use_id": id or wanted.id, "content": value}),
    ]
    final = ask(second or history, tools=list(tools))
    return [*history, {"role": "assistant", "content": last or final.content}]


def calls_only(content):
    return [block for block in content if block.type == "tool_use"]


TRIPS = {
    "returns nothing yet": lambda question: None,
    "step 5 is missing": lambda question: [user(question), claude("At 14:20.")],
    "user, assistant, user": lambda question: trip(question)[:3],
    "returns for Busan": lambda question: trip(question, run="14:20 to Jeju"),
    "returns for Mokpo": lambda question: trip(question, run="16:05 to Fukuoka"),
    "without the tools": lambda question: trip(question, tools=()),
    "did not go back whole": lambda question: trip(question, keep=calls_only),
    "yours carried 1": lambda question: trip(question, second=[user(question)]),
    "in words": lambda question: trip(question, last=[CALL | {"id": "toolu_2"}]),
    "yours sent 3": lambda question: ask(question) and trip(question),
    "refused what your code sent (400": lambda question: trip(question, id="toolu_9"),
}


def test_a_round_trip_for_any_harbour_is_accepted():
    assert check("six-round-trip", trip).ok


@pytest.mark.parametrize("said", TRIPS)
def test_a_round_trip_that_is_not_one_is_told_why(said):
    verdict = check("six-round-trip", TRIPS[said])
    assert verdict.state == "wrong"
    assert said.lower() in verdict.message.lower(), verdict


def test_a_wrong_id_gets_the_words_of_the_api_and_what_they_mean():
    told = repr(check("six-round-trip", TRIPS["refused what your code sent (400"]))
    assert "The API says: messages.2.content.0: unexpected `tool_use_id`" in told.replace("'", "`")
    assert "That means:" in told
    assert "Traceback" not in told
