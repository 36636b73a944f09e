"""One request for every rule, which breaks that rule first."""

from base64 import b64encode
from typing import Any, NamedTuple

from rule_helpers import (
    CODE,
    HAIKU,
    OLD,
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
    server_result,
    server_use,
    strict,
    system,
    text,
    thought,
    tool,
    user,
)

from course.api.check import Hooks

HEADERS = {"x-api-key": "sk-ant-test", "anthropic-version": "2023-06-01"}
LONG_ID = "claude-sonnet-5-5"
GENUINE = Hooks(signature_ok=lambda block: True)
THINKING = {"type": "enabled", "budget_tokens": 1024}
EDITS = "context-management-2025-06-27"


class Example(NamedTuple):
    """A body, or headers, or raw bytes, and what else the check needs."""

    body: Any = None
    how: dict[str, Any] = {}  # noqa: RUF012
    headers: dict[str, str] | None = None
    raw: bytes | None = None


def without(name: str, **more: str) -> Example:
    return Example(headers={key: value for key, value in HEADERS.items() if key != name} | more)


def png(width: int = 1, height: int = 1, padding: int = 0) -> str:
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return b64encode(head + b"\x08\0\0\0\0" + bytes(padding)).decode()


def pages(count: int) -> str:
    return b64encode(b"%PDF-1.4\n" + b"<</Type /Page>>\n" * count).decode()


def said(verdict: bool | str) -> dict[str, Any]:
    return {"hooks": Hooks(signature_ok=lambda block: verdict)}


def tokens(count: int) -> dict[str, Any]:
    return {"hooks": Hooks(estimate=lambda body: count)}


def marked(block: dict[str, Any], ttl: str = "5m") -> dict[str, Any]:
    return {**block, "cache_control": {"type": "ephemeral", "ttl": ttl}}


def scoped(block: dict[str, Any]) -> dict[str, Any]:
    return {**system(block), "clear_at": "next_user_message"}


def schema(**words: Any) -> dict[str, Any]:
    return body(tools=[tool(schema={"type": "object", **words})])


def answer(part: Any) -> dict[str, Any]:
    """A body that asks for an answer with one `value` of this schema."""
    whole = {"type": "object", "properties": {"value": part}, "required": ["value"], "additionalProperties": False}
    return body(output_config={"format": {"type": "json_schema", "schema": whole}})


def many(count: int, part: Any, required: bool = True) -> dict[str, Any]:
    names = [f"p{number}" for number in range(count)]
    return {
        "type": "object",
        "properties": dict.fromkeys(names, part),
        "required": names if required else [],
        "additionalProperties": False,
    }


MCP = {"type": "url", "url": "https://example.com/mcp", "name": "files"}
MCP_TOOLS = {"type": "mcp_toolset", "mcp_server_name": "files"}
CONNECTED = {"betas": ("mcp-client-2025-11-20",)}
RECURSIVE = {
    "type": "object",
    "properties": {"tree": {"$ref": "#/$defs/tree"}},
    "required": ["tree"],
    "additionalProperties": False,
    "$defs": {
        "tree": {
            "type": "object",
            "properties": {"next": {"$ref": "#/$defs/tree"}},
            "required": ["next"],
            "additionalProperties": False,
        }
    },
}
FILTERED = {"type": "web_search_20260209", "name": "web_search"}
UNSEALED = {"type": "web_search_result", "url": "https://example.com", "title": "Weather", "encrypted_content": ""}
NAMED = {"type": "tool_reference", "name": "get_weather"}
CALLED_BY_CODE = {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}
BY_CODE = tool(allowed_callers=["code_execution_20260120"])

CLEARING = {"betas": ("mid-conversation-system-clear-at-2026-08-21", "mid-conversation-output-config-2026-07-01")}
ANSWER = {"type": "json_schema", "schema": {"type": "object", "properties": {}, "additionalProperties": False}}

