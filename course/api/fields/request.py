"""The shape of a whole Messages request: its fields in the order in which the API reports them.

The order was measured by a published probe of 2026-08-31 (18 fields, 137 calls): model, tool_choice, tools, messages,
system, thinking, output_config, cache_control, max_tokens, metadata, stop_sequences, temperature, service_tier,
top_k, top_p, stream, container, inference_geo, then unknown fields in the order sent.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from course.api import shape as s
from course.api.fields.blocks import block, cache_control, text
from course.api.fields.edits import context_management
from course.api.fields.tooldefs import tool_definition
from course.api.shape import Check, Fault, Faults, Fields
from course.api.strict import answer_faults
from course.facts.loader import load

__all__ = ["faults"]

ROLES = ("user", "assistant", "system")
CHANGING = frozenset(
    {
        "computer-use",
        "mid-conversation-output-config",
        "mid-conversation-system-clear-at",
        "per-turn-control",
        "thinking-binding-controls",
        "thinking-display-updates",
    }
)
# What betas add to a message, and what a system turn may have there.
OF_SYSTEM_TURNS = {
    "mid-conversation-output-config": "output_config",
    "mid-conversation-system-clear-at": "clear_at",
    "per-turn-control": "output_config",
}
EFFORT = ("low", "medium", "high", "xhigh", "max")
LEAST_BUDGET = 20_000


@cache
def _messages(families: frozenset[str]) -> Check:
    blocks = s.array(block(tool_definition(computer="computer-use" in families)))
    content = s.text_or(blocks)
    added = list(dict.fromkeys(field for family, field in OF_SYSTEM_TURNS.items() if family in families))
    fields: Fields = {"content": content, "role": s.string()}
    elsewhere: Fields = {field: s.optional(s.nullable(_only_system(field))) for field in added}
    ordinary = s.obj({**fields, **elsewhere}, bad="field.object")
    config = s.obj({"effort": s.optional(s.nullable(s.literal(*EFFORT)))})
    known: Fields = {
        "output_config": s.optional(s.nullable(config)),
        "clear_at": s.optional(s.nullable(s.literal("next_user_message", "never"))),
    }
    if "output_config" in added:
        fields["content"] = s.optional(content)
    system = s.obj({**fields, **{field: known[field] for field in added}}, bad="field.object")

    def check(value: Any) -> Faults:
        if type(value) is not list or not value:
            return s.fault("messages.empty" if value == [] else "field.array")
        # A role that there is not is reported without the index of its message, before what else is wrong there.
        strange: list[Fault] = []
        found: list[Fault] = []
        for index, item in enumerate(value):
            role = item.get("role") if type(item) is dict else None
            # Nearly every message: a known role, sound content, nothing else.
            if (
                role in ROLES
                and len(item) == 2
                and (type(content := item.get("content")) is str or (type(content) is list and not blocks(content)))
            ):
                continue
            if role not in ROLES and type(role) is str:
                strange.append(Fault("messages.role-unknown", (index, "role"), (), {"role": role}))
            if faults := (system if role == "system" else ordinary)(item):
                found += s.under(faults, index)
        return strange + found or None

    return check


def _only_system(field: str) -> Check:
    return lambda _: s.fault("system-turn.field", name=field)


@cache
def _tool_choice() -> Check:
    parallel = s.optional(s.boolean)
    variants = {
        "auto": s.obj({"type": s.anything, "disable_parallel_tool_use": parallel}),
        "any": s.obj({"type": s.anything, "disable_parallel_tool_use": parallel}),
        "tool": s.obj({"name": s.string(), "type": s.anything, "disable_parallel_tool_use": parallel}),
        "none": s.obj({"type": s.anything}),
    }
    return s.tagged(variants, tags=("auto", "any", "tool", "none"))


@cache
def _thinking(binding: bool, updates: bool) -> Check:
    on_mismatch = s.obj({"prefix_mismatch_behavior": s.optional(s.nullable(s.literal("error", "drop_block")))})
    bound: Fields = {"block_binding": s.optional(s.nullable(on_mismatch))} if binding else {}
    shared: Fields = {
        "type": s.anything,
        "display": s.optional(s.nullable(s.literal("summarized", "omitted", *(("updates",) if updates else ())))),
        **bound,
    }
    variants = {
        "adaptive": s.obj(shared),
        "between_tools": s.obj({"type": s.anything, **bound}),
        "disabled": s.obj({"type": s.anything}),
        "enabled": s.obj({"budget_tokens": s.integer(1024), **shared}),
    }
    return s.tagged(variants)


@cache
def _output_config() -> Check:
    budget: Fields = {
        "total": s.integer(LEAST_BUDGET),
        "type": s.literal("tokens"),
        "remaining": s.optional(s.nullable(s.integer())),
    }
    fields: Fields = {
        "effort": s.optional(s.nullable(s.literal(*EFFORT))),
        "format": s.optional(s.nullable(_format())),
        "task_budget": s.optional(s.nullable(s.obj(budget))),
    }
    return s.obj(fields)


@cache
def _format() -> Check:
    return s.obj({"schema": _answer_schema, "type": s.literal("json_schema")})


def _answer_schema(value: Any) -> Faults:
    return s.dictionary(value) or answer_faults(value)


def _stop_sequences(value: Any) -> Faults:
    if found := s.array(s.string())(value):
        return found
    return s.fault("stop.whitespace") if any(not stop.strip() for stop in value) else None


def _inference_geo(value: Any) -> Faults:
    if found := s.string()(value):
        return found
    return None if value in ("global", "us") else s.fault("geo.unknown")


@cache
def _container() -> Check:
    params = s.obj({"id": s.optional(s.nullable(s.string())), "skills": s.optional(s.nullable(s.array(s.dictionary)))})

    def check(value: Any) -> Faults:
        found = params(value)
        return [Fault(f.rule, f.place, ("ContainerParams", *f.loc), f.values) for f in found] if found else None

    return s.text_or(check)


@cache
def _mcp_servers() -> Check:
    fields: Fields = {
        "name": s.string(1),
        "type": s.literal("url"),
        "url": s.string(1),
        "authorization_token": s.optional(s.nullable(s.string())),
        "tool_configuration": s.optional(s.nullable(s.dictionary)),
    }
    return s.array(s.obj(fields))


def _deprecated_format(value: Any) -> Faults:
    return s.fault("output-format.deprecated")


def _edits_only(body: Any, kind: str) -> bool:
    management = body.get("context_management") if type(body) is dict else None
    edits = management.get("edits") if type(management) is dict else None
    return type(edits) is list and bool(edits) and all(type(e) is dict and e.get("type") == kind for e in edits)


def _beta_fields(families: frozenset[str]) -> Fields:
    """Return the fields that betas add, each where its beta is named or is not asked for."""
    known: Mapping[str, Check] = {
        "context_management": context_management(),
        "mcp_servers": _mcp_servers(),
        "output_format": s.nullable(_format()),
        "speed": s.nullable(s.literal("standard", "fast")),
    }
    added = load("betas")["fields"]
    return {
        name: s.optional(known.get(name, s.anything))
        for name, row in added.items()
        if not row.get("enforced", True) or not families.isdisjoint(row["families"])
    }


@lru_cache(maxsize=64)
def _request(version: str, families: frozenset[str], counting: bool) -> Check:
    user = s.nullable(s.string(0, 256))
    fields: Fields = {
        "model": s.string(1, 256),
        "tool_choice": s.optional(_tool_choice()),
        "tools": s.optional(s.array(tool_definition(computer="computer-use" in families))),
        "messages": _messages(families),
        "system": s.optional(s.text_or(s.array(text(tag=s.literal("text"))))),
        "thinking": s.optional(
            _thinking("thinking-binding-controls" in families, "thinking-display-updates" in families)
        ),
        "output_config": s.optional(_output_config()),
        "cache_control": s.optional(cache_control()),
        "max_tokens": s.integer(0, below="max-tokens.negative"),
        "metadata": s.optional(s.nullable(s.obj({"user_id": s.optional(user)}))),
        "stop_sequences": s.optional(s.nullable(_stop_sequences)),
        "temperature": s.optional(s.number(0, 1)),
        "service_tier": s.optional(s.literal("auto", "standard_only")),
        "top_k": s.optional(s.integer()),
        "top_p": s.optional(s.number(0, 1)),
        "stream": s.optional(s.boolean),
        "container": s.optional(s.nullable(_container())),
        "inference_geo": s.optional(s.nullable(_inference_geo)),
        "diagnostics": s.optional(s.nullable(s.obj({"previous_message_id": s.optional(s.nullable(s.string()))}))),
        "output_format": s.optional(_deprecated_format),
        **_beta_fields(families),
    }
    gone = ("temperature", "top_p", "top_k") if version >= "2026-10-21" else ()
    sampled = (
        ("max_tokens", "metadata", "stop_sequences", "stream", "temperature", "top_k", "top_p") if counting else ()
    )
    return s.obj({name: check for name, check in fields.items() if name not in (*gone, *sampled)})


def faults(body: Any, version: str, families: frozenset[str], counting: bool) -> list[Fault]:
    """Return every field error of `body`. `families` are the betas asked for, without their dates."""
    relevant = families & _relevant()
    if _edits_only(body, "compact_20260112"):
        # Recorded exchanges with this edit alone name no beta; see docs/deviations.md.
        relevant |= {"compact"}
    return _request(version, relevant, counting)(body) or []


@cache
def _relevant() -> frozenset[str]:
    """Return the betas that change the shape of a request."""
    added = {family for row in load("betas")["fields"].values() for family in row["families"]}
    return frozenset(added) | CHANGING
