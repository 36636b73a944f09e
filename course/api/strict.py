"""The part of JSON Schema that becomes a grammar: what `strict` tools and `output_config.format` may use.

Which keywords are refused, and in which words, was measured by several projects on models of 2026
(2026-09-04 to 2026-10-04, `rules.toml`, rows strict.*). Lengths of strings are accepted there and not kept. All is
plain walks, linear in the size of the schema.
"""

import re
from collections.abc import Iterator
from typing import Any

from course.api.schema import EXPECTED, defect
from course.api.shape import Faults, fault

__all__ = ["answer_faults", "is_of", "limits", "strict_faults"]

NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
UNSUPPORTED = {
    "array": frozenset(
        {"contains", "maxContains", "maxItems", "minContains", "prefixItems", "unevaluatedItems", "uniqueItems"}
    ),
    "integer": frozenset({*NUMBERS, "multipleOf"}),
    "number": frozenset({*NUMBERS, "multipleOf"}),
    "object": frozenset(
        {"dependentRequired", "dependentSchemas", "if", "maxProperties", "minProperties", "patternProperties",
         "propertyNames", "unevaluatedProperties"}
    ),
}  # fmt: skip
FORMATS = frozenset({"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"})
ANNOTATIONS = frozenset({"description", "title"})
COMBINED = ("anyOf", "allOf")
BESIDE = ANNOTATIONS | {*COMBINED, "const", "default", "enum"}  # What may stand beside a union.
TYPELESS = frozenset({"$ref", *COMBINED, "enum", "const", "$defs", "definitions"})
PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": (int, float),
    "object": dict,
    "string": str,
}
UNREAD = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.S)  # Escapes and classes, in which no quantifier stands.
BARE_QUANTIFIER = re.compile(r"(?:^|[(|])(?!\?:)([?*+])")
REGEX_LIMITS = (
    (re.compile(r"\\[1-9]"), "backreferences are not supported"),
    (re.compile(r"(?<!\\)(?:\\\\)*\\[bB]"), "word boundaries are not supported"),
)


def _types(node: dict[str, Any]) -> list[str]:
    declared = node.get("type")
    if type(declared) is str:
        return [declared]
    return [kind for kind in declared if type(kind) is str] if type(declared) is list else []


def _regex_fault(pattern: Any) -> Faults:
    if type(pattern) is not str:
        return None
    if bare := BARE_QUANTIFIER.search(UNREAD.sub("x", pattern)):
        return fault("strict.regex-invalid", detail=f"Quantifier '{bare[1]}' without preceding element")
    for feature, detail in REGEX_LIMITS:
        if feature.search(pattern):
            return fault("strict.regex", detail=detail)
    return None


def _object_fault(node: dict[str, Any]) -> Faults:
    closed = node.get("additionalProperties")
    if "additionalProperties" not in node:
        return fault("strict.open-object")
    return fault("strict.additional", value="true" if closed is True else "object") if closed is not False else None


def _array_fault(node: dict[str, Any]) -> Faults:
    if type(node.get("items")) is list:
        return fault("strict.tuple")
    if node.get("minItems", 0) not in (0, 1):
        return fault("strict.min-items", low=node["minItems"], high=node.get("maxItems", "∞"))
    return None


def _string_fault(node: dict[str, Any]) -> Faults:
    shape = node.get("format")
    if type(shape) is str and shape not in FORMATS:
        return fault("strict.format", format=shape)
    return _regex_fault(node.get("pattern"))


SPECIAL = {"array": _array_fault, "object": _object_fault, "string": _string_fault}


def is_of(kind: str, value: Any) -> bool:
    """Tell whether a JSON value is of a type of JSON Schema."""
    known = PYTHON_TYPES.get(kind)
    return known is not None and isinstance(value, known) and (type(value) is not bool or kind == "boolean")


def _enum_fault(node: dict[str, Any]) -> Faults:
    """A value must be of the one type that is declared; beside a list of types none is."""
    declared, values = node.get("type"), node.get("enum")
    if declared is None or type(values) is not list:
        return None
    for value in values:
        if type(declared) is not str or not is_of(declared, value):
            return fault("strict.enum-type", value=repr(value), type=declared)
    return None


