"""The exercises of lesson 13, the capstone."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from course.harness import Call, Deny, Result, ToolError
from course.lesson.checks import first_broken
from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

NAMES = {"get_customer", "lookup_order", "process_refund", "escalate_to_human"}


def _failure(function: Callable[..., Any], *args: Any) -> dict[str, Any] | None:
    """Return the structured error that a tool raises, {} for one without structure, None when it raises none."""
    try:
        function(*args)
    except ToolError as error:
        try:
            told = json.loads(str(error))
        except ValueError:
            return {}
        return told if isinstance(told, dict) else {}
    return None


def two_reads(make_reads: Callable[..., Sequence[Any]]) -> Finding:
    """Customer and own orders are found, foreign orders look like unknown ones, failures are structured."""
    from course.labs.support import Backend

    shop = Backend()
    try:
        tools = {tool.name: tool for tool in make_reads(shop, "C-19")}
        if missing := sorted({"get_customer", "lookup_order"} - set(tools)):
            return wrong("missing", name=missing[0])
        if tools["get_customer"]("ann@example.org")["name"] != "Ann Lee":
            return wrong("customer")
        if _failure(tools["get_customer"], "nobody@example.org") in (None, {}):
            return wrong("unstructured")
        if tools["lookup_order"]("ORD-81")["article"] != "lamp":
            return wrong("own_order")
        foreign, unknown = _failure(tools["lookup_order"], "ORD-90"), _failure(tools["lookup_order"], "ORD-1")
        if foreign is None:
            return wrong("foreign_order")
        return right() if unknown and set(foreign) == set(unknown) else wrong("unstructured")
    finally:
        shop.close()


def four_tools(make_tools: Callable[..., Sequence[Any]]) -> Finding:
    """The four names, described; own orders seen, foreign ones hidden; failures structured; no refund twice."""
    from course.labs.support import Backend

    shop = Backend()
    try:
        tools = {tool.name: tool for tool in make_tools(shop, "C-19")}
        if missing := sorted(NAMES - set(tools)):
            return wrong("missing", name=missing[0])
        if refused := first_broken([{"role": "user", "content": "hi"}], tools=[t.definition() for t in tools.values()]):
            return wrong("refused", rule=refused)
        if thin := next((name for name, tool in tools.items() if len(tool.description.split()) < 6), None):
            return wrong("thin", name=thin)
        if tools["lookup_order"]("ORD-81")["article"] != "lamp":
            return wrong("own_order")
        foreign, unknown = _failure(tools["lookup_order"], "ORD-90"), _failure(tools["lookup_order"], "ORD-1")
        if foreign is None:
            return wrong("foreign_order")
        if not {"errorCategory", "isRetryable", "message"} <= set(unknown or {}):
            return wrong("unstructured")
        if set(foreign) != set(unknown or {}) or "C-20" in json.dumps(foreign):
            return wrong("tells_existence")
        for _ in range(2):
            tools["process_refund"]("ORD-81", 20.0, "broken")
        if shop.refunds() != [("ORD-81", 20.0)]:
            return wrong("twice", count=len(shop.refunds()))
        if _failure(tools["process_refund"], "ORD-90", 5.0, "x") is None:
            return wrong("foreign_refund")
        tools["escalate_to_human"]("Ann wants a person.")
        return right() if shop.escalations() else wrong("not_escalated")
    finally:
        shop.close()


def gate_holds(gate: Callable[[Call, Sequence[Result]], Any]) -> Finding:
    """Order and limit, and nothing else is stopped."""

    def done(*names: str, failed: bool = False) -> list[Result]:
        return [Result(Call(f"toolu_{n}", name, {}), "…", is_error=failed) for n, name in enumerate(names)]

    pay = Call("toolu_9", "process_refund", {"order_id": "ORD-81", "euros": 20, "reason": "x"})
    if not isinstance(gate(pay, []), Deny) or not isinstance(gate(pay, done("get_customer")), Deny):
        return wrong("too_early")
    if not isinstance(gate(pay, done("get_customer", "lookup_order", failed=True)), Deny):
        return wrong("failed_counts")
    both = done("get_customer", "lookup_order")
    if gate(pay, both) is not None:
        return wrong("still_denied")
    large = gate(Call("toolu_9", "process_refund", {**pay.input, "euros": 101}), both)
    if not isinstance(large, Deny):
        return wrong("limit")
    return right() if "escalate" in large.message.lower() or "person" in large.message.lower() else wrong("dead_end")


def server_tools(outcome: Any) -> Finding:
    """The good call succeeded, the failed one is an error with the server's words."""
    good, bad = outcome.trace.executions[:2]
    if good.is_error or "lamp" not in str(good.content):
        return wrong("good_lost")
    if not bad.is_error:
        return wrong("not_marked")
    return right() if "Numbers look like" in str(bad.content) else wrong("words_lost")


def hidden_cases(agent: Any) -> Finding:
    """Every hidden case, under two seeds."""
    from course.api import OfflineAPI
    from course.api.transport import client
    from course.facts import default_model
    from course.labs.support import grade
    from course.mockmodel import Improviser, Scripted

    if agent.gates is ...:
        return wrong("no_gates")

    def connected(script: Sequence[Any] | None) -> Any:
        return client(OfflineAPI(Improviser() if script is None else Scripted(list(script))))

    results = [result for seed in (7, 8) for result in grade(agent, connected, default_model(), seed)]
    failed = [result for result in results if not result.passed]
    passed = len(results) - len(failed)
    if failed:
        return wrong("failed", passed=passed, all=len(results), case=failed[0].name, why=failed[0].why)
    return right(all=len(results))


EXERCISES = (
    Exercise("cap-two-reads", "13", "cap-tools", ("CAP-1",), two_reads),
    Exercise("cap-four-tools", "13", "cap-tools", ("CAP-1",), four_tools),
    Exercise("cap-gate-holds", "13", "cap-gate", ("CAP-1",), gate_holds),
    Exercise("cap-server-tools", "13", "cap-mcp", ("CAP-1",), server_tools),
    Exercise("cap-hidden-cases", "13", "cap-grade", ("CAP-1",), hidden_cases),
)
