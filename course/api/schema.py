"""JSON Schema as the API takes it: what every `input_schema` must be, and the subset that strict schemas allow.

The checks of an `input_schema` follow the metaschema of draft 2020-12. The strict subset and its limits are from
reports of 2026 (`rules.toml`, rows strict.*); both are plain walks, linear in the size of the schema.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from course.api.shape import Faults, fault

__all__ = ["PROPERTY_KEY", "faults", "is_schema", "limits", "properties", "strict_faults"]

PROPERTY_KEY = r"^[a-zA-Z0-9_.-]{1,64}$"
KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}\Z")

UNIONS = frozenset({"oneOf", "allOf", "anyOf"})
NULLABLE = ("properties", "required")
TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
ONE = frozenset(
    {"items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames", "contentSchema",
     "unevaluatedItems", "unevaluatedProperties"}
)  # fmt: skip
MANY = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
COUNTS = (
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
)
NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
TEXTS = ("title", "description", "$comment", "format", "$id", "$ref", "$schema", "$anchor", "$dynamicRef",
         "contentEncoding", "contentMediaType")  # fmt: skip
FLAGS = ("uniqueItems", "readOnly", "writeOnly", "deprecated")

UNSUPPORTED = {
    "array": frozenset({"contains", "maxContains", "maxItems", "minContains", "unevaluatedItems", "uniqueItems"}),
    "integer": frozenset({*NUMBERS, "multipleOf"}),
    "number": frozenset({*NUMBERS, "multipleOf"}),
    "object": frozenset(
        {"dependentRequired", "dependentSchemas", "maxProperties", "minProperties", "patternProperties",
         "propertyNames", "unevaluatedProperties"}
    ),
    "string": frozenset({"maxLength", "minLength"}),
}  # fmt: skip
REGEX_LIMITS = (
    (re.compile(r"\(\?<?[=!]"), "lookaround is not supported"),
    (re.compile(r"\\[1-9]|\(\?P="), "backreferences are not supported"),
    (re.compile(r"(?<!\\)(?:\\\\)*\\[bB]"), "word boundaries are not supported"),
)


def properties(value: Any) -> Faults:
    """Return the faults of the `properties` of an `input_schema`: its keys."""
    if value is None:
        return None
    if type(value) is not dict:
        return fault("field.dictionary")
    match = KEY.match
    return None if all(match(key) for key in value) else fault("schema.property-key", pattern=PROPERTY_KEY)


def faults(value: dict[str, Any]) -> Faults:
    """Return the faults of an `input_schema` whose type is "object". Its properties and required may be null."""
    if not UNIONS.isdisjoint(value):
        return fault("schema.root-union")
    if value.get("properties", ...) is None or value.get("required", ...) is None:
        value = {word: part for word, part in value.items() if part is not None or word not in NULLABLE}
    return None if is_schema(value) else fault("schema.invalid")


@lru_cache(maxsize=1024)
def _is_regex(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _is_count(value: Any) -> bool:
    return type(value) in (int, float) and value >= 0 and value == int(value)


def _are_texts(value: Any) -> bool:
    return type(value) is list and all(type(text) is str for text in value)


def _is_type(value: Any) -> bool:
    if type(value) is str:
        return value in TYPES
    return _are_texts(value) and bool(value) and set(value) <= TYPES and len(set(value)) == len(value)


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _are_names(value: Any) -> bool:
    return _are_texts(value) and len(set(value)) == len(value)


def _are_needs(value: Any) -> bool:
    return type(value) is dict and all(map(_are_texts, value.values()))


SOUND: Mapping[str, Callable[[Any], bool]] = {
    "type": _is_type,
    "required": _are_names,
    **dict.fromkeys(TEXTS, _is_text),
    **dict.fromkeys(COUNTS, _is_count),
    **dict.fromkeys(NUMBERS, _is_number),
    **dict.fromkeys(FLAGS, lambda value: type(value) is bool),
    **dict.fromkeys(("enum", "examples"), lambda value: type(value) is list),
    "multipleOf": lambda value: _is_number(value) and value > 0,
    "pattern": lambda value: type(value) is str and _is_regex(value),
    "dependentRequired": _are_needs,
}


def is_schema(value: Any) -> bool:
    """Tell whether `value` is a JSON Schema of draft 2020-12, as its metaschema has it."""
    todo = [value]
    while todo:
        node = todo.pop()
        if type(node) is bool:
            continue
        if type(node) is not dict:
            return False
        for word, part in node.items():
            if (sound := SOUND.get(word)) is not None:
                if not sound(part):
                    return False
            elif word in ONE:
                todo.append(part)
            elif word in MANY:
                if type(part) is not list or not part:
                    return False
                todo += part
            elif word in NAMED:
                if type(part) is not dict:
                    return False
                todo += part.values()
    return True


def _types(node: dict[str, Any]) -> list[str]:
    declared = node.get("type")
    return (
        [declared]
        if type(declared) is str
        else [t for t in declared if type(t) is str]
        if type(declared) is list
        else []
    )


def _regex_fault(pattern: Any) -> Faults:
    if type(pattern) is not str:
        return None
    for feature, detail in REGEX_LIMITS:
        if feature.search(pattern):
            return fault("strict.regex", detail=detail)
    return None


def _object_fault(node: dict[str, Any]) -> Faults:
    closed = node.get("additionalProperties")
    if "additionalProperties" not in node:
        return fault("strict.open-object")
    return fault("strict.additional", value="true" if closed is True else "object") if closed is not False else None


def _node_faults(node: Any) -> Faults:
    if type(node) is not dict or not node:
        return fault("strict.no-type")
    for word in ("oneOf", "not"):
        if word in node:
            return fault("strict.unsupported-word", word=word)
    types = _types(node)
    if not types and not node.keys() & {"$ref", "anyOf", "allOf", "enum", "const", "$defs"}:
        return fault("strict.no-type")
    for kind in types:
        if kind == "array" and node.get("minItems", 0) not in (0, 1):
            return fault("strict.min-items", low=node["minItems"], high=node.get("maxItems", "∞"))
        if kind == "object" and (found := _object_fault(node)):
            return found
        if words := sorted(node.keys() & UNSUPPORTED.get(kind, frozenset())):
            one = "strict.property" if len(words) == 1 else "strict.properties"
            return fault(one, type=kind, words=", ".join(words))
    return _regex_fault(node.get("pattern")) if "string" in types else None


def _children(node: dict[str, Any]) -> Iterator[Any]:
    for word in ("$defs", "definitions", "properties"):
        members = node.get(word)
        yield from members.values() if type(members) is dict else ()
    for word in ("anyOf", "allOf", "prefixItems"):
        members = node.get(word)
        yield from members if type(members) is list else ()
    if "items" in node:
        yield node["items"]


def _walk(schema: Any) -> Iterator[Any]:
    todo = [schema]
    while todo:
        node = todo.pop()
        yield node
        if type(node) is dict:
            todo += reversed(list(_children(node)))


def _circular(schema: Any) -> str | None:
    """Return a reference that leads back to itself, or None. Only references within the schema are followed."""
    definitions = {}
    for word in ("$defs", "definitions"):
        members = schema.get(word) if type(schema) is dict else None
        for name, part in members.items() if type(members) is dict else ():
            definitions[f"#/{word}/{name}"] = part
    definitions["#"] = {key: value for key, value in schema.items() if key not in ("$defs", "definitions")}
    leads = {
        name: [r for node in _walk(part) if type(node) is dict and type(r := node.get("$ref")) is str]
        for name, part in definitions.items()
    }
    done: set[str] = set()
    for start in leads:
        path: list[tuple[str, Iterator[str]]] = [(start, iter(leads[start]))] if start not in done else []
        trail = {start}
        while path:
            name, rest = path[-1]
            following = next(rest, None)
            if following is None:
                path.pop()
                trail.discard(name)
                done.add(name)
            elif following in trail:
                return following
            elif following in leads and following not in done:
                trail.add(following)
                path.append((following, iter(leads[following])))
    return None


def strict_faults(schema: Any) -> Faults:
    """Return the first fault of a schema that is to be compiled into a grammar, or None."""
    for node in _walk(schema):
        if found := _node_faults(node):
            return found
    reference = _circular(schema)
    return fault("strict.circular", reference=reference) if reference else None


def limits(schema: Any) -> tuple[int, int]:
    """Return (optional parameters, parameters with a union type) of a schema, nested ones included."""
    optional = unions = 0
    for node in _walk(schema):
        if type(node) is not dict or type(node.get("properties")) is not dict:
            continue
        required = node.get("required")
        needed = {name for name in required if type(name) is str} if type(required) is list else set()
        for name, part in node["properties"].items():
            optional += name not in needed
            if type(part) is dict:
                kind = part.get("type")
                unions += "anyOf" in part or (type(kind) is list and len(kind) > 1)
    return optional, unions
