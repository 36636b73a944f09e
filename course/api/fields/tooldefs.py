"""Shapes of the members of `tools`, by type.

Source of fields and fixed names: SDK 2.15.0 types (2026-11); of the refusals: `rules.toml`.
"""

from functools import cache
from typing import Any

from course.api import shape as s
from course.api.fields.blocks import cache_control
from course.api.schema import faults as schema_faults
from course.api.schema import properties
from course.api.shape import Check, Faults, Fields
from course.api.strict import strict_faults

__all__ = ["CALLERS", "tool_definition"]

CALLERS = ("direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521")

# The tools of the two toolsets: those of both, and those of one.
POINTING = (
    "double_click", "hold_key", "key", "left_click", "left_click_drag", "left_mouse_down", "left_mouse_up",
    "middle_click", "mouse_move", "right_click", "screenshot", "scroll", "triple_click", "type", "wait", "zoom",
)  # fmt: skip
REFUSED_COUNTRIES = ("CR", "KZ")  # Those of which reports quote the refusal.
COMPUTER = ("cursor_position",)
BROWSER = (
    "close_tab", "file_upload", "find", "form_input", "get_page_text", "hover", "javascript_exec", "list_tabs",
    "navigate", "new_tab", "read_console", "read_network", "read_page", "scroll_to", "switch_tab",
)  # fmt: skip


def _common() -> Fields:
    return {
        "type": s.optional(s.anything),
        "allowed_callers": s.optional(s.array(s.literal(*CALLERS))),
        "cache_control": s.optional(cache_control()),
        "defer_loading": s.optional(s.boolean),
        "strict": s.optional(s.boolean),
    }


def _input_schema() -> Check:
    fields: Fields = {
        "type": s.literal("object"),
        "properties": s.optional(properties),
        "required": s.optional(s.nullable(s.array(s.string()))),
    }
    return s.obj(fields, extra=True, bad="field.object", then=schema_faults)


def _custom() -> Check:
    fields: Fields = {
        "name": s.string(1, 128, r"^[a-zA-Z0-9_-]{1,128}$"),
        "description": s.optional(s.string()),
        "input_schema": _input_schema(),
        "eager_input_streaming": s.optional(s.nullable(s.boolean)),
        "input_examples": s.optional(s.array(s.dictionary)),
    }
    return s.obj({**fields, **_common()}, then=_strict)


def _strict(tool: dict[str, Any]) -> Faults:
    return strict_faults(tool["input_schema"]) if tool.get("strict") is True else None


def _fixed(name: str, then: Check | None = None, **more: Check) -> Check:
    return s.obj({"name": s.literal(name), **_common(), **_optional(more)}, then=then or _one_domain_list)


def _optional(more: dict[str, Check]) -> Fields:
    return {key: s.optional(check) for key, check in more.items()}


def _one_domain_list(tool: dict[str, Any]) -> Faults:
    both = tool.get("allowed_domains") is not None and tool.get("blocked_domains") is not None
    return s.fault("tool.domains-both") if both else None


def _domains(value: Any) -> Faults:
    if value == []:
        return s.fault("tool.domains-empty")
    return s.nullable(s.array(s.string()))(value)


def _location() -> Check:
    fields: Fields = {name: s.optional(s.nullable(s.string(1))) for name in ("city", "country", "region", "timezone")}
    return s.nullable(s.obj({"type": s.literal("approximate"), **fields}))


def _whole_search(tool: dict[str, Any]) -> Faults:
    place = tool.get("user_location") or {}
    if place.get("country") in REFUSED_COUNTRIES:
        return s.fault("tool.country", code=place["country"])
    return _one_domain_list(tool)


def _search(**more: Check) -> Check:
    return _fixed(
        "web_search", _whole_search, allowed_domains=_domains, blocked_domains=_domains,
        max_uses=s.nullable(s.integer(1)), user_location=_location(), **more,
    )  # fmt: skip


def _fetch(**more: Check) -> Check:
    return _fixed(
        "web_fetch", allowed_domains=_domains, blocked_domains=_domains, max_uses=s.nullable(s.integer(1)),
        citations=s.nullable(s.obj({"enabled": s.optional(s.boolean)})), max_content_tokens=s.nullable(s.integer(1)),
        url_sources=s.nullable(s.dictionary), **more,
    )  # fmt: skip


