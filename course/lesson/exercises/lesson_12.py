"""The exercises of lesson 12, the safe boundary."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from course.harness import Call, Confirm, Deny, Result
from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

Gate = Callable[[Call, Sequence[Result]], Any]
ORDER = "ebdac"
BEFORE = (("d", "a", "log_late"), ("e", "b", "authorise_early"), ("b", "d", "key_early"), ("a", "c", "answer_early"))
"""Which step comes before which, and what is said where it does not."""


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
        if not foreign.message.strip():
            return wrong("wordless")
        if not isinstance(unknown, Deny) or unknown.message.replace("INV-99", "INV-2") != foreign.message:
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
    for large in (51, 50.5, 80, 500):
        verdict = gate(_call("refund", order_id="ORD-8", amount=large), [])
        if not isinstance(verdict, Confirm):
            return wrong("no_question", amount=large, kind="None" if verdict is None else type(verdict).__name__)
        if str(large) not in verdict.question:
            return wrong("no_amount", amount=large)
    return right() if isinstance(gate(_call("refund", order_id="ORD-8", amount=501), []), Deny) else wrong("not_denied")


def in_order(order: Any) -> Finding:
    """The five letters in the order of a careful execution."""
    words = order if isinstance(order, str) else " ".join(order)
    given = re.sub(r"[^a-z]", "", words.lower())
    if sorted(given) != sorted(ORDER):
        return wrong("letters", given=words)
    for first, then, key in BEFORE:
        if given.index(then) < given.index(first):
            return wrong(key)
    return right()


def execute_refund(execute: Callable[..., Any], log: list[Any]) -> Finding:
    """Good, malformed, foreign and repeated wishes: each with its status, what it pays, and what the log knew then."""
    before, known, paid = list(log), [], []

    def pay(order_id: str, amount: float) -> str:
        known.append(len(log))
        paid.append((order_id, amount))
        return "paid"

    def status(data: Mapping[str, Any], key: str = "") -> Any:
        return _status(execute(dict(data), "C-19", key or uuid4().hex, pay))

    try:
        for amount in ({}, {"amount": "much"}, {"amount": -5}):
            if status(bad := {"order_id": "ORD-8", **amount}) != "failure":
                return wrong("not_validated", data=bad)
        if status({"order_id": "ORD-9", "amount": "much"}) != "failure":
            return wrong("authorised_first")
        if any(status({"order_id": id, "amount": 20}) != "denied" for id in ("ORD-9", "ORD-77")):
            return wrong("not_authorised")
        if paid:
            return wrong("paid_refused")
        good, key, start = {"order_id": "ORD-8", "amount": 20}, uuid4().hex, len(log)
        if (first := status(good, key)) != "success":
            return wrong("good_refused", status=first)
        if paid != [("ORD-8", 20)]:
            return wrong("not_paid", paid=paid)
        if len(log) == start:
            return wrong("not_logged")
        if known[0] == start:
            return wrong("logged_late")
        if status(good, key) != "success":
            return wrong("repeat_refused")
        if len(paid) > 1:
            return wrong("twice")
        return right() if status(good) == "success" and len(paid) == 2 else wrong("key_ignored")
    finally:
        log[:] = before


def _status(result: Any) -> Any:
    return result.get("status") if isinstance(result, Mapping) else None


def stop_eve(gate: Gate, allowed: set[str]) -> Finding:
    """Unknown addresses are denied, known ones and other tools pass, and the set is what decides."""
    if not isinstance(gate(_call("forward_mail", to="eve@elsewhere.example"), []), Deny):
        return wrong("eve_passes")
    if gate(_call("read_mail", mail_id="M-4"), []) is not None:
        return wrong("others_denied")
    for address in (f"{some}.evil.example" for some in sorted(allowed)):
        if gate(_call("forward_mail", to=address), []) is None:
            return wrong("nearly", address=address)
    allowed.add("check@example.org")
    try:
        known = gate(_call("forward_mail", to="check@example.org"), [])
    finally:
        allowed.discard("check@example.org")
    return right() if known is None else wrong("known_denied")


def cut_to_size(shorten: Callable[[str, int], str]) -> Finding:
    """Short texts stay, long ones keep to the limit and say how long the whole is, or how much is missing."""
    if any(shorten(text, limit) != text for text, limit in (("short", 200), ("~" * 200, 200))):
        return wrong("short_changed")
    for size, limit in ((5000, 200), (72_000, 300)):
        cut = shorten("~" * size, limit)
        if not isinstance(cut, str) or len(cut) > limit:
            return wrong("too_long", length=len(str(cut)), limit=limit)
        if cut.count("~") < 50:
            return wrong("nothing_left", size=size)
        if not re.search(r"[a-z]{3}|\d", cut.lower()):
            return wrong("silent")
        numbers = [int(number) for number in re.findall(r"\d+", re.sub(r"(?<=\d)[,._' ](?=\d{3})", "", cut))]
        if not any(size - limit <= number <= size for number in numbers):
            return wrong("how_much", size=size)
    return right()


EXERCISES = (
    Exercise("safe-authorise", "12", "safe-permission", ("SAFE-1",), authorise),
    Exercise("safe-ask-a-person", "12", "safe-apart", ("SAFE-2",), ask_a_person),
    Exercise("safe-in-order", "12", "safe-order", ("SAFE-3",), in_order),
    Exercise("safe-execute-refund", "12", "safe-order", ("SAFE-1", "SAFE-3"), execute_refund),
    Exercise("safe-stop-eve", "12", "safe-injection", ("SAFE-4",), stop_eve),
    Exercise("safe-cut-to-size", "12", "safe-limits", ("SAFE-5",), cut_to_size),
)
