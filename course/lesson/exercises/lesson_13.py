"""The exercises of lesson 13, the capstone."""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

from course.harness import Call, Deny, Result, ToolError, arun
from course.labs.cases import grade, house, in_own_loop
from course.labs.support import STOCK, Failure, warehouse
from course.lesson.checks import first_broken
from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

PARAMETERS = {
    "get_customer": {"email"},
    "lookup_order": {"order_id"},
    "process_refund": {"order_id", "euros", "reason"},
    "escalate_to_human": {"summary"},
}
READS, ALL = ("get_customer", "lookup_order"), tuple(PARAMETERS)
SEED = "the checks of lesson 13"


def _failure(function: Callable[..., Any], **input: Any) -> dict[str, Any] | None:
    """Return the structured error that a tool raises, {} for one without structure, None when it raises none."""
    try:
        function(**input)
    except ToolError as error:
        try:
            told = error.content if isinstance(error.content, Mapping) else json.loads(str(error.content))
        except ValueError:
            return {}
        return dict(told) if isinstance(told, Mapping) else {}
    return None


def _tools(make: Callable[..., Any], shop: Any, customer: str, names: Sequence[str]) -> dict[str, Any] | Finding:
    """Return the tools by name, or what they lack: one of the names, or the parameters the house gives them."""
    tools = {tool.name: tool for tool in make(shop, customer)}
    if missing := [name for name in names if name not in tools]:
        return wrong("missing", name=missing[0])
    for name in names:
        if (given := set(tools[name].input_schema.get("properties", {}))) != PARAMETERS[name]:
            return wrong(
                "parameters", name=name, wanted=", ".join(sorted(PARAMETERS[name])), given=", ".join(sorted(given))
            )
    return tools


def _reads_hold(make: Callable[..., Any], data: Any) -> Finding | None:
    """Try both reads with the data of a house; None when all is well."""
    (id, name, email), mine, other = data.customers[0], data.mine, data.other
    with closing(data.open()) as shop:
        tools = _tools(make, shop, id, READS)
        if isinstance(tools, Finding):
            return tools
        get_customer, lookup_order = tools["get_customer"], tools["lookup_order"]
        try:
            if not _says(get_customer, {"email": email}, id, name):
                return wrong("customer")
            if not _says(lookup_order, {"order_id": mine[0]}, mine[2]):
                return wrong("own_order")
            _failure(get_customer, email=data.customers[1][2])
            foreign, unknown = _failure(lookup_order, order_id=other[0]), _failure(lookup_order, order_id="ORD-9999")
            lost = _failure(get_customer, email="nobody@example.org")
        except Failure as raw:
            return wrong("raw", error=str(raw))
        if foreign is None:
            return wrong("foreign_order")
        if lost is None or unknown is None:
            return wrong("swallowed")
        if not all(_structured(told) for told in (lost, unknown, foreign)):
            return wrong("unstructured")
        if _masked(foreign) != _masked(unknown):
            return wrong("tells_existence", foreign=foreign["message"], unknown=unknown["message"])
    return _transient(make, data, {"get_customer": {"email": email}, "lookup_order": {"order_id": mine[0]}})


def _transient(make: Callable[..., Any], data: Any, inputs: Mapping[str, Mapping[str, Any]]) -> Finding | None:
    """Try tools whose service is down; None when each says that it is worth another try."""
    for name, input in inputs.items():
        with closing(data.open(down=(SERVICES[name],))) as shop:
            tool = next(tool for tool in make(shop, data.customers[0][0]) if tool.name == name)
            try:
                told = _failure(tool, **input)
            except Failure as raw:
                return wrong("raw", error=str(raw))
            if told is None:
                return wrong("down_swallowed", name=name)
            if not _structured(told):
                return wrong("unstructured")
            if not told["isRetryable"]:
                return wrong("down_final", name=name)
    return None


