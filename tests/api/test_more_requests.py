"""Requests that break rules in unusual places, and sound ones that look unusual: what the API says of each."""

import pytest
from rule_examples import BY_CODE, CALLED_BY_CODE, CONNECTED, EDITS, MCP, MCP_TOOLS, marked, pages, png
from rule_helpers import (
    CODE,
    OPUS,
    SEARCH,
    SONNET,
    TOOL,
    assistant,
    body,
    call,
    pdf,
    picture,
    result,
    server_use,
    system,
    text,
    told,
    tool,
    user,
)
from wire_helpers import Says, document, events, post

from course.api import OfflineAPI
from course.mockmodel import Improviser

HAIKU_55, OPUS_5 = "claude-haiku-5-5", "claude-opus-5"
EFFORT = {"betas": ("mid-conversation-output-config-2026-07-01",)}
CLEAR = {"betas": ("mid-conversation-system-clear-at-2026-08-21",)}
FAST = {"betas": ("fast-mode-2026-02-01",)}
NEWER = {"version": "2026-10-21"}
COUNTING = {"counting": True}
EPHEMERAL = {"type": "ephemeral"}
FOUND = {"type": "search_result", "source": "https://example.org", "title": "A page", "content": [text()]}
NOTE = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "A note."}}
ANSWER = {
    "type": "json_schema",
    "schema": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    },
}
INVALID_SCHEMA = (
    "JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn "
    "more about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."
)
NO_RESULT = "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
NO_CALL = "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."


def answered(*blocks, **fields):
    """A conversation in which `blocks` answer one call."""
    return body("q", assistant(call()), user(*blocks), tools=[TOOL], **fields)


def added(definition):
    return {"type": "tool_addition", "tool": {"type": "tool_definition", "definition": definition}}


