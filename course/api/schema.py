"""JSON Schema as the API takes it: what every `input_schema` must be.

The checks follow the metaschema of draft 2020-12, in a plain walk that is linear in the size of the schema. The part
that strict schemas may use is in `strict.py`.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from course.api.shape import Faults, fault

__all__ = ["EXPECTED", "PROPERTY_KEY", "defect", "faults", "is_schema", "properties"]

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


def properties(value: Any) -> Faults:
    """Return the faults of the `properties` of an `input_schema`: its keys."""
    if value is None:
        return None
    if type(value) is not dict:
        return fault("field.object")
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

EXPECTED: Mapping[str, str] = {
    "required": "array",
    **dict.fromkeys((*TEXTS, "pattern"), "string"),
    **dict.fromkeys(COUNTS, "integer"),
    **dict.fromkeys((*NUMBERS, "multipleOf"), "number"),
    **dict.fromkeys(FLAGS, "boolean"),
    **dict.fromkeys((*MANY, "enum", "examples"), "array"),
    **dict.fromkeys((*NAMED, "dependentRequired"), "object"),
}


def is_schema(value: Any) -> bool:
    """Tell whether `value` is a JSON Schema of draft 2020-12, as its metaschema has it."""
    return defect(value) is None


def defect(value: Any, tuples: bool = False) -> tuple[str, Any] | None:
    """Return the first (keyword, its value) that is not as the metaschema has it, or None.

    The keyword is "" where no schema stands in a schema's place. With `tuples` a list under `items` is one of schemas,
    as it was before draft 2020-12.
    """
    todo = [value]
    while todo:
        node = todo.pop()
        if type(node) is bool:
            continue
        if type(node) is not dict:
            return "", node
        for word, part in node.items():
            if (sound := SOUND.get(word)) is not None:
                if not sound(part):
                    return word, part
            elif tuples and word == "items" and type(part) is list:
                todo += part
            elif word in ONE:
                todo.append(part)
            elif word in MANY:
                if type(part) is not list or not part:
                    return word, part
                todo += part
            elif word in NAMED:
                if type(part) is not dict:
                    return word, part
                todo += part.values()
    return None
