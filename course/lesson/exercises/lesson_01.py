"""The exercises of lesson 01, the six steps."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course.lesson.checks import blocks, exchanges_of, first_broken, history_of, message, prose, results_of, sorts
from course.lesson.exercise import Exercise, Finding, right, wrong
from course.traces.trace import Exchange

__all__ = ["EXERCISES"]

FERRIES = {"Mokpo": "14:20 to Jeju", "Busan": "16:05 to Fukuoka", "Pohang": "no ferry today"}
ORDER = "cefdab"
DUTIES = {
    "decide whether a tool is needed": "claude",
    "fill in the arguments": "claude",
    "refuse a caller without permission": "app",
    "stop a call that takes too long": "app",
    "run the function": "app",
    "log what was run": "app",
    "word the final answer": "claude",
}


def run_the_call(execute: Callable[[Any], Any], ran: list[str]) -> Finding:
    """The function runs what each call asks for, once, and returns its value; `ran` is left as it was."""
    start = len(ran)
    try:
        for harbour, ferry in FERRIES.items():
            ran_before = len(ran)
            given = execute(_call(harbour))
            new = ran[ran_before:]
            if not new:
                return wrong("nothing_yet" if given is None or given is ... else "not_run")
            if new != [harbour]:
                return wrong("other_harbour", harbour=new[-1], asked=harbour)
            if str(given) != ferry:
                return wrong("other_value", value=given, asked=harbour)
    finally:
        del ran[start:]
    return right()


def _call(harbour: str) -> Any:
    call = {"type": "tool_use", "id": "toolu_check", "name": "next_ferry", "input": {"harbour": harbour}}
    return message(call).content[0]


def in_order(order: Any) -> Finding:
    """The six letters in the order of the steps; names the first step that is out of place."""
    given = re.sub(r"[^a-z]", "", "".join(order).lower())
    if sorted(given) != sorted(ORDER):
        return wrong("letters", given=given)
    place = next((n for n, (a, b) in enumerate(zip(given, ORDER, strict=True)) if a != b), None)
    return right() if place is None else wrong(f"step_{place + 1}")


def round_trip(function: Callable[[str], Any]) -> Finding:
    """Two requests and four sound messages, question, call, result, final answer, for more than one harbour."""
    for harbour in ("Busan", "Mokpo"):
        given, exchanges = exchanges_of(function, f"When does the next ferry leave {harbour}?")
        if given is None or given is ...:
            return wrong("nothing_yet")
        turns = history_of(given)
        if found := _history(turns, harbour) or _requests(turns, exchanges):
            return found
        if blocks(turns[3], "tool_use") or not prose(turns[3]):
            return wrong("still_asking")
    return right()


def _history(turns: list[dict[str, Any]], harbour: str) -> Finding | None:
    """Return what is wrong with question, call and result."""
    if not any(True for _ in results_of(turns)):
        return wrong("no_result")
    roles = [turn["role"] for turn in turns]
    if roles != ["user", "assistant", "user", "assistant"]:
        return wrong("roles", roles=", ".join(roles))
    if refused := first_broken(turns[:3]):
        return wrong("refused", rule=refused)
    if FERRIES[harbour] not in str(next(results_of(turns)).get("content")):
        return wrong("not_executed", harbour=harbour)
    return None


def _requests(turns: list[dict[str, Any]], exchanges: Sequence[Exchange]) -> Finding | None:
    """Return what is wrong with the requests: two are needed, the second with the tools and all that came before."""
    if len(exchanges) != 2:
        return wrong("requests", count=len(exchanges))
    first, second = exchanges
    if first.response is not None and blocks(turns[1]) != first.response.body.get("content"):
        return wrong("not_whole")
    if not second.request.get("tools"):
        return wrong("no_tools")
    if history_of(second.request["messages"]) != turns[:3]:
        return wrong("other_history", count=len(second.request["messages"]))
    return None


def mend_the_gap(messages: Any) -> Finding:
    """The call has an error result with words, and the user's words are still there."""
    turns = history_of(messages)
    if refused := first_broken(turns):
        return wrong("refused", rule=refused)
    results = list(results_of(turns))
    if not results:
        return wrong("call_gone")
    if results[0].get("is_error") is not True:
        return wrong("not_marked")
    if len(str(results[0].get("content", "")).split()) < 3:
        return wrong("no_words")
    return right() if "after that" in prose(turns[-1]) else wrong("user_lost")


def send_it_all(messages: Any) -> Finding:
    """The whole history, the final answer and the new question."""
    turns = history_of(messages)
    if any(set(turn) - {"role", "content"} or isinstance(turn.get("content"), Mapping) for turn in turns):
        return wrong("message_itself")
    if refused := first_broken(turns):
        return wrong("refused", rule=refused)
    if not any(True for _ in results_of(turns)) or "Mokpo" not in prose(turns[0]):
        return wrong("history_lost")
    if turns[-1]["role"] != "user" or "crossing" not in prose(turns[-1]):
        return wrong("no_question")
    said = [turn for turn in turns if turn["role"] == "assistant"]
    return right() if len(said) >= 2 and prose(said[-1]) else wrong("answer_lost")


EXERCISES = (
    Exercise("six-run-the-call", "01", "six-asks", ("CYC-1",), run_the_call),
    Exercise("six-in-order", "01", "six-steps", ("CYC-2",), in_order),
    Exercise("six-round-trip", "01", "six-return", ("CYC-1", "CYC-2"), round_trip),
    Exercise("six-mend-the-gap", "01", "six-gap", ("CYC-3",), mend_the_gap),
    Exercise("six-who-does-it", "01", "six-division", ("CYC-4",), sorts(DUTIES, "duties")),
    Exercise("six-send-it-all", "01", "six-stateless", ("CYC-5",), send_it_all),
)