NAMED = {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "get_weather"}}
REFUSED = {
    "the second tool has a bad name": (
        body(tools=[TOOL, tool("a b")]),
        {},
        "tools.1.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ),
    "the second tool has no schema": (
        body(tools=[TOOL, {"name": "x"}]),
        {},
        "tools.1.custom.input_schema: Field required",
    ),
    "a tool of another provider": (
        body(tools=[{**TOOL, "parameters": {}}]),
        {},
        "tools.0.custom.parameters: Extra inputs are not permitted",
    ),
    "a fault deep in the schema of the second tool": (
        body(
            tools=[
                TOOL,
                tool("b", {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "text"}}}}),
            ]
        ),
        {},
        f"tools.1.custom.input_schema: {INVALID_SCHEMA}",
    ),
    "required names nothing but a string": (
        body(tools=[tool("b", {"type": "object", "required": "city"})]),
        {},
        "tools.0.custom.input_schema.required: Input should be a valid array",
    ),
    "an open object inside a strict schema": (
        body(
            tools=[
                tool(
                    "b",
                    {
                        "type": "object",
                        "properties": {"a": {"type": "object", "properties": {}}},
                        "required": ["a"],
                        "additionalProperties": False,
                    },
                    strict=True,
                )
            ]
        ),
        {},
        "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false",
    ),
    "examples for a server tool": (
        body(tools=[{**SEARCH, "input_examples": [{}]}]),
        {},
        "tools.0.web_search_20250305.input_examples: Extra inputs are not permitted",
    ),
    "a schema for code execution": (
        body(tools=[{**CODE, "input_schema": {"type": "object"}}], model=SONNET),
        {},
        "tools.0.code_execution_20260120.input_schema: Extra inputs are not permitted",
    ),
    "a place that is not approximate": (
        body(tools=[{**SEARCH, "user_location": {"type": "exact"}}]),
        {},
        "tools.0.web_search_20250305.user_location.type: Input should be 'approximate'",
    ),
    "a toolset that is strict": (
        body(tools=[{"type": "computer_toolset_20260801", "strict": True}], model=OPUS),
        {},
        "tools.0.computer_toolset_20260801.strict: Extra inputs are not permitted",
    ),
    "a toolset member that there is not": (
        body(tools=[{"type": "browser_toolset_20260801", "configs": {"fly": {}}}], model=OPUS),
        {},
        "tools.0.browser_toolset_20260801.configs.fly: Extra inputs are not permitted",
    ),
    "a tool named like a toolset": (
        body(tools=[{"type": "computer_toolset_20260801"}, tool("computer")], model=OPUS),
        {},
        "tools: Tool names must be unique.",
    ),
    "the search tool is deferred too": (
        body(
            tools=[
                {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25", "defer_loading": True},
                tool(defer_loading=True),
            ]
        ),
        {},
        "At least one tool must have defer_loading=false. All tools cannot be deferred.",
    ),
    "a lifetime of two hours": (
        body(tools=[{**TOOL, "cache_control": {"type": "ephemeral", "ttl": "2h"}}]),
        {},
        "tools.0.custom.cache_control.ephemeral.ttl: Input should be '5m' or '1h'",
    ),
    "tools that are null": (body(tools=None), {}, "tools: Input should be a valid array"),
    "no tools to choose from": (
        body(tools=[], tool_choice={"type": "any"}, model=HAIKU_55),
        {},
        "tool_choice.any may only be specified while providing tools",
    ),
    "one tool is chosen and none given": (
        body(tool_choice={"type": "tool", "name": "x"}, model=HAIKU_55),
        {},
        "Tool 'x' not found in provided tools",
    ),
    "no parallel calls of no tool": (
        body(tools=[TOOL], tool_choice={"type": "none", "disable_parallel_tool_use": True}),
        {},
        "tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted",
    ),
    "parallel calls are switched off beside tool_choice": (
        body(tools=[TOOL], disable_parallel_tool_use=True),
        {},
        "disable_parallel_tool_use: Extra inputs are not permitted",
    ),
    "a result within a result": (
        answered(result(content=[result()])),
        {},
        "messages.2.content.0.tool_result.content.0: Input tag 'tool_result' found using 'type' does not match any of "
        "the expected tags: 'document', 'image', 'search_result', 'text', 'tool_reference'",
    ),
    "a result that is an object": (
        answered(result(content={"a": 1})),
        {},
        "messages.2.content.0.tool_result.content: Found an object, but `tool_result` content must either be a string "
        "or a list of content blocks.",
    ),
    "a result with the name of its tool": (
        answered(result(name="get_weather")),
        {},
        "messages.2.content.0.tool_result.name: Extra inputs are not permitted",
    ),
    "the second of two calls has no result": (
        body("q", assistant(call(), call("toolu_2")), user(result())),
        {},
        f"messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2. {NO_RESULT}",
    ),
    "results come apart by a text": (
        body("q", assistant(call(), call("toolu_2")), user(result(), text()), user(result("toolu_2"))),
        {},
        f"messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2. {NO_RESULT}",
    ),
    "a result comes twice, a turn apart": (
        body("q", assistant(call()), user(result()), assistant("a"), user(result())),
        {},
        f"messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. {NO_CALL}",
    ),
    "one id for two calls of a turn": (
        body("q", assistant(call(), call()), user(result(), result())),
        {},
        "messages.1.content.1: `tool_use` ids must be unique",
    ),
    "a conversation begins with a result": (
        body(user(result())),
        {},
        f"messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. {NO_CALL}",
    ),
    "a result in a system turn": (
        body("q", system(result()), model=OPUS),
        {},
        "messages.1: role 'system' supports text, tool_addition, and tool_removal blocks only",
    ),
    "a strange role is told before the content of its message": (
        body("q", {"role": "developer", "content": 5}),
        {},
        'messages: Unexpected role "developer". Allowed roles are "user" or "assistant"',
    ),
    "a search result of the assistant": (
        body("q", assistant(FOUND), "r"),
        {},
        "messages.1.content: 'search_result' blocks are not permitted within assistant turns",
    ),
    "a search result with a text as its content": (
        body(user({**FOUND, "content": "x"})),
        {},
        "messages.0.content.0.search_result.content: Input should be a valid array",
    ),
    "a document from a place unknown": (
        body(user({"type": "document", "source": {"type": "s3"}})),
        {},
        "messages.0.content.0.document.source: Input tag 's3' found using 'type' does not match any of the expected "
        "tags: 'base64', 'content', 'file', 'text', 'url'",
    ),
    "citations on a search result, and an answer by a schema": (
        body(user({**FOUND, "citations": {"enabled": True}}, text()), output_config={"format": ANSWER}),
        {},
        "Citations cannot be enabled when output format is set. Please disable citations on uploaded document blocks.",
    ),
    "citations within a tool result, and an answer by a schema": (
        answered(
            result(content=[{**NOTE, "citations": {"enabled": True}}]), output_config={"format": ANSWER}, model=SONNET
        ),
        {},
        "Citations cannot be enabled when output format is set. Please disable citations on uploaded document blocks.",
    ),
    "no output, by a schema": (
        body(max_tokens=0, output_config={"format": ANSWER}),
        {},
        "max_tokens: 0 is not allowed with `output_config.format`",
    ),
    "no output, by a forced call": (
        body(max_tokens=0, tools=[TOOL], tool_choice={"type": "any"}, model=HAIKU_55),
        {},
        'max_tokens: 0 is not allowed with `tool_choice` of type "any" or "tool"',
    ),
    "a budget for adaptive thinking": (
        body(thinking={"type": "adaptive", "budget_tokens": 5000}, model=SONNET),
        {},
        "thinking.adaptive.budget_tokens: Extra inputs are not permitted",
    ),
    "a kind of thinking that there is not": (
        body(thinking={"type": "auto"}, model=OPUS),
        {},
        "thinking: Input tag 'auto' found using 'type' does not match any of the expected tags: 'adaptive', "
        "'between_tools', 'disabled', 'enabled'",
    ),
    "updates of thinking without their beta": (
        body(thinking={"type": "adaptive", "display": "updates"}, model=OPUS),
        {},
        "thinking.adaptive.display: Input should be 'summarized' or 'omitted'",
    ),
    "a small budget for a task": (
        body(output_config={"task_budget": {"type": "tokens", "total": 15_000}}, model=OPUS),
        {},
        "output_config.task_budget.total: Input should be greater than or equal to 20000",
    ),
    "a name for the answer's schema": (
        body(output_config={"format": {**ANSWER, "name": "x"}}),
        {},
        "output_config.format.name: Extra inputs are not permitted",
    ),
    "fast mode without its beta": (
        body(speed="standard", model=OPUS_5),
        {},
        "speed: Extra inputs are not permitted",
    ),
    "fast mode of a model that has none": (
        body(speed="fast", model="claude-sonnet-5"),
        FAST,
        "'claude-sonnet-5' does not support the `speed` parameter. This feature is only available on supported models.",
    ),
    "effort for a user turn": (
        body({**user("q"), "output_config": {"effort": "low"}}, model=OPUS),
        EFFORT,
        "messages.0.output_config: output_config is only permitted on role 'system' messages",
    ),
    "effort for a turn without its beta": (
        body("q", {**system(), "output_config": {"effort": "low"}}, model=OPUS),
        {},
        "messages.1.output_config: Extra inputs are not permitted",
    ),
    "a budget for a turn": (
        body("q", {**system("Be brief."), "output_config": {"task_budget": {}}}, model=OPUS),
        EFFORT,
        "messages.1.output_config.task_budget: Extra inputs are not permitted",
    ),
    "a system turn with nothing in it": (
        body("q", {"role": "system"}, model=OPUS),
        EFFORT,
        "messages.1: system content must contain at least one block",
    ),
    "a tool added by nothing": (
        body("q", system({"type": "tool_addition", "tool": "get_weather"}), tools=[TOOL], model=OPUS),
        {},
        "messages.1.content.0.tool_addition.tool: Input should be an object",
    ),
    "a fault in a tool defined on the spot": (
        body("q", system(added({"name": "a b", "input_schema": {"type": "object"}})), model=OPUS),
        {},
        "messages.1.content.0.tool_addition.tool.tool_definition.definition.custom.name: "
        "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ),
    "a moment to clear that there is not": (
        body("q", {**system("Be brief."), "clear_at": "tomorrow"}, model=OPUS),
        CLEAR,
        "messages.1.clear_at: Input should be 'next_user_message' or 'never'",
    ),
    "a turn to clear without its beta": (
        body("q", {**system("Be brief."), "clear_at": "never"}, model=OPUS),
        {},
        "messages.1.clear_at: Extra inputs are not permitted",
    ),
    "an edit that there is not": (
        body(context_management={"edits": [{"type": "clear_all"}]}),
        {"betas": (EDITS,)},
        "context_management.edits.0: Input tag 'clear_all' found using 'type' does not match any of the expected tags: "
        "'clear_thinking_20251015', 'clear_tool_uses_20250919', 'compact_20260112'",
    ),
    "a server of tools on this machine": (
        body(mcp_servers=[{**MCP, "type": "stdio"}], tools=[MCP_TOOLS]),
        CONNECTED,
        "mcp_servers.0.type: Input should be 'url'",
    ),
    "a setting of a server's tool that is no boolean": (
        body(mcp_servers=[MCP], tools=[{**MCP_TOOLS, "configs": {"t": {"enabled": "yes"}}}]),
        CONNECTED,
        "tools.0.mcp_toolset.configs.t.enabled: Input should be a valid boolean",
    ),
    "a marker on automatic caching is the fifth": (
        body(user(*[marked(text(str(n))) for n in range(4)]), cache_control=EPHEMERAL),
        {},
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    "a marker on thinking that is hidden": (
        body("q", assistant(marked({"type": "redacted_thinking", "data": "aa"})), "r"),
        {},
        "messages.1.content.0.redacted_thinking.cache_control: Extra inputs are not permitted",
    ),
    "sampling in the newer version": (body(top_k=1), NEWER, "top_k: Extra inputs are not permitted"),
    "the unknown field that came first": (
        body(zzz=1, temperature=1),
        NEWER,
        "zzz: Extra inputs are not permitted",
    ),
    "a document of the assistant in the newer version": (
        body("q", assistant(pdf(pages(1))), "r"),
        NEWER,
        "messages.1.content: 'document' blocks are not permitted within assistant turns",
    ),
    "a limit where tokens are counted": (body(), COUNTING, "max_tokens: Extra inputs are not permitted"),
    "a forced call where tokens are counted": (
        body(max_tokens=..., tools=[TOOL], tool_choice={"type": "any"}, model=OPUS),
        COUNTING,
        'tool_choice: type "tool" and "any" are not supported for this model.',
    ),
    "a call without its result where tokens are counted": (
        body("q", assistant(call()), max_tokens=...),
        COUNTING,
        f"messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. {NO_RESULT}",
    ),
    "a field error, and an unknown model": (
        body(model="claude-opus-9", temperature="warm"),
        {},
        "temperature: Input should be a valid number",
    ),
    "an unknown model, and a result without a call": (
        body(user(result()), model="claude-opus-9"),
        {},
        "model: claude-opus-9",
    ),
    "two tools of one name, and a result without a call": (
        body(user(result()), tools=[TOOL, TOOL]),
        {},
        "tools: Tool names must be unique.",
    ),
    "messages are told before the system prompt": (
        body(messages=[], system=5),
        {},
        "messages: at least one message is required",
    ),
    "a picture for code that waits": (
        body(
            "q",
            assistant(server_use(name="code_execution"), call(caller=CALLED_BY_CODE)),
            user(result(content=[text(), picture(png())])),
            tools=[CODE, BY_CODE],
            container="container_1",
            model=SONNET,
        ),
        {},
        "messages.2.content.0: the `content` of a `tool_result` that answers a programmatic tool call must be a string "
        "or `text` blocks",
    ),
}

ACCEPTED = {
    "no tools, and a choice among them": (body(tools=[], tool_choice={"type": "auto"}), {}),
    "a tool type that is null": (body(tools=[{**TOOL, "type": None}]), {}),
    "a tool without a description": (body(tools=[tool()]), {}),
    "a reference within a schema that leads nowhere": (
        body(tools=[tool("b", {"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}})]),
        {},
    ),
    "everything but the search is deferred": (
        body(
            tools=[
                {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"},
                tool(defer_loading=True),
            ]
        ),
        {},
    ),
    "examples beside deferred loading": (
        body(tools=[TOOL, tool("b", defer_loading=True, input_examples=[{"city": "Oslo"}])]),
        {},
    ),
    "an id of another provider": (body("q", assistant(call("call_x-1")), user(result("call_x-1"))), {}),
    "results in another order": (
        body("q", assistant(call(), call("toolu_2")), user(result("toolu_2"), result())),
        {},
    ),
    "results in two messages": (
        body("q", assistant(call(), call("toolu_2")), user(result()), user(result("toolu_2"))),
        {},
    ),
    "a result without content": (answered({"type": "tool_result", "tool_use_id": "toolu_1"}), {}),
    "a result with an empty list": (answered(result(content=[])), {}),
    "a result with a document and a search result": (answered(result(content=[NOTE, FOUND])), {}),
    "an empty turn of the assistant": (body("q", assistant(), "r"), {}),
    "a system prompt of marked blocks": (body(system=[text("a"), marked(text("b"))]), {}),
    "a system prompt that is empty": (body(system=""), {}),
    "markers on a call and its result": (
        body("q", assistant(marked(call())), user(marked(result())), tools=[marked(TOOL)]),
        {},
    ),
    "automatic caching beside three markers": (
        body(user(*[marked(text(str(n))) for n in range(3)]), cache_control=EPHEMERAL),
        {},
    ),
    "automatic caching of a block with the same lifetime": (
        body(user(marked(text("a"), "1h")), cache_control={"type": "ephemeral", "ttl": "1h"}),
        {},
    ),
    "citations, where the answer has no schema": (body(user({**NOTE, "citations": {"enabled": True}}, text())), {}),
    "citations that are off, and an answer by a schema": (
        body(user({**NOTE, "citations": {"enabled": False}}, text()), output_config={"format": ANSWER}),
        {},
    ),
    "no output at all": (body(max_tokens=0, tools=[TOOL]), {}),
    "updates of thinking": (
        body(thinking={"type": "adaptive", "display": "updates"}, model=OPUS),
        {"betas": ("thinking-display-updates-2026-08-18",)},
    ),
    "a turn that holds until the next user turn": (
        body("q", {**system("Be brief."), "clear_at": "next_user_message"}, model=OPUS),
        CLEAR,
    ),
    "effort first of all": (body({**system(), "output_config": {"effort": "low"}}, "q", model=OPUS), EFFORT),
    "effort in a message without content": (
        body("q", {"role": "system", "output_config": {"effort": "low"}}, model=OPUS),
        EFFORT,
    ),
    "a tool defined on the spot, and named later": (
        body("q", system(added(TOOL)), assistant("a"), "r", system(NAMED), model=OPUS),
        {},
    ),
    "fast mode": (body(speed="fast", model=OPUS_5), FAST),
    "a place of inference": (body(inference_geo="us", model=OPUS), {}),
    "edits with everything set": (
        body(
            context_management={
                "edits": [
                    {
                        "type": "clear_tool_uses_20250919",
                        "trigger": {"type": "tool_uses", "value": 3},
                        "keep": {"type": "tool_uses", "value": 2},
                        "clear_at_least": {"type": "input_tokens", "value": 10},
                        "clear_tool_inputs": ["get_weather"],
                        "exclude_tools": ["get_time"],
                    }
                ]
            }
        ),
        {"betas": (EDITS,)},
    ),
    "a server of tools, with settings": (
        body(
            mcp_servers=[{**MCP, "authorization_token": "t"}],
            tools=[{**MCP_TOOLS, "default_config": {"enabled": False}, "configs": {"t": {"enabled": True}}}],
        ),
        CONNECTED,
    ),
    "domains with a path and a wildcard in it": (
        body(tools=[{**SEARCH, "allowed_domains": ["example.com/*", "docs.example.com/blog"]}]),
        {},
    ),
    "settings of a toolset": (
        body(tools=[{"type": "computer_toolset_20260801", "configs": {"zoom": {"enabled": False}}}], model=OPUS),
        {},
    ),
    "citations that are null in the newer version": (body(user(text(citations=None))), NEWER),
    "a count with tools and a system prompt": (body(max_tokens=..., tools=[TOOL], system=[text()]), COUNTING),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_unsound_request_is_refused_with_its_words(name):
    sent, how, message = REFUSED[name]
    assert told(sent, **how) == message


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_sound_request_is_accepted(name):
    sent, how = ACCEPTED[name]
    assert told(sent, **how) is None


@pytest.mark.parametrize("model", [Says(text("fine")), Improviser()], ids=lambda model: model.name)
@pytest.mark.parametrize("name", ACCEPTED)
def test_a_sound_request_is_answered_whole_and_as_a_stream(name, model):
    sent, how = ACCEPTED[name]
    headers = {"anthropic-beta": ",".join(how.get("betas", ()))}
    if "version" in how:
        headers["anthropic-version"] = how["version"]
    path = "/v1/messages/count_tokens" if how.get("counting") else "/v1/messages"
    answer = document(post(OfflineAPI(model), sent, path, **headers))
    assert answer.get("type") == "message" or answer["input_tokens"] > 0
    if not how.get("counting") and sent["max_tokens"]:
        got = events(post(OfflineAPI(model), {**sent, "stream": True}, path, **headers))
        assert [got[0]["type"], got[-1]["type"]] == ["message_start", "message_stop"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_stream_of_an_unsound_request_is_an_error_before_it_begins(name):
    sent, how, message = REFUSED[name]
    headers = {"anthropic-beta": ",".join(how.get("betas", ())), "anthropic-version": how.get("version", "2023-06-01")}
    if how.get("counting"):
        path = "/v1/messages/count_tokens"
    else:
        path, sent = "/v1/messages", {**sent, "stream": True}
    answer = post(OfflineAPI(Says(text("fine"))), sent, path, **headers)
    said = document(answer)
    assert answer.status in (400, 404)
    assert said["type"] == "error"
    assert said["request_id"] == answer.headers["request-id"]
    assert said["error"]["message"] == message or sent["max_tokens"] == 0
