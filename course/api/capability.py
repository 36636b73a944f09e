"""What a request asks of a model that does not offer it."""

from collections.abc import Iterator
from typing import Any

from course.api.context import Context
from course.api.rules import Violation
from course.api.tools import called_from_code
from course.facts.models import Model

__all__ = ["check"]

BY_VERSION = ("bash_2", "browser_toolset_", "computer_", "text_editor_2")
TYPED = frozenset({"allowed_callers", "type"})
SAMPLING = frozenset({"temperature", "top_k", "top_p"})
DEEP = ("xhigh", "max")


def check(ctx: Context) -> Iterator[Violation]:
    """Yield what the request asks of a model that does not offer it."""
    if ctx.model is None:
        return
    body = ctx.body
    if not TYPED.isdisjoint(ctx.tool_words):
        yield from _tool_types(ctx)
        yield from _callers(ctx)
    if "strict" in ctx.tool_words:
        yield from _strict_tools(ctx)
    yield from _max_tokens(ctx)
    if body.get("inference_geo") is not None:
        yield from ctx.breaks("geo.unsupported", ("inference_geo",), model=ctx.model.served_id)
    if body.get("speed") is not None:
        yield from ctx.breaks("speed.unsupported", ("speed",), model=ctx.model.served_id)
    if "thinking" in body:
        yield from _thinking(ctx)
    if "output_config" in body:
        yield from _format(ctx)
        yield from _effort(ctx)
    if not SAMPLING.isdisjoint(body):
        yield from _sampling(ctx)
    if "context_management" in body:
        yield from _context_management(ctx)
    if ctx.system_turns:
        index = ctx.system_turns[0]
        yield from ctx.breaks("system-turn.unsupported", ("messages", index), index=index)
        yield from _turn_changes(ctx)
    if ctx.turns and ctx.turns[0].role == "assistant":
        yield from ctx.breaks("messages.first-role", ("messages", 0))
    if "document" in ctx.kinds:
        yield from _documents(ctx)


def _turn_changes(ctx: Context) -> Iterator[Violation]:
    for number, index, _ in ctx.blocks("tool_addition", "tool_removal"):
        yield from ctx.breaks("system-turn.tool-changes", ctx.turns[number].place(index))
        break
    for index in ctx.system_turns:
        config = ctx.messages[index].get("output_config")
        if type(config) is dict and config.get("effort") is not None:
            yield from ctx.breaks("system-turn.effort", ("messages", index, "output_config", "effort"))
            break


def _documents(ctx: Context) -> Iterator[Violation]:
    for number, index, block in ctx.blocks("document"):
        source = block.get("source")
        kind = source.get("type") if type(source) is dict else None
        if ctx.model and kind in ("base64", "url", "file"):
            yield from ctx.breaks("pdf.unsupported", ctx.turns[number].place(index), model=ctx.model.served_id)
            return


def _tool_types(ctx: Context) -> Iterator[Violation]:
    model = ctx.model
    assert model is not None
    refused = [(index, str(kind)) for index, tool in ctx.tools if not _takes(model, kind := tool.get("type"))]
    if refused:
        names = ", ".join(dict.fromkeys(name for _, name in refused))
        accepted = ", ".join(sorted(model.client_tools)) or "custom"
        place = ("tools", refused[0][0], "type")
        yield from ctx.breaks("tool.type-unsupported", place, model=model.served_id, types=names, accepted=accepted)


def _takes(model: Model, kind: Any) -> bool:
    if type(kind) is not str:
        return True
    if kind.startswith("tool_search_tool_"):
        return model.tool_search
    return kind in model.client_tools or not kind.startswith(BY_VERSION)


def _callers(ctx: Context) -> Iterator[Violation]:
    needing = [(index, tool) for index, tool in ctx.tools if called_from_code(tool)]
    if needing and ctx.model:
        names = ", ".join(str(tool.get("name")) for _, tool in needing)
        place = ("tools", needing[0][0], "allowed_callers")
        yield from ctx.breaks("callers.unsupported", place, model=ctx.model.served_id, names=names)


def _strict_tools(ctx: Context) -> Iterator[Violation]:
    strict = [index for index, tool in ctx.tools if tool.get("strict") is True]
    if strict and ctx.model:
        yield from ctx.breaks("strict.unsupported", ("tools", strict[0], "strict"), model=ctx.model.served_id)


def _format(ctx: Context) -> Iterator[Violation]:
    config = ctx.body.get("output_config")
    if type(config) is dict and config.get("format") is not None and ctx.model:
        yield from ctx.breaks("format.unsupported", ("output_config", "format"), model=ctx.model.served_id)


