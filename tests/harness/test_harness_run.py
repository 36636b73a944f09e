"""The drivers, with a client that plays prepared messages."""

import asyncio
import dataclasses
import datetime
import threading

import pytest
from fake_client import AsyncFakeClient, FakeClient, call, final, message

from course.harness import Confirm, DefinitionError, Deny, ToolError, arun, run, tool


@tool
def get_weather(city: str) -> str:
    """Get the weather."""
    return f"18 C in {city}"


@tool
def explode(city: str) -> str:
    """Fail."""
    raise ValueError("password=hunter2")


def result_of(client, number=0):
    """Return a `tool_result` block of the second request."""
    return client.requests[1]["messages"][-1]["content"][number]


def once(*blocks, tools, **options):
    """Run one round of calls; return the outcome and the client."""
    client = FakeClient(message(*blocks), final())
    return run(client, model="m", messages="Hi", tools=tools, **options), client


def test_the_happy_path_offers_asks_executes_returns_and_continues():
    outcome, client = once(call("a", "get_weather", city="Oslo"), tools=[get_weather])
    assert client.requests[0]["tools"] == [get_weather.definition()]
    assert client.requests[0]["messages"] == [{"role": "user", "content": "Hi"}]
    assert result_of(client) == {"type": "tool_result", "tool_use_id": "a", "content": "18 C in Oslo"}
    assert outcome.stop == "end_turn"


def test_plain_functions_and_server_tool_definitions_may_be_offered_too():
    def lookup(key: str):
        """Look up."""

    server_tool = {"type": "web_search_20250305", "name": "web_search"}
    client = FakeClient(final())
    run(client, model="m", messages="Hi", tools=[lookup, server_tool])
    assert [tool["name"] for tool in client.requests[0]["tools"]] == ["lookup", "web_search"]
    assert client.requests[0]["tools"][1] == server_tool


def test_without_tools_no_tools_field_is_sent_and_other_fields_pass_through():
    client = FakeClient(final())
    run(client, model="m", messages="Hi", system="Be brief.", tool_choice={"type": "none"})
    assert client.requests == [
        {
            "model": "m",
            "max_tokens": 4096,
            "system": "Be brief.",
            "tool_choice": {"type": "none"},
            "messages": [{"role": "user", "content": "Hi"}],
        }
    ]


@pytest.mark.parametrize(
    ("value", "content"),
    [
        ("text", "text"),
        (7, "7"),
        ({"stadt": "Köln"}, '{"stadt": "Köln"}'),
        ([1, 2], "[1, 2]"),
        ([], "[]"),
        ([{"type": "text", "text": "x"}], [{"type": "text", "text": "x"}]),
        (dataclasses.make_dataclass("D", ["a"])(1), '{"a": 1}'),
        (object, "\"<class 'object'>\""),
    ],
)
def test_whatever_a_tool_returns_becomes_content(value, content):
    _, client = once(call("a", "give"), tools=[tool(name="give")(lambda: value)])
    assert result_of(client)["content"] == content


def test_a_tool_that_returns_nothing_still_answers_its_call():
    _, client = once(call("a", "quiet"), tools=[tool(name="quiet")(lambda: None)])
    assert result_of(client) == {"type": "tool_result", "tool_use_id": "a"}


def test_an_unknown_tool_is_answered_with_an_error_that_lists_the_tools():
    _, client = once(call("a", "get_wether", city="Oslo"), tools=[get_weather])
    assert result_of(client)["is_error"] is True
    assert "'get_wether'" in result_of(client)["content"]
    assert "get_weather" in result_of(client)["content"]


def test_an_input_against_the_schema_is_answered_with_every_fault_and_not_run():
    ran = []

    @tool
    def book(seats: int, name: str):
        """Book."""
        ran.append(seats)

    _, client = once(call("a", "book", seats="two"), tools=[book])
    assert result_of(client)["is_error"] is True
    assert "seats: 'two' is not of type 'integer'" in result_of(client)["content"]
    assert "'name' is a required property" in result_of(client)["content"]
    assert ran == []


def test_a_value_that_is_none_of_its_type_is_answered_with_what_to_correct():
    @tool
    def plan(day: datetime.date):
        """Plan."""

    _, client = once(call("a", "plan", day="2026-02-30"), tools=[plan])
    assert result_of(client)["is_error"] is True
    assert "day: " in result_of(client)["content"]
    assert "plan" in result_of(client)["content"]


def test_an_exception_is_answered_without_its_text_and_kept_for_the_hooks():
    seen = []
    _, client = once(
        call("a", "explode", city="Oslo"), tools=[explode], hooks=[lambda result: seen.append(result) or result]
    )
    assert result_of(client)["is_error"] is True
    assert "ValueError" in result_of(client)["content"]
    assert "hunter2" not in str(client.requests)
    assert str(seen[0].exception) == "password=hunter2"


