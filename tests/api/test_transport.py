"""The real SDK over the in-process transport."""

import asyncio
import time

import anthropic
import pytest
from wire_helpers import HAIKU, OPUS, WEATHER, Says, call, text

from course.api import OfflineAPI
from course.api.transport import async_client, client
from course.mockmodel.model import Reply

ASK = {
    "model": HAIKU,
    "max_tokens": 500,
    "messages": [{"role": "user", "content": "Weather in Oslo?"}],
    "tools": [WEATHER],
}


def answers(request):
    last = request.messages[-1]["content"][-1]
    if last["type"] == "tool_result":
        return Reply((text(f"It is {last['content']}."),))
    return Reply((text("Let me look."), call(city="Oslo")))


@pytest.fixture
def api():
    return OfflineAPI(Says(write=answers))


@pytest.fixture
def no_environment(monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_environment")
def test_a_client_needs_no_key_and_no_network(api):
    got = client(api).messages.create(**ASK)
    assert [block.type for block in got.content] == ["text", "tool_use"]
    assert got.content[1].input == {"city": "Oslo"}
    assert got._request_id.startswith("req_")


def test_an_address_in_the_environment_does_not_lead_elsewhere(api, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1/elsewhere")
    assert client(api).messages.create(**ASK).stop_reason == "tool_use"


def test_the_async_client_answers_many_at_once(api):
    async def run():
        async with async_client(api) as talk:
            return await asyncio.gather(*(talk.messages.create(**ASK) for _ in range(8)))

    assert len({got.id for got in asyncio.run(run())}) == 8


def test_a_raw_stream_gives_the_events(api):
    kinds = [event.type for event in client(api).messages.create(**ASK, stream=True)]
    assert kinds[0] == "message_start"
    assert kinds[-1] == "message_stop"


def test_the_stream_helper_adds_up_to_the_message(api):
    with client(api).messages.stream(**ASK) as stream:
        words = "".join(stream.text_stream)
        got = stream.get_final_message()
    assert words == "Let me look."
    assert got.content[1].input == {"city": "Oslo"}
    assert got.stop_reason == "tool_use"


def test_the_async_stream_helper_adds_up_to_the_message(api):
    async def run():
        async with async_client(api).messages.stream(**ASK) as stream:
            return await stream.get_final_message()

    assert asyncio.run(run()).content[1].input == {"city": "Oslo"}


def test_a_refusal_is_the_sdks_own_error(api):
    with pytest.raises(anthropic.BadRequestError) as caught:
        client(api).messages.create(**{**ASK, "max_tokens": -1})
    assert caught.value.type == "invalid_request_error"
    assert caught.value.request_id.startswith("req_")
    assert caught.value.request_id == caught.value.body["request_id"]


def test_an_unknown_model_is_not_found(api):
    with pytest.raises(anthropic.NotFoundError, match="model: claude-nobody"):
        client(api).messages.create(**{**ASK, "model": "claude-nobody"})


def test_counting_and_models_go_through(api):
    talk = client(api)
    assert talk.messages.count_tokens(model=HAIKU, messages=ASK["messages"]).input_tokens > 0
    assert talk.models.retrieve(OPUS).id == OPUS
    assert len([entry.id for entry in talk.models.list(limit=4)]) > 10


def test_overload_is_retried_and_passes():
    api = OfflineAPI(Says(text("a")), faults="529:2")
    assert client(api).messages.create(**ASK).content[0].text == "a"


def test_overload_that_lasts_is_raised():
    api = OfflineAPI(Says(text("a")), faults="529:*")
    with pytest.raises(anthropic.APIStatusError) as caught:
        client(api, max_retries=1).messages.create(**ASK)
    assert caught.value.status_code == 529
    assert caught.value.type == "overloaded_error"


@pytest.fixture
def naps(monkeypatch):
    """Every wait of the SDK and of the transport, instead of waiting."""
    waited = []
    monkeypatch.setattr(time, "sleep", waited.append)
    return waited


def test_a_rate_limit_is_retried_after_the_milliseconds_it_names(naps):
    api = OfflineAPI(Says(text("a")), faults="429")
    client(api).messages.create(**ASK)
    assert naps == [0.02]


def test_what_asks_for_no_retry_is_not_retried():
    model = Says(write=lambda request: 1 / 0)
    with pytest.raises(anthropic.InternalServerError, match="ZeroDivisionError"):
        client(OfflineAPI(model)).messages.create(**ASK)
    assert len(model.asked) == 1


def test_a_request_asks_for_a_fault_and_gets_over_it_by_retrying(api):
    got = client(api).messages.create(**ASK, extra_headers={"x-course-fault": "529:2"})
    assert got.stop_reason == "tool_use"


def test_an_error_in_mid_stream_has_the_status_of_the_stream():
    api = OfflineAPI(Says(text("word " * 40)), faults="overloaded")
    with pytest.raises(anthropic.APIStatusError) as caught:
        list(client(api).messages.create(**ASK, stream=True))
    assert (caught.value.status_code, caught.value.type) == (200, "overloaded_error")


def test_a_cut_stream_is_an_error_of_the_connection():
    api = OfflineAPI(Says(text("word " * 40)), faults="cut")
    with pytest.raises(Exception, match="peer closed connection"):
        list(client(api).messages.create(**ASK, stream=True))


def test_a_cut_answer_is_retried():
    assert client(OfflineAPI(Says(text("a")), faults="cut")).messages.create(**ASK).content[0].text == "a"


def test_a_truncated_stream_ends_without_an_error():
    api = OfflineAPI(Says(text("word " * 40)), faults="truncate")
    kinds = [event.type for event in client(api).messages.create(**ASK, stream=True)]
    assert kinds[-1] == "content_block_delta"


def test_a_slow_first_token_is_waited_for(naps):
    client(OfflineAPI(Says(text("a")), faults="slow=7")).messages.create(**ASK)
    assert naps == [7.0]


def test_a_slow_stream_does_not_hold_up_another_in_async():
    api = OfflineAPI(Says(text("a b c d")), faults="drip=0.02:2")
    order = []

    async def one(talk, name):
        async for event in await talk.messages.create(**ASK, stream=True):
            order.append((name, event.type))

    async def run():
        async with async_client(api) as talk:
            await asyncio.gather(one(talk, "a"), one(talk, "b"))

    asyncio.run(run())
    assert order.index(("b", "message_start")) < order.index(("a", "message_stop"))
    assert order.index(("a", "message_start")) < order.index(("b", "message_stop"))


@pytest.mark.parametrize("options", [{}, {"thread": False}, {"stream": True}])
def test_the_tool_runner_runs_the_whole_loop(api, options):
    @anthropic.beta_tool
    def get_weather(city: str) -> str:
        """Get the current weather in a city."""
        return f"sunny in {city}"

    runner = client(api).beta.messages.tool_runner(
        model=OPUS, max_tokens=500, tools=[get_weather], messages=ASK["messages"], **options
    )
    messages = [item.get_final_message() if "stream" in options else item for item in runner]
    assert [message.stop_reason for message in messages] == ["tool_use", "end_turn"]
    assert messages[-1].content[0].text == "It is sunny in Oslo."
    assert len(api.model.asked) == 2


def test_the_tool_runner_falls_back_when_a_thread_is_not_possible(api):
    @anthropic.beta_tool
    def get_weather(city: str) -> str:
        """Get the current weather in a city."""
        return "sunny"

    runner = client(api).beta.messages.tool_runner(
        model=OPUS, max_tokens=500, tools=[get_weather], messages=ASK["messages"], thinking={"type": "adaptive"}
    )
    assert runner.until_done().stop_reason == "end_turn"


def test_a_thinking_tool_loop_goes_round(api):
    thought = {"type": "thinking", "thinking": "Hm."}
    api.model = Says(write=lambda request: Reply((thought, *answers(request).blocks)))
    talk, turns = client(api), list(ASK["messages"])
    got = talk.messages.create(**{**ASK, "model": OPUS, "messages": turns})
    result = {"type": "tool_result", "tool_use_id": got.content[-1].id, "content": "cold"}
    turns += [{"role": "assistant", "content": got.content}, {"role": "user", "content": [result]}]
    assert talk.messages.create(**{**ASK, "model": OPUS, "messages": turns}).content[-1].text == "It is cold."
