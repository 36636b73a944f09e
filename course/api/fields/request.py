"""The shape of a whole Messages request: its fields in the order in which the API reports them.

The order was measured by a published probe of 2026-08-31 (18 fields, 137 calls): model, tool_choice, tools, messages,
system, thinking, output_config, cache_control, max_tokens, metadata, stop_sequences, temperature, service_tier,
top_k, top_p, stream, container, inference_geo, then unknown fields in the order sent.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from course.api.fields.blocks import block, cache_control, text
from course.api.fields.tooldefs import tool_definition
from course.api.shape import (
    Check, Fault, Faults, anything, array, boolean, dictionary, fault, integer, literal, nullable, number, obj,
    optional, string, tagged, text_or,
)  # fmt: skip

__all__ = ["faults"]

Fields = dict[str, Check | optional]


@cache
def _message() -> Check:
    fields: Fields = {"content": text_or(array(block())), "role": string()}
    ordinary = obj(fields, bad="field.object")
    system = obj({**fields, "output_config": optional(nullable(dictionary))}, bad="field.object")

    def check(value: Any) -> Faults:
        return (system if type(value) is dict and value.get("role") == "system" else ordinary)(value)

    return check


def _messages(value: Any) -> Faults:
    if type(value) is not list:
        return fault("field.array")
    if not value:
        return fault("messages.empty")
    found: list[Fault] = []
    for index, item in enumerate(value):
        role = item.get("role") if type(item) is dict else None
        if type(role) is str and role not in ("user", "assistant", "system"):
            found.append(Fault("messages.role-unknown", (index, "role"), (), {"role": role}))
    return found + (array(_message())(value) or []) or None


@cache
def _tool_choice() -> Check:
    parallel = optional(boolean)
    variants = {
        "auto": obj({"type": anything, "disable_parallel_tool_use": parallel}),
        "any": obj({"type": anything, "disable_parallel_tool_use": parallel}),
        "tool": obj({"name": string(), "type": anything, "disable_parallel_tool_use": parallel}),
        "none": obj({"type": anything}),
    }
    return tagged(variants, tags=("auto", "any", "tool", "none"))


@cache
def _thinking() -> Check:
    display = optional(nullable(literal("summarized", "omitted")))
    binding = optional(nullable(dictionary))
    shared: Fields = {"type": anything, "display": display, "block_binding": binding}
    variants = {
        "adaptive": obj(shared),
        "between_tools": obj({"type": anything, "block_binding": binding}),
        "disabled": obj({"type": anything}),
        "enabled": obj({"budget_tokens": integer(1024), **shared}),
    }
    return tagged(variants)


@cache
def _output_config() -> Check:
    budget: Fields = {"total": integer(), "type": literal("tokens"), "remaining": optional(nullable(integer()))}
    fields: Fields = {
        "effort": optional(nullable(literal("low", "medium", "high", "xhigh", "max"))),
        "format": optional(nullable(_format())),
        "task_budget": optional(nullable(obj(budget))),
    }
    return obj(fields)


@cache
def _format() -> Check:
    return obj({"schema": dictionary, "type": literal("json_schema")})


def _stop_sequences(value: Any) -> Faults:
    if found := array(string())(value):
        return found
    return fault("stop.whitespace") if any(not stop.strip() for stop in value) else None


def _inference_geo(value: Any) -> Faults:
    if found := string()(value):
        return found
    return None if value in ("global", "us") else fault("geo.unknown")


@cache
def _container() -> Check:
    params = obj({"id": optional(nullable(string())), "skills": optional(nullable(array(dictionary)))})

    def check(value: Any) -> Faults:
        found = params(value)
        return [Fault(f.rule, f.place, ("ContainerParams", *f.loc), f.values) for f in found] if found else None

    return text_or(check)


@cache
def _context_management() -> Check:
    free = obj({"type": anything}, extra=True)
    edits = array(tagged(dict.fromkeys(("clear_thinking_20251015", "clear_tool_uses_20250919", "compact_20260112"), free)))
    return nullable(obj({"edits": optional(edits)}))


@cache
def _mcp_servers() -> Check:
    fields: Fields = {
        "name": string(1),
        "type": literal("url"),
        "url": string(1),
        "authorization_token": optional(nullable(string())),
        "tool_configuration": optional(nullable(dictionary)),
    }
    return array(obj(fields))


@lru_cache(maxsize=64)
def _request(version: str, extras: frozenset[str]) -> Check:
    user = nullable(string(0, 256))
    fields: Fields = {
        "model": string(1),
        "tool_choice": optional(_tool_choice()),
        "tools": optional(array(tool_definition())),
        "messages": _messages,
        "system": optional(text_or(array(text(tag=literal("text"))))),
        "thinking": optional(_thinking()),
        "output_config": optional(_output_config()),
        "cache_control": optional(cache_control()),
        "max_tokens": integer(0, below="max-tokens.negative"),
        "metadata": optional(nullable(obj({"user_id": optional(user)}))),
        "stop_sequences": optional(nullable(_stop_sequences)),
        "temperature": optional(number(0, 1)),
        "service_tier": optional(literal("auto", "standard_only")),
        "top_k": optional(integer()),
        "top_p": optional(number(0, 1)),
        "stream": optional(boolean),
        "container": optional(nullable(_container())),
        "inference_geo": optional(nullable(_inference_geo)),
    }
    if version >= "2026-10-21":
        for name in ("temperature", "top_p", "top_k"):
            del fields[name]
    beta: Mapping[str, Check] = {
        "context_management": _context_management(),
        "mcp_servers": _mcp_servers(),
        "output_format": nullable(_format()),
    }
    fields |= {name: optional(beta.get(name, anything)) for name in sorted(extras)}
    return obj(fields)


def faults(body: Any, version: str, extras: frozenset[str]) -> list[Fault]:
    """Return every field error of `body`; `extras` are the fields that betas add to it."""
    return _request(version, extras)(body) or []
