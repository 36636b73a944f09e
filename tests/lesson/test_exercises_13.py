"""Capstones: two that differ from the lesson's pass, and each wrong one is told which rule it broke."""

import asyncio
import json
import uuid

import pytest

from course.harness import Deny, ToolError, tool
from course.labs.cases import Agent, cases
from course.labs.support import Failure, warehouse
from course.lesson import check


def attempted(operation, *values):
    try:
        return operation(*values)
    except Failure as failure:
        raise ToolError(failure.as_json()) from None


# one right way: plain functions, the owner asked in one place, errors built by hand -----------------------------------


def by_functions(shop, customer):
    def own(order_id):
        try:
            order = shop.order(order_id)
            if order["customer_id"] == customer:
                return order
        except Failure as failure:
            if failure.category != "validation":
                raise ToolError(failure.as_json()) from None
        told = {"message": "We know no such order.", "isRetryable": False, "errorCategory": "validation"}
        raise ToolError(json.dumps(told))

    def get_customer(email: str):
        """Find a customer of the shop by e-mail address; use this first."""
        return attempted(shop.customer, email)

    def lookup_order(order_id: str):
        """Look up what is in one order: article and price."""
        order = own(order_id)
        return f"{order['article']}, {order['euros']} euros"

    def process_refund(order_id: str, euros: float, reason: str):
        """Pay back money for one order, after both look-ups."""
        own(order_id)
        return attempted(shop.refund, order_id, euros, json.dumps([customer, order_id, euros]))

    def escalate_to_human(summary: str):
        """Give a case to a person, with a summary of it."""
        return attempted(shop.escalate, summary)

    return [tool(f) for f in (get_customer, lookup_order, process_refund, escalate_to_human)]


def step_by_step(call, done):
    if call.name != "process_refund":
        return None
    good = [result.call for result in done if not result.is_error]
    if "get_customer" not in [one.name for one in good]:
        return Deny("First get_customer.")
    if not any(one.name == "lookup_order" and one.input["order_id"] == call.input["order_id"] for one in good):
        return Deny("First lookup_order for this order.")
    return None if call.input["euros"] <= 100 else Deny("More than 100 euros: a colleague decides.")


# another: own schemas, errors as dicts become text, a class that remembers --------------------------------------------

TEXT, MONEY = {"type": "string"}, {"type": "number", "exclusiveMinimum": 0}


def schema(**properties):
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


class Desk:
    def __init__(self, shop, customer):
        self.shop, self.customer = shop, customer

    def get_customer(self, email):
        return json.dumps(attempted(self.shop.customer, email))

    def lookup_order(self, order_id):
        order = attempted(self.shop.order, order_id)
        if order.pop("customer_id") != self.customer:
            raise ToolError(Failure.no_order(order_id).as_json())
        return order

    def process_refund(self, order_id, euros, reason):
        self.lookup_order(order_id)
        return attempted(self.shop.refund, order_id, euros, f"{self.customer}:{order_id}:{euros:.2f}")

    def escalate_to_human(self, summary):
        return attempted(self.shop.escalate, summary)


def by_schemas(shop, customer):
    desk = Desk(shop, customer)
    says = [
        ("get_customer", "Number and name of the customer with this e-mail address.", schema(email=TEXT)),
        ("lookup_order", "Article and price of one of the customer's orders.", schema(order_id=TEXT)),
        ("process_refund", "Pay back up to 100 euros.", schema(order_id=TEXT, euros=MONEY, reason=TEXT)),
        ("escalate_to_human", "A person takes over; says what it is about.", schema(summary=TEXT)),
    ]
    return [tool(name=name, description=d, input_schema=s)(getattr(desk, name)) for name, d, s in says]


def by_filter(call, done):
    names = {result.call.name for result in done if result.is_error is False}
    missing = {"get_customer", "lookup_order"} - names
    if call.name == "process_refund" and missing:
        return Deny(f"Not yet: {', '.join(sorted(missing))}.")
    if call.name == "process_refund" and call.input["euros"] > 100:
        return Deny("Use escalate_to_human.")


