import pytest
from wire_helpers import OPUS, WEATHER, Says, body, call, message, text

from course.api import OfflineAPI
from course.api.search import search
from course.mockmodel.model import Reply

REGEX, BM25 = "tool_search_tool_regex", "tool_search_tool_bm25"
SEARCH = {"type": f"{BM25}_20251119", "name": BM25}


def tool(name, description="", **arguments):
    properties = {argument: {"type": "string", "description": told} for argument, told in arguments.items()}
    schema = {"type": "object", "properties": properties}
    return {"name": name, "description": description, "input_schema": schema, "defer_loading": True}


CATALOGUE = [
    tool("get_exchange_rate", "Look up the rate between two currencies.", source="", target=""),
    tool("stock_lookup", "Look up a stock price by ticker.", symbol="ticker symbol of the company"),
    tool("mortgage", "Work out the monthly payment of a loan.", rate="yearly interest in percent"),
    tool("sendEmail", "Write to somebody.", to="address"),
]


def found(name, **asked):
    content = search(name, asked, CATALOGUE)
    assert content["type"] == "tool_search_tool_search_result", content
    return [reference["tool_name"] for reference in content["tool_references"]]


def failed(name, **asked):
    content = search(name, asked, CATALOGUE)
    assert content["type"] == "tool_search_tool_result_error"
    assert content["error_code"] == "invalid_tool_input"
    return content["error_message"]


def test_a_pattern_is_searched_without_regard_to_case():
    assert found(REGEX, pattern="LOOK.?UP") == ["get_exchange_rate", "stock_lookup"]


@pytest.mark.parametrize("pattern", ["^mortgage$", "monthly payment", "^rate$", "yearly interest"])
def test_a_pattern_is_searched_in_names_descriptions_and_arguments(pattern):
    assert found(REGEX, pattern=pattern) == ["mortgage"]


def test_words_rank_the_tools():
    assert found(BM25, query="exchange rate currencies") == ["get_exchange_rate", "mortgage"]
    assert found(BM25, query="ticker") == ["stock_lookup"]


def test_words_are_found_inside_snake_and_camel_case():
    assert found(BM25, query="email") == ["sendEmail"]
    assert found(BM25, query="lookup") == ["stock_lookup"]


def test_none_found_is_no_error():
    assert found(BM25, query="zebra") == []
    assert found(REGEX, pattern="zebra") == []


def test_five_are_found_by_default_and_more_by_a_limit():
    many = [tool(f"tool_{n}", "same") for n in range(12)]
    assert len(search(BM25, {"query": "same"}, many)["tool_references"]) == 5
    assert len(search(BM25, {"query": "same", "limit": 7}, many)["tool_references"]) == 7
    assert len(search(REGEX, {"pattern": "same", "limit": 10_000}, many)["tool_references"]) == 12


def test_limits_and_patterns_that_make_no_sense_are_told_in_band():
    assert failed(REGEX, pattern="(").startswith("Invalid regular expression pattern: missing )")
    assert "200" in failed(REGEX, pattern="a" * 201)
    assert "500" in failed(BM25, query="a" * 501)
    assert "pattern" in failed(REGEX)
    assert "limit" in failed(BM25, query="a", limit=0)
    assert "limit" in failed(BM25, query="a", limit=True)


def searching(query):
    """A stand-in that searches, and then calls the first tool it got to see."""

    def write(request):
        names = [tool["name"] for tool in request.tools if tool.get("defer_loading")]
        if names:
            return Reply((text("Found one."), call(names[0], source="USD")))
        return Reply((text("Let me search."), {"type": "server_tool_use", "name": BM25, "input": {"query": query}}))

    return Says(write=write)


def sent(**fields):
    return body(model=OPUS, tools=[WEATHER, SEARCH, *CATALOGUE], **fields)


