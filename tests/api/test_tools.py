"""Tools of a request: shapes by type, names, loading, references, strict limits, MCP, and the choice among them."""

import pytest
from rule_helpers import (
    CODE,
    HAIKU,
    OPUS,
    SEARCH,
    SONNET,
    TOOL,
    assistant,
    body,
    call,
    first,
    found,
    result,
    system,
    text,
    told,
    tool,
    user,
)

LOADED = tool("get_time")
REGEX = {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"}


def reference(name: str) -> dict[str, str]:
    return {"type": "tool_reference", "tool_name": name}


def refers(*parts, **fields):
    return body("q", assistant(call(name="find")), user(result(content=list(parts))), **fields)


@pytest.mark.parametrize(
    "sent",
    [
        {"type": "bash_20250124", "name": "bash"},
        {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool", "max_characters": 1000},
        {"type": "memory_20250818", "name": "memory"},
        {"type": "web_fetch_20250910", "name": "web_fetch", "citations": {"enabled": True}, "max_content_tokens": 9},
        {**SEARCH, "user_location": {"type": "approximate", "city": "Paris"}, "max_uses": 3},
        {**REGEX},
        {"type": "tool_search_tool_bm25", "name": "tool_search_tool_bm25"},
        {"type": "custom", **TOOL, "eager_input_streaming": None},
        {**TOOL, "type": "custom", "allowed_callers": ["direct"], "defer_loading": False, "strict": False},
        CODE,
    ],
    ids=lambda sent: sent.get("type"),
)
def test_a_tool_of_a_known_type_is_accepted(sent):
    assert told(body(tools=[sent])) is None


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"type": "bash_20250124", "name": "shell"}, "tools.0.bash_20250124.name: Input should be 'bash'"),
        ({**SEARCH, "max_uses": 0}, "tools.0.web_search_20250305.max_uses: Input should be greater than or equal to 1"),
        (
            {**SEARCH, "allowed_domains": ["a.org"], "blocked_domains": ["b.org"]},
            "tools.0.web_search_20250305: Only one of allowed_domains or blocked_domains may be set.",
        ),
        ({**SEARCH, "input_schema": {}}, "tools.0.web_search_20250305.input_schema: Extra inputs are not permitted"),
        ({**TOOL, "parameters": {}}, "tools.0.custom.parameters: Extra inputs are not permitted"),
        ({**TOOL, "description": None}, "tools.0.custom.description: Input should be a valid string"),
        ({**TOOL, "input_schema": None}, "tools.0.custom.input_schema: Input should be an object"),
        ({**TOOL, "input_schema": {}}, "tools.0.custom.input_schema.type: Field required"),
        ({**TOOL, "input_schema": {"type": "array"}}, "tools.0.custom.input_schema.type: Input should be 'object'"),
        ({**TOOL, "name": "n" * 129}, "tools.0.custom.name: String should have at most 128 characters"),
        ({**TOOL, "name": "a.b"}, "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"),
        ({**TOOL, "name": "a\n"}, "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"),
        ({**TOOL, "input_examples": {}}, "tools.0.custom.input_examples: Input should be a valid array"),
        ({**TOOL, "input_examples": ["Paris"]}, "tools.0.custom.input_examples.0: Input should be a valid dictionary"),
        (
            {**TOOL, "allowed_callers": ["code"]},
            "tools.0.custom.allowed_callers.0: Input should be 'direct', 'code_execution_20250825', "
            "'code_execution_20260120' or 'code_execution_20260521'",
        ),
    ],
)
def test_a_tool_of_another_shape_is_refused_in_the_api_s_words(sent, words):
    assert told(body(tools=[sent])) == words


def test_the_older_computer_tools_are_known_with_their_beta_alone():
    screen = {"type": "computer_20250124", "name": "computer", "display_width_px": 800, "display_height_px": 600}
    said = told(body(tools=[screen]))
    assert said is not None
    assert said.startswith("tools.0: Input tag 'computer_20250124' found using 'type' does not match")
    assert told(body(tools=[screen]), betas=("computer-use-2025-01-24",)) is None


def test_the_toolset_has_the_name_of_its_one_tool():
    sent = body(tools=[{"type": "computer_toolset_20260801"}, tool("computer")], model=OPUS)
    assert told(sent) == "tools: Tool names must be unique."


