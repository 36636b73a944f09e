"""Mends of single fields: wrong types, unknown keys, names, numbers."""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from course.facts import FactError, default_model, model, say
from course.traces.mend.patient import (
    GONE,
    MAX_TOKENS,
    Mending,
    Patient,
    as_text,
    block_place,
    decoded,
    likely_role,
    remove_place,
)

if TYPE_CHECKING:
    from course.api.rules import Violation

__all__ = ["FIELDS"]

TRUTH = {"true": True, "false": False, "True": True, "False": False, 1: True, 0: False}


def _required(patient: Patient, broken: "Violation") -> None:
    place = broken.place
    match place:
        case ("model",):
            patient.set(place, default_model())
        case ("max_tokens",):
            patient.set(place, MAX_TOKENS)
        case ("messages", int(), "role"):
            patient.set(place, likely_role(patient, place[:2]))
        case ("messages", int(), "content"):
            patient.drop(place[:2])
        case ("messages", *_, "input"):
            patient.set(place, {})
        case ("messages", *_, "text" | "thinking" | "signature" | "data"):
            patient.drop(block_place(place))
        case ("messages", *_, "type"):
            patient.set(block_place(place), as_text(patient.get(block_place(place))), "as_text")
        case ("tools", int(), "input_schema"):
            given = patient.get((*place[:2], "parameters"))
            patient.set(place, given if isinstance(given, dict) else {"type": "object"})
        case ("tools", int(), "input_schema", "type"):
            patient.set(place, "object")


def _dictionary(patient: Patient, broken: "Violation") -> None:
    if isinstance(found := decoded(patient.get(broken.place)), dict):
        patient.set(broken.place, found, "decoded")


def _array(patient: Patient, broken: "Violation") -> None:
    value, place = patient.get(broken.place), broken.place
    if isinstance(found := decoded(value), list):
        patient.set(place, found, "decoded")
    elif place == ("messages",) and isinstance(value, str):
        patient.set(place, [{"role": "user", "content": value}])
    elif place[-1] == "content" and isinstance(value, dict):
        patient.set(place, [value])
    elif place[-1] == "content" and value is None:
        patient.drop(place[:-1] if len(place) == 3 else place)
    elif place[-1] == "content":
        patient.set(place, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    elif isinstance(value, dict | str) and value:
        patient.set(place, [value])


def _result(patient: Patient, broken: "Violation") -> None:
    """An object that is a block becomes a list of it, any other its JSON."""
    value = patient.get(broken.place)
    is_block = isinstance(value, dict) and value.get("type") in ("text", "image", "document", "search_result")
    patient.set(broken.place, [value] if is_block else json.dumps(value, ensure_ascii=False))


def _object(patient: Patient, broken: "Violation") -> None:
    value, place = patient.get(broken.place), broken.place
    if place == ("tool_choice",) and isinstance(value, str):
        named = {"auto": "auto", "any": "any", "none": "none", "required": "any"}.get(value)
        patient.set(place, {"type": named} if named else {"type": "tool", "name": value})
    elif place[:1] == ("messages",) and len(place) == 2:
        patient.set(place, {"role": likely_role(patient, place), "content": str(value)})
    elif place[:1] == ("messages",) and len(place) > 3 and isinstance(place[-1], int):
        patient.set(place, as_text(value), "as_text")
    elif place[-1] == "properties":
        patient.set(place, {})
    elif place[-1] == "cache_control":
        patient.drop(place)


def _tag(patient: Patient, broken: "Violation") -> None:
    value, place = patient.get(broken.place), broken.place
    if place[-1] == "caller":
        patient.drop(place)
    elif place == ("tool_choice",) and isinstance(value, dict):
        function = value.get("function")
        name = function.get("name") if isinstance(function, dict) else value.get("name")
        patient.set(place, {"type": "tool", "name": name} if name else {"type": "any"})
    elif place[:1] == ("tools",) and len(place) == 2 and isinstance(value, dict) and value.get("type") == "function":
        from course.traces.openai import translated

        patient.set(place, translated({"messages": [], "tools": [value]})[0]["tools"][0])
    elif place[:1] == ("messages",) and len(place) > 3:
        patient.set(block_place(place), as_text(patient.get(block_place(place))), "as_text")


def _string(patient: Patient, broken: "Violation") -> None:
    value = patient.get(broken.place)
    if broken.place == ("model",):
        patient.set(broken.place, default_model())
    elif broken.place[-1] == "text" and value is None:
        patient.drop(block_place(broken.place))
    elif broken.place[-1] in ("text", "content", "description") and value is not GONE:
        patient.set(broken.place, json.dumps(value, ensure_ascii=False), "as_text")


def _boolean(patient: Patient, broken: "Violation") -> None:
    value = patient.get(broken.place)
    if isinstance(value, str | int) and value in TRUTH:
        patient.set(broken.place, TRUTH[value])


def _numeric(patient: Patient, broken: "Violation") -> None:
    value = patient.get(broken.place)
    if isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value):
        patient.set(broken.place, json.loads(value) if "." in value else int(value))
    elif isinstance(value, float) and value.is_integer():
        patient.set(broken.place, int(value))
    elif broken.place == ("max_tokens",):
        patient.set(broken.place, MAX_TOKENS)
    elif broken.place[0] != "messages":
        patient.drop(broken.place)