SERVICES = {"get_customer": "customer", "lookup_order": "order", "process_refund": "refund"}


def _says(function: Callable[..., Any], input: Mapping[str, Any], *words: str) -> bool:
    """Tell whether a tool succeeds and what it returns holds all the words."""
    try:
        said = str(function(**input))
    except ToolError:
        return False
    return all(word in said for word in words)


def _structured(told: Mapping[str, Any]) -> bool:
    return {"errorCategory", "isRetryable", "message"} <= set(told)


def _masked(told: Mapping[str, Any]) -> str:
    return re.sub(r"ORD-\d+", "", json.dumps(told, sort_keys=True))


def two_reads(make_reads: Callable[..., Sequence[Any]]) -> Finding:
    """Customer and own orders are found, foreign orders look like unknown ones, failures are structured."""
    return _reads_hold(make_reads, house(random.Random(SEED))) or right()


def four_tools(make_tools: Callable[..., Sequence[Any]]) -> Finding:
    """The four tools, described; reads as before; refunds once, only on own orders, failures told; a person is told."""
    data = house(random.Random(SEED))
    (id, *_), mine, other = data.customers[0], data.mine, data.other
    with closing(data.open()) as shop:
        tools = _tools(make_tools, shop, id, ALL)
        if isinstance(tools, Finding):
            return tools
        if refused := first_broken([{"role": "user", "content": "hi"}], tools=[t.definition() for t in tools.values()]):
            return wrong("refused", rule=refused)
        if thin := next((name for name, tool in tools.items() if len(tool.description.split()) < 6), None):
            return wrong("thin", name=thin)
        if finding := _reads_hold(make_tools, data):
            return finding
        pay = tools["process_refund"]
        for euros in (20.0, 20.0, 15.0):
            if refusal := _failure(pay, order_id=mine[0], euros=euros, reason="broken"):
                return wrong("own_refund", euros=euros, found=refusal.get("message", refusal))
        if shop.refunds().count((mine[0], 20.0)) != 1:
            return wrong("twice", count=shop.refunds().count((mine[0], 20.0)))
        if (mine[0], 15.0) not in shop.refunds():
            return wrong("other_amount_lost")
        refused_refund = _failure(pay, order_id=other[0], euros=5.0, reason="x")
        if refused_refund is None or len(shop.refunds()) > 2:
            return wrong("foreign_refund")
        if not _structured(refused_refund):
            return wrong("unstructured")
        told = _failure(tools["escalate_to_human"], summary="Wants a person, order late.")
        if told is not None or shop.escalations() != ["Wants a person, order late."]:
            return wrong("not_escalated")
    refund = {"order_id": mine[0], "euros": 20.0, "reason": "broken"}
    return _transient(make_tools, data, {"process_refund": refund}) or right()


def gate_holds(gate: Callable[[Call, Sequence[Result]], Any]) -> Finding:
    """Order and limit, and nothing else is stopped."""
    data = house(random.Random(SEED))
    (id, name, email), mine = data.customers[0], data.mine
    order = {"order_id": mine[0], "customer_id": id, "article": mine[2], "euros": mine[3], "paid": True}
    looks = {
        "get_customer": ({"email": email}, json.dumps({"customer_id": id, "name": name})),
        "lookup_order": ({"order_id": mine[0]}, json.dumps(order)),
        "escalate_to_human": ({"summary": "x"}, json.dumps({"status": "success", "ticket": "T-1"})),
    }

    def done(*names: str, failed: str = "") -> list[Result]:
        failure = Failure("transient", "timed out", retryable=True).as_json()
        return [
            Result(
                Call(f"toolu_{n}", name, looks[name][0]), failure if name == failed else looks[name][1], name == failed
            )
            for n, name in enumerate(names)
        ]

    def refund(euros: float) -> Call:
        return Call("toolu_9", "process_refund", {"order_id": mine[0], "euros": euros, "reason": "broken"})

    early = ((), ("get_customer",), ("lookup_order",), ("get_customer", "escalate_to_human"), ("lookup_order",) * 2)
    if any(not isinstance(gate(refund(20), done(*names)), Deny) for names in early):
        return wrong("too_early")
    if any(not isinstance(gate(refund(20), done(*READS, failed=name)), Deny) for name in READS):
        return wrong("failed_counts")
    if any(gate(refund(euros), done(*names)) is not None for euros in (20, 100) for names in (READS, READS[::-1])):
        return wrong("still_denied")
    if gate(Call("toolu_9", "escalate_to_human", {"summary": "x"}), []) is not None:
        return wrong("others_denied")
    large = [gate(refund(euros), done(*READS)) for euros in (100.5, 101, 5000)]
    if not all(isinstance(verdict, Deny) for verdict in large):
        return wrong("limit")
    return right() if all(re.search(ONWARD, verdict.message, re.IGNORECASE) for verdict in large) else wrong("dead_end")


