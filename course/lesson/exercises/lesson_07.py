"""The exercises of lesson 07, errors and recovery."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from course.harness import Call, Deny, Result, ToolError
from course.lesson.checks import first_broken, sorts
from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

KINDS = {
    "HTTP 503 from the warehouse": "transient",
    "the date is 2026-02-30": "validation",
    "the return window of 30 days is over": "business",
    "the caller is not verified for this account": "permission",
    "the database lock was not free in time": "transient",
}
ACTS = {
    "429 from the API, first time": "sdk",
    "400: tool_use ids were found without tool_result blocks": "you",
    "the weather service returned 503 inside your tool": "claude",
    "the stream broke off after half an answer": "you",
}
SECRETS = ("hunter2", "admin", "postgres://", "10.0.0.7")
TRACES = ("Traceback", "/srv/", 'File "', "line 88")
WHAT = re.compile(
    r"time[ds]?[ -]?out|too long|answer|repl(?:y|ied)|reach|respon|connect|available|unavailab|slow|\bdown\b|busy"
    r"|overload|outage|offline|within \d|after \d",
    re.IGNORECASE,
)
NEXT = re.compile(r"again|retry|later|wait|second|minute|tell|ask|offer|instead|inform|do not|don't", re.IGNORECASE)


def useful_words(words: str) -> Finding:
    """No secret, no trace; says what happened and what to do."""
    if leak := next((secret for secret in SECRETS if secret in words), None):
        return wrong("secret", leak=leak)
    if any(trace in words for trace in TRACES):
        return wrong("trace")
    if len(words.split()) < 5:
        return wrong("short")
    if not WHAT.search(words):
        return wrong("what")
    return right() if NEXT.search(words) else wrong("next")


def four_kinds(failures: Mapping[str, str]) -> Finding:
    """Each failure with its kind; names the first that is not right and its test."""
    for failure, kind in KINDS.items():
        given = str(failures.get(failure)).strip().lower()
        if {"policy": "business"}.get(given, given) != kind:
            return wrong(f"not_{kind}", failure=failure)
    return right()


class _Index:
    """A fake search index that answers, or is down."""

    def __init__(self, shelf: Sequence[str] | None) -> None:
        self.shelf = shelf

    def find(self, word: str) -> list[str]:
        if self.shelf is None:
            raise ConnectionError("index-7.internal: connection refused")
        return [item for item in self.shelf if word in item]


def empty_or_failed(search: Callable[[str, Any], Any]) -> Finding:
    """Finds what is there, answers emptily when nothing is, and fails with words when it could not look."""
    if list(search("lamp", _Index(["lamp, 49 euros"])) or []) != ["lamp, 49 euros"]:
        return wrong("lost")
    try:
        if list(search("lamp", _Index([])) or []):
            return wrong("invented")
    except ToolError:
        return wrong("empty_raises")
    try:
        search("lamp", _Index(None))
    except ToolError as error:
        words = str(error)
        if "index-7" in words:
            return wrong("secret")
        return right() if len(words.split()) >= 5 else wrong("no_words")
    except ConnectionError:
        return wrong("raw")
    return wrong("hidden")


def _done(failed: bool, **input: Any) -> Result:
    return Result(Call("toolu_1", "get_order", input), "timed out", is_error=failed)


def no_third_time(gate: Callable[[Call, Sequence[Result]], Any]) -> Finding:
    """Denies after two failures of the very same call, and only then."""
    again, other = Call("toolu_2", "get_order", {"order_id": "ORD-81"}), {"order_id": "ORD-90"}
    failed = _done(True, order_id="ORD-81")
    pass_on: tuple[tuple[str, Call, list[Result]], ...] = (
        ("too_early", again, []),
        ("too_early", again, [failed]),
        ("other_input", Call("toolu_2", "get_order", other), [failed] * 2),
        ("other_tool", Call("toolu_2", "cancel_order", again.input), [failed] * 2),
        ("other_input", again, [failed, _done(True, **other)]),
        ("successes", again, [_done(False, order_id="ORD-81")] * 2),
    )
    for key, call, done in pass_on:
        verdict = gate(call, done)
        if isinstance(verdict, Deny):
            return wrong(key)
        if verdict is not None:
            return wrong("no_none", kind=type(verdict).__name__)
    verdict = gate(again, [failed, _done(True, **other), failed])
    if verdict is None:
        return wrong("lets_pass")
    if not isinstance(verdict, Deny):
        return wrong("no_deny", kind=type(verdict).__name__)
    return right() if len(str(verdict.message).split()) >= 4 else wrong("no_words")


def unknown_tool(answer: Callable[[Call, Mapping[str, Any]], Any]) -> Finding:
    """One result for either call; the unknown one is an error that names what there is."""
    tools = {"get_order": lambda order_id: f"{order_id}: paid", "get_stock": lambda article: "12"}
    calls = [Call("toolu_a", "get_order", {"order_id": "ORD-81"}), Call("toolu_b", "get_invoice", {"number": 9})]
    known = answer(calls[0], tools)
    if not isinstance(known, Mapping) or known.get("tool_use_id") != "toolu_a":
        return wrong("known_lost")
    if "paid" not in str(known.get("content")) or known.get("is_error"):
        return wrong("known_wrong")
    try:
        unknown = answer(calls[1], tools)
    except Exception as error:
        return wrong("crash", error=type(error).__name__)
    if not isinstance(unknown, Mapping) or unknown.get("tool_use_id") != "toolu_b":
        return wrong("unanswered", rule="each tool_use is answered by one tool_result with its id")
    asked = [{"type": "tool_use", "id": call.id, "name": call.name, "input": call.input} for call in calls]
    history = [{"role": "user", "content": "Is ORD-81 paid?"}, {"role": "assistant", "content": asked}]
    if rule := first_broken([*history, {"role": "user", "content": [dict(known), dict(unknown)]}]):
        return wrong("refused", rule=rule)
    if unknown.get("is_error") is not True:
        return wrong("not_marked")
    return right() if all(name in str(unknown.get("content")) for name in tools) else wrong("no_names")


def once_only(refund: Callable[..., Any], moved: list[Any]) -> Finding:
    """The same key moves money once and gives the same receipt; another key moves it again."""
    before = len(moved)
    key, other = uuid4().hex, uuid4().hex
    try:
        first, again = refund("ORD-1", 20, key), refund("ORD-1", 20, key)
        acts = len(moved) - before
        refund("ORD-1", 20, other)
        later = len(moved) - before
    finally:
        del moved[before:]
    if acts != 1:
        return wrong("twice" if acts else "never")
    if first != again or first is None:
        return wrong("receipt", first=first, again=again)
    return right() if later == 2 else wrong("other_key")


def partial_results(hand_up: Mapping[str, Any]) -> Finding:
    """Partial, with the two results, the missing source, what was tried and what could be done."""
    text = {key: str(value).lower() for key, value in hand_up.items()}
    if not all(value in text.get("results", "") for value in ("49", "12")):
        return wrong("lost")
    if "reviews" not in text.get("missing", ""):
        return wrong("missing")
    if text.get("status", "").strip() in ("success", "successful", "complete", "completed", "ok", "done"):
        return wrong("glossed")
    if not any(word in text.get("tried", "") for word in ("twice", "2", "two", "time", "retr")):
        return wrong("tried")
    return right() if len(text.get("suggestion", "").split()) >= 3 else wrong("suggestion")


EXERCISES = (
    Exercise("err-useful-words", "07", "err-words", ("ERR-1", "ERR-2"), useful_words),
    Exercise("err-four-kinds", "07", "err-kinds", ("ERR-3",), four_kinds),
    Exercise("err-empty-or-failed", "07", "err-empty", ("ERR-4",), empty_or_failed),
    Exercise("err-no-third-time", "07", "err-repeat", ("ERR-5",), no_third_time),
    Exercise("err-unknown-tool", "07", "err-invalid", ("ERR-1", "ERR-8"), unknown_tool),
    Exercise("err-who-retries", "07", "err-layers", ("ERR-6",), sorts(ACTS, "failures")),
    Exercise("err-once-only", "07", "err-write", ("ERR-7",), once_only),
    Exercise("err-partial-results", "07", "err-up", ("ERR-9",), partial_results),
)
