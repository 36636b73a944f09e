"""The loop without I/O: what it yields, and how it ends."""

import pytest
from fake_client import call, final, message, text

from course.harness import Call, Execute, HarnessError, Send, loop

REQUEST = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": "Hi"}]}


def drive(*answers, results=None, **options):
    """Run the loop over prepared messages; return what it yielded and its outcome."""
    steps = loop(REQUEST, **options)
    yielded, answers, happened = [], list(answers), None
    while True:
        try:
            todo = steps.send(happened)
        except StopIteration as end:
            return yielded, end.value
        yielded.append(todo)
        if isinstance(todo, Send):
            happened = answers.pop(0)
        else:
            happened = [{"type": "tool_result", "tool_use_id": c.id, "content": "ok"} for c in todo.calls]


def test_an_answer_without_calls_ends_the_loop_after_one_request():
    yielded, outcome = drive(final("Hello."))
    assert yielded == [Send(REQUEST)]
    assert (outcome.stop, outcome.text) == ("end_turn", "Hello.")
    assert outcome.messages[-1] == {"role": "assistant", "content": [text("Hello.")]}


def test_every_call_of_a_message_is_executed_and_all_results_go_back_in_one_user_message():
    asking = message(text("Two."), call("a", "f", x=1), text("And."), call("b", "g"))
    yielded, outcome = drive(asking, final())
    assert yielded[1] == Execute((Call("a", "f", {"x": 1}), Call("b", "g", {})))
    assert yielded[2].request["messages"][1:] == [
        {"role": "assistant", "content": asking["content"]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "ok"},
                {"type": "tool_result", "tool_use_id": "b", "content": "ok"},
            ],
        },
    ]
    assert outcome.stop == "end_turn"


def test_the_assistant_turn_goes_back_whole_with_its_thinking():
    thinking = {"type": "thinking", "thinking": "", "signature": "s"}
    yielded, _ = drive(message(thinking, call("a", "f")), final())
    assert yielded[2].request["messages"][1]["content"][0] == thinking


def test_text_before_a_call_does_not_end_the_loop():
    yielded, outcome = drive(message(text("I am done."), call("a", "f")), final("Now I am."))
    assert len(yielded) == 3
    assert outcome.text == "Now I am."


def test_a_paused_turn_goes_back_unchanged():
    paused = message(
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}, stop="pause_turn"
    )
    yielded, outcome = drive(paused, final())
    assert yielded[1].request["messages"][-1] == {"role": "assistant", "content": paused["content"]}
    assert outcome.stop == "end_turn"


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
def test_a_call_that_may_be_cut_is_not_run_and_not_kept_in_the_history(reason):
    cut = message(text("Let me"), call("a", "f"), stop=reason)
    yielded, outcome = drive(cut)
    assert len(yielded) == 1
    assert (outcome.stop, outcome.message) == (reason, cut)
    assert outcome.messages == REQUEST["messages"]


@pytest.mark.parametrize("reason", ["max_tokens", "stop_sequence", "refusal", "something_new"])
def test_any_other_stop_reason_ends_the_loop_and_is_named(reason):
    _, outcome = drive(message(text("So"), stop=reason))
    assert outcome.stop == reason
    assert outcome.messages[-1]["content"] == [text("So")]


def test_an_empty_answer_is_not_kept_in_the_history():
    _, outcome = drive(message(stop="end_turn"))
    assert outcome.messages == REQUEST["messages"]
    assert outcome.text == ""


def test_max_iterations_is_a_safety_net_that_says_so():
    asking = [message(call(f"c{n}", "f")) for n in range(3)]
    yielded, outcome = drive(*asking, max_iterations=3)
    assert sum(isinstance(todo, Send) for todo in yielded) == 3
    assert outcome.stop == "max_iterations"
    assert outcome.messages[-1]["content"][0]["tool_use_id"] == "c2"


def test_the_caller_s_messages_are_not_changed():
    before = [dict(turn) for turn in REQUEST["messages"]]
    drive(message(call("a", "f")), final())
    assert REQUEST["messages"] == before


def test_a_loop_that_may_not_send_is_refused():
    with pytest.raises(HarnessError, match="at least 1"):
        drive(max_iterations=0)
