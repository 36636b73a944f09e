"""What the checks of lesson 06 accept, and how they tell a wrong answer."""

import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from types import SimpleNamespace

import pytest

from course.lesson import check

CITIES = ("Busan", "Seoul", "Mokpo")
CALLS = [SimpleNamespace(id=f"toolu_{city}", name="get_forecast", input={"city": city}) for city in CITIES]


def one(call, city=None):
    content = f"{city or call.input['city']}: rain 30 %"
    return {"type": "tool_result", "tool_use_id": call.id, "content": content}


def pooled(calls):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(one, calls))


def as_they_come(calls):
    with ThreadPoolExecutor() as pool:
        return [done.result() for done in as_completed([pool.submit(one, call) for call in calls])]


def threads(calls):
    results = []
    running = [threading.Thread(target=lambda call=call: results.append(one(call))) for call in calls]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return results


@pytest.mark.parametrize("execute_all", [pooled, as_they_come, threads])
def test_any_way_to_run_them_together_is_right(execute_all):
    assert check("par-all-at-once", execute_all, CALLS).ok


@pytest.mark.parametrize(
    ("execute_all", "said"),
    [
        (lambda calls: pooled(calls)[:2], "each"),
        (lambda calls: [one(call, "Busan") for call in calls], "Seoul"),
        (lambda calls: None, "returns nothing"),
    ],
)
def test_a_lost_or_mixed_result_is_told(execute_all, said):
    verdict = check("par-all-at-once", execute_all, CALLS)
    assert not verdict.ok
    assert said in f"{verdict.message} {verdict.rule}"


ASKED = [{"type": "tool_use", "id": call.id, "name": call.name, "input": call.input} for call in CALLS]
HISTORY = [{"role": "user", "content": "The weather?"}, {"role": "assistant", "content": ASKED}]


def failing(words, **more):
    results = [one(call) for call in CALLS]
    results[1] = {**results[1], "content": words, "is_error": True, **more}
    return [*HISTORY, {"role": "user", "content": results}]


@pytest.mark.parametrize(
    "words", ["The service for Seoul timed out. Try again in five seconds.", "Seoul was too slow; retry it later."]
)
def test_a_failure_that_gives_hope_may_be_worded_in_any_way(words):
    assert check("par-one-failed", failing(words)).ok


@pytest.mark.parametrize(
    "messages",
    [
        failing("Seoul is not covered. Do not try again."),
        failing("The service for Seoul timed out. Try again.", is_error=False),
        failing("timed out"),
    ],
)
def test_a_failure_without_hope_mark_or_words_is_not_right(messages):
    assert not check("par-one-failed", messages).ok


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"type": "any", "disable_parallel_tool_use": True}, "exactly one call"),
        ({"type": "any"}, "allows several"),
        ({"type": "auto", "disable_parallel_tool_use": True}, "at most one"),
        ({"type": "tool", "name": "get_forecast", "disable_parallel_tool_use": True}, "names a tool"),
        ({"type": "any", "disable_parallel_tool_use": True, "max": 1}, "does not take"),
    ],
)
def test_exactly_one_call_needs_any_and_the_switch(choice, said):
    assert said in check("par-exactly-one", choice).message
