"""The exercises of lesson 06, parallel calls."""

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course.facts import forced_model
from course.lesson.checks import first_broken, history_of, results_of, sorts
from course.lesson.exercise import Exercise, Finding, right, wrong
from course.traces.plain import plain

__all__ = ["EXERCISES"]

PLANS = {
    "the weather in four cities": "parallel",
    "withdraw 50 euros, then mail the receipt": "sequential",
    "search for a flight, then book the cheapest": "sequential",
    "read three unrelated files": "parallel",
}
HOPELESS = re.compile(r"\b(?:not|don't|never|no) (?:re-?)?try")
PATIENCE = 2.0  # seconds until calls that wait for each other count as one by one


def all_at_once(execute_all: Callable[[Sequence[Any]], Any], calls: Sequence[Any]) -> Finding:
    """One result for each call, with its id, and all of them running together."""
    results = execute_all(calls)
    if results is None or results is ...:
        return wrong("nothing")
    blocks = plain(list(results))
    if {block.get("tool_use_id") for block in blocks} != {call.id for call in calls} or len(blocks) != len(calls):
        return wrong("ids", rule="each call is answered by one result with its id")
    for call in calls:
        own = next(block for block in blocks if block["tool_use_id"] == call.id)
        if next(iter(call.input.values())) not in str(own.get("content")):
            return wrong("mixed", city=next(iter(call.input.values())))
    return right() if _together(execute_all, calls) else wrong("one_by_one")


def _together(execute_all: Callable[[Sequence[Any]], Any], calls: Sequence[Any]) -> bool:
    """Whether all calls are under way at the same time: each waits in its input until the last has begun."""
    meeting = threading.Barrier(len(calls), timeout=PATIENCE)

    class Waiting:
        def __init__(self, call: Any) -> None:
            self.id, self.type, self.name, self._input = call.id, "tool_use", call.name, dict(call.input)

        @property
        def input(self) -> dict[str, Any]:
            meeting.wait()
            return self._input

    try:
        execute_all([Waiting(call) for call in calls])
    except threading.BrokenBarrierError:
        return False
    return True


def hand_back(function: Callable[..., Any], history: Any, results: Any) -> Finding:
    """The history grows by one user message that holds every result, and is not changed in place."""
    before = history_of(history)
    after = function(list(history), list(results))
    if after is None:
        return wrong("nothing")
    grown = history_of(after)
    if len(grown) - len(before) > 1:
        return wrong("split", count=len(grown) - len(before))
    if refused := first_broken(grown):
        return wrong("refused", rule=refused)
    return right()


def one_failed(messages: Any) -> Finding:
    """Three results; the failed one is marked, and says that another try is worth it."""
    turns = history_of(messages)
    if refused := first_broken(turns):
        return wrong("refused", rule=refused)
    marked = [result for result in results_of(turns) if result.get("is_error") is True]
    if not marked:
        return wrong("not_marked")
    if len(marked) > 1:
        return wrong("too_many")
    words = str(marked[0].get("content", "")).lower()
    if len(words.split()) < 4:
        return wrong("no_words")
    hope = any(word in words for word in ("again", "retry", "later", "second", "moment"))
    return right() if hope and not HOPELESS.search(words) else wrong("what_now")


ASKED = [{"role": "user", "content": "What is the weather in Busan?"}]
TOOL = {"name": "get_forecast", "description": "Return a forecast.", "input_schema": {"type": "object"}}


def exactly_one(choice: Mapping[str, Any]) -> Finding:
    """Forced, whichever tool, and with the switch."""
    if choice.get("type") == "tool":
        return wrong("named")
    if choice.get("type") != "any":
        return wrong("at_most", kind=choice.get("type"))
    if choice.get("disable_parallel_tool_use") is not True:
        return wrong("no_switch")
    refused = first_broken(ASKED, tools=[TOOL], tool_choice=dict(choice), model=forced_model(), max_tokens=100)
    return wrong("refused", rule=refused) if refused else right()


EXERCISES = (
    Exercise("par-all-at-once", "06", "par-ids", ("PAR-1", "PAR-6"), all_at_once),
    Exercise("par-hand-back", "06", "par-one-message", ("PAR-2",), hand_back),
    Exercise("par-one-failed", "06", "par-failed", ("PAR-5",), one_failed),
    Exercise("par-exactly-one", "06", "par-off", ("PAR-3",), exactly_one),
    Exercise("par-or-not", "06", "par-dependent", ("PAR-4",), sorts(PLANS, "plans")),
)
