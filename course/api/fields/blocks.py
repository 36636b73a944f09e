"""Shapes of content blocks, by type.

Sources: SDK 2.14.0 types (2026-11-24) for the fields; recorded exchanges and published probes for what the API
refuses and in which words (`rules.toml`). Where a field's content is opaque to the rules it is left free.
"""

from functools import cache
from typing import Any

from course.api import shape as s
from course.api.shape import Check, Fault, Faults, Fields

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
    ttl = s.optional(s.nullable(s.literal("5m", "1h")))
    return s.nullable(s.tagged({"ephemeral": s.obj({"type": s.anything, "ttl": ttl})}))


def _marked(fields: Fields) -> Fields:
    return {**fields, "type": s.anything, "cache_control": s.optional(cache_control())}


@cache
def text(*, tag: Check = s.anything) -> Check:
    """Return the shape of a text block; `tag` is the shape of its `type`."""
    citations = s.optional(s.nullable(s.array(s.dictionary)))
    fields: Fields = {
        "text": s.string(),
        "type": tag,
        "cache_control": s.optional(cache_control()),
        "citations": citations,
    }
    return s.obj(fields, then=_no_marker_on_nothing)


def _no_marker_on_nothing(value: dict[str, Any]) -> Faults:
    return s.fault("cache.empty-text") if not value["text"] and value.get("cache_control") is not None else None


@cache
def _caller() -> Check:
    by_code = s.obj({"tool_id": s.string(pattern=SERVER_ID), "type": s.anything})
    return s.tagged(
        {
            "code_execution_20250825": by_code,
            "code_execution_20260120": by_code,
            "direct": s.obj({"type": s.anything}),
        }
    )


@cache
def _image() -> Check:
    kinds = s.literal("image/jpeg", "image/png", "image/gif", "image/webp")
    variants = {
        "base64": s.obj({"data": s.string(), "media_type": kinds, "type": s.anything}),
        "file": s.obj({"file_id": s.string(), "type": s.anything}),
        "url": s.obj({"type": s.anything, "url": s.string()}),
    }
    return s.obj(_marked({"source": s.tagged(variants), "transformations": s.optional(s.nullable(s.dictionary))}))


@cache
def _document() -> Check:
    part = s.tagged({"text": text(), "image": _image()})
    variants = {
        "base64": s.obj({"data": s.string(), "media_type": s.literal("application/pdf"), "type": s.anything}),
        "content": s.obj({"content": s.text_or(s.array(part)), "type": s.anything}),
        "file": s.obj({"file_id": s.string(), "type": s.anything}),
        "text": s.obj({"data": s.string(), "media_type": s.literal("text/plain"), "type": s.anything}),
        "url": s.obj({"type": s.anything, "url": s.string()}),
    }
    fields: Fields = {
        "source": s.tagged(variants),
        "citations": s.optional(s.nullable(s.obj({"enabled": s.optional(s.boolean)}))),
        "context": s.optional(s.nullable(s.string())),
        "title": s.optional(s.nullable(s.string())),
    }
    return s.obj(_marked(fields))


@cache
def _search_result() -> Check:
    fields: Fields = {
        "content": s.array(text()),
        "source": s.string(),
        "title": s.string(),
        "citations": s.optional(s.nullable(s.obj({"enabled": s.optional(s.boolean)}))),
    }
    return s.obj(_marked(fields))


def _reference() -> Check:
    return s.obj(_marked({"tool_name": s.string(1)}))


@cache
def result_content() -> Check:
    """Return the shape of `tool_result.content`."""
    variants = {
        "document": _document(),
        "image": _image(),
        "search_result": _search_result(),
        "text": text(),
        "tool_reference": _reference(),
        "browser_state": s.obj(
            _marked({"tabs": s.array(s.dictionary), "state_changes": s.optional(s.nullable(s.array(s.anything)))})
        ),
    }
    parts = s.array(s.tagged(variants, tags=[name for name in sorted(variants) if name != "browser_state"]))
    return s.text_or(lambda value: s.fault("result.content-object") if type(value) is dict else parts(value))


def _tool_result() -> Check:
    fields: Fields = {
        "tool_use_id": s.string(pattern=ID),
        "content": s.optional(result_content()),
        "is_error": s.optional(s.boolean),
        "toolset_name": s.optional(s.nullable(s.string())),
    }
    return s.obj(_marked(fields), then=_whole_result)