def _word_fault(node: dict[str, Any]) -> Faults:
    """Unions and what may not stand beside one."""
    if "oneOf" in node:
        return fault("strict.unsupported-word", word="oneOf")
    if "not" in node:
        return fault("strict.unsupported-keyword", word="not")
    if any(word in node for word in COMBINED) and (beside := sorted(node.keys() - BESIDE)):
        return fault("strict.beside-union", words=", ".join(beside))
    return None


def _node_faults(node: Any) -> Faults:
    if type(node) is not dict:
        return fault("strict.no-type", schema=repr(node))
    if not node.keys() - ANNOTATIONS:
        return fault("strict.empty")
    if found := _word_fault(node):
        return found
    types = _types(node)
    if not types and not node.keys() & TYPELESS:
        return fault("strict.no-type", schema=repr(node))
    for kind in types:
        if kind in SPECIAL and (found := SPECIAL[kind](node)):
            return found
        if words := sorted(node.keys() & UNSUPPORTED.get(kind, frozenset())):
            one = "strict.property" if len(words) == 1 else "strict.properties"
            return fault(one, type=kind, words=", ".join(words))
    return _enum_fault(node)


def _children(node: dict[str, Any]) -> Iterator[Any]:
    for word in ("$defs", "definitions", "properties"):
        members = node.get(word)
        yield from members.values() if type(members) is dict else ()
    for word in (*COMBINED, "prefixItems"):
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


def _references(part: Any) -> list[str]:
    return [ref for node in _walk(part) if type(node) is dict and type(ref := node.get("$ref")) is str]


def _definitions(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what references can name: the root ("#") without its definitions, and each of these."""
    found = {"#": {key: value for key, value in schema.items() if key not in ("$defs", "definitions")}}
    for word in ("$defs", "definitions"):
        members = schema.get(word)
        for name, part in members.items() if type(members) is dict else ():
            found[f"#/{word}/{name}"] = part
    return found


def _resolves(schema: Any, reference: str) -> bool:
    """Tell whether a pointer from the root leads to something."""
    if not reference.startswith("#"):
        return False
    node = schema
    for step in filter(None, reference[1:].split("/")):
        name = step.replace("~1", "/").replace("~0", "~")
        if type(node) is dict and name in node:
            node = node[name]
        elif type(node) is list and name.isdecimal() and int(name) < len(node):
            node = node[int(name)]
        else:
            return False
    return True


def _circle(leads: dict[str, list[str]]) -> list[str] | None:
    """Return references that lead from one to the next and back to the first, or None."""
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
                names = [name for name, _ in path]
                return [*names[names.index(following) :], following]
            elif following in leads and following not in done:
                trail.add(following)
                path.append((following, iter(leads[following])))
    return None


def _reference_faults(schema: dict[str, Any]) -> Faults:
    leads = {name: _references(part) for name, part in _definitions(schema).items()}
    for reference in dict.fromkeys(ref for refs in leads.values() for ref in refs):
        if reference not in leads and not _resolves(schema, reference):
            return fault("strict.no-definition", reference=reference)
    circle = _circle(leads)
    names = [name.rpartition("/")[2] for name in circle or ()]
    return fault("strict.circular", path=" -> ".join(names)) if names else None


def strict_faults(schema: Any) -> Faults:
    """Return the first fault of a schema that is to be compiled into a grammar, or None."""
    for node in _walk(schema):
        if found := _node_faults(node):
            return found
    return _reference_faults(schema)


def answer_faults(schema: dict[str, Any]) -> Faults:
    """Return the first fault of the schema of an answer: it is no JSON Schema, or one that can't be compiled."""
    for node in _walk(schema):
        values = node.get("enum") if type(node) is dict else None
        if type(values) is list and len(set(map(repr, values))) < len(values):
            return fault("schema.answer", detail=f"{values!r} has non-unique elements")
    if (broken := defect(schema, tuples=True)) is not None:
        word, part = broken
        kind = f"of type '{EXPECTED[word]}'" if word in EXPECTED else "valid under any of the given schemas"
        return fault("schema.answer", detail=f"{part!r} is not {kind}")
    return strict_faults(schema)


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
