"""Make a value fit a JSON schema, as grammar-constrained sampling would have written it.

Covers what the API lets a strict schema hold (types, enum, const, anyOf, allOf, internal $ref, required,
additionalProperties, items, minItems, the common formats). A value that fits already comes back as it is.
"""

from collections.abc import Mapping
from typing import Any

from course.api.envelope import dump

__all__ = ["conform"]

Schema = Mapping[str, Any]
EXAMPLES = {
    "date-time": "2026-01-01T00:00:00Z", "date": "2026-01-01", "time": "00:00:00Z", "duration": "P1D",
    "email": "someone@example.com", "hostname": "example.com", "uri": "https://example.com/",
    "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uuid": "00000000-0000-4000-8000-000000000000",
}  # fmt: skip
DEPTH = 32


def conform(value: Any, schema: Any, root: Schema | None = None, depth: int = 0) -> Any:
    """Return `value`, changed no more than `schema` asks for; required members that lack get the least value."""
    if not isinstance(schema, Mapping) or depth > DEPTH:
        return value
    root = schema if root is None else root
    schema = _resolved(schema, root)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return value if value in schema["enum"] else schema["enum"][0]
    if options := schema.get("anyOf") or schema.get("oneOf"):
        for option in options:
            if dump(conform(value, option, root, depth + 1)) == dump(value):
                return value
        chosen = next((option for option in options if _fits(value, _resolved(option, root))), options[0])
        return conform(value, chosen, root, depth + 1)
    kinds = _kinds(schema)
    if not kinds:
        return value
    kind = next((kind for kind in kinds if _is(value, kind)), None)
    if kind is None:
        kind, value = kinds[0], _turned(value, kinds[0], schema)
    if kind == "object":
        return _object(value, schema, root, depth)
    return _array(value, schema, root, depth) if kind == "array" else value


def _object(value: dict[str, Any], schema: Schema, root: Schema, depth: int) -> dict[str, Any]:
    properties = schema.get("properties") or {}
    required = schema.get("required") or []
    closed = schema.get("additionalProperties") is False
    ordered = [
        *(name for name in properties if name in required),
        *(name for name in properties if name not in required),
    ]
    made = {
        name: conform(value.get(name), properties[name], root, depth + 1)
        for name in ordered
        if name in value or name in required
    }
    if not closed:
        made.update((name, member) for name, member in value.items() if name not in properties)
    return made


def _array(value: list[Any], schema: Schema, root: Schema, depth: int) -> list[Any]:
    made = [conform(member, schema.get("items"), root, depth + 1) for member in value]
    while len(made) < schema.get("minItems", 0):
        made.append(conform(None, schema.get("items"), root, depth + 1))
    return made


def _resolved(schema: Any, root: Schema) -> Schema:
    if not isinstance(schema, Mapping):
        return {}
    for _ in range(DEPTH):
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#"):
            break
        target: Any = root
        for part in filter(None, reference[1:].split("/")):
            target = target.get(part, {}) if isinstance(target, Mapping) else {}
        schema = {**target, **{key: member for key, member in schema.items() if key != "$ref"}}
    for part in schema.get("allOf") or ():
        schema = {**_resolved(part, root), **{key: member for key, member in schema.items() if key != "allOf"}}
    return schema


def _kinds(schema: Schema) -> list[str]:
    kind = schema.get("type")
    if kind is None and "properties" in schema:
        return ["object"]
    return list(kind) if isinstance(kind, list) else [kind] if isinstance(kind, str) else []


def _is(value: Any, kind: str) -> bool:
    if kind == "null":
        return value is None
    if kind in ("integer", "number"):
        return (
            isinstance(value, int | float) and not isinstance(value, bool) and (kind == "number" or value == int(value))
        )
    types: dict[str, type] = {"string": str, "boolean": bool, "array": list, "object": dict}
    return kind in types and isinstance(value, types[kind])


def _fits(value: Any, schema: Schema) -> bool:
    kinds = _kinds(schema)
    if "const" in schema:
        return bool(value == schema["const"])
    if schema.get("enum"):
        return value in schema["enum"]
    if "object" in kinds and isinstance(value, dict):
        return all(name in value for name in schema.get("required") or ())
    return any(_is(value, kind) for kind in kinds)


def _turned(value: Any, kind: str, schema: Schema) -> Any:
    """Return `value` as `kind` where a plain reading exists, else the least value of that kind."""
    if kind == "string":
        return str(value) if isinstance(value, int | float) else EXAMPLES.get(schema.get("format", ""), "")
    if kind in ("integer", "number"):
        return _number(value, kind)
    if kind == "boolean":
        return str(value).lower() == "true"
    return {"array": [value] if value is not None else [], "object": {}, "null": None}.get(kind)


def _number(value: Any, kind: str) -> int | float:
    try:
        number = float(value)
        return int(number) if kind == "integer" or number == int(number) else number
    except (TypeError, ValueError, OverflowError):
        return 0
