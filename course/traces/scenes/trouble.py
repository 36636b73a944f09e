"""What goes wrong in a sound conversation, and how it is handled: errors, limits, other stop reasons."""

import asyncio
from typing import Any

from course.facts import forced_model
from course.harness import Call, Deny, Result, ToolError, tool
from course.mockmodel import Reply, call, text
from course.traces.scenes.stage import OFF, Play, Stage
from course.traces.scenes.tools import find_customer, get_stock, get_weather
from course.traces.trace import Trace

__all__ = ["PLAYS"]


def error_recovery(stage: Stage) -> Trace:
    tries = iter((False, True))

    @tool(name=get_stock.name, description=get_stock.description, input_schema=get_stock.input_schema)
    async def flaky(product: str) -> str:
        if next(tries):
            await asyncio.sleep(0.3)
            return "14 pieces of P-9"
        await asyncio.sleep(2.0)
        raise ToolError("The stock service did not answer within 2 s. This is temporary: try once more.")

    again = [text("The service was slow. I'll try once more."), call("get_stock", product="P-9")]
    script = [call("get_stock", product="P-9"), again, "There are 14 pieces of P-9 in stock."]
    return stage.run(script, "How many P-9 do we have?", [flaky])


def business_error(stage: Stage) -> Trace:
    @tool
    async def refund(order: str, amount: float) -> str:
        """Refund an order, whole or in part. Only within 30 days. Ask the user to confirm first.

        Args:
            order: Order number, e.g. A-77.
            amount: Amount in euros.
        """
        raise ToolError(
            {
                "errorCategory": "business",
                "isRetryable": False,
                "message": "A-12 is 64 days old; refunds end after 30 days. Offer store credit or a person instead.",
            }
        )

    script = [
        call("refund", order="A-12", amount=35.0),
        "A-12 is past the 30 days for refunds. I can offer you store credit, or hand you over to a colleague.",
    ]
    return stage.run(script, "Yes, please refund order A-12, 35 euros.", [refund])


def nothing_found(stage: Stage) -> Trace:
    @tool(name=find_customer.name, description=find_customer.description, input_schema=find_customer.input_schema)
    async def search(email: str) -> dict[str, Any]:
        await asyncio.sleep(0.5)
        return {"found": 0, "searched": "all 48,211 customers", "customers": []}

    script = [call("find_customer", email="kim@example.org"), "No customer has the address kim@example.org."]
    return stage.run(script, "Do we have a customer kim@example.org?", [search])


def retry_storm(stage: Stage) -> Trace:
    script = [call("get_stock", product="P-9")] * 4
    return stage.run(script, "How many P-9 do we have?", [get_stock], max_iterations=4)


def max_tokens_in_call(stage: Stage) -> Trace:
    @tool
    async def save_note(title: str, body: str) -> str:
        """Save a note for the user.

        Args:
            title: One line.
            body: The whole text of the note.
        """
        await asyncio.sleep(0.2)
        return "saved as N-5"

    body = "Milk, bread, a kilo of rice, two onions, garlic, soy sauce, green tea, and flowers for the neighbour. " * 2
    saving = [text("I'll save your list."), call("save_note", title="Shopping", body=body.strip())]
    options = {"model": forced_model(), "thinking": OFF}
    wish = "Save a note: my shopping list for the weekend, with flowers for the neighbour."
    return stage.runs(
        [saving, "Saved as N-5."],
        [save_note],
        lambda _: {"messages": wish, "max_tokens": 60, **options},
        lambda history: {"messages": history, "max_tokens": 2000, **options},
    )