def _whole_result(value: dict[str, Any]) -> Faults:
    content = value.get("content")
    if value.get("is_error") is True and not content:
        return s.fault("result.error-empty")
    if type(content) is not list:
        return None
    marked = [index for index, part in enumerate(content) if part.get("cache_control") is not None]
    if marked and (marked[0] < len(content) - 1 or value.get("cache_control") is not None):
        place = ("content", marked[0], "cache_control")
        return [Fault("cache.in-result", place, tuple(map(str, place)))]
    if value.get("is_error") is True and any(part["type"] != "text" for part in content):
        return s.fault("result.error-text-only")
    return None


def _thinking() -> Check:
    fields: Fields = {"signature": s.within("str", s.string()), "thinking": s.string(), "type": s.anything}
    return s.obj(
        fields, then=lambda value: None if value["thinking"] or value["signature"] else s.fault("thinking.nothing")
    )


def _tool_use(id_pattern: str, name: Check, **more: Check) -> Check:
    fields: Fields = {
        "id": s.string(pattern=id_pattern),
        "input": s.dictionary,
        "name": name,
        "caller": s.optional(_caller()),
    }
    return s.obj(_marked({**fields, **{key: s.optional(check) for key, check in more.items()}}))


def _search_content(value: Any) -> Faults:
    """Results of a search come back as they were written; an error in their place is not looked into."""
    if type(value) is dict:
        return None
    fields: Fields = {
        "encrypted_content": s.string(),
        "title": s.string(),
        "type": s.literal("web_search_result"),
        "url": s.string(),
    }
    return s.array(s.obj(fields, extra=True, bad="field.object"))(value)


def _found_tools(value: Any) -> Faults:
    """What a tool search found is read again by the API; an error in its place is not looked into."""
    if type(value) is not dict or value.get("type") != "tool_search_tool_search_result":
        return None
    return s.obj({"tool_references": s.array(_reference()), "type": s.anything}, extra=True)(value)


def _server_result(content: Check = s.anything) -> Check:
    fields: Fields = {
        "content": content,
        "tool_use_id": s.string(pattern=SERVER_ID),
        "caller": s.optional(_caller()),
    }
    return s.obj(_marked(fields))


def _mcp_use() -> Check:
    return s.obj(
        _marked({"id": s.string(pattern=ID), "input": s.dictionary, "name": s.string(), "server_name": s.string()})
    )


def _mcp_result() -> Check:
    content = s.optional(s.text_or(s.array(s.tagged({"text": text()}))))
    return s.obj(_marked({"tool_use_id": s.string(pattern=ID), "content": content, "is_error": s.optional(s.boolean)}))


def _change(**more: Check) -> Check:
    """The tool that a system turn adds or removes: named, or defined on the spot."""
    name = {"name": s.string(), "type": s.anything}
    variants = {
        "tool_reference": s.obj(name),
        "mcp_tool_reference": s.obj({**name, "server_name": s.string()}),
        "mcp_toolset_reference": s.obj({"server_name": s.string(), "type": s.anything}),
        **{kind: s.obj({"definition": check, "type": s.anything}) for kind, check in more.items()},
    }
    return s.obj(_marked({"tool": s.tagged(variants)}))


@cache
def block(definition: Check) -> Check:
    """Return the shape of a block in `messages[].content`; `definition` is that of a member of `tools`."""
    variants = {
        "text": text(),
        "image": _image(),
        "document": _document(),
        "search_result": _search_result(),
        "thinking": _thinking(),
        "redacted_thinking": s.obj({"data": s.string(), "type": s.anything}),
        "tool_use": _tool_use(ID, s.string(1, 200), toolset_name=s.nullable(s.string())),
        "tool_result": _tool_result(),
        "server_tool_use": _tool_use(SERVER_ID, s.literal(*SERVER_TOOLS)),
        **{name: _server_result() for name in SERVER_RESULTS},
        "tool_search_tool_result": _server_result(_found_tools),
        "web_search_tool_result": _server_result(_search_content),
        "container_upload": s.obj(_marked({"file_id": s.string()})),
        "mcp_tool_use": _mcp_use(),
        "mcp_tool_result": _mcp_result(),
        "mcp_tool_listing": s.obj({"type": s.anything}, extra=True),
        "compaction": s.obj({"type": s.anything}, extra=True),
        "fallback": s.obj({"type": s.anything}, extra=True),
        "tool_addition": _change(tool_definition=definition),
        "tool_removal": _change(),
    }
    return s.tagged(variants)