EXAMPLES: dict[str, Example] = {
    "auth.missing-key": without("x-api-key"),
    "auth.invalid-key": without("x-api-key", **{"x-api-key": "sk-ant-invalid"}),
    "auth.invalid-bearer": without("x-api-key", authorization="Bearer wrong-token"),
    "auth.oauth-unsupported": without("x-api-key", authorization="Bearer sk-ant-oat01-abc"),
    "auth.oauth-not-allowed": without(
        "x-api-key", authorization="Bearer sk-ant-oat01-abc", **{"anthropic-beta": "oauth-2025-04-20"}
    ),
    "header.version-missing": without("anthropic-version"),
    "header.version-invalid": without("anthropic-version", **{"anthropic-version": "2024-02-30"}),
    "header.beta-unknown": without("", **{"anthropic-beta": "time-travel-2026-01-01"}),
    "body.too-large": Example(raw=b" " * (32 * 1024 * 1024 + 1)),
    "body.not-json": Example(raw=b'{"model": '),
    "field.required": Example(body(max_tokens=...)),
    "field.extra": Example(body(colour="red")),
    "field.object": Example(body(tools=["get_weather"])),
    "field.shape": Example(body(metadata="me")),
    "field.dictionary": Example(body("q", assistant({**call(), "input": "Paris"}), user(result()))),
    "field.array": Example(body(stop_sequences="stop")),
    "field.string": Example(body(system=[{"type": "text", "text": 7}])),
    "field.boolean": Example(body(stream="yes")),
    "field.integer": Example(body(max_tokens=1.5)),
    "field.number": Example(body(temperature="warm")),
    "field.literal": Example(body(service_tier="gold")),
    "field.tag": Example(body(user({"type": "picture"}))),
    "field.too-short": Example(body(model="")),
    "field.too-long": Example(body(metadata={"user_id": "u" * 257})),
    "field.pattern": Example(body("q", assistant(call(id="a b")), user(result("a b")))),
    "field.at-least": Example(body(thinking={"type": "enabled", "budget_tokens": 1023}, max_tokens=5000)),
    "field.range": Example(body(temperature=1.5)),
    "max-tokens.negative": Example(body(max_tokens=-1)),
    "messages.empty": Example(body(messages=[])),
    "messages.role-unknown": Example(body({"role": "tool", "content": "18 degrees"})),
    "stop.whitespace": Example(body(stop_sequences=["end", "\n"])),
    "geo.unknown": Example(body(inference_geo="moon")),
    "output-format.deprecated": Example(body(output_format={"type": "json_schema", "schema": {}})),
    "schema.property-key": Example(schema(properties={"a b": {"type": "string"}})),
    "schema.root-union": Example(schema(anyOf=[{"required": ["a"]}])),
    "schema.invalid": Example(schema(properties={"a": {"type": "text"}})),
    "toolset.name": Example(body(tools=[{"type": "computer_toolset_20260801", "name": "computer"}], model=OPUS)),
    "tool.domains-empty": Example(body(tools=[{**SEARCH, "allowed_domains": []}])),
    "tool.country": Example(body(tools=[{**SEARCH, "user_location": {"type": "approximate", "country": "KZ"}}])),
    "tool.domains-both": Example(body(tools=[{**SEARCH, "allowed_domains": ["a.org"], "blocked_domains": ["b.org"]}])),
    "schema.answer": Example(answer({"type": "string", "enum": ["a", "a"]})),
    "strict.open-object": Example(body(tools=[tool(strict=True)])),
    "strict.additional": Example(strict({"type": "object", "additionalProperties": True})),
    "strict.property": Example(strict({"type": "integer", "minimum": 1})),
    "strict.properties": Example(strict({"type": "number", "minimum": 0, "maximum": 9})),
    "strict.min-items": Example(strict({"type": "array", "items": {"type": "string"}, "minItems": 2})),
    "strict.unsupported-word": Example(strict({"oneOf": [{"type": "string"}, {"type": "null"}]})),
    "strict.unsupported-keyword": Example(strict({"type": "string", "not": {"const": "a"}})),
    "strict.beside-union": Example(strict({"type": "string", "anyOf": [{"type": "string"}, {"type": "null"}]})),
    "strict.empty": Example(strict({"description": "anything"})),
    "strict.no-type": Example(strict({"default": None, "title": "Value"})),
    "strict.tuple": Example(answer({"type": "array", "items": [{"type": "string"}, {"type": "number"}]})),
    "strict.format": Example(strict({"type": "string", "format": "phone"})),
    "strict.enum-type": Example(strict({"type": ["string", "null"], "enum": ["a", None]})),
    "strict.regex-invalid": Example(strict({"type": "string", "pattern": "^(?=a)b"})),
    "strict.regex": Example(strict({"type": "string", "pattern": "\\bword"})),
    "strict.no-definition": Example(strict({"$ref": "#/$defs/gone"})),
    "strict.circular": Example(body(tools=[tool(schema=RECURSIVE, strict=True)])),
    "cache.empty-text": Example(body(user(text("hi"), marked(text(""))))),
    "cache.in-result": Example(body("q", assistant(call()), user(result(content=[marked(text()), text()])))),
    "result.content-object": Example(body("q", assistant(call()), user(result(content={"degrees": 18})))),
    "result.error-empty": Example(body("q", assistant(call()), user(result(content="", is_error=True)))),
    "result.error-text-only": Example(
        body("q", assistant(call()), user(result(content=[picture(png())], is_error=True)))
    ),
    "thinking.nothing": Example(body("q", assistant(thought("", ""), text()), "more")),
    "model.unknown": Example(body(model="claude-haiku-4")),
    "system-turn.field": Example(body({**user("q"), "clear_at": "never"}, model=OPUS), CLEARING),
    "system-turn.empty": Example(body("q", system(), model=OPUS)),
    "system-turn.blocks": Example(body("q", system(picture(png())), model=OPUS)),
    "system-turn.first": Example(body(system("Be brief."), "q", model=OPUS)),
    "system-turn.must-follow-user": Example(body("q", assistant("a"), system("Be brief."), model=OPUS)),
    "system-turn.must-precede-assistant": Example(body("q", system("Be brief."), "r", model=OPUS)),
    "system-turn.whitespace": Example(body("q", system(" "), model=OPUS)),
    "system-turn.scoped-blocks": Example(
        body("q", scoped({"type": "tool_removal", "tool": {"type": "tool_reference", "name": "a"}}), model=OPUS),
        CLEARING,
    ),
    "system-turn.scoped-config": Example(
        body("q", {**scoped(text()), "output_config": {"effort": "low"}}, model=OPUS), CLEARING
    ),
    "system-turn.scoped-cache": Example(body("q", scoped(marked(text())), model=OPUS), CLEARING),
    "user-turn.empty": Example(body("q", assistant("a"), user())),
    "container.without-code": Example(body(container="container_1")),
    "tools.injected": Example(
        body(tools=[FILTERED, {"type": "code_execution_20250825", "name": "code_execution"}], model=SONNET)
    ),
    "tools.names": Example(body(tools=[TOOL, TOOL])),
    "mcp.server-unused": Example(body(mcp_servers=[MCP]), CONNECTED),
    "mcp.server-unknown": Example(body(tools=[MCP_TOOLS]), CONNECTED),
    "mcp.server-twice": Example(body(mcp_servers=[MCP], tools=[MCP_TOOLS, MCP_TOOLS]), CONNECTED),
    "mcp.url-scheme": Example(
        body(mcp_servers=[{**MCP, "url": "http://example.com/mcp"}], tools=[MCP_TOOLS]), CONNECTED
    ),
    "tool.domain-format": Example(body(tools=[{**SEARCH, "allowed_domains": ["example.org", "*.example.com"]}])),
    "defer.cache": Example(body(tools=[marked(tool(defer_loading=True)), tool("get_time")])),
    "defer.all": Example(body(tools=[tool(defer_loading=True)])),
    "reference.mixed": Example(
        body(
            "q",
            assistant(call()),
            user(result(content=[{"type": "tool_reference", "tool_name": "get_weather"}, text()])),
            tools=[TOOL],
        )
    ),
    "reference.unknown": Example(
        body("q", assistant(call()), user(result(content=[{"type": "tool_reference", "tool_name": "b"}])), tools=[TOOL])
    ),
    "strict.too-many-tools": Example(
        body(tools=[tool(f"t{n}", many(1, {"type": "string"}), strict=True) for n in range(21)])
    ),
    "strict.too-many-optional": Example(
        body(tools=[tool(schema=many(25, {"type": "string"}, required=False), strict=True)])
    ),
    "strict.too-many-unions": Example(body(tools=[tool(schema=many(17, {"type": ["string", "null"]}), strict=True)])),
    "tool.example": Example(body(tools=[tool(input_examples=[{"city": "Paris"}, {"town": "Paris"}])])),
    "choice.any-without-tools": Example(body(tool_choice={"type": "any"})),
    "choice.unknown-tool": Example(body(tools=[TOOL], tool_choice={"type": "tool", "name": "get_time"})),
    "choice.not-direct": Example(
        body(tools=[CODE, BY_CODE], tool_choice={"type": "tool", "name": "get_weather"}, model=SONNET)
    ),
    "choice.forced-unsupported": Example(body(tools=[TOOL], tool_choice={"type": "any"}, model=OPUS)),
    "choice.forced-thinking": Example(
        body(tools=[TOOL], tool_choice={"type": "any"}, thinking=THINKING, max_tokens=2000)
    ),
    "choice.parallel-code": Example(
        body(tools=[CODE, BY_CODE], tool_choice={"type": "auto", "disable_parallel_tool_use": True}, model=SONNET)
    ),
    "strict.unsupported": Example({**strict({"type": "string"}), "model": "claude-sonnet-4-20250514"}),
    "format.unsupported": Example({**answer({"type": "string"}), "model": "claude-sonnet-4-20250514"}),
    "callers.unsupported": Example(body(tools=[CODE, BY_CODE])),
    "tool.type-unsupported": Example(
        body(
            tools=[
                {
                    "type": "computer_20250124",
                    "name": "computer",
                    "display_width_px": 800,
                    "display_height_px": 600,
                }
            ],
            model=OPUS,
        ),
        {"betas": ("computer-use-2025-01-24",)},
    ),
    "max-tokens.too-many": Example(body(max_tokens=64001)),
    "thinking.enabled-unsupported": Example(body(thinking=THINKING, max_tokens=2000, model=OPUS)),
    "thinking.budget": Example(body(thinking=THINKING, max_tokens=1024)),
    "thinking.disabled-unsupported": Example(body(thinking={"type": "disabled"}, model=OPUS)),
    "thinking.disabled-between-tools": Example(body(thinking={"type": "disabled"}, model=LONG_ID)),
    "thinking.adaptive-unsupported": Example(body(thinking={"type": "adaptive"})),
    "thinking.between-unsupported": Example(body(thinking={"type": "between_tools"}, model=OPUS)),
    "effort.unsupported": Example(body(output_config={"effort": "low"})),
    "effort.level": Example(body(output_config={"effort": "xhigh"}, model=SONNET)),
    "effort.without-thinking": Example(
        body(output_config={"effort": "max"}, thinking={"type": "disabled"}, model=SONNET)
    ),
    "geo.unsupported": Example(body(inference_geo="us")),
    "speed.unsupported": Example(body(speed="standard", model=SONNET), {"betas": ("fast-mode-2026-02-01",)}),
    "sampling.temperature-thinking": Example(body(temperature=0.5, thinking=THINKING, max_tokens=2000)),
    "sampling.top-p-thinking": Example(body(top_p=0.5, thinking=THINKING, max_tokens=2000)),
    "sampling.top-k-thinking": Example(body(top_k=5, thinking=THINKING, max_tokens=2000)),
    "sampling.fixed": Example(body(temperature=0.5, model=OPUS)),
    "sampling.both": Example(body(temperature=1, top_p=1)),
    "edits.thinking-off": Example(
        body(context_management={"edits": [{"type": "clear_thinking_20251015"}]}), {"betas": (EDITS,)}
    ),
    "edits.thinking-first": Example(
        body(
            context_management={"edits": [{"type": "clear_tool_uses_20250919"}, {"type": "clear_thinking_20251015"}]},
            thinking={"type": "adaptive"},
            model=SONNET,
        ),
        {"betas": (EDITS,)},
    ),
    "system-turn.unsupported": Example(body("q", system("Be brief."))),
    "system-turn.tool-changes": Example(
        body("q", system({"type": "tool_removal", "tool": NAMED}), model="claude-sonnet-5", tools=[TOOL])
    ),
    "system-turn.effort": Example(
        body("q", {**system("Be brief."), "output_config": {"effort": "low"}}, model="claude-sonnet-5"), CLEARING
    ),
    "pdf.unsupported": Example(body(user(pdf(pages(1)), text()), model=OLD)),
    "edits.unsupported": Example(
        body(context_management={"edits": [{"type": "compact_20260112"}]}), {"betas": ("compact-2026-01-12",)}
    ),
    "messages.first-role": Example(body(assistant("a"), "q", model=OLD)),
    "citations.with-format": Example(
        body(user({**pdf(pages(1)), "citations": {"enabled": True}}, text()), output_config={"format": ANSWER})
    ),
    "max-tokens.zero": Example(body(max_tokens=0, stream=True)),
    "pairing.missing-result": Example(body("q", assistant(call()), "and?", tools=[TOOL])),
    "pairing.unexpected-result": Example(body("q", assistant(call()), user(result("toolu_2")), tools=[TOOL])),
    "pairing.duplicate-result": Example(body("q", assistant(call()), user(result(), result()), tools=[TOOL])),
    "pairing.toolset": Example(
        body("q", assistant(call(name="zoom", toolset_name="computer")), user(result(content=[text("OK")])))
    ),
    "pairing.duplicate-id": Example(
        body("q", assistant(call()), user(result()), assistant(call()), user(result()), tools=[TOOL])
    ),
    "role.tool-result": Example(body("q", assistant(text("a"), result(content=[text()])), "r")),
    "role.assistant-only": Example(body(user(call()))),
    "role.thinking": Example(body(user(thought(), text()))),
    "role.user-only": Example(body("q", assistant(picture(png())), "r")),
    "version.assistant-document": Example(
        body("q", assistant(pdf(pages(1)), text("a")), "r"), {"version": "2026-10-21"}
    ),
    "version.user-citations": Example(
        body(user(text(citations=[{"type": "char_location"}]))), {"version": "2026-10-21"}
    ),
    "server.missing-result": Example(body("q", assistant(server_use()), "r", tools=[SEARCH])),
    "server.no-tool": Example(body("q", assistant(server_use()), model=HAIKU)),
    "server.encrypted-content": Example(
        body("q", assistant(server_use(), {**server_result(), "content": [UNSEALED]}, text("a")), "r", tools=[SEARCH])
    ),
    "server.unexpected-result": Example(body("q", assistant(server_result(), text("a")), "r", tools=[SEARCH])),
    "caller.no-source": Example(
        body("q", assistant(call(caller=CALLED_BY_CODE)), user(result()), tools=[CODE, BY_CODE], model=SONNET)
    ),
    "container.required": Example(
        body(
            "q",
            assistant(server_use(name="code_execution"), call(caller=CALLED_BY_CODE)),
            user(result()),
            tools=[CODE, BY_CODE],
            model=SONNET,
        )
    ),
    "result.code-text-only": Example(
        body(
            "q",
            assistant(server_use(name="code_execution"), call(caller=CALLED_BY_CODE)),
            user(result(content=[picture(png())])),
            tools=[CODE, BY_CODE],
            container="container_1",
            model=SONNET,
        )
    ),
    "thinking.last-first": Example(
        body("q", assistant(call()), user(result()), tools=[TOOL], thinking=THINKING, max_tokens=2000)
    ),
    "thinking.at-the-end": Example(
        body("q", assistant(thought()), "go on", thinking={"type": "adaptive"}, model=SONNET), {"hooks": GENUINE}
    ),
    "thinking.not-first": Example(
        body("q", assistant(text("a"), thought()), "r", thinking=THINKING, max_tokens=2000), {"hooks": GENUINE}
    ),
    "thinking.signature": Example(body("q", assistant(thought(), text("a")), "r"), said(False)),
    "thinking.data": Example(body("q", assistant({"type": "redacted_thinking", "data": "AAAA"}, text("a")), "r")),
    "thinking.modified": Example(body("q", assistant(thought(), text("a")), "r"), said("edited")),
    "thinking.moved": Example(body("q", assistant(thought(), text("a")), "r"), said("moved")),
    "thinking.off-last": Example(body("q", assistant(thought(), text("a"))), {"hooks": GENUINE}),
    "text.empty": Example(body(user(text("")))),
    "text.blank": Example(body(user(text(" ")))),
    "prefill.unsupported": Example(body("q", assistant("The answer"), model=OPUS)),
    "prefill.whitespace": Example(body("q", assistant("The answer "))),
    "cache.too-many": Example(body(user(*[marked(text(str(n))) for n in range(5)]))),
    "cache.ttl-order": Example(body(user(marked(text("a")), marked(text("b"), "1h")))),
    "cache.automatic-ttl": Example(
        body(user(marked(text("a"), "1h")), cache_control={"type": "ephemeral", "ttl": "5m"})
    ),
    "image.empty": Example(body(user(picture("")))),
    "image.bytes": Example(body(user(picture(png(padding=4 * 1024 * 1024))))),
    "image.base64": Example(body(user(picture("https://example.com/a.png")))),
    "image.unreadable": Example(body(user(picture(b64encode(b"no picture").decode())))),
    "image.type-mismatch": Example(body(user(picture(png(), "image/jpeg")))),
    "image.edge": Example(body(user(picture(png(8001))))),
    "image.edge-many": Example(body(user(*[picture(png(1, 2001)) for _ in range(21)]))),
    "pdf.empty": Example(body(user(pdf("")))),
    "pdf.invalid": Example(body(user(pdf(b64encode(b"no document").decode())))),
    "pdf.pages": Example(body(user(pdf(pages(601))), model=OPUS)),
    "media.too-much": Example(body(user(*[picture(png()) for _ in range(101)]))),
    "window.prompt": Example(body(), tokens(200_001)),
    "window.with-output": Example(body(model="claude-3-7-sonnet-20250219"), tokens(199_900)),
}
