"""The exercises of lesson 12, the safe boundary."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course.harness import Call, Confirm, Deny, Result
from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

Gate = Callable[[Call, Sequence[Result]], Any]
ORDER = "ebdac"


def _call(name: str, **input: Any) -> Call:
    return Call("toolu_1", name, input)


def authorise(gate: Gate, session: dict[str, str]) -> Finding:
    """Own invoices pass, foreign and unknown ones are denied alike, by the session's customer."""
    before = session["customer"]
    try:
        session["customer"] = "C-19"
        if gate(_call("get_invoice", invoice_id="INV-1"), []) is not None:
            return wrong("own_denied")
        if gate(_call("get_weather", city="Seoul"), []) is not None:
            return wrong("others_denied")
        foreign = gate(_call("get_invoice", invoice_id="INV-2"), [])
        try:
            unknown = gate(_call("get_invoice", invoice_id="INV-99"), [])
        except KeyError:
            return wrong("unknown_crashes")
        if not isinstance(foreign, Deny):
            return wrong("leaks")
        if not isinstance(unknown, Deny) or unknown.message != foreign.message:
            return wrong("tells_existence")
        session["customer"] = "C-20"
        return right() if gate(_call("get_invoice", invoice_id="INV-2"), []) is None else wrong("fixed_customer")
    finally:
        session["customer"] = before


def ask_a_person(gate: Gate) -> Finding:
    """Small refunds pass, larger ones ask and name the amount, the largest are denied."""
    for amount in (5, 50):
        if gate(_call("refund", order_id="ORD-8", amount=amount), []) is not None:
            return wrong("small_stopped", amount=amount)
    for amount in (51, 80, 500):
        verdict = gate(_call("refund", order_id="ORD-8", amount=amount), [])
        if not isinstance(verdict, Confirm):
            return wrong("no_question", amount=amount, kind=type(verdict).__name__)
        if str(amount) not in verdict.question:
            return wrong("no_amount", amount=amount)
    return right() if isinstance(gate(_call("refund", order_id="ORD-8", amount=501), []), Deny) else wrong("not_denied")


def in_order(order: Any) -> Finding:
    """The five letters in the order of a careful execution."""
    given = re.sub(r"[^a-e]", "", "".join(order).lower())
    if sorted(given) != sorted(ORDER):
        return wrong("letters", given=given)
    if given.index("a") < given.index("d"):
        return wrong("log_late")
    if given.index("b") < given.index("e"):
        return wrong("authorise_early")
    return right() if given == ORDER else wrong("other")


def execute_refund(execute: Callable[..., Any], log: list[Any]) -> Finding:
    """Good, malformed, foreign and repeated wishes, each with its status and its trace in the log."""
    start = len(log)
    for bad in ({"order_id": "ORD-8"}, {"order_id": "ORD-8", "amount": "much"}, {"order_id": "ORD-8", "amount": -5}):
        if _status(execute(bad, "C-19", f"check-{start}-{bad.get('amount')}")) != "failure":
            return wrong("not_validated", data=bad)
    if _status(execute({"order_id": "ORD-9", "amount": 20}, "C-19", f"check-{start}-foreign")) != "denied":
        return wrong("not_authorised")
    if len(log) > start:
        return wrong("logged_nothing_done")
    good = {"order_id": "ORD-8", "amount": 20}
    first = execute(good, "C-19", f"check-{start}-good")
    if _status(first) != "success":
        return wrong("good_refused", status=_status(first))
    if len(log) == start:
        return wrong("not_logged")
    again = execute(good, "C-19", f"check-{start}-good")
    if _status(again) != "success":
        return wrong("repeat_refused")
    return right() if len(log) == start + 1 else wrong("twice")


def _status(result: Any) -> Any:
    return result.get("status") if isinstance(result, Mapping) else None


def stop_eve(gate: Gate, allowed: set[str]) -> Finding:
    """Unknown addresses are denied, known ones and other tools pass, and the set is what decides."""
    if not isinstance(gate(_call("forward_mail", to="eve@elsewhere.example"), []), Deny):
        return wrong("eve_passes")
    if gate(_call("read_mail", mail_id="M-4"), []) is not None:
        return wrong("others_denied")
    allowed.add("check@example.org")
    try:
        known = gate(_call("forward_mail", to="check@example.org"), [])
    finally:
        allowed.discard("check@example.org")
    return right() if known is None else wrong("known_denied")


def cut_to_size(shorten: Callable[[str, int], str]) -> Finding:
    """Short texts stay, long ones keep to the limit and say what is missing."""
    if shorten("short", 200) != "short":
        return wrong("short_changed")
    long = "x" * 5000
    cut = shorten(long, 200)
    if not isinstance(cut, str) or len(cut) > 200:
        return wrong("too_long", length=len(str(cut)))
    if not cut.startswith("x" * 50):
        return wrong("nothing_left")
    return right() if re.search(r"\d", cut) and re.search(r"[a-z]{3}", cut.lstrip("x")) else wrong("silent")


EXERCISES = (
    Exercise("safe-authorise", "12", "safe-permission", ("SAFE-1",), authorise),
    Exercise("safe-ask-a-person", "12", "safe-apart", ("SAFE-2",), ask_a_person),
    Exercise("safe-in-order", "12", "safe-order", ("SAFE-3",), in_order),
    Exercise("safe-execute-refund", "12", "safe-order", ("SAFE-1", "SAFE-3"), execute_refund),
    Exercise("safe-stop-eve", "12", "safe-injection", ("SAFE-4",), stop_eve),
    Exercise("safe-cut-to-size", "12", "safe-limits", ("SAFE-5",), cut_to_size),
)
