"""Recording from the real SDK over the offline API: what goes over the wire is what is in the trace."""

import asyncio

import pytest

from course.api import OfflineAPI
from course.api.transport import async_client, client
from course.facts import default_model, forced_model
from course.harness import run, tool
from course.mockmodel import Scripted, call
from course.traces import Recorder, steps
from course.traces.assemble import assemble

HELLO = [{"role": "user", "content": "Weather in Busan?"}]
REQUEST = {"model": forced_model(), "max_tokens": 500, "messages": HELLO, "thinking": {"type": "disabled"}}


@tool
def get_weather(city: str) -> str:
    """Get the current weather of a city."""
    return f"17 C in {city}"


def offline(*turns):
    return OfflineAPI(Scripted(turns))


def watched(*turns):
    recorder = Recorder()
    return recorder, recorder.watch(client(offline(*turns), max_retries=0))


def test_a_plain_call_is_recorded_with_request_answer_and_times():
    recorder, sdk = watched("Hello.")
    answer = sdk.messages.create(**REQUEST)
    (exchange,) = recorder.trace().exchanges
    assert exchange.request == REQUEST
    assert exchange.response.status == 200
    assert exchange.response.body["id"] == answer.id
    assert exchange.started <= exchange.ended
    assert recorder.trace().source == "sdk"


def test_the_messages_resource_can_be_watched_alone():
    recorder = Recorder()
    messages = recorder.watch(client(offline("Hello.")).messages)
    messages.create(**REQUEST)
    assert len(recorder.trace().exchanges) == 1


def test_a_stream_is_recorded_as_the_message_it_becomes():
    asking = call("get_weather", city="Busan")
    recorder, sdk = watched(asking)
    tools = [get_weather.definition()]
    with sdk.messages.stream(**REQUEST, tools=tools) as events:
        final = events.get_final_message()
    plain = Recorder()
    plain.watch(client(offline(asking))).messages.create(**REQUEST, tools=tools)
    streamed, whole = recorder.trace().exchanges[0].response.body, plain.trace().exchanges[0].response.body
    assert streamed["content"][0]["input"] == {"city": "Busan"}
    assert streamed["id"] == final.id
    assert streamed.keys() == whole.keys()
    assert streamed["content"][0].keys() == whole["content"][0].keys()
    assert streamed["usage"] == whole["usage"]


def test_a_stream_that_is_left_early_is_recorded_as_far_as_it_came():
    recorder, sdk = watched("A long answer that nobody reads to its end, word by word by word.")
    with sdk.messages.stream(**REQUEST) as events:
        next(iter(events))
    body = recorder.trace().exchanges[0].response.body
    assert body["stop_reason"] is None
    assert body["role"] == "assistant"


def test_an_error_is_recorded_with_its_status_and_still_raised():
    import anthropic

    recorder, sdk = watched("")
    with pytest.raises(anthropic.BadRequestError):
        sdk.messages.create(**{**REQUEST, "messages": []})
    answer = recorder.trace().exchanges[0].response
    assert (answer.status, answer.body["type"]) == (400, "error")


def test_the_tool_runner_is_recorded_and_its_executions_are_concluded():
    from anthropic import beta_tool

    @beta_tool
    def get_weather(city: str) -> str:
        """Get the weather of a city."""
        return "17 C"

    recorder, sdk = watched(call("get_weather", city="Busan"), "17 C in Busan.")
    sdk.beta.messages.tool_runner(
        model=default_model(), max_tokens=500, tools=[get_weather], messages=HELLO
    ).until_done()
    found = steps(recorder.trace())
    assert [step.label for step in found] == ["Offer", "Ask", "Execute", "Return", "Continue"]
    assert found[2].recorded is False


def test_counting_tokens_is_no_exchange():
    recorder, sdk = watched("")
    sdk.messages.count_tokens(model=forced_model(), messages=HELLO)
    assert recorder.trace().exchanges == ()


def test_the_async_client_is_recorded_too():
    recorder = Recorder()

    async def scenario():
        async with async_client(offline("Hello.", "Hello.")) as sdk:
            watched = recorder.watch(sdk)
            await watched.messages.create(**REQUEST)
            async with watched.messages.stream(**REQUEST) as events:
                await events.get_final_message()

    asyncio.run(scenario())
    plain, streamed = (exchange.response.body for exchange in recorder.trace().exchanges)
    assert plain["content"] == streamed["content"] == [{"type": "text", "text": "Hello."}]


@pytest.mark.parametrize("stream", [False, True])
def test_what_the_harness_records_is_what_went_over_the_wire(stream):
    wire, sdk = watched(call("get_weather", city="Busan"), "17 C.")
    outcome = run(sdk, model=default_model(), messages="Weather in Busan?", tools=[get_weather], stream=stream)
    own, tapped = outcome.trace.exchanges, wire.trace().exchanges
    assert [e.response.body for e in own] == [e.response.body for e in tapped]
    assert [{**e.request, "stream": stream} for e in own] == [{"stream": False, **e.request} for e in tapped]


def test_events_of_a_stream_reach_the_caller_of_the_harness():
    seen = []
    run(client(offline("Hi.")), model=forced_model(), messages="Hi", stream=lambda event: seen.append(event.type))
    assert "message_stop" in seen


def test_a_cut_input_is_kept_as_text_and_not_taken_for_the_input():
    stream = "\n".join(
        [
            'data: {"type": "message_start", "message": {"role": "assistant", "content": []}}',
            'data: {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "input": {}}}',
            'data: {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta",'
            ' "partial_json": "{\\"city\\": \\"Bu"}}',
        ]
    )
    block = assemble(stream)["content"][0]
    assert block["input"] == {}
    assert block["partial_json"] == '{"city": "Bu'


@pytest.mark.parametrize("stream", ["", "data: x", "data: 5", 'data: {"type": "content_block_delta", "index": 9}'])
def test_odd_streams_give_an_unfinished_message(stream):
    assert assemble(stream)["stop_reason"] is None


def test_an_error_event_is_the_answer():
    stream = 'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}\n'
    assert assemble(stream)["error"]["type"] == "overloaded_error"