ONWARD = r"escalat|person|human|manager|colleague|staff|hand(ed)? over|team"
"""Words by which a denial above the limit may say where to go."""


def server_tools(from_server: Callable[[Any], Any]) -> Finding:
    """The good call succeeds, the failed ones are errors with the server's words."""
    from mcp import Client

    from course.api import OfflineAPI
    from course.api.transport import async_client
    from course.facts import default_model
    from course.mockmodel import Scripted

    async def executions() -> Sequence[Any]:
        async with Client(warehouse()) as server:
            tools = [from_server(item) for item in (await server.list_tools()).tools]
        calls = [{"type": "tool_use", "name": name, "input": input} for name, input in WAREHOUSE_CALLS]
        async with async_client(OfflineAPI(Scripted([calls, "Done."]))) as client:
            ran = await arun(client, model=default_model(), messages="Stock?", tools=tools)
        return ran.trace.executions if ran.trace else ()

    count, reserve, unknown = in_own_loop(executions())
    if count.is_error or f"{STOCK['lamp']} in stock" not in str(count.content):
        return wrong("good_lost", found=str(count.content))
    if not reserve.is_error or not unknown.is_error:
        return wrong("not_marked")
    kept = "are left" in str(reserve.content) and "Articles" in str(unknown.content)
    return right() if kept else wrong("words_lost", found=str(reserve.content))


WAREHOUSE_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("stock_count", {"article": "lamp"}),
    ("stock_reserve", {"article": "sofa", "pieces": 9}),
    ("stock_count", {"article": "boat"}),
)


def hidden_cases(agent: Any) -> Finding:
    """Every hidden case, under two seeds."""
    from course.api import OfflineAPI
    from course.api.transport import async_client
    from course.facts import default_model
    from course.mockmodel import Improviser, Scripted

    if agent.gates is ...:
        return wrong("no_gates")

    def connected(script: Sequence[Any] | None) -> Any:
        return async_client(OfflineAPI(Improviser() if script is None else Scripted(list(script))))

    results = [result for seed in (7, 8) for result in grade(agent, connected, default_model(), seed)]
    failed = [result for result in results if not result.passed]
    if not failed:
        return right(all=len(results))
    first, passed = failed[0], len(results) - len(failed)
    key = "raised" if first.why else f"case_{first.name}"
    return wrong(key, passed=passed, all=len(results), why=first.why)


EXERCISES = (
    Exercise("cap-two-reads", "13", "cap-tools", ("CAP-1",), two_reads),
    Exercise("cap-four-tools", "13", "cap-tools", ("CAP-1",), four_tools),
    Exercise("cap-gate-holds", "13", "cap-gate", ("CAP-1",), gate_holds),
    Exercise("cap-server-tools", "13", "cap-mcp", ("CAP-1",), server_tools),
    Exercise("cap-hidden-cases", "13", "cap-grade", ("CAP-1",), hidden_cases),
)
