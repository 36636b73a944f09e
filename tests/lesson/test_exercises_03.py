"""What the checks of lesson 03 accept, and how they tell a wrong answer."""

import pytest

from course.lesson import check

SAME = "Use this to find information."


def alike(search, cached):
    query = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    told = {"search_knowledge_base": f"{SAME} {search}", "get_cached_result": f"{SAME} {cached}"}
    return [{"name": name, "description": text, "input_schema": query} for name, text in told.items()]


@pytest.mark.parametrize(
    ("search", "cached"),
    [
        (
            "Do not use for a question that was already answered in this conversation.",
            "Only use for a question that was already answered in this conversation.",
        ),
        (
            "Use this first, for every question that has not been searched yet.",
            "Use only when this question was already searched earlier in the conversation.",
        ),
        (
            "Do not use this when the question has been asked before.",
            "Do not use this unless the same question has been asked before.",
        ),
    ],
)
def test_exclusions_may_be_worded_in_many_ways(search, cached):
    assert check("def-tell-apart", alike(search, cached)).ok


def test_descriptions_without_a_border_are_told_by_what_went_wrong():
    verdict = check("def-tell-apart", alike("Searches the help articles.", "Returns cached results."))
    assert "fresh questions went to the cache" in verdict.message


CLINIC = {
    "lookup": "Get the details of one order by its number: the articles, what it cost, if it is paid.",
    "locate": "Find out where an order's parcel is and when it arrives.",
    "process": "Pay an order back (refund). Use when a customer wants their money back.",
    "check": "Look up a customer's number from a name or an e-mail address.",
    "report": "Show all invoices of a customer, including which are unpaid or overdue.",
}


def test_the_clinic_takes_anybodys_descriptions_that_tell_the_five_apart():
    assert check("def-clinic-five", CLINIC).ok


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"lookup": "Order details."}, "lookup needs a sentence"),
        (dict.fromkeys(CLINIC, "Gives information when you need it."), "of 12 right"),
    ],
)
def test_the_clinic_names_what_is_thin_or_confused(change, said):
    assert said in check("def-clinic-five", {**CLINIC, **change}).message


CURRENCY = {"enum": ["EUR", "USD"], "description": "If the user did not name it, ask."}


def transfer(amount=None, said=CURRENCY["description"], **more):
    shut = {"type": "object", "required": ["account", "amount", "currency"], "additionalProperties": False}
    money = amount or {"type": "number", "exclusiveMinimum": 0}
    fields = {"account": {"type": "string"}, "amount": money, "currency": {**CURRENCY, "description": said}}
    return {**shut, "properties": fields, **more}


@pytest.mark.parametrize(
    "schema",
    [
        transfer(),
        transfer(amount={"type": "number", "minimum": 0.01}),
        transfer(said="Clarify with the user when it is missing."),
        transfer(said="Default: EUR when not said."),
    ],
)
def test_a_narrow_schema_may_settle_the_currency_in_its_own_way(schema):
    assert check("def-narrow-schema", schema).ok


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (transfer(amount={"type": "number"}), "a transfer of 0"),
        (transfer(amount={"type": "integer", "exclusiveMinimum": 0}), "that should pass"),
        (transfer(said="The currency of the amount."), "what to do when the user did not name it"),
        (transfer(additionalProperties=True), "fields through that nobody asked for"),
    ],
)
def test_a_schema_too_wide_too_tight_or_silent_is_told(schema, said):
    assert said in check("def-narrow-schema", schema).message
