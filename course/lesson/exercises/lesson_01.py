"""The exercises of lesson 01, the six steps."""

import re
from typing import Any

from course.lesson.checks import blocks, first_broken, history_of, prose, results_of
from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

FERRY = "14:20 to Jeju"
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


def run_the_call(result: Any, ran: list[str]) -> Finding:
    """The function ran, and its value is the result."""
    if not ran:
        return wrong("not_run")
    if "Mokpo" not in ran:
        return wrong("other_harbour", harbour=ran[-1])
    return right() if str(result) == FERRY else wrong("other_value", value=result)


def in_order(order: Any) -> Finding:
    """The six letters in the order of the steps; names the first step that is out of place."""
    given = re.sub(r"[^a-z]", "", "".join(order).lower())
    if sorted(given) != sorted(ORDER):
        return wrong("letters", given=given)
    place = next((n for n, (a, b) in enumerate(zip(given, ORDER, strict=True)) if a != b), None)
    return right() if place is None else wrong(f"step_{place + 1}")


def round_trip(history: Any) -> Finding:
    """Four sound messages: question, call, result, final answer."""
    turns = history_of(history)
    if not any(True for _ in results_of(turns)):
        return wrong("no_result")
    roles = [turn["role"] for turn in turns]
    if roles != ["user", "assistant", "user", "assistant"]:
        return wrong("roles", roles=", ".join(roles))
    if refused := first_broken(turns[:3]):
        return wrong("refused", rule=refused)
    if "Fukuoka" not in str(next(results_of(turns))["content"]):
        return wrong("not_executed")
    return wrong("still_asking") if blocks(turns[3], "tool_use") or not prose(turns[3]) else right()


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


def who_does_it(duties: dict[str, str]) -> Finding:
    """Each duty with the one who has it; names those that are wrong."""
    given = {key: str(value).strip().lower() for key, value in duties.items()}
    off = [duty for duty, who in DUTIES.items() if given.get(duty) != who]
    return wrong("off", count=len(off), duties="; ".join(off)) if off else right()


def send_it_all(messages: Any) -> Finding:
    """The whole history, the final answer and the new question."""
    turns = history_of(messages)
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
    Exercise("six-who-does-it", "01", "six-division", ("CYC-4",), who_does_it),
    Exercise("six-send-it-all", "01", "six-stateless", ("CYC-5",), send_it_all),
)
