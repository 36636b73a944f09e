from wire_helpers import HAIKU, OPUS, WEATHER, Says, body, call, document, message, post, text

from course.api import OfflineAPI

SEARCH = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}


def counted(**fields):
    sent = body(**{"model": "claude-opus-5", **fields})
    del sent["max_tokens"]
    answer = post(OfflineAPI(Says()), sent, path="/v1/messages/count_tokens")
    assert answer.status == 200, document(answer)
    return document(answer)["input_tokens"]


def test_count_tokens_asks_no_model():
    model = Says()
    sent = {"model": HAIKU, "messages": [{"role": "user", "content": "hi"}]}
    assert post(OfflineAPI(model), sent, path="/v1/messages/count_tokens").status == 200
    assert model.asked == []


def test_a_message_is_counted_as_count_tokens_counts_it():
    got = message(OfflineAPI(Says(text("a"))), body(model="claude-opus-5", tools=[WEATHER]))
    assert got["usage"]["input_tokens"] == counted(tools=[WEATHER])


def test_the_documented_overhead_of_tool_use_is_added_once():
    forced = {"tool_choice": {"type": "any"}}
    assert counted(tools=[WEATHER], **forced) - counted(tools=[WEATHER]) == 406 - 286
    assert counted(tools=[WEATHER]) > counted() + 286
    two = counted(tools=[WEATHER, {**WEATHER, "name": "b"}]) - counted(tools=[WEATHER])
    assert two < 100


def test_a_deferred_tool_counts_only_once_it_is_found():
    hidden = {**WEATHER, "name": "other", "defer_loading": True}
    bare = counted(tools=[WEATHER, SEARCH])
    assert counted(tools=[WEATHER, SEARCH, hidden]) == bare
    found = [
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": SEARCH["name"], "input": {"query": "other"}},
        {
            "type": "tool_search_tool_result",
            "tool_use_id": "srvtoolu_1",
            "content": {
                "type": "tool_search_tool_search_result",
                "tool_references": [{"type": "tool_reference", "tool_name": "other"}],
            },
        },
    ]
    turns = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": found},
        {"role": "user", "content": "y"},
    ]
    other = [{**WEATHER, "name": "third", "defer_loading": True}]
    with_it = counted(tools=[WEATHER, SEARCH, hidden], messages=turns)
    bigger = counted(tools=[WEATHER, SEARCH, {**hidden, "description": "long " * 200}], messages=turns)
    assert bigger > with_it + 200
    assert counted(tools=[WEATHER, SEARCH, hidden, *other], messages=turns) == with_it


def test_the_newer_tokenizer_counts_about_a_third_more():
    words = "The quick brown fox jumps over the lazy dog. " * 100
    newer, older = (
        counted(messages=[{"role": "user", "content": words}]),
        counted(model=HAIKU, messages=[{"role": "user", "content": words}]),
    )
    assert 1.25 < newer / older < 1.35


def test_a_picture_is_not_counted_by_the_length_of_its_data():
    def picture(data):
        source = {"type": "base64", "media_type": "image/png", "data": data}
        return [{"role": "user", "content": [{"type": "image", "source": source}, text("what?")]}]

    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=="
    assert counted(messages=picture(png)) < 3000


def test_what_a_call_costs_grows_with_its_input():
    def output(**given):
        return message(OfflineAPI(Says(call(**given))), body(model=OPUS, tools=[WEATHER]))["usage"]["output_tokens"]

    assert output(city="Oslo" * 20) > output(city="Oslo") > 30


def test_thinking_is_counted_as_output_and_apart():
    thought = {"type": "thinking", "thinking": "Let me think about this for a while."}
    usage = message(OfflineAPI(Says(thought, text("Yes."))), body(model=OPUS))["usage"]
    assert 0 < usage["output_tokens_details"]["thinking_tokens"] < usage["output_tokens"]
