"""Mends of tools, tool_choice and the frame of a request."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from course.traces.finding import Place
from course.traces.mend.patient import (
    MAX_TOKENS,
    Mending,
    Patient,
    block_place,
    remove_place,
)

if TYPE_CHECKING:
    from course.api.rules import Violation

__all__ = ["FRAME"]


def _names_twice(patient: Patient, broken: "Violation") -> None:
    seen: dict[str, Any] = {}
    for number, tool in enumerate(patient.body["tools"]):
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str):
            continue
        if name not in seen:
            seen[name] = tool
        elif tool == seen[name]:
            patient.drop(("tools", number))
        else:
            suffix = next(n for n in range(2, len(patient.body["tools"]) + 2) if f"{name}_{n}" not in seen)
            seen[f"{name}_{suffix}"] = tool
            patient.set(("tools", number, "name"), f"{name}_{suffix}")


def _choice_auto(patient: Patient, broken: "Violation") -> None:
    choice = patient.body.get("tool_choice")
    kept = {k: v for k, v in choice.items() if k == "disable_parallel_tool_use"} if isinstance(choice, dict) else {}
    patient.set(("tool_choice",), {"type": "auto", **kept})


def _without_strict(patient: Patient, broken: "Violation") -> None:
    if broken.place[:1] == ("tools",) and len(broken.place) > 1:
        patient.drop((*broken.place[:2], "strict"))
    elif broken.rule.startswith("strict.too-many"):
        for number, tool in enumerate(patient.body["tools"]):
            if isinstance(tool, dict) and "strict" in tool and (broken.rule != "strict.too-many-tools" or number >= 20):
                patient.drop(("tools", number, "strict"))


def _schema_nodes(patient: Patient, broken: "Violation") -> Iterator[dict[str, Any]]:
    """Yield every object of the schema in which the fault stands."""
    in_tool = broken.place[:1] == ("tools",)
    stack: list[Any] = [patient.get((*broken.place[:2], "input_schema") if in_tool else broken.place)]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack += node
        elif isinstance(node, dict):
            yield node
            stack += node.values()


def _closed(patient: Patient, broken: "Violation") -> None:
    for node in _schema_nodes(patient, broken):
        if node.get("type") == "object" or "properties" in node:
            node["additionalProperties"] = False
    patient.did("closed", broken.place)


def _enum_by_type(patient: Patient, broken: "Violation") -> None:
    """An `enum` beside several types becomes one branch a type; beside one type, values of another one leave."""
    from course.api.strict import is_of

    for node in _schema_nodes(patient, broken):
        declared, values = node.get("type"), node.get("enum")
        if not isinstance(values, list) or not declared:
            continue
        if isinstance(declared, str):
            node["enum"] = [value for value in values if is_of(declared, value)]
            continue
        fitting = {kind: [value for value in values if is_of(kind, value)] for kind in declared}
        branches = [
            {"type": kind, "enum": some} if kind != "null" else {"type": kind} for kind, some in fitting.items() if some
        ]
        del node["type"], node["enum"]
        node["anyOf"] = branches
    patient.did("by_type", broken.place)


def _no_cache(patient: Patient, broken: "Violation") -> None:
    place = broken.place[: broken.place.index("cache_control")] if "cache_control" in broken.place else broken.place
    patient.drop((*place, "cache_control"))


def _fewer_breakpoints(patient: Patient, broken: "Violation") -> None:
    """Keep the last four cache breakpoints: they cover the longest prefixes."""
    found: list[Place] = []
    for top in ("tools", "system", "messages"):
        stack: list[tuple[Place, Any]] = [((top,), patient.body.get(top))]
        while stack:
            place, node = stack.pop()
            if isinstance(node, dict):
                if node.get("cache_control") is not None:
                    found.append((*place, "cache_control"))
                stack += [((*place, k), v) for k, v in reversed(node.items()) if k != "cache_control"]
            elif isinstance(node, list):
                stack += [((*place, n), v) for n, v in reversed(list(enumerate(node)))]
    for place in found[:-4]:
        patient.drop(place)


def _frame(*names: str) -> Mending:
    def remove(patient: Patient, broken: "Violation") -> None:
        for name in names:
            patient.drop((name,))

    return remove


def _no_effort(patient: Patient, broken: "Violation") -> None:
    patient.drop(("output_config", "effort"))


def _more_tokens(patient: Patient, broken: "Violation") -> None:
    budget = patient.get(("thinking", "budget_tokens"))
    if isinstance(budget, int):
        patient.set(("max_tokens",), budget + MAX_TOKENS)


def _sampling(patient: Patient, broken: "Violation") -> None:
    named = re.match(r"`(\w+)`", broken.message)
    patient.drop(broken.place if broken.place else (named[1] if named else "temperature",))


def _media_type(patient: Patient, broken: "Violation") -> None:
    found = re.search(r"appears to be an? (image/\w+)", broken.message)
    place = (*block_place(broken.place), "source", "media_type")
    if found:
        patient.set(place, found[1])


def _code_tool(patient: Patient, broken: "Violation") -> None:
    """The version of code execution that may stand beside tools that bring their own."""
    if str(patient.get((*broken.place, "type"))).startswith("code_execution_"):
        patient.set((*broken.place, "type"), "code_execution_20260120")


FRAME: dict[str, Mending] = {
    "stop.whitespace": remove_place,
    "geo.unknown": remove_place,
    "output-format.deprecated": remove_place,
    "tool.domains-empty": remove_place,
    "thinking.last-first": _frame("thinking"),
    "thinking.budget": _more_tokens,
    "thinking.enabled-unsupported": _frame("thinking"),
    "thinking.disabled-unsupported": _frame("thinking"),
    "thinking.disabled-between-tools": _frame("thinking"),
    "thinking.adaptive-unsupported": _frame("thinking"),
    "thinking.between-unsupported": _frame("thinking"),
    "effort.unsupported": _no_effort,
    "effort.level": _no_effort,
    "effort.without-thinking": _no_effort,
    "sampling.fixed": _sampling,
    "sampling.both": _frame("top_p"),
    "sampling.temperature-thinking": _frame("temperature"),
    "sampling.top-p-thinking": _frame("top_p"),
    "sampling.top-k-thinking": _frame("top_k"),
    "container.without-code": _frame("container"),
    "cache.empty-text": _no_cache,
    "cache.in-result": _no_cache,
    "cache.ttl-order": lambda patient, broken: patient.drop(broken.place),
    "cache.too-many": _fewer_breakpoints,
    "defer.cache": _no_cache,
    "tools.names": _names_twice,
    "tools.injected": _code_tool,
    "tool.country": lambda patient, broken: patient.drop((*broken.place, "user_location")),
    "choice.any-without-tools": _frame("tool_choice"),
    "choice.unknown-tool": _choice_auto,
    "choice.forced-unsupported": _choice_auto,
    "choice.forced-thinking": _choice_auto,
    "strict.open-object": _closed,
    "strict.additional": _closed,
    "strict.property": _without_strict,
    "strict.properties": _without_strict,
    "strict.min-items": _without_strict,
    "strict.unsupported-word": _without_strict,
    "strict.unsupported-keyword": _without_strict,
    "strict.beside-union": _without_strict,
    "strict.empty": _without_strict,
    "strict.no-type": _without_strict,
    "strict.tuple": _without_strict,
    "strict.format": _without_strict,
    "strict.enum-type": _enum_by_type,
    "strict.regex-invalid": _without_strict,
    "strict.regex": _without_strict,
    "strict.no-definition": _without_strict,
    "strict.circular": _without_strict,
    "strict.unsupported": _without_strict,
    "format.unsupported": remove_place,
    "edits.unsupported": remove_place,
    "strict.too-many-tools": _without_strict,
    "strict.too-many-optional": _without_strict,
    "strict.too-many-unions": _without_strict,
    "image.type-mismatch": _media_type,
}