def _max_tokens(ctx: Context) -> Iterator[Violation]:
    asked = ctx.body.get("max_tokens")
    model = ctx.model
    assert model is not None
    limit = model.max_output
    if type(asked) is not int or asked <= limit:
        return
    for family, more in (("output-128k", 128_000), ("output-300k", 300_000)):
        if family in ctx.families:
            limit = max(limit, more)
    if asked > limit:
        values = {"value": asked, "limit": limit, "model": model.served_id}
        yield from ctx.breaks("max-tokens.too-many", ("max_tokens",), **values)


def _thinking(ctx: Context) -> Iterator[Violation]:
    asked = ctx.body.get("thinking")
    if type(asked) is not dict:
        return
    kind, place = asked.get("type"), ("thinking", "type")
    if kind == "enabled":
        yield from ctx.breaks("thinking.enabled-unsupported", place)
        budget, most = asked.get("budget_tokens"), ctx.body.get("max_tokens")
        if type(budget) is int and type(most) is int and budget >= most and "interleaved-thinking" not in ctx.families:
            yield from ctx.breaks("thinking.budget", ("thinking", "budget_tokens"))
    elif kind == "disabled":
        yield from ctx.breaks("thinking.disabled-unsupported", place)
        yield from ctx.breaks("thinking.disabled-between-tools", place)
    elif kind == "adaptive":
        yield from ctx.breaks("thinking.adaptive-unsupported", place)
    elif kind == "between_tools":
        yield from ctx.breaks("thinking.between-unsupported", place)


def _effort(ctx: Context) -> Iterator[Violation]:
    config = ctx.body.get("output_config")
    level = config.get("effort") if type(config) is dict else None
    model = ctx.model
    if type(level) is not str or model is None:
        return
    place = ("output_config", "effort")
    yield from ctx.breaks("effort.unsupported", place)
    if level not in model.effort and level in (*DEEP, "low", "medium", "high"):
        levels = ", ".join(sorted(model.effort))
        yield from ctx.breaks("effort.level", place, level=level, levels=levels)
    asked = ctx.body.get("thinking")
    quiet = type(asked) is dict and asked.get("type") in ("disabled", "between_tools")
    if quiet and level in DEEP and level in model.effort:
        yield from ctx.breaks("effort.without-thinking", place, level=level)


def _sampling(ctx: Context) -> Iterator[Violation]:
    body = ctx.body
    asked = body.get("thinking")
    thinking = type(asked) is dict and asked.get("type") in ("enabled", "adaptive")
    temperature, top_p, top_k = body.get("temperature"), body.get("top_p"), body.get("top_k")
    if thinking:
        if type(temperature) in (int, float) and temperature != 1:
            yield from ctx.breaks("sampling.temperature-thinking", ("temperature",))
        if top_p is not None and type(top_p) in (int, float) and top_p < 0.95:
            yield from ctx.breaks("sampling.top-p-thinking", ("top_p",))
        if type(top_k) is int:
            yield from ctx.breaks("sampling.top-k-thinking", ("top_k",))
    if type(temperature) in (int, float) and temperature != 1:
        yield from ctx.breaks("sampling.fixed", ("temperature",), name="temperature")
    if type(top_p) in (int, float):
        yield from ctx.breaks("sampling.fixed", ("top_p",), name="top_p")
    if type(top_k) is int:
        yield from ctx.breaks("sampling.fixed", ("top_k",), name="top_k")
    if type(temperature) in (int, float) and type(top_p) in (int, float):
        yield from ctx.breaks("sampling.both", ("top_p",))


def _context_management(ctx: Context) -> Iterator[Violation]:
    management = ctx.body.get("context_management")
    edits = management.get("edits") if type(management) is dict else None
    asked = ctx.body.get("thinking")
    thinking = type(asked) is dict and asked.get("type") in ("adaptive", "between_tools", "enabled")
    for index, edit in enumerate(edits if type(edits) is list else ()):
        kind = edit.get("type") if type(edit) is dict else None
        place = ("context_management", "edits", index)
        if type(kind) is str and kind.startswith("compact_") and ctx.model:
            yield from ctx.breaks("edits.unsupported", place, model=ctx.model.served_id, strategy=kind)
        if type(kind) is not str or not kind.startswith("clear_thinking_"):
            continue
        if not thinking:
            yield from ctx.breaks("edits.thinking-off", place, strategy=kind)
        elif index:
            yield from ctx.breaks("edits.thinking-first", place, strategy=kind)