def test_a_search_its_result_and_the_call_come_in_one_answer():
    got = message(OfflineAPI(searching("exchange rate")), sent())
    kinds = [block["type"] for block in got["content"]]
    assert kinds == ["text", "server_tool_use", "tool_search_tool_result", "text", "tool_use"]
    asked, result = got["content"][1:3]
    assert asked["id"].startswith("srvtoolu_")
    assert result["tool_use_id"] == asked["id"]
    assert result["content"]["tool_references"][0] == {"type": "tool_reference", "tool_name": "get_exchange_rate"}
    assert got["content"][-1]["name"] == "get_exchange_rate"
    assert got["stop_reason"] == "tool_use"


def test_the_model_does_not_see_a_deferred_tool_before_it_is_found():
    model = searching("exchange rate")
    message(OfflineAPI(model), sent())
    first, second = model.asked
    assert [tool["name"] for tool in first.tools] == ["get_weather", BM25]
    assert [tool["name"] for tool in first.deferred] == [tool["name"] for tool in CATALOGUE]
    assert {tool["name"] for tool in second.tools} >= {"get_exchange_rate", "mortgage"}
    assert [tool["name"] for tool in second.deferred] == ["stock_lookup", "sendEmail"]


def test_a_later_turn_calls_a_found_tool_without_searching():
    api = OfflineAPI(searching("exchange rate"))
    first = message(api, sent())
    result = {"type": "tool_result", "tool_use_id": first["content"][-1]["id"], "content": "0.9"}
    turns = [
        {"role": "user", "content": "rate?"},
        {"role": "assistant", "content": first["content"]},
        {"role": "user", "content": [result]},
    ]
    got = message(api, sent() | {"messages": turns})
    assert [block["type"] for block in got["content"]] == ["text", "tool_use"]


def test_a_model_that_only_searches_is_paused():
    def write(request):
        return Reply(({"type": "server_tool_use", "name": BM25, "input": {"query": "zebra"}},))

    got = message(OfflineAPI(Says(write=write)), sent())
    assert got["stop_reason"] == "pause_turn"
    assert sum(block["type"] == "server_tool_use" for block in got["content"]) == 10


def test_an_own_search_tool_brings_in_tools_by_reference():
    model = Says(text("ok"))
    own = tool("find_tools") | {"defer_loading": False}
    asked = {"type": "tool_use", "id": "toolu_1", "name": "find_tools", "input": {}}
    references = [{"type": "tool_reference", "tool_name": "mortgage"}]
    turns = [
        {"role": "user", "content": "loan?"},
        {"role": "assistant", "content": [asked]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": references}]},
    ]
    message(OfflineAPI(model), body(model=OPUS, tools=[own, *CATALOGUE], messages=turns))
    assert [tool["name"] for tool in model.asked[0].tools] == ["find_tools", "mortgage"]


def test_a_server_tool_without_a_script_is_unavailable():
    def write(request):
        if request.messages[-1]["role"] == "assistant":
            return Reply((text("I could not search."),))
        return Reply(({"type": "server_tool_use", "name": "web_search", "input": {"query": "news"}},))

    web = {"type": "web_search_20250305", "name": "web_search"}
    got = message(OfflineAPI(Says(write=write)), body(model=OPUS, tools=[web]))
    assert got["content"][1]["type"] == "web_search_tool_result"
    assert got["content"][1]["content"] == {"type": "web_search_tool_result_error", "error_code": "unavailable"}
    assert got["usage"]["server_tool_use"] == {"web_search_requests": 1, "web_fetch_requests": 0}


def test_scripted_results_of_server_tools_are_played_as_they_are():
    results = [{"type": "web_search_result", "title": "News", "url": "https://example.com", "encrypted_content": "x"}]
    blocks = (
        {"type": "server_tool_use", "name": "web_search", "input": {"query": "news"}},
        {"type": "web_search_tool_result", "content": results},
        text("Here."),
    )
    web = {"type": "web_search_20250305", "name": "web_search"}
    got = message(OfflineAPI(Says(*blocks)), body(model=OPUS, tools=[web]))
    assert got["content"][1] == {"tool_use_id": got["content"][0]["id"], **blocks[1]}
    assert got["stop_reason"] == "end_turn"


def test_code_that_ran_names_its_container():
    blocks = (
        {"type": "server_tool_use", "name": "bash_code_execution", "input": {"command": "ls"}},
        {
            "type": "bash_code_execution_tool_result",
            "content": {
                "type": "bash_code_execution_result",
                "stdout": "a\n",
                "stderr": "",
                "return_code": 0,
                "content": [],
            },
        },
        text("One file."),
    )
    code = {"type": "code_execution_20250825", "name": "code_execution"}
    got = message(OfflineAPI(Says(*blocks), clock=lambda: 0.0), body(model=OPUS, tools=[code]))
    assert got["container"]["id"].startswith("container_")
    assert got["container"]["expires_at"] == "1970-01-01T00:05:00Z"


def test_code_that_called_a_tool_waits_for_it_without_a_result():
    run = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "code_execution", "input": {"code": "..."}}
    asks = {**call(city="Oslo"), "caller": {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}}
    code = {"type": "code_execution_20260120", "name": "code_execution"}
    weather = {**WEATHER, "allowed_callers": ["code_execution_20260120"]}
    got = message(OfflineAPI(Says(run, asks)), body(model=OPUS, tools=[code, weather]))
    assert [block["type"] for block in got["content"]] == ["server_tool_use", "tool_use"]
    assert got["stop_reason"] == "tool_use"
    assert got["container"]["id"].startswith("container_")