def from_server(item):
    from mcp import Client

    async def function(**arguments):
        async with Client(warehouse()) as server:
            answer = await server.call_tool(item.name, arguments)
        words = "\n".join(part.text for part in answer.content)
        if answer.is_error:
            raise ToolError(words)
        return words

    name = item.name.replace(".", "_")
    return tool(name=name, description=item.description, input_schema=item.input_schema)(function)


def swallowing(item):
    from mcp import Client

    async def function(**arguments):
        async with Client(warehouse()) as server:
            return (await server.call_tool(item.name, arguments)).content[0].text

    name = item.name.replace(".", "_")
    return tool(name=name, description=item.description, input_schema=item.input_schema)(function)


def wordless(item):
    made = from_server(item)

    async def function(**arguments):
        try:
            return await made.function(**arguments)
        except ToolError:
            raise ToolError("failed") from None

    return tool(name=made.name, description=item.description, input_schema=item.input_schema)(function)


def raising(item):
    made = from_server(item)

    async def function(**arguments):
        try:
            return await made.function(**arguments)
        except ToolError as error:
            raise RuntimeError(str(error)) from None

    return tool(name=made.name, description=item.description, input_schema=item.input_schema)(function)


def stocked(make, wrap=from_server):
    async def listed():
        from mcp import Client

        async with Client(warehouse()) as server:
            return (await server.list_tools()).tools

    items = asyncio.run(listed())
    return lambda shop, customer: [*make(shop, customer), *map(wrap, items)]


RIGHT_TOOLS = [by_functions, by_schemas]
RIGHT_GATES = [step_by_step, by_filter]


@pytest.mark.parametrize("make", RIGHT_TOOLS)
@pytest.mark.parametrize("exercise", ["cap-two-reads", "cap-four-tools"])
def test_other_right_tools_are_accepted(exercise, make):
    for _ in range(2):
        verdict = check(exercise, make)
        assert verdict.ok, verdict


@pytest.mark.parametrize("gate", RIGHT_GATES)
def test_other_right_gates_are_accepted(gate):
    verdict = check("cap-gate-holds", gate)
    assert verdict.ok, verdict


def test_another_right_wrapper_is_accepted():
    verdict = check("cap-server-tools", from_server)
    assert verdict.ok, verdict


@pytest.mark.parametrize(("make", "gate"), list(zip(RIGHT_TOOLS, RIGHT_GATES, strict=True)))
def test_two_capstones_that_differ_from_the_lesson_pass_every_case(make, gate):
    verdict = check("cap-hidden-cases", Agent(stocked(make), [gate]))
    assert verdict.ok, verdict
    assert "38" in verdict.message


# wrong tools ---------------------------------------------------------------------------------------------------------


def replaced(**functions):
    """Return the right tools with some of them replaced; each function gets the shop, the customer, and its input."""

    def make(shop, customer):
        def bind(name, function, old):
            def bound(**input):
                return function(shop, customer, **input)

            return tool(name=name, description=old.description, input_schema=old.input_schema)(bound)

        right = {made.name: made for made in by_schemas(shop, customer)}
        return [bind(name, functions[name], old) if name in functions else old for name, old in right.items()]

    return make


def believing(shop, customer):
    """The customer is whoever was looked up last, by an address in the text."""
    seen = {"customer_id": customer}

    def get_customer(email: str):
        """Find a customer of the shop by e-mail address; use this first."""
        seen.update(attempted(shop.customer, email))
        return dict(seen)

    def order(order_id):
        found = attempted(shop.order, order_id)
        if found["customer_id"] != seen["customer_id"]:
            raise ToolError(Failure.no_order(order_id).as_json())
        return found

    def lookup_order(order_id: str):
        """Look up what is in one order: article and price."""
        return order(order_id)

    def process_refund(order_id: str, euros: float, reason: str):
        """Pay back money for one order, after both look-ups."""
        order(order_id)
        return attempted(shop.refund, order_id, euros, f"{order_id}/{euros}")

    return [tool(f) for f in (get_customer, lookup_order, process_refund)] + by_schemas(shop, customer)[3:]