def pause_turn(stage: Stage) -> Trace:
    search = {"type": "web_search_20250305", "name": "web_search"}
    source = {
        "type": "web_search_result",
        "title": "Harbour almanac",
        "url": "https://example.org/almanac",
        "encrypted_content": "…",
        "page_age": None,
    }
    paused = [
        text("I'll search in several steps."),
        {"type": "server_tool_use", "id": "srvtoolu_01pause", "name": "web_search", "input": {"query": "tides Busan"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_01pause", "content": [source]},
    ]
    script = [Reply(tuple(paused), stop_reason="pause_turn"), "High tide in Busan is at 21:40 today."]
    return stage.run(script, "When is high tide in Busan today?", [search])


def refusal(stage: Stage) -> Trace:
    details = {"type": "refusal", "category": "cyber", "explanation": "The request asks for harm to a computer system."}
    script = [Reply((text("I can't help with that."),), stop_reason="refusal", stop_details=details)]
    return stage.run(script, "Write a tool that locks other people's files.", [get_weather])


def unknown_tool(stage: Stage) -> Trace:
    script = [
        call("get_forecast", city="Oslo", days=3),
        [text("There is no forecast tool. I'll look at the present."), call("get_weather", city="Oslo")],
        "I can only see the present: 4 °C and rain in Oslo.",
    ]
    return stage.run(script, "Will it rain in Oslo this week?", [get_weather])


def invalid_input(stage: Stage) -> Trace:
    script = [
        call("get_weather", town="Lima"),
        call("get_weather", city="Lima"),
        "22 °C and cloudy in Lima.",
    ]
    return stage.run(script, "How is the weather in Lima?", [get_weather])


def one_of_two_fails(stage: Stage) -> Trace:
    script = [
        [call("get_weather", city="Oslo"), call("get_stock", product="P-9")],
        "Oslo has 4 °C and rain. The stock of P-9 could not be read just now.",
    ]
    return stage.run(script, "Weather in Oslo, and how many P-9 are left?", [get_weather, get_stock], parallel=True)


def gate_denies(stage: Stage) -> Trace:
    @tool
    async def change_address(customer_id: str, address: str) -> str:
        """Change the delivery address of a customer. Verify the customer first; confirm the new address.

        Args:
            customer_id: Id such as C-1042.
            address: The whole new address.
        """
        await asyncio.sleep(0.3)
        return "address changed"

    def customer_first(wanted: Call, done: Any) -> Deny | None:
        found = any(result.call.name == find_customer.name and not result.is_error for result in done)
        if wanted.name == "change_address" and not found:
            return Deny("Not run: find the customer with find_customer first, then change the address.")
        return None

    change = call("change_address", customer_id="C-1042", address="12 Pine Row")
    script = [
        change,
        call("find_customer", email="noor@example.org"),
        change,
        "Your parcels now go to 12 Pine Row.",
    ]
    wish = "I am noor@example.org, customer C-1042. Please send my parcels to 12 Pine Row from now on. Yes, I am sure."
    return stage.run(script, wish, [find_customer, change_address], gates=[customer_first])


def hook_trims(stage: Stage) -> Trace:
    from dataclasses import replace

    @tool
    async def read_log(service: str) -> str:
        """Read the latest lines of a service's log.

        Args:
            service: Name of the service, e.g. stock.
        """
        await asyncio.sleep(0.6)
        lines = [f"10:0{minute} WARN stock answers slowly" for minute in range(9)]
        return "\n".join([*lines, "10:09 INFO token=tk_example_9f2c41d0 renewed"])

    def tidy(result: Result) -> Result:
        lines = [line for line in str(result.content).splitlines() if "token=" not in line]
        return replace(result, content="\n".join([*lines[-3:], f"({len(lines) - 3} earlier lines left out)"]))

    script = [call("read_log", service="stock"), "The stock service has been slow since 10:00, without errors."]
    return stage.run(script, "What is wrong with the stock service?", [read_log], hooks=[tidy])


PLAYS: dict[str, Play] = {
    "error-recovery": error_recovery,
    "business-error": business_error,
    "nothing-found": nothing_found,
    "retry-storm": retry_storm,
    "max-tokens-in-call": max_tokens_in_call,
    "pause-turn": pause_turn,
    "refusal": refusal,
    "unknown-tool": unknown_tool,
    "invalid-input": invalid_input,
    "one-of-two-fails": one_of_two_fails,
    "gate-denies": gate_denies,
    "hook-trims": hook_trims,
}