def test_every_deferred_tool_with_a_marker_is_named_and_one_tool_must_stay_loaded():
    deferred = tool(defer_loading=True, cache_control={"type": "ephemeral"})
    assert [broken.rule for broken in found(body(tools=[deferred]))] == ["defer.cache", "defer.all"]
    assert told(body(tools=[tool(defer_loading=True), REGEX])) is None
    assert told(body(tools=[tool(defer_loading=True), LOADED])) is None


def test_a_reference_names_a_tool_of_the_request():
    tools = [tool("find"), tool("get_weather", defer_loading=True)]
    assert told(refers(reference("get_weather"), tools=tools)) is None
    assert told(refers(reference("get_weather"), reference("b"), tools=tools)) == (
        "Tool reference 'b' not found in available tools"
    )


def test_a_reference_found_by_the_search_tool_must_exist_too():
    use = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "tool_search_tool_regex", "input": {"pattern": "x"}}
    came = {
        "type": "tool_search_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": {"type": "tool_search_tool_search_result", "tool_references": [reference("get_weather")]},
    }
    sent = body("q", assistant(use, came, text("a")), "r", tools=[REGEX, LOADED])
    broken = first(sent)
    assert broken is not None
    assert broken.message == "Tool reference 'get_weather' not found in available tools"
    assert broken.place == ("messages", 1, "content", 1, "content", "tool_references", 0)
    sent["tools"].append(tool("get_weather", defer_loading=True))
    assert told(sent) is None


def test_references_stand_alone_in_a_result():
    sent = refers(text(), reference("get_time"), tools=[tool("find"), LOADED])
    assert told(sent) == "Tool definitions/code execution functions cannot be mixed with other content"


def test_a_tool_added_by_a_system_turn_must_exist():
    added = {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "get_time"}}
    betas = ("mid-conversation-tool-changes-2026-07-01",)
    sent = body("q", system(added), tools=[TOOL], model=OPUS)
    assert told(sent, betas=betas) == "Tool reference 'get_time' not found in available tools"


def server(name: str) -> dict[str, str]:
    return {"type": "url", "url": "https://example.com/mcp", "name": name}


def toolset(name: str) -> dict[str, str]:
    return {"type": "mcp_toolset", "mcp_server_name": name}


def test_each_mcp_server_is_used_by_exactly_one_toolset():
    betas = ("mcp-client-2025-11-20",)
    assert told(body(mcp_servers=[server("a")], tools=[toolset("a")]), betas=betas) is None
    assert told(body(mcp_servers=[server("a"), server("b")], tools=[toolset("a")]), betas=betas) == (
        "MCP server 'b' is defined but not referenced by any `mcp_toolset` in `tools`."
    )


def test_the_first_mcp_beta_needs_no_toolset():
    assert told(body(mcp_servers=[server("a")]), betas=("mcp-client-2025-04-04",)) is None
    assert told(body(mcp_servers=[server("a")]), betas=("mcp-client-2026-09-15",)) is not None


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"mcp_servers": [{"name": "a"}]}, "mcp_servers.0.type: Field required"),
        ({"mcp_servers": [{**server("a"), "type": "stdio"}]}, "mcp_servers.0.type: Input should be 'url'"),
        ({"tools": [{"type": "mcp_toolset"}]}, "tools.0.mcp_toolset.mcp_server_name: Field required"),
        (
            {"tools": [{**toolset("a"), "configs": {"t": {"enabld": True}}}]},
            "tools.0.mcp_toolset.configs.t.enabld: Extra inputs are not permitted",
        ),
        (
            {"tools": [{**toolset("a"), "default_config": {"defer_loading": 1}}]},
            "tools.0.mcp_toolset.default_config.defer_loading: Input should be a valid boolean",
        ),
    ],
)
def test_mcp_fields_have_shapes(fields, words):
    said = [broken.message for broken in found(body(**fields), betas=("mcp-client-2025-11-20",))]
    assert words in said