def for_ann(shop, customer):
    return by_schemas(shop, "C-19")


def asks_who(shop, customer):
    def lookup_order(order_id: str, customer_id: str):
        """Look up what is in one order: article and price."""
        return attempted(shop.order, order_id)

    return [by_schemas(shop, customer)[0], tool(lookup_order)]


def quiet(operation):
    def function(shop, customer, **input):
        try:
            return getattr(shop, operation)(*input.values())
        except Failure as failure:
            return {"status": "error", "message": failure.message}

    return function


def open_order(shop, customer, order_id):
    return attempted(shop.order, order_id)


def not_yours(shop, customer, order_id):
    if (order := attempted(shop.order, order_id))["customer_id"] != customer:
        raise ToolError(Failure("permission", f"{order_id} is not yours.").as_json())
    return order


def plain_words(shop, customer, order_id):
    try:
        order = shop.order(order_id)
    except Failure as failure:
        raise ToolError(failure.message) from None
    if order["customer_id"] != customer:
        raise ToolError(f"There is no order {order_id}.")
    return order


def raw_failure(shop, customer, order_id):
    return shop.order(order_id)


def paying(key):
    def process_refund(shop, customer, order_id, euros, reason):
        not_yours(shop, customer, order_id)
        return attempted(shop.refund, order_id, euros, key(order_id, euros))

    return process_refund


def pays_anybody(shop, customer, order_id, euros, reason):
    return attempted(shop.refund, order_id, euros, f"{order_id}/{euros}")


def pays_nobody(shop, customer, order_id, euros, reason):
    raise ToolError(Failure("business", "Ask a person.").as_json())


def pays_silently(shop, customer, order_id, euros, reason):
    not_yours(shop, customer, order_id)
    try:
        return shop.refund(order_id, euros, f"{order_id}/{euros}")
    except Failure:
        return {"status": "success"}


WRONG_TOOLS = [
    ("cap-two-reads", for_ann, "not from a number of today"),
    ("cap-two-reads", asks_who, "Who is calling is no parameter"),
    ("cap-two-reads", believing, "typed in proves nothing"),
    ("cap-two-reads", lambda shop, customer: by_schemas(shop, customer)[:1], "no tool lookup_order"),
    ("cap-two-reads", replaced(lookup_order=open_order), "order of somebody else"),
    ("cap-two-reads", replaced(lookup_order=not_yours), "tells that it exists"),
    ("cap-two-reads", replaced(lookup_order=plain_words), "structured error"),
    ("cap-two-reads", replaced(lookup_order=raw_failure), "by attempted"),
    ("cap-two-reads", replaced(get_customer=quiet("customer")), "as if all were well"),
    ("cap-four-tools", replaced(process_refund=paying(lambda order_id, euros: uuid.uuid4().hex)), "paid 2 times"),
    ("cap-four-tools", replaced(process_refund=paying(lambda order_id, euros: order_id)), "another key"),
    ("cap-four-tools", replaced(process_refund=pays_anybody), "somebody else's order"),
    ("cap-four-tools", replaced(process_refund=pays_nobody), "own order is refused: Ask a person."),
    ("cap-four-tools", replaced(process_refund=pays_silently), "money that never moved"),
    ("cap-four-tools", replaced(escalate_to_human=lambda shop, customer, summary: "ok"), "not hand the summary over"),
    ("cap-four-tools", lambda shop, customer: by_schemas(shop, customer)[:3], "no tool escalate_to_human"),
]


@pytest.mark.parametrize(("exercise", "make", "said"), WRONG_TOOLS)
def test_wrong_tools_are_told_why(exercise, make, said):
    verdict = check(exercise, make)
    assert verdict.state == "wrong"
    assert said.lower() in verdict.message.replace("`", "").lower(), verdict


# wrong gates ---------------------------------------------------------------------------------------------------------


def only_the_amount(call, done):
    return Deny("Use escalate_to_human.") if call.name == "process_refund" and call.input["euros"] > 100 else None


def counts(call, done):
    return Deny("Look up first.") if call.name == "process_refund" and len(done) < 2 else only_the_amount(call, done)


