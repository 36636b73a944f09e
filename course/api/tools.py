"""Rules of the tools of a request as a whole: names, loading, references, strict limits, MCP, container."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from course.api.context import Context
from course.api.examples import failing
from course.api.rules import Place, Violation
from course.api.strict import limits

__all__ = ["called_from_code", "calls_from_code", "check", "references", "runs_code"]

MAX_STRICT, MAX_OPTIONAL, MAX_UNIONS = 20, 24, 16
FILTERING = (
    "web_search_20260209",
    "web_search_20260318",
    "web_fetch_20260209",
    "web_fetch_20260309",
    "web_fetch_20260318",
)
CODE, SHARED = "code_execution", ("code_execution_20260120", "code_execution_20260521")
DOMAINS = frozenset({"allowed_domains", "blocked_domains"})
REFERRING = frozenset({"tool_addition", "tool_result", "tool_search_tool_result"})
TOOLSETS = {"computer_toolset_20260801": "computer", "browser_toolset_20260801": "browser"}


def check(ctx: Context) -> Iterator[Violation]:
    """Yield what is wrong with the tools together."""
    words = ctx.tool_words
    if "container" in ctx.body:
        yield from _container(ctx)
    if ctx.tools:
        yield from _names(ctx)
    if "type" in words:
        yield from _injected(ctx)
    if not DOMAINS.isdisjoint(words):
        yield from _domains(ctx)
    if "mcp_servers" in ctx.body or "mcp_server_name" in words:
        yield from _mcp(ctx)
    if "defer_loading" in words:
        yield from _loading(ctx)
    if not REFERRING.isdisjoint(ctx.kinds):
        yield from _references(ctx)
    if "strict" in words or "output_config" in ctx.body:
        yield from _strict(ctx)
    if "input_examples" in words:
        yield from _examples(ctx)


def called_from_code(tool: Mapping[str, Any]) -> bool:
    """Tell whether code may call a tool: its `allowed_callers` say so, or it filters its results by code unasked."""
    callers = tool.get("allowed_callers")
    if type(callers) is list:
        return any(type(caller) is str and caller.startswith("code_execution") for caller in callers)
    return tool.get("type") in FILTERING


def runs_code(ctx: Context) -> bool:
    """Tell whether the request offers code execution, by its tool or by one that code may call."""
    return any(
        (type(kind := tool.get("type")) is str and kind.startswith("code_execution_")) or called_from_code(tool)
        for _, tool in ctx.tools
    )


def calls_from_code(ctx: Context) -> bool:
    """Tell whether code that Claude writes may call tools of this request."""
    return any(called_from_code(tool) for _, tool in ctx.tools)


def _container(ctx: Context) -> Iterator[Violation]:
    asked = ctx.body.get("container")
    if asked is not None and "container_upload" not in ctx.kinds and not runs_code(ctx):
        yield from ctx.breaks("container.without-code", ("container",))


def _names(ctx: Context) -> Iterator[Violation]:
    seen: set[str] = set()
    for index, tool in ctx.tools:
        kind = tool.get("type")
        name = tool.get("name") or (TOOLSETS.get(kind) if type(kind) is str else None)
        if type(name) is str:
            if name in seen:
                yield from ctx.breaks("tools.names", ("tools", index, "name"))
                return
            seen.add(name)


def _injected(ctx: Context) -> Iterator[Violation]:
    """Web tools that filter by code bring a code execution tool of their own, where none new enough stands there."""
    if not any(tool.get("type") in FILTERING and called_from_code(tool) for _, tool in ctx.tools):
        return
    for index, tool in ctx.tools:
        if tool.get("name") == CODE and tool.get("type") not in SHARED:
            yield from ctx.breaks("tools.injected", ("tools", index), names=[CODE])


def _domains(ctx: Context) -> Iterator[Violation]:
    """A domain stands without a scheme, and a wildcard only in the path behind it."""
    for index, tool in ctx.tools:
        for field in sorted(DOMAINS):
            given = tool.get(field)
            for number, domain in enumerate(given if type(given) is list else ()):
                if type(domain) is str and ("://" in domain or "*" in domain.partition("/")[0]):
                    values = {"index": index, "type": tool.get("type"), "field": field, "number": number}
                    yield from ctx.breaks(
                        "tool.domain-format", ("tools", index, field, number), **values, domain=domain
                    )


def _loading(ctx: Context) -> Iterator[Violation]:
    deferred = 0
    for index, tool in ctx.tools:
        if tool.get("defer_loading") is True:
            deferred += 1
            if tool.get("cache_control") is not None:
                yield from ctx.breaks("defer.cache", ("tools", index, "cache_control"), name=tool.get("name"))
    if deferred and deferred == len(ctx.tools):
        yield from ctx.breaks("defer.all", ("tools",))


def references(block: dict[str, Any]) -> Iterator[tuple[Any, tuple[str | int, ...]]]:
    """Yield (name, path within the block) of every tool reference in a block."""
    kind, content = block.get("type"), block.get("content")
    if kind == "tool_result" and type(content) is list:
        for index, part in enumerate(content):
            if type(part) is dict and part.get("type") == "tool_reference":
                yield part.get("tool_name"), ("content", index)
    elif kind == "tool_search_tool_result" and type(content) is dict:
        found = content.get("tool_references")
        for index, part in enumerate(found if type(found) is list else ()):
            if type(part) is dict:
                yield part.get("tool_name"), ("content", "tool_references", index)
    elif kind == "tool_addition" and type(tool := block.get("tool")) is dict and tool.get("type") == "tool_reference":
        yield tool.get("name"), ("tool",)


def _defined(block: dict[str, Any]) -> str | None:
    """Return the name of the tool that a system turn defines on the spot."""
    tool = block.get("tool")
    definition = tool.get("definition") if type(tool) is dict else None
    name = definition.get("name") if type(definition) is dict else None
    return name if type(name) is str else None


def _references(ctx: Context) -> Iterator[Violation]:
    names = ctx.tool_names | {name for _, _, block in ctx.blocks("tool_addition") if (name := _defined(block))}
    for number, index, block in ctx.blocks(*REFERRING):
        found = list(references(block))
        place: Place = ctx.turns[number].place(index)
        if found and block["type"] == "tool_result" and len(found) != len(block["content"]):
            yield from ctx.breaks("reference.mixed", place)
        for name, path in found:
            if type(name) is str and name not in names:
                yield from ctx.breaks("reference.unknown", (*place, *path), name=name)


def _schemas(ctx: Context) -> Iterator[Any]:
    for _, tool in ctx.tools:
        if tool.get("strict") is True and type(tool.get("input_schema")) is dict:
            yield tool["input_schema"]
    config = ctx.body.get("output_config")
    wanted = config.get("format") if type(config) is dict else None
    if type(wanted) is dict and type(wanted.get("schema")) is dict:
        yield wanted["schema"]


def _strict(ctx: Context) -> Iterator[Violation]:
    strict = sum(tool.get("strict") is True for _, tool in ctx.tools)
    if strict > MAX_STRICT:
        yield from ctx.breaks("strict.too-many-tools", ("tools",), n=strict)
    counts = [limits(schema) for schema in _schemas(ctx)]
    optional, unions = sum(o for o, _ in counts), sum(u for _, u in counts)
    if optional > MAX_OPTIONAL:
        yield from ctx.breaks("strict.too-many-optional", ("tools",), n=optional)
    if unions > MAX_UNIONS:
        yield from ctx.breaks("strict.too-many-unions", ("tools",), n=unions)


def _examples(ctx: Context) -> Iterator[Violation]:
    for index, tool in ctx.tools:
        examples, schema = tool.get("input_examples"), tool.get("input_schema")
        if type(examples) is not list or not examples or type(schema) is not dict:
            continue
        for number in failing(examples, schema):
            place = ("tools", index, "input_examples", number)
            yield from ctx.breaks("tool.example", place, tool_index=index, example_index=number)


def _mcp(ctx: Context) -> Iterator[Violation]:
    servers = ctx.body.get("mcp_servers")
    for index, server in enumerate(servers if type(servers) is list else ()):
        url = server.get("url") if type(server) is dict else None
        if type(url) is str and url and not url.lower().startswith("https://"):
            yield from ctx.breaks("mcp.url-scheme", ("mcp_servers", index, "url"), index=index)
    defined = [s.get("name") for s in servers if type(s) is dict] if type(servers) is list else []
    toolsets = [(i, tool.get("mcp_server_name")) for i, tool in ctx.tools if tool.get("type") == "mcp_toolset"]
    used = Counter(name for _, name in toolsets if type(name) is str)
    if toolsets or any(beta > "mcp-client-2025-11" for beta in ctx.betas if beta.startswith("mcp-client-")):
        for index, name in enumerate(defined):
            if type(name) is str and name not in used:
                yield from ctx.breaks("mcp.server-unused", ("mcp_servers", index), name=name)
    for index, name in toolsets:
        if type(name) is str and name not in defined:
            yield from ctx.breaks("mcp.server-unknown", ("tools", index, "mcp_server_name"), name=name)
        elif type(name) is str and used[name] > 1:
            yield from ctx.breaks("mcp.server-twice", ("tools", index, "mcp_server_name"), name=name)
            return
