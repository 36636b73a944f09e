"""The exercises of lesson 03, tool definitions."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from course.lesson.checks import first_broken, sorts
from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

HI = [{"role": "user", "content": "hi"}]
BORDER = (
    ("lookup", "What is in order ORD-81?"),
    ("lookup", "How much did ORD-12 cost?"),
    ("lookup", "Is ORD-44 paid?"),
    ("locate", "Where is my parcel for ORD-81?"),
    ("locate", "When will the delivery of ORD-5 arrive?"),
    ("process", "I want my money back for ORD-33."),
    ("process", "Refund ORD-90, it came broken."),
    ("check", "Which customer has the address ann@example.org?"),
    ("check", "What is the customer number of Jonas Weber?"),
    ("report", "Which invoices of C-19 are unpaid?"),
    ("report", "List the invoices of customer C-7."),
    ("report", "Has C-12 any overdue invoices?"),
)
ENOUGH = 11
ARGUMENT = {
    "lookup": "order_id",
    "locate": "order_id",
    "process": "order_id",
    "check": "query",
    "report": "customer_id",
}
FRESH = (
    "How do I reset my password?",
    "What does the warranty cover?",
    "How long is delivery?",
    "Can I pay by invoice?",
)
GUARANTEES = {
    "the currency is one of the enum": True,
    "the caller may see this account": False,
    "no unknown field is sent along": True,
    "the same refund is not paid twice": False,
}
DECISIONS = {
    "parcel questions end up in the order look-up": 4,
    "the reason field holds poems": 3,
    "one tool reads, refunds and deletes, told apart by `action`": 1,
    "refunds start before the order was looked at": 5,
    "calls come without an order number": 2,
}
OPERATIONS = {
    "read an invoice / pay an invoice": "split",
    "list, get and count a user's notes": "together",
    "look a user up / delete a user": "split",
    "convert km to miles / kg to pounds": "together",
}
ASKS = re.compile(r"\bask|clarif|inquir|enquir|confirm|find out|check with")
TAKES = re.compile(r"\b(?:default|assume|take|use|means|counts as)\b.{0,30}\b(?:eur|usd|euro|dollar)")
FITTING = ({"account": "A-3", "amount": 5, "currency": "EUR"}, {"account": "A-9", "amount": 0.5, "currency": "USD"})
UNFITTING = {
    "zero": {"account": "A-3", "amount": 0, "currency": "EUR"},
    "other_currency": {"account": "A-3", "amount": 5, "currency": "CHF"},
    "text_amount": {"account": "A-3", "amount": "five", "currency": "EUR"},
    "no_account": {"amount": 5, "currency": "EUR"},
    "no_currency": {"account": "A-3", "amount": 5},
    "more": {"account": "A-3", "amount": 5, "currency": "EUR", "note": "x"},
}


def _chosen(messages: Sequence[Any], tools: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the tool that the stand-in calls first, straight from the model: a check asks it many times."""
    from course.facts import forced_model
    from course.mockmodel import Improviser, ModelRequest

    turns = tuple({**m, "content": _blocks(m["content"])} for m in messages)
    reply = Improviser().reply(ModelRequest(model=forced_model(), messages=turns, tools=tuple(tools)))
    return next((str(block["name"]) for block in reply.blocks if block["type"] == "tool_use"), None)


def _blocks(content: Any) -> Any:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def write_one(definition: Mapping[str, Any]) -> Finding:
    """The API takes it, the description says something, and `flight` is a required, described string."""
    if refused := first_broken(HI, tools=[definition]):
        return wrong("refused", rule=refused)
    if len(str(definition.get("description", "")).split()) < 8:
        return wrong("short")
    schema = definition["input_schema"]
    flight = schema.get("properties", {}).get("flight")
    if not isinstance(flight, Mapping) or flight.get("type") != "string":
        return wrong("no_flight")
    if "flight" not in schema.get("required", ()):
        return wrong("optional")
    return right() if flight.get("description") or "901" in str(definition) else wrong("undescribed")


