"""The exercises of lesson 05, tool_choice."""

from collections.abc import Callable, Mapping
from typing import Any

from course.facts import models
from course.harness import Outcome
from course.lesson.checks import blocks, first_broken, prose, sorts
from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

MODES = {
    "a chat in which some questions need a look-up": "auto",
    "every mail must end in a call of one of five filing tools": "any",
    "the customer must be looked up before anything else": "tool",
    "write the summary now, call nothing more, keep the tools for later": "none",
}


def pick_modes(steps: Mapping[str, str]) -> Finding:
    """Each step with its mode; names the first that is wrong and why."""
    named = {step: mode.get("type") if isinstance(mode, Mapping) else mode for step, mode in steps.items()}
    given = {step: str(mode).strip().lower() for step, mode in named.items()}
    if unknown := sorted(set(given.values()) - set(MODES.values())):
        return wrong("unknown", mode=unknown[0])
    for step, mode in MODES.items():
        if given.get(step) != mode:
            return wrong(f"not_{mode}", given=given.get(step))
    return right()


def keep_the_sentence(message: Any) -> Finding:
    """Text comes first, then a call of get_tide for Mokpo."""
    called = blocks(message, "tool_use")
    if not called:
        return wrong("no_call")
    if called[0]["name"] != "get_tide":
        return wrong("other_tool", name=called[0]["name"])
    if not prose(message).strip():
        return wrong("no_words")
    return right() if "mokpo" in str(called[0]["input"]).lower() else wrong("other_harbour")


ASKED = [{"role": "user", "content": "Get the forecast for Busan."}]
FORECAST = {
    "name": "get_forecast",
    "description": "Return tomorrow's weather forecast for a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def per_model(settings: Callable[[str], Any]) -> Finding:
    """For every model the choice is one the model accepts, and force where it can be had."""
    for model in models().values():
        choice = settings(model.id)
        if not isinstance(choice, Mapping) or choice.get("type") not in MODES.values():
            return wrong("not_a_choice", model=model.name, given=choice)
        if choice["type"] == "none":
            return wrong("forbids", model=model.name)
        if choice["type"] == "tool" and choice.get("name") != "get_forecast":
            return wrong("other_name", given=choice.get("name"))
        if rule := first_broken(ASKED, tools=[FORECAST], tool_choice=dict(choice), model=model.id, max_tokens=100):
            return wrong("refused", model=model.name, rule=rule)
        if model.forced and choice["type"] == "auto":
            return wrong("no_guarantee", model=model.name)
    return right()


def force_then_free(greet: Callable[[Any], Any], history: Any) -> Finding:
    """The run ends by itself, with words, and looks nobody up again."""
    outcome = greet(list(history))
    if outcome is None or outcome is ...:
        return wrong("nothing_yet")
    if not isinstance(outcome, Outcome):
        return wrong("no_outcome", kind=type(outcome).__name__)
    if outcome.stop != "end_turn":
        return wrong("not_ended", stop=outcome.stop)
    if outcome.trace and outcome.trace.executions:
        return wrong("looked_up_again")
    return right() if "Ann" in outcome.text else wrong("no_name")


COMBOS = {
    "manual thinking, auto": True,
    "manual thinking, any": False,
    "adaptive thinking, tool, a model that accepts force": True,
    "adaptive thinking, tool, the recommended model": False,
}
PARTS = {
    "tool_choice goes from auto to any": "messages",
    "a tool's description is mended": "tools",
    "disable_parallel_tool_use is switched on": "messages",
    "today's date is put into the system prompt": "system",
}
FITTING = ({"amount": 35, "currency": "EUR"}, {"amount": 0.5, "currency": "KRW"}, {"amount": 1, "currency": "USD"})
UNFITTING = {
    "other_currency": {"amount": 1, "currency": "CHF"},
    "text_amount": {"amount": "much", "currency": "EUR"},
    "no_amount": {"currency": "EUR"},
    "no_currency": {"amount": 1},
    "more": {"amount": 1, "currency": "EUR", "note": "x"},
}


def own_record(schema: Any) -> Finding:
    """The API takes the schema as strict, and it lets through what it should and nothing else."""
    from jsonschema import Draft202012Validator

    tool = {"name": "record_payment", "description": "Record a payment.", "strict": True, "input_schema": schema}
    if refused := first_broken([{"role": "user", "content": "hi"}], tools=[tool]):
        return wrong("refused", rule=refused)
    fits = Draft202012Validator(schema).is_valid
    if missed := next((case for case in FITTING if not fits(case)), None):
        return wrong("too_tight", case=missed)
    return next((wrong(key) for key, case in UNFITTING.items() if fits(case)), right())


EXERCISES = (
    Exercise("choice-pick-modes", "05", "choice-modes", ("CHO-1",), pick_modes),
    Exercise("choice-keep-the-sentence", "05", "choice-keep", ("CHO-2", "CHO-3"), keep_the_sentence),
    Exercise("choice-per-model", "05", "choice-refuse", ("CHO-4", "CHO-9"), per_model),
    Exercise("choice-thinking-combos", "05", "choice-thinking", ("CHO-5",), sorts(COMBOS, "combos")),
    Exercise("choice-force-then-free", "05", "choice-first", ("CHO-6",), force_then_free),
    Exercise("choice-own-record", "05", "choice-strict", ("CHO-7",), own_record),
    Exercise("choice-cache-parts", "05", "choice-cache", ("CHO-8",), sorts(PARTS, "changes")),
)
