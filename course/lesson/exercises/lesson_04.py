"""The exercises of lesson 04, the agent loop."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course.harness import Call, Deny, Result
from course.lesson.checks import blocks, message, prose
from course.lesson.exercise import Exercise, Finding, right, wrong
from course.traces.plain import plain

__all__ = ["EXERCISES"]

NEXT = {
    "tool_use": {"execute"},
    "end_turn": {"stop"},
    "max_tokens": {"more room"},
    "stop_sequence": {"stop"},
    "pause_turn": {"resend"},
    "refusal": {"stop"},
    "model_context_window_exceeded": {"more room", "stop"},
    "a_reason_of_next_year": {"stop"},
}


PIECES: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (("", '{"harb', 'our": "Mok', 'po"}'), {"harbour": "Mokpo"}),
    (('{"harbour": "Busan", ', '"day', 's": 2}'), {"harbour": "Busan", "days": 2}),
    (("", "{}"), {}),
)


def _call(id: str, harbour: str, name: str = "next_ferry") -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": {"harbour": harbour}}


def every_call(all_calls: Callable[[Any], Any]) -> Finding:
    """One result for each call, with its id and its harbour's ferry, wherever text stands."""
    text = {"type": "text", "text": "Let me look at both."}
    asked = message(text, _call("toolu_a", "Mokpo"), text, _call("toolu_b", "Busan"))
    results = plain(all_calls(asked))
    if not results:
        return wrong("nothing")
    ids = [block.get("tool_use_id") for block in results]
    if sorted(ids) != ["toolu_a", "toolu_b"]:
        answered = len(set(ids) & {"toolu_a", "toolu_b"})
        return wrong("ids", count=answered, rule="one result for each tool_use, with its id")
    by_id = {block["tool_use_id"]: str(block.get("content")) for block in results}
    return right() if "Jeju" in by_id["toolu_a"] and "Fukuoka" in by_id["toolu_b"] else wrong("mixed")


def safe_call(safe: Callable[[Any], Any]) -> Finding:
    """A good call succeeds; a raising one and an unknown one come back as marked results with words."""
    good = safe(Call("toolu_a", "next_ferry", {"harbour": "Mokpo"}))
    if not isinstance(good, Mapping) or "Jeju" not in str(good.get("content")) or good.get("is_error"):
        return wrong("good_lost")
    for key, bad in (
        ("raised", Call("toolu_b", "next_ferry", {"harbour": "Atlantis"})),
        ("unknown", Call("toolu_c", "next_train", {"harbour": "Mokpo"})),
    ):
        try:
            answered = safe(bad)
        except Exception as error:
            return wrong(f"{key}_crashes", error=type(error).__name__)
        if not isinstance(answered, Mapping) or answered.get("tool_use_id") != bad.id:
            return wrong(f"{key}_unanswered", rule="each tool_use is answered by one tool_result with its id")
        if answered.get("is_error") is not True:
            return wrong(f"{key}_unmarked")
        if len(str(answered.get("content", "")).split()) < 3:
            return wrong("no_words")
    return right()


def count_requests(number: Any) -> Finding:
    """Three dependent look-ups: three requests that end in a call, and one for the answer."""
    if number == 3:
        return wrong("no_answer")
    return right() if number == 4 else wrong("other", given=number)


def next_step(what_next: Callable[[str], str]) -> Finding:
    """Each stop reason with its step; an unknown one stops."""
    for reason, steps in NEXT.items():
        step = str(what_next(reason)).strip().lower()
        if step not in steps:
            key = reason if reason in ("max_tokens", "pause_turn", "tool_use") else "other"
            return wrong(key, reason=reason, step=step)
    return right()


def _done(name: str, failed: bool = False) -> Result:
    return Result(Call("toolu_0", name, {}), "…", is_error=failed)


def verified_first(gate: Callable[[Call, Sequence[Result]], Any]) -> Finding:
    """Denies refund until a verification succeeded, and nothing else."""
    pay = Call("toolu_1", "refund", {"order_id": "ORD-8"})
    verdict = gate(pay, [])
    if verdict is None:
        return wrong("lets_pass")
    if not isinstance(verdict, Deny):
        return wrong("no_deny", kind=type(verdict).__name__)
    if gate(pay, [_done("verify_customer", failed=True)]) is None:
        return wrong("failed_counts")
    if gate(pay, [_done("verify_customer")]) is not None:
        return wrong("still_denied")
    if gate(Call("toolu_1", "verify_customer", {"code": "1"}), []) is not None:
        return wrong("others_denied")
    return right() if len(str(verdict.message).split()) >= 3 else wrong("no_words")


def runner_done(last: Any) -> Finding:
    """The last message of the runner: in words, and about the ferry."""
    if not hasattr(last, "content"):
        return wrong("no_message", kind=type(last).__name__)
    return wrong("still_asking") if blocks(last, "tool_use") or "14:20" not in prose(last) else right()


def whole_input(function: Callable[[list[str]], Any]) -> Finding:
    """The input as an object, whatever the call and wherever it was cut."""
    for pieces, wanted in PIECES:
        whole = function(list(pieces))
        if whole is None or whole is ...:
            return wrong("nothing_yet")
        if isinstance(whole, str):
            return wrong("text")
        if whole != wanted:
            return wrong("other", given=whole, pieces=list(pieces))
    return right()


EXERCISES = (
    Exercise("loop-every-call", "04", "loop-all", ("LOOP-1", "LOOP-2"), every_call),
    Exercise("loop-safe-call", "04", "loop-errors", ("LOOP-2",), safe_call),
    Exercise("loop-count-requests", "04", "loop-net", ("LOOP-4",), count_requests),
    Exercise("loop-next-step", "04", "loop-stops", ("LOOP-1", "LOOP-3"), next_step),
    Exercise("loop-verified-first", "04", "loop-gates", ("LOOP-7",), verified_first),
    Exercise("loop-runner-done", "04", "loop-runner", ("LOOP-6",), runner_done),
    Exercise("loop-whole-input", "04", "loop-stream", ("LOOP-5",), whole_input),
)
