"""The exercises of lesson 07, errors and recovery."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course.harness import Call, Deny, Result, ToolError
from course.lesson.checks import sorts
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
WHAT = re.compile(r"time|timed|answer|reach|respon|unavailab|slow|down|fail", re.IGNORECASE)
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
        if str(failures.get(failure)).lower() != kind:
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
    again = Call("toolu_2", "get_order", {"order_id": "ORD-81"})
    twice = [_done(True, order_id="ORD-81"), _done(True, order_id="ORD-81")]
    if gate(again, []) is not None or gate(again, twice[:1]) is not None:
        return wrong("too_early")
    if gate(Call("toolu_2", "get_order", {"order_id": "ORD-90"}), twice) is not None:
        return wrong("other_input")
    if gate(again, [_done(False, order_id="ORD-81")] * 2) is not None:
        return wrong("successes")
    verdict = gate(again, twice)
    if verdict is None:
        return wrong("lets_pass")
    if not isinstance(verdict, Deny):
        return wrong("no_deny", kind=type(verdict).__name__)
    return right() if len(str(verdict.message).split()) >= 4 else wrong("no_words")


def unknown_tool(answer: Callable[[Call, Mapping[str, Any]], Any]) -> Finding:
    """One result for either call; the unknown one is an error that names what there is."""
    tools = {"get_order": lambda order_id: f"{order_id}: paid"}
    known = answer(Call("toolu_a", "get_order", {"order_id": "ORD-81"}), tools)
    if not isinstance(known, Mapping) or known.get("tool_use_id") != "toolu_a":
        return wrong("known_lost")
    if "paid" not in str(known.get("content")) or known.get("is_error"):
        return wrong("known_wrong")
    try:
        unknown = answer(Call("toolu_b", "get_invoice", {"number": 9}), tools)
    except Exception as error:
        return wrong("crash", error=type(error).__name__)
    if not isinstance(unknown, Mapping) or unknown.get("tool_use_id") != "toolu_b":
        return wrong("unanswered", rule="each tool_use is answered by one tool_result with its id")
    if unknown.get("is_error") is not True:
        return wrong("not_marked")
    return right() if "get_order" in str(unknown.get("content")) else wrong("no_names")


def once_only(refund: Callable[..., Any], moved: list[Any]) -> Finding:
    """The same key moves money once and gives the same receipt; another key moves it again."""
    before = len(moved)
    key, other = f"check-{before}-a", f"check-{before}-b"
    first, again = refund("ORD-1", 20, key), refund("ORD-1", 20, key)
    if len(moved) - before == 2:
        return wrong("twice")
    if len(moved) - before == 0:
        return wrong("never")
    if first != again:
        return wrong("receipt", first=first, again=again)
    refund("ORD-1", 20, other)
    return right() if len(moved) - before == 2 else wrong("other_key")


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