def believes_failures(call, done):
    looked = {"get_customer", "lookup_order"} <= {result.call.name for result in done}
    return only_the_amount(call, done) if looked or call.name != "process_refund" else Deny("Look up first.")


def no_limit(call, done):
    return by_filter(call, done) if call.input.get("euros", 0) <= 100 else None


def stops_there(call, done):
    found = by_filter(call, done)
    return Deny("No.") if found and call.input["euros"] > 100 else found


def below_only(call, done):
    return Deny("Use escalate_to_human.") if call.input.get("euros", 0) >= 100 else by_filter(call, done)


WRONG_GATES = [
    (only_the_amount, "amount is only half", "before anybody was looked up"),
    (counts, "both look-ups", "had not been found"),
    (believes_failures, "failed counts as one that succeeded", "had not been found"),
    (no_limit, "More than 100 euros pass", "more than 100 euros were paid"),
    (stops_there, "what to do instead", None),
    (below_only, "exactly 100", "exactly 100 euros"),
    (lambda call, done: Deny("No."), "still denied", "was not paid exactly once"),
]


@pytest.mark.parametrize(("gate", "said", "played"), WRONG_GATES)
def test_wrong_gates_are_told_why_twice(gate, said, played):
    verdict = check("cap-gate-holds", gate)
    assert verdict.state == "wrong"
    assert said in verdict.message, verdict
    whole = check("cap-hidden-cases", Agent(stocked(by_schemas), [gate]))
    assert whole.ok is (played is None)
    assert (played or "") in whole.message, whole


@pytest.mark.parametrize(
    ("wrap", "said"), [(swallowing, "take them for successes"), (wordless, "is lost"), (raising, "is lost")]
)
def test_wrong_wrappers_are_told_why(wrap, said):
    verdict = check("cap-server-tools", wrap)
    assert verdict.state == "wrong"
    assert said in verdict.message, verdict
    whole = check("cap-hidden-cases", Agent(stocked(by_schemas, wrap), [by_filter]))
    assert "the warehouse refused" in whole.message


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (Agent(by_schemas, [by_filter]), "Are its tools in the agent"),
        (Agent(stocked(believing), [by_filter]), "gave a stranger's name"),
        (Agent(stocked(for_ann), [by_filter]), "was not paid exactly once"),
        (Agent(stocked(replaced(lookup_order=open_order)), [by_filter]), "somebody else's order was shown"),
        (Agent(stocked(replaced(lookup_order=quiet("order"))), [by_filter]), "somebody else's order was shown"),
        (Agent(stocked(replaced(get_customer=quiet("customer"))), [by_filter]), "had not been found"),
        (Agent(stocked(replaced(process_refund=pays_silently)), [by_filter]), "a service was down"),
        (Agent(stocked(replaced(process_refund=paying(lambda *wish: wish[0]))), [by_filter]), "not both paid"),
        (
            Agent(stocked(replaced(process_refund=paying(lambda *wish: uuid.uuid4().hex))), [by_filter]),
            "asked for twice",
        ),
        (Agent(stocked(by_schemas), []), "before anybody was looked up"),
        (Agent(stocked(lambda shop, customer: 1 / 0), []), "broke off: ZeroDivisionError"),
        (Agent(by_schemas, ...), "no gates yet"),
    ],
)
def test_a_capstone_that_breaks_a_rule_is_told_which(agent, said):
    verdict = check("cap-hidden-cases", agent)
    assert verdict.state == "wrong"
    assert said in verdict.message, verdict


def test_the_cases_vary_people_orders_amounts_and_words_with_the_seed_and_repeat_with_it():
    def seen(seed):
        data, played = cases(seed)
        return data, [(case.wish, case.script) for case in played]

    assert seen(1) == seen(1)
    data, played = zip(*(seen(seed) for seed in range(6)), strict=True)
    assert len({(one.customers, one.mine, one.other) for one in data}) == 6
    for n in range(len(played[0])):
        assert len({json.dumps(one[n]) for one in played}) > 1, played[0][n]