def _computer(**more: Check) -> Check:
    size: Fields = {"display_height_px": s.integer(1), "display_width_px": s.integer(1)}
    rest = {"display_number": s.nullable(s.integer(0)), "input_examples": s.array(s.dictionary), **more}
    return s.obj({"name": s.literal("computer"), **size, **_common(), **_optional(rest)})


def _toolset(*members: str) -> Check:
    setting = s.optional(s.nullable(s.boolean))
    config = s.nullable(s.obj({"enabled": setting, "defer_loading": setting}))
    shape = s.obj(
        {
            "type": s.anything,
            "cache_control": s.optional(cache_control()),
            "configs": s.optional(s.nullable(s.obj(dict.fromkeys(members, s.optional(config))))),
        }
    )

    def check(value: Any) -> Faults:
        return s.fault("toolset.name") if type(value) is dict and "name" in value else shape(value)

    return check


def _mcp_toolset() -> Check:
    config = s.obj({"enabled": s.optional(s.boolean), "defer_loading": s.optional(s.boolean)})

    def configs(value: Any) -> Faults:
        return s.dictionary(value) or s.obj(dict.fromkeys(value, config))(value)

    fields: Fields = {
        "mcp_server_name": s.string(1, 255),
        "type": s.anything,
        "cache_control": s.optional(cache_control()),
        "configs": s.optional(s.nullable(configs)),
        "default_config": s.optional(config),
        "tools": s.optional(s.nullable(s.array(s.dictionary))),
    }
    return s.obj(fields)


def _advisor() -> Check:
    caps = {"max_tokens": s.nullable(s.integer(1024)), "max_uses": s.nullable(s.integer(1)), "caching": cache_control()}
    return s.obj({"model": s.string(1), "name": s.literal("advisor"), **_common(), **_optional(caps)})


@cache
def tool_definition(*, computer: bool) -> Check:
    """Return the shape of a member of `tools`; without `type` it is a custom tool.

    With `computer` (the beta computer-use) the older client tools of that beta are known too.
    """
    examples = s.array(s.dictionary)
    inclusion = s.literal("full", "excluded")
    variants = {
        "custom": _custom(),
        "bash_20250124": _fixed("bash", input_examples=examples),
        "text_editor_20250124": _fixed("str_replace_editor", input_examples=examples),
        "text_editor_20250429": _fixed("str_replace_based_edit_tool", input_examples=examples),
        "text_editor_20250728": _fixed(
            "str_replace_based_edit_tool", input_examples=examples, max_characters=s.nullable(s.integer(1))
        ),
        "memory_20250818": _fixed("memory", input_examples=examples),
        "computer_toolset_20260801": _toolset(*POINTING, *COMPUTER),
        "browser_toolset_20260801": _toolset(*POINTING, *BROWSER),
        "web_search_20250305": _search(),
        "web_search_20260209": _search(),
        "web_search_20260318": _search(response_inclusion=inclusion),
        "web_fetch_20250910": _fetch(),
        "web_fetch_20260209": _fetch(),
        "web_fetch_20260309": _fetch(use_cache=s.boolean),
        "web_fetch_20260318": _fetch(use_cache=s.boolean, response_inclusion=inclusion),
        **{
            f"code_execution_{day}": _fixed("code_execution")
            for day in ("20250522", "20250825", "20260120", "20260521")
        },
        **{
            tag: _fixed(f"tool_search_tool_{kind}")
            for kind in ("bm25", "regex")
            for tag in (f"tool_search_tool_{kind}", f"tool_search_tool_{kind}_20251119")
        },
        "advisor_20260301": _advisor(),
        "mcp_toolset": _mcp_toolset(),
    }
    if computer:
        variants |= {
            "bash_20241022": _fixed("bash", input_examples=examples),
            "text_editor_20241022": _fixed("str_replace_editor", input_examples=examples),
            "computer_20241022": _computer(),
            "computer_20250124": _computer(),
            "computer_20251124": _computer(enable_zoom=s.boolean),
        }
    return s.tagged(variants, default="custom")