def _max_tokens(patient: Patient, broken: "Violation") -> None:
    try:
        limit = model(str(patient.body.get("model"))).max_output
    except FactError:
        limit = MAX_TOKENS
    patient.set(("max_tokens",), limit if broken.rule == "max-tokens.too-many" else MAX_TOKENS)


def _literal(patient: Patient, broken: "Violation") -> None:
    if broken.place[-2:] == ("input_schema", "type"):
        patient.set(broken.place, "object")


def _name(patient: Patient, broken: "Violation") -> None:
    """Make a name or an id of allowed characters and length, everywhere it is used."""
    old, place = patient.get(broken.place), broken.place
    if not isinstance(old, str):
        return
    if place[-1] in ("id", "tool_use_id"):
        new = re.sub(r"[^a-zA-Z0-9_-]", "_", old) or "toolu_mended"
        if "server_tool_use" in broken.message or "_tool_result" in broken.message.partition("tool_result.")[0]:
            new = "srvtoolu_" + re.sub(r"[^a-zA-Z0-9_]", "_", old.removeprefix("srvtoolu_"))
        _rename(patient, ("id", "tool_use_id"), old, new)
    elif place[-1] == "name":
        limit = 200 if place[0] == "messages" else 128
        new = re.sub(r"[^a-zA-Z0-9_-]", "_", old)[:limit] or "tool"
        _rename(patient, ("name", "tool_name"), old, new)


def _rename(patient: Patient, keys: Sequence[str], old: str, new: str) -> None:
    if old == new:
        return
    stack: list[Any] = [patient.body.get("messages"), patient.body.get("tools"), patient.body.get("tool_choice")]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack += node
        elif isinstance(node, dict):
            node.update({key: new for key in keys if node.get(key) == old})
            stack += [value for key, value in node.items() if key not in ("input", "input_schema")]
    patient.actions.append(say("traces.action.rename", old=old, new=new))


def _whole_characters(patient: Patient, broken: "Violation") -> None:
    """Put a replacement character where half of a surrogate pair stands alone."""
    if broken.rule == "body.not-json":
        text = json.dumps(patient.body, ensure_ascii=False)
        patient.body = json.loads(re.sub("[\ud800-\udfff]", "\ufffd", text))
        patient.did("characters", ())


FIELDS: dict[str, Mending] = {
    "body.not-json": _whole_characters,
    "field.required": _required,
    "field.extra": remove_place,
    "field.dictionary": _dictionary,
    "field.array": _array,
    "field.object": _object,
    "field.tag": _tag,
    "result.content-object": _result,
    "field.string": _string,
    "field.boolean": _boolean,
    "field.integer": _numeric,
    "field.number": _numeric,
    "field.literal": _literal,
    "field.pattern": _name,
    "field.too-long": _name,
    "max-tokens.negative": _max_tokens,
    "max-tokens.too-many": _max_tokens,
}
