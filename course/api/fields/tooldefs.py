"""Shapes of the members of `tools`, by type.

Source of fields and fixed names: SDK 2.14.0 types (2026-11-24); of the refusals: `rules.toml`.
"""

from functools import cache
from typing import Any

from course.api.fields.blocks import cache_control
from course.api.schema import faults as schema_faults
from course.api.shape import (
    Check, Faults, anything, array, boolean, dictionary, fault, integer, literal, nullable, number, obj, optional,
    string, tagged,
)  # fmt: skip

__all__ = ["CALLERS", "SERVER_PREFIXES", "tool_definition"]

CALLERS = ("direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521")
SERVER_PREFIXES = ("web_search", "web_fetch", "code_execution", "tool_search_tool", "advisor")

Fields = dict[str, Check | optional]


def _common() -> Fields:
    return {
        "type": optional(anything),
        "allowed_callers": optional(array(literal(*CALLERS))),
        "cache_control": optional(cache_control()),
        "defer_loading": optional(boolean),
        "strict": optional(boolean),
    }


def _input_schema() -> Check:
    fields: Fields = {
        "type": literal("object"),
        "properties": optional(nullable(dictionary)),
        "required": optional(nullable(array(string()))),
    }
    return obj(fields, extra=True, then=schema_faults)


def _custom() -> Check:
    fields: Fields = {
        "name": string(1, 128, r"^[a-zA-Z0-9_-]{1,128}$"),
        "description": optional(string()),
        "input_schema": _input_schema(),
        "eager_input_streaming": optional(nullable(boolean)),
        "input_examples": optional(array(dictionary)),
    }
    return obj({**fields, **_common()})


def _fixed(name: str, **more: Check) -> Check:
    return obj({"name": literal(name), **_common(), **{key: optional(check) for key, check in more.items()}})


def _domains(value: Any) -> Faults:
    if value == []:
        return fault("tool.domains-empty")
    return nullable(array(string()))(value)


def _location() -> Check:
    fields = {name: optional(nullable(string(1))) for name in ("city", "country", "region", "timezone")}
    return nullable(obj({"type": literal("approximate"), **fields}))


def _search(**more: Check) -> Check:
    return _fixed(
        "web_search", allowed_domains=_domains, blocked_domains=_domains, max_uses=nullable(integer(1)),
        user_location=_location(), **more,
    )  # fmt: skip


def _fetch(**more: Check) -> Check:
    return _fixed(
        "web_fetch", allowed_domains=_domains, blocked_domains=_domains, max_uses=nullable(integer(1)),
        citations=nullable(obj({"enabled": optional(boolean)})), max_content_tokens=nullable(integer(1)), **more,
    )  # fmt: skip


def _computer(**more: Check) -> Check:
    size: Fields = {"display_height_px": integer(1), "display_width_px": integer(1)}
    rest = {"display_number": nullable(integer(0)), "input_examples": array(dictionary), **more}
    fields = {key: optional(check) for key, check in rest.items()}
    return obj({"name": literal("computer"), **size, **_common(), **fields})


def _toolset() -> Check:
    return obj(
        {"type": anything, "cache_control": optional(cache_control()), "configs": optional(nullable(dictionary))}
    )


def _mcp_toolset() -> Check:
    config = obj({"enabled": optional(boolean), "defer_loading": optional(boolean)})

    def configs(value: Any) -> Faults:
        return dictionary(value) or obj(dict.fromkeys(value, config))(value)

    fields: Fields = {
        "mcp_server_name": string(1, 255),
        "type": anything,
        "cache_control": optional(cache_control()),
        "configs": optional(nullable(configs)),
        "default_config": optional(config),
        "tools": optional(nullable(array(dictionary))),
    }
    return obj(fields)


def _advisor() -> Check:
    caps = {"max_tokens": nullable(number()), "max_uses": nullable(integer(1)), "caching": cache_control()}
    fields = {key: optional(check) for key, check in caps.items()}
    return obj({"model": string(1), "name": literal("advisor"), **_common(), **fields})


@cache
def tool_definition() -> Check:
    """Return the shape of a member of `tools`; without `type` it is a custom tool."""
    examples = array(dictionary)
    inclusion = literal("full", "excluded")
    variants = {
        "custom": _custom(),
        "bash_20241022": _fixed("bash", input_examples=examples),
        "bash_20250124": _fixed("bash", input_examples=examples),
        "text_editor_20241022": _fixed("str_replace_editor", input_examples=examples),
        "text_editor_20250124": _fixed("str_replace_editor", input_examples=examples),
        "text_editor_20250429": _fixed("str_replace_based_edit_tool", input_examples=examples),
        "text_editor_20250728": _fixed(
            "str_replace_based_edit_tool", input_examples=examples, max_characters=nullable(integer(1))
        ),
        "memory_20250818": _fixed("memory", input_examples=examples),
        "computer_20241022": _computer(),
        "computer_20250124": _computer(),
        "computer_20251124": _computer(enable_zoom=boolean),
        "computer_toolset_20260801": _toolset(),
        "browser_toolset_20260801": _toolset(),
        "web_search_20250305": _search(),
        "web_search_20260209": _search(),
        "web_search_20260318": _search(response_inclusion=inclusion),
        "web_fetch_20250910": _fetch(),
        "web_fetch_20260209": _fetch(),
        "web_fetch_20260309": _fetch(use_cache=boolean),
        "web_fetch_20260318": _fetch(
            use_cache=boolean, response_inclusion=inclusion, url_sources=nullable(dictionary)
        ),
        **{f"code_execution_{day}": _fixed("code_execution") for day in ("20250522", "20250825", "20260120", "20260521")},
        **{
            tag: _fixed(f"tool_search_tool_{kind}")
            for kind in ("bm25", "regex")
            for tag in (f"tool_search_tool_{kind}", f"tool_search_tool_{kind}_20251119")
        },
        "advisor_20260301": _advisor(),
        "mcp_toolset": _mcp_toolset(),
    }
    return tagged(variants, default="custom")
