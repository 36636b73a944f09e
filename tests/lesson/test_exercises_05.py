"""What the checks of lesson 05 accept, and how they tell a wrong answer."""

import pytest

from course.facts import model
from course.lesson import FORCED_MODEL, ask, attempt, check, client, run, text_of, tool
from course.lesson.exercises.lesson_05 import MODES

FORCE = {"type": "tool", "name": "get_forecast"}


@tool
def get_forecast(city: str) -> str:
    """Return tomorrow's weather forecast for a city: sky, temperature in °C, chance of rain."""
    return f"{city}: cloudy, 14 °C, rain 30 %"


@tool
def get_tide(harbour: str) -> str:
    """Return the next high and low tide of a harbour, in local time."""
    return f"{harbour}: high 10:20, low 16:40"


@tool
def find_customer(email: str) -> dict:
    """Find a customer's number and name by e-mail address."""
    return {"customer_id": "C-19", "name": "Ann Lee"}


def steps(*modes):
    return dict(zip(MODES, modes, strict=True))


@pytest.mark.parametrize("modes", [MODES.values(), ("Auto ", " ANY", "tool", "none")])
def test_modes_are_taken_as_words(modes):
    assert check("choice-pick-modes", steps(*modes)).ok


def test_modes_are_taken_as_the_api_wants_them():
    assert check("choice-pick-modes", steps(*({"type": mode} for mode in MODES.values()))).ok


@pytest.mark.parametrize(
    ("modes", "said"),
    [
        (("auto", "tool", "tool", "none"), "which of the five depends on the mail"),
        (("auto", "any", "any", "none"), "Exactly one tool is meant"),
        (("auto", "any", "tool", "auto"), "No call may come"),
        (("auto", "any", "forced", "none"), "'forced' is not a mode"),
    ],
)
def test_a_wrong_mode_is_told_by_its_step(modes, said):
    assert said in check("choice-pick-modes", steps(*modes)).message


@pytest.mark.parametrize(
    "wish",
    [
        "First tell me what you are going to do, then check the tide in Mokpo.",
        "Write a sentence, then call get_tide with harbour Mokpo",
        "Before you call get_tide for Mokpo, announce it in a short sentence.",
    ],
)
def test_any_wording_that_asks_for_a_sentence_will_do(wish):
    assert check("choice-keep-the-sentence", attempt(wish, tools=[get_forecast, get_tide], model=FORCED_MODEL)).ok


def test_under_force_the_sentence_does_not_come():
    forced = attempt("Say in one sentence what you look up: the tide in Mokpo.", tools=[get_tide],
                     tool_choice={"type": "any"}, model=FORCED_MODEL)  # fmt: skip
    assert "without a word" in check("choice-keep-the-sentence", forced).message


def per_model(forced, otherwise):
    return check("choice-per-model", lambda id: forced if model(id).forced else otherwise)


@pytest.mark.parametrize("forced", [FORCE, {"type": "any"}, {**FORCE, "disable_parallel_tool_use": True}])
def test_any_force_that_the_model_takes_will_do(forced):
    assert per_model(forced, {"type": "auto"}).ok


@pytest.mark.parametrize(
    ("forced", "otherwise", "said"),
    [
        (FORCE, FORCE, "refuses this choice"),
        ({"type": "auto"}, {"type": "auto"}, "auto does not give one"),
        (FORCE, "auto", "is a dictionary with a type"),
        (FORCE, {"type": "none"}, "forbids the call"),
        ({"type": "tool", "name": "get_tide"}, {"type": "auto"}, "is called get_forecast"),
        ({**FORCE, "x": 1}, {"type": "auto"}, "refuses this choice"),
        (FORCE, None, "returned None"),
    ],
)
def test_a_choice_that_does_not_get_the_call_is_told(forced, otherwise, said):
    assert said in per_model(forced, otherwise).message


def test_what_the_api_does_not_take_is_told_in_its_words():
    assert "tool_choice.tool.x" in per_model({**FORCE, "x": 1}, {"type": "auto"}).rule


@pytest.fixture
def history():
    hello = "Please greet the customer ann@example.org by name."
    always = {"type": "tool", "name": "find_customer"}
    first = ask(hello, tools=[find_customer], tool_choice=always, model=FORCED_MODEL)
    wanted = next(block for block in first.content if block.type == "tool_use")
    found = {"type": "tool_result", "tool_use_id": wanted.id, "content": str(find_customer(**wanted.input))}
    turns = [{"role": "assistant", "content": first.content}, {"role": "user", "content": [found]}]
    return [{"role": "user", "content": hello}, *turns]


def ran(history, **more):
    return run(client(), model=FORCED_MODEL, messages=history, tools=[find_customer], **more)


@pytest.mark.parametrize("more", [{}, {"tool_choice": {"type": "auto"}}, {"tool_choice": {"type": "none"}}])
def test_a_free_second_request_ends_the_run(history, more):
    assert check("choice-force-then-free", lambda given: ran(given, **more), history).ok


@pytest.mark.parametrize(
    ("greet", "said"),
    [
        (lambda given: None, "returns nothing yet"),
        (lambda given: ran(given).text, "of the kind str"),
        (lambda given: text_of(ask(given, tools=[find_customer])), "of the kind str"),
        (lambda given: ran(given, tool_choice={"type": "any"}, max_iterations=3), "ended with 'max_iterations'"),
        (lambda given: ran(given[:1]), "looked up again"),
        (lambda given: run(client(), model=FORCED_MODEL, messages="Hello!"), "does not greet Ann"),
    ],
)
def test_a_run_that_is_forced_starts_anew_or_is_not_handed_over_is_told(history, greet, said):
    assert said in check("choice-force-then-free", greet, history).message


AMOUNT, CURRENCIES = {"type": "number"}, ["EUR", "USD", "KRW"]


def schema(amount=AMOUNT, currency=None, **more):
    shut = {"type": "object", "required": ["amount", "currency"], "additionalProperties": False}
    return {**shut, "properties": {"amount": amount, "currency": currency or {"enum": CURRENCIES}}, **more}


@pytest.mark.parametrize(
    "currency",
    [{"enum": CURRENCIES}, {"type": "string", "enum": CURRENCIES}, {"anyOf": [{"const": c} for c in CURRENCIES]}],
)
def test_a_currency_may_be_written_in_any_way_that_strict_takes(currency):
    assert check("choice-own-record", schema(currency=currency)).ok


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (schema(amount={"type": "integer"}), "refuses a payment that should pass"),
        (schema(amount={"type": "number", "minimum": 0}), "does not accept this schema"),
        (schema(required=["amount"]), "without a currency"),
        (schema(currency={"type": "string"}), "Swiss francs"),
        (schema(additionalProperties=True), "does not accept this schema"),
    ],
)
def test_a_schema_that_lets_through_too_much_or_too_little_is_told(given, said):
    assert said in check("choice-own-record", given).message