def test_a_tool_error_says_what_its_author_wrote():
    @tool
    def refund(order: str):
        """Refund."""
        raise ToolError({"errorCategory": "business", "isRetryable": False, "message": "Older than 30 days."})

    _, client = once(call("a", "refund", order="1"), tools=[refund])
    assert result_of(client)["is_error"] is True
    assert result_of(client)["content"].startswith('{"errorCategory": "business"')


def test_one_failing_call_does_not_keep_the_others_from_their_results():
    _, client = once(
        call("a", "explode", city="X"), call("b", "get_weather", city="Oslo"), tools=[explode, get_weather]
    )
    assert "is_error" in result_of(client, 0)
    assert result_of(client, 1)["content"] == "18 C in Oslo"


def test_a_gate_denies_a_call_until_its_prerequisite_succeeded():
    @tool
    def verify(customer: str):
        """Verify."""
        return "verified"

    @tool
    def refund(order: str):
        """Refund."""
        return "refunded"

    def verified_first(call, done):
        if call.name == "refund" and not any(r.call.name == "verify" and not r.is_error for r in done):
            return Deny("Verify the customer first.")

    client = FakeClient(
        message(call("a", "refund", order="1")),
        message(call("b", "verify", customer="x"), call("c", "refund", order="1")),
        final(),
    )
    run(client, model="m", messages="Hi", tools=[verify, refund], gates=[verified_first])
    first, second = (request["messages"][-1]["content"] for request in client.requests[1:])
    assert first == [
        {"type": "tool_result", "tool_use_id": "a", "content": "Verify the customer first.", "is_error": True}
    ]
    assert [block["content"] for block in second] == ["verified", "refunded"]


def test_a_gate_can_ask_a_person_and_no_person_means_no():
    def careful(call, done):
        return Confirm(f"Run {call.name}?")

    asked = []

    def yes(call, question):
        asked.append(question)
        return True

    block = call("a", "get_weather", city="Oslo")
    _, client = once(block, tools=[get_weather], gates=[careful], confirm=yes)
    assert (asked, result_of(client)["content"]) == (["Run get_weather?"], "18 C in Oslo")
    _, client = once(block, tools=[get_weather], gates=[careful], confirm=lambda call, question: False)
    assert result_of(client)["is_error"] is True
    _, client = once(block, tools=[get_weather], gates=[careful])
    assert "confirmation" in result_of(client)["content"]


def test_a_denial_wins_over_a_question_of_an_earlier_gate():
    gates = [lambda call, done: Confirm("Sure?"), lambda call, done: Deny("Never.")]
    _, client = once(
        call("a", "get_weather", city="X"), tools=[get_weather], gates=gates, confirm=lambda call, question: True
    )
    assert result_of(client)["content"] == "Never."


def test_a_gate_that_fails_keeps_the_call_from_running():
    def broken(call, done):
        raise RuntimeError("secret")

    _, client = once(call("a", "get_weather", city="Oslo"), tools=[get_weather], gates=[broken])
    assert result_of(client)["is_error"] is True
    assert "secret" not in result_of(client)["content"]


@pytest.mark.parametrize("answer", [True, False, "fine", 0])
def test_a_gate_that_answers_anything_else_keeps_the_call_from_running(answer):
    _, client = once(call("a", "get_weather", city="Oslo"), tools=[get_weather], gates=[lambda call, done: answer])
    assert result_of(client)["is_error"] is True
    assert "Oslo" not in result_of(client)["content"]


def test_a_hook_that_forgets_to_return_gives_an_error_result():
    _, client = once(call("a", "get_weather", city="Oslo"), tools=[get_weather], hooks=[lambda result: None])
    assert result_of(client)["is_error"] is True


def test_data_that_cannot_become_json_goes_back_as_text():
    ring = []
    ring.append(ring)
    _, client = once(call("a", "give"), tools=[tool(name="give")(lambda: ring)])
    assert result_of(client)["content"] == "[[...]]"


def test_a_hook_normalises_results_before_they_go_back():
    def short(result):
        return dataclasses.replace(result, content=result.content[:4])

    _, client = once(call("a", "get_weather", city="Oslo"), tools=[get_weather], hooks=[short])
    assert result_of(client)["content"] == "18 C"


def test_a_hook_that_fails_gives_an_error_result_instead_of_an_unprepared_one():
    _, client = once(call("a", "get_weather", city="Oslo"), tools=[get_weather], hooks=[lambda result: 1 / 0])
    assert result_of(client)["is_error"] is True
    assert "Oslo" not in result_of(client)["content"]