def test_a_scripted_pause_can_be_resumed():
    first = Reply(({"type": "server_tool_use", "name": "web_search", "input": {"query": "news"}},), "pause_turn")
    rest = Reply(({"type": "web_search_tool_result", "content": []}, text("Nothing new.")))
    model = Says(write=lambda request: rest if request.messages[-1]["role"] == "assistant" else first)
    web = {"type": "web_search_20250305", "name": "web_search"}
    api = OfflineAPI(model)
    paused = message(api, body(model=OPUS, tools=[web]))
    assert paused["stop_reason"] == "pause_turn"
    assert [block["type"] for block in paused["content"]] == ["server_tool_use"]
    turns = [{"role": "user", "content": "news?"}, {"role": "assistant", "content": paused["content"]}]
    got = message(api, body(model=OPUS, tools=[web], messages=turns))
    assert got["content"][0]["tool_use_id"] == paused["content"][0]["id"]
    assert got["stop_reason"] == "end_turn"


def test_connector_calls_get_their_own_ids():
    blocks = (
        {"type": "mcp_tool_use", "name": "echo", "server_name": "s", "input": {}},
        {"type": "mcp_tool_result", "is_error": False, "content": [text("hi")]},
    )
    servers = [{"type": "url", "url": "https://example.com/mcp", "name": "s"}]
    tools = [{"type": "mcp_toolset", "mcp_server_name": "s"}]
    beta = {"anthropic-beta": "mcp-client-2025-11-20"}
    got = message(OfflineAPI(Says(*blocks)), body(model=OPUS, mcp_servers=servers, tools=tools), **beta)
    assert got["content"][0]["id"].startswith("mcptoolu_")
    assert got["content"][1]["tool_use_id"] == got["content"][0]["id"]
    assert got["stop_reason"] == "end_turn"


def test_a_pattern_that_no_engine_can_search_in_time_is_an_error_of_its_own():
    content = search(REGEX, {"pattern": r"(a+)+\1$"}, CATALOGUE)
    assert content["error_code"] == "execution_time_exceeded"


def test_a_pattern_that_repeats_in_several_places_is_searched():
    assert found(REGEX, pattern="^get_.*rate.*|.*ticker.*") == ["get_exchange_rate", "stock_lookup"]