def tell_apart(tools: Sequence[Mapping[str, Any]]) -> Finding:
    """Fresh questions go to the search; the same one again, with its history, goes to the cache."""
    questions = FRESH
    fresh = [_chosen([{"role": "user", "content": question}], tools) for question in questions]
    if lost := fresh.count("get_cached_result"):
        return wrong("fresh", count=lost, all=len(questions))
    if None in fresh:
        return wrong("none")
    asked = {"type": "tool_use", "id": "a", "name": "search_knowledge_base", "input": {"query": questions[0]}}
    found = {"type": "tool_result", "tool_use_id": "a", "content": "Settings, then Security."}
    history = [
        {"role": "user", "content": questions[0]},
        {"role": "assistant", "content": [asked]},
        {"role": "user", "content": [found]},
        {"role": "assistant", "content": "In Settings, under Security."},
        {"role": "user", "content": questions[0]},
    ]
    return right() if _chosen(history, tools) == "get_cached_result" else wrong("again")


def clinic_five(descriptions: Mapping[str, str]) -> Finding:
    """Measured on wishes at the borders between the five."""
    if thin := next((name for name in ARGUMENT if len(str(descriptions.get(name, "")).split()) < 5), None):
        return wrong("thin", name=thin)
    tools = [
        {
            "name": name,
            "description": str(descriptions[name]),
            "input_schema": {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]},
        }
        for name, argument in ARGUMENT.items()
    ]
    lost = [
        (name, wish, chosen)
        for name, wish in BORDER
        if (chosen := _chosen([{"role": "user", "content": wish}], tools)) != name
    ]
    hits = len(BORDER) - len(lost)
    if hits < ENOUGH:
        name, wish, chosen = lost[0]
        return wrong("confused", hits=hits, all=len(BORDER), wish=wish, wanted=name, got=chosen or "no tool")
    return right(hits=hits, all=len(BORDER))


def narrow_schema(schema: Any) -> Finding:
    """Lets the good transfers through and nothing else, and says what to do about a missing currency."""
    from jsonschema import Draft202012Validator

    if refused := first_broken(HI, tools=[{"name": "transfer", "description": "…", "input_schema": schema}]):
        return wrong("refused", rule=refused)
    fits = Draft202012Validator(schema).is_valid
    if missed := next((case for case in FITTING if not fits(case)), None):
        return wrong("too_tight", case=missed)
    if loose := next((key for key, case in UNFITTING.items() if fits(case)), None):
        return wrong(loose)
    said = str(schema["properties"]["currency"].get("description", "")).lower()
    if ASKS.search(said):
        return right()
    return right("default") if TAKES.search(said) else wrong("unsettled")


def two_examples(definition: Mapping[str, Any]) -> Finding:
    """Two examples that the API accepts, one with the optional field."""
    if refused := first_broken(HI, tools=[definition]):
        return wrong("refused", rule=refused)
    examples = definition.get("input_examples") or []
    if len(examples) < 2:
        return wrong("few", count=len(examples))
    return right() if any("priority" in example for example in examples) else wrong("no_optional")


EXERCISES = (
    Exercise("def-write-one", "03", "def-parts", ("DEF-1", "DEF-11"), write_one),
    Exercise("def-tell-apart", "03", "def-alike", ("DEF-2", "DEF-3"), tell_apart),
    Exercise("def-clinic-five", "03", "def-describe", ("DEF-2", "DEF-10"), clinic_five),
    Exercise("def-narrow-schema", "03", "def-narrow", ("DEF-4", "DEF-12"), narrow_schema),
    Exercise("def-strict-or-not", "03", "def-strict", ("DEF-6",), sorts(GUARANTEES, "promises")),
    Exercise("def-two-examples", "03", "def-fields", ("DEF-7", "DEF-8"), two_examples),
    Exercise("def-which-decision", "03", "def-five", ("DEF-5",), sorts(DECISIONS, "symptoms")),
    Exercise("def-split-or-not", "03", "def-split", ("DEF-9",), sorts(OPERATIONS, "pairs")),
)
