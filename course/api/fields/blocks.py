"""Shapes of content blocks, by type.

Sources: SDK 2.14.0 types (2026-11-24) for the fields; recorded exchanges and published probes for what the API
refuses and in which words (`rules.toml`). Where a field's content is opaque to the rules it is left free.
"""

from functools import cache

from course.api.shape import (
    Check, anything, array, boolean, dictionary, literal, nullable, obj, optional, string, tagged, text_or,
)  # fmt: skip

__all__ = ["SERVER_RESULTS", "SERVER_TOOLS", "block", "cache_control", "result_content", "text"]

ID = r"^[a-zA-Z0-9_-]+$"
SERVER_ID = r"^srvtoolu_[a-zA-Z0-9_]+$"

SERVER_TOOLS = (
    "advisor", "bash_code_execution", "code_execution", "text_editor_code_execution", "tool_search_tool_bm25",
    "tool_search_tool_regex", "web_fetch", "web_search",
)  # fmt: skip
SERVER_RESULTS = (
    "advisor_tool_result", "bash_code_execution_tool_result", "code_execution_tool_result",
    "text_editor_code_execution_tool_result", "tool_search_tool_result", "web_fetch_tool_result",
    "web_search_tool_result",
)  # fmt: skip


@cache
def cache_control() -> Check:
    """Return the shape of a `cache_control` marker, or null."""
    return nullable(tagged({"ephemeral": obj({"type": anything, "ttl": optional(nullable(literal("5m", "1h")))})}))


def _marked(fields: dict[str, Check | optional]) -> dict[str, Check | optional]:
    return {**fields, "type": anything, "cache_control": optional(cache_control())}


@cache
def text(*, tag: Check = anything) -> Check:
    """Return the shape of a text block."""
    citations = optional(nullable(array(dictionary)))
    return obj({"text": string(), "type": tag, "cache_control": optional(cache_control()), "citations": citations})


@cache
def _caller() -> Check:
    by_code = obj({"tool_id": string(pattern=SERVER_ID), "type": anything})
    return tagged(
        {
            "code_execution_20250825": by_code,
            "code_execution_20260120": by_code,
            "direct": obj({"type": anything}),
        }
    )


def _source(**variants: Check) -> Check:
    return tagged({name: check for name, check in variants.items()})


@cache
def _image() -> Check:
    kinds = literal("image/jpeg", "image/png", "image/gif", "image/webp")
    source = _source(
        base64=obj({"data": string(), "media_type": kinds, "type": anything}),
        file=obj({"file_id": string(), "type": anything}),
        url=obj({"type": anything, "url": string()}),
    )
    return obj(_marked({"source": source, "transformations": optional(nullable(dictionary))}))


@cache
def _document() -> Check:
    part = tagged({"text": text(), "image": _image()})
    source = _source(
        base64=obj({"data": string(), "media_type": literal("application/pdf"), "type": anything}),
        content=obj({"content": text_or(array(part)), "type": anything}),
        file=obj({"file_id": string(), "type": anything}),
        text=obj({"data": string(), "media_type": literal("text/plain"), "type": anything}),
        url=obj({"type": anything, "url": string()}),
    )
    fields = {
        "source": source,
        "citations": optional(nullable(obj({"enabled": optional(boolean)}))),
        "context": optional(nullable(string())),
        "title": optional(nullable(string())),
    }
    return obj(_marked(fields))


@cache
def _search_result() -> Check:
    fields = {
        "content": array(text()),
        "source": string(),
        "title": string(),
        "citations": optional(nullable(obj({"enabled": optional(boolean)}))),
    }
    return obj(_marked(fields))


def _reference() -> Check:
    return obj(_marked({"tool_name": string(1)}))


@cache
def result_content() -> Check:
    """Return the shape of `tool_result.content`."""
    variants = {
        "document": _document(),
        "image": _image(),
        "search_result": _search_result(),
        "text": text(),
        "tool_reference": _reference(),
        "browser_state": obj(_marked({"tabs": array(dictionary), "state_changes": optional(nullable(array(anything)))})),
    }
    return text_or(array(tagged(variants, tags=[name for name in sorted(variants) if name != "browser_state"])))


def _tool_result() -> Check:
    fields = {
        "tool_use_id": string(pattern=ID),
        "content": optional(result_content()),
        "is_error": optional(boolean),
        "toolset_name": optional(nullable(string())),
    }
    return obj(_marked(fields))


def _tool_use(id_pattern: str, name: Check, **more: Check) -> Check:
    fields = {"id": string(pattern=id_pattern), "input": dictionary, "name": name, "caller": optional(_caller())}
    return obj(_marked({**fields, **{key: optional(check) for key, check in more.items()}}))


def _server_result() -> Check:
    fields = {"content": anything, "tool_use_id": string(pattern=SERVER_ID), "caller": optional(_caller())}
    return obj(_marked(fields))


def _mcp_use() -> Check:
    return obj(_marked({"id": string(pattern=ID), "input": dictionary, "name": string(), "server_name": string()}))


def _mcp_result() -> Check:
    content = optional(text_or(array(tagged({"text": text()}))))
    return obj(_marked({"tool_use_id": string(pattern=ID), "content": content, "is_error": optional(boolean)}))


@cache
def block() -> Check:
    """Return the shape of a block in `messages[].content`."""
    change = obj(_marked({"tool": dictionary}))
    variants = {
        "text": text(),
        "image": _image(),
        "document": _document(),
        "search_result": _search_result(),
        "thinking": obj({"signature": string(), "thinking": string(), "type": anything}),
        "redacted_thinking": obj({"data": string(), "type": anything}),
        "tool_use": _tool_use(ID, string(1, 200), toolset_name=nullable(string())),
        "tool_result": _tool_result(),
        "server_tool_use": _tool_use(SERVER_ID, literal(*SERVER_TOOLS)),
        **{name: _server_result() for name in SERVER_RESULTS},
        "container_upload": obj(_marked({"file_id": string()})),
        "mcp_tool_use": _mcp_use(),
        "mcp_tool_result": _mcp_result(),
        "mcp_tool_listing": obj({"type": anything}, extra=True),
        "compaction": obj({"type": anything}, extra=True),
        "fallback": obj({"type": anything}, extra=True),
        "tool_addition": change,
        "tool_removal": change,
    }
    return tagged(variants)