def test_parallel_calls_run_at_the_same_time_and_come_back_in_call_order():
    both = threading.Barrier(2, timeout=10)

    @tool
    def meet(n: int):
        """Wait for the other call."""
        both.wait()
        return str(n)

    _, client = once(call("a", "meet", n=1), call("b", "meet", n=2), tools=[meet], parallel=True)
    assert [(b["tool_use_id"], b["content"]) for b in client.requests[1]["messages"][-1]["content"]] == [
        ("a", "1"),
        ("b", "2"),
    ]


def test_calls_run_one_after_the_other_unless_parallel_is_asked_for():
    order = []

    @tool
    def log(n: int):
        """Log."""
        order.append((n, threading.current_thread() is threading.main_thread()))

    once(call("a", "log", n=1), call("b", "log", n=2), tools=[log])
    assert order == [(1, True), (2, True)]


def test_two_tools_of_one_name_are_refused_before_anything_is_sent():
    client = FakeClient()
    with pytest.raises(DefinitionError, match="get_weather"):
        run(client, model="m", messages="Hi", tools=[get_weather, get_weather])
    assert client.requests == []


def test_run_refuses_coroutine_functions_and_names_arun():
    @tool
    async def later(city: str):
        """Later."""

    with pytest.raises(DefinitionError, match="arun"):
        run(FakeClient(), model="m", messages="Hi", tools=[later])


def test_the_outcome_can_be_continued_with_the_next_user_turn():
    outcome, _ = once(call("a", "get_weather", city="Oslo"), tools=[get_weather])
    client = FakeClient(final())
    run(client, model="m", messages=[*outcome.messages, {"role": "user", "content": "And now?"}])
    assert [turn["role"] for turn in client.requests[0]["messages"]] == ["user", "assistant"] * 2 + ["user"]


def test_the_trace_holds_exchanges_and_executions_with_times():
    outcome, client = once(call("a", "get_weather", city="Oslo"), call("b", "nope"), tools=[get_weather])
    trace = outcome.trace
    assert [exchange.request for exchange in trace.exchanges] == client.requests
    assert [exchange.response.status for exchange in trace.exchanges] == [200, 200]
    assert [(e.exchange, e.tool_use_id, e.is_error) for e in trace.executions] == [(0, "a", False), (0, "b", True)]
    first = trace.executions[0]
    assert trace.exchanges[0].ended <= first.started <= first.ended <= trace.exchanges[1].started


def test_an_api_error_is_raised_and_is_in_the_recorder():
    from course.traces import Recorder

    class BadRequest(Exception):
        status_code = 400
        body = {"type": "error", "error": {"type": "invalid_request_error", "message": "no"}}  # noqa: RUF012

    recorder = Recorder()
    with pytest.raises(BadRequest):
        run(FakeClient(BadRequest()), model="m", messages="Hi", recorder=recorder)
    answer = recorder.trace().exchanges[0].response
    assert (answer.status, answer.body["error"]["message"]) == (400, "no")


def test_a_connection_error_leaves_the_exchange_without_an_answer():
    from course.traces import Recorder

    recorder = Recorder()
    with pytest.raises(OSError, match="unplugged"):
        run(FakeClient(OSError("unplugged")), model="m", messages="Hi", recorder=recorder)
    assert recorder.trace().exchanges[0].response is None


def test_arun_awaits_coroutine_functions_and_runs_them_together():
    async def scenario():
        gate = asyncio.Barrier(2)

        @tool
        async def meet(n: int):
            """Wait for the other call."""
            async with asyncio.timeout(10):
                await gate.wait()
            return n

        client = AsyncFakeClient(message(call("a", "meet", n=1), call("b", "meet", n=2)), final())
        outcome = await arun(client, model="m", messages="Hi", tools=[meet, get_weather], parallel=True)
        return outcome, client

    outcome, client = asyncio.run(scenario())
    assert [block["content"] for block in client.requests[1]["messages"][-1]["content"]] == ["1", "2"]
    assert len(outcome.trace.executions) == 2


def test_arun_keeps_the_order_of_calls_and_awaits_a_coroutine_confirm():
    async def confirm(call, question):
        return call.id == "a"

    async def scenario():
        client = AsyncFakeClient(
            message(call("a", "get_weather", city="X"), call("b", "get_weather", city="Y")), final()
        )
        gates = [lambda call, done: Confirm("?")]
        await arun(client, model="m", messages="Hi", tools=[get_weather], gates=gates, confirm=confirm)
        return client

    client = asyncio.run(scenario())
    assert ["is_error" in block for block in client.requests[1]["messages"][-1]["content"]] == [False, True]


def test_arun_records_an_api_error_too():
    from course.traces import Recorder

    class Overloaded(Exception):
        status_code = 529
        body = None

    recorder = Recorder()
    with pytest.raises(Overloaded):
        asyncio.run(arun(AsyncFakeClient(Overloaded()), model="m", messages="Hi", recorder=recorder))
    assert recorder.trace().exchanges[0].response.status == 529