def test_the_limits_of_strict_schemas_count_over_all_of_them():
    def optional(name: str, count: int) -> dict[str, object]:
        names = {f"p{n}": {"type": "string"} for n in range(count)}
        return tool(name, {"type": "object", "properties": names, "additionalProperties": False}, strict=True)

    assert told(body(tools=[optional("a", 12), optional("b", 12)])) is None
    said = told(body(tools=[optional("a", 12), optional("b", 13)]))
    assert said is not None
    assert said.startswith("Schemas contains too many optional parameters (25)")
    loose = {**optional("b", 13), "strict": False}
    assert told(body(tools=[optional("a", 24), loose])) is None


def test_twenty_strict_tools_are_accepted():
    closed = {"type": "object", "additionalProperties": False}
    assert told(body(tools=[tool(f"t{n}", closed, strict=True) for n in range(20)])) is None
    said = told(body(tools=[tool(f"t{n}", closed, strict=True) for n in range(22)]))
    assert said is not None
    assert said.startswith("Too many strict tools (22).")


def test_an_answer_s_schema_counts_with_those_of_tools():
    names = {f"p{n}": {"anyOf": [{"type": "string"}, {"type": "null"}]} for n in range(17)}
    schema = {"type": "object", "properties": names, "required": list(names), "additionalProperties": False}
    said = told(body(output_config={"format": {"type": "json_schema", "schema": schema}}))
    assert said is not None
    assert said.startswith("Schemas contains too many parameters with union types (17 parameters")


def test_an_example_of_an_input_must_fit_its_schema():
    assert told(body(tools=[tool(input_examples=[{"city": "Paris"}])])) is None
    broken = first(body(tools=[LOADED, tool(input_examples=[{"city": "Paris"}, {"city": 5}])]))
    assert broken is not None
    assert broken.place == ("tools", 1, "input_examples", 1)


@pytest.mark.parametrize("kind", ["auto", "none"])
def test_a_choice_that_forces_nothing_needs_no_tools(kind):
    assert told(body(tool_choice={"type": kind})) is None


def test_a_forced_tool_must_be_among_the_tools():
    choice = {"type": "tool", "name": "get_weather"}
    assert told(body(tools=[TOOL], tool_choice=choice)) is None
    assert told(body(tools=[LOADED], tool_choice=choice)) == "Tool 'get_weather' not found in provided tools"
    assert told(body(tool_choice=choice)) == "Tool 'get_weather' not found in provided tools"


def test_a_server_tool_may_be_forced_by_its_name():
    assert told(body(tools=[SEARCH], tool_choice={"type": "tool", "name": "web_search"})) is None


def test_the_name_of_a_forced_tool_is_judged_before_the_model():
    choice = {"type": "tool", "name": "missing"}
    assert [broken.rule for broken in found(body(tools=[TOOL], tool_choice=choice, model=OPUS))] == [
        "choice.unknown-tool",
        "choice.forced-unsupported",
    ]


def test_forcing_goes_with_adaptive_thinking_where_the_model_allows_both():
    sent = body(tools=[TOOL], tool_choice={"type": "any"}, thinking={"type": "adaptive"}, model=SONNET)
    assert told(sent) is None


def test_a_container_needs_a_tool_that_runs_code():
    assert told(body(container="container_1", tools=[CODE])) is None
    filtering = {"type": "web_search_20260209", "name": "web_search"}
    assert told(body(container="container_1", tools=[filtering], model=SONNET)) is None
    upload = user({"type": "container_upload", "file_id": "file_1"}, text())
    assert told(body(upload, container="container_1")) is None
    assert told(body(container={"id": "container_1"}, tools=[TOOL])) is not None


def test_tools_that_code_may_call_are_named_where_the_model_can_not():
    sent = body(
        tools=[TOOL, tool("a", allowed_callers=["direct", "code_execution_20260120"]), CODE],
        model=HAIKU,
    )
    said = told(sent)
    assert said is not None
    assert said.startswith(
        "'claude-haiku-4-5-20251001' does not support programmatic tool calling. The following tools"
    )
    assert "that require it: a. Explicitly" in said
    assert told({**sent, "model": SONNET}) is None


def test_a_search_that_filters_by_code_is_refused_by_such_a_model_unless_called_directly():
    filtering = {"type": "web_search_20260209", "name": "web_search"}
    assert "that require it: web_search." in (told(body(tools=[filtering])) or "")
    assert told(body(tools=[{**filtering, "allowed_callers": ["direct"]}])) is None
