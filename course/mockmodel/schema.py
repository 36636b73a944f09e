"""Values that a JSON Schema accepts: bring a value into shape, or make one up. Of a union the first branch counts."""

import math
import re
from collections.abc import Mapping
from typing import Any

from course.mockmodel.offers import typed

__all__ = ["conform", "from_pattern", "sample"]

DEEPEST = 12


def conform(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Return the value as the schema wants it (a number as text, a clamped number, …), or None when it cannot be."""
    schema = typed(schema, root)
    if "const" in schema:
        return schema["const"]
    if isinstance(options := schema.get("enum"), list):
        same = [option for option in options if str(option).casefold() == str(value).casefold()]
        return same[0] if same else None
    kind = schema.get("type")
    if kind in ("integer", "number"):
        return _number(value, kind, schema)
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if kind == "string":
        return _string(value, schema)
    if kind == "array":
        return _array(value, schema, root)
    if kind == "object":
        return _object(value, schema, root)
    return None if kind == "null" else value


def _number(value: Any, kind: str, schema: Mapping[str, Any]) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    low, high, step = schema.get("minimum"), schema.get("maximum"), schema.get("multipleOf")
    unit = step if isinstance(step, int | float) and step > 0 else 1
    if isinstance(above := schema.get("exclusiveMinimum"), int | float) and value <= above:
        value = above + unit
    if isinstance(below := schema.get("exclusiveMaximum"), int | float) and value >= below:
        value = below - unit
    if isinstance(low, int | float) and value < low:
        value = low
    if isinstance(high, int | float) and value > high:
        value = high
    if isinstance(step, int | float) and step > 0 and value % step:
        value = math.ceil(value / step) * step
    if kind == "integer":
        value = math.ceil(value)
    inside = all(
        test
        for test in (
            not isinstance(low, int | float) or value >= low,
            not isinstance(high, int | float) or value <= high,
            not isinstance(above, int | float) or value > above,
            not isinstance(below, int | float) or value < below,
        )
    )
    return value if inside else None


def _string(value: Any, schema: Mapping[str, Any]) -> str | None:
    if isinstance(value, Mapping | list | bool) or value is None:
        return None
    text = str(value)
    shortest, longest = schema.get("minLength", 0), schema.get("maxLength")
    if isinstance(longest, int) and len(text) > longest:
        text = text[: max(longest, 0)]
    if isinstance(shortest, int) and len(text) < shortest:
        return None
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        for form in (text, text.upper(), text.lower()):
            if _matches(pattern, form):
                return form
        return None
    return text


def _matches(pattern: str, text: str) -> bool:
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return True


def _array(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> list[Any] | None:
    items = value if isinstance(value, list) else [value]
    inner = schema.get("items")
    shaped = [conform(item, inner, root) if isinstance(inner, Mapping) else item for item in items]
    shaped = [item for item in shaped if item is not None]
    if schema.get("uniqueItems"):
        shaped = [item for place, item in enumerate(shaped) if item not in shaped[:place]]
    longest, shortest = schema.get("maxItems"), schema.get("minItems", 0)
    if isinstance(longest, int):
        shaped = shaped[:longest]
    return shaped if not isinstance(shortest, int) or len(shaped) >= shortest else None


def _object(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> dict[str, Any] | None:
    if not isinstance(value, Mapping):
        return None
    properties = schema.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    shaped = {k: conform(v, properties[k], root) if k in properties else v for k, v in value.items()}
    return {k: v for k, v in shaped.items() if v is not None}


def sample(schema: Mapping[str, Any], root: Mapping[str, Any], hint: Any = None, depth: int = 0) -> Any:
    """Return a value the schema accepts: its default or an example, else `hint` where that fits, else the plainest."""
    schema = typed(schema, root)
    if "const" in schema:
        return schema["const"]
    examples = schema.get("examples")
    for given in (schema.get("default"), *(examples if isinstance(examples, list) else ()), hint):
        if given is not None and (shaped := conform(given, schema, root)) is not None:
            return shaped
    if isinstance(options := schema.get("enum"), list) and options:
        return options[0]
    kind = schema.get("type")
    if kind in ("integer", "number"):
        for start in (1, 0, schema.get("minimum", 0), schema.get("maximum", 0)):
            if (number := _number(start, kind, schema)) is not None:
                return number
        return 1
    if kind == "boolean":
        return False
    if kind == "array":
        return _sample_array(schema, root, depth)
    if kind == "object":
        properties = schema.get("properties")
        required = schema.get("required")
        if depth > DEEPEST or not isinstance(properties, Mapping) or not isinstance(required, list):
            return {}
        return {name: sample(properties.get(name, {}), root, None, depth + 1) for name in required}
    return None if kind == "null" else _sample_string(schema, hint)


def _sample_array(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> list[Any]:
    count = schema.get("minItems", 0)
    count = min(count, 20) if isinstance(count, int) else 0
    inner = schema.get("items") if isinstance(schema.get("items"), Mapping) else {}
    if depth > DEEPEST:
        return []
    items = [sample(inner or {}, root, None, depth + 1) for _ in range(count)]
    if schema.get("uniqueItems"):
        items = [f"{item}{place or ''}" if isinstance(item, str) else item + place if isinstance(item, int) else item
                 for place, item in enumerate(items)]  # fmt: skip
    return items


FORMATS = {
    "email": "someone@example.com", "date": "2026-12-01", "date-time": "2026-12-01T09:00:00Z", "time": "09:00:00Z",
    "uri": "https://example.com/", "hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
    "uuid": "00000000-0000-4000-8000-000000000000", "duration": "P1D",
}  # fmt: skip


def _sample_string(schema: Mapping[str, Any], hint: Any) -> str:
    if isinstance(pattern := schema.get("pattern"), str):
        return from_pattern(pattern)
    text = FORMATS.get(str(schema.get("format")), str(hint or "unknown"))
    shortest, longest = schema.get("minLength", 0), schema.get("maxLength")
    if isinstance(shortest, int) and len(text) < shortest:
        text += "x" * (min(shortest, 10_000) - len(text))
    return text[:longest] if isinstance(longest, int) else text


CLASS = {"d": "1", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a"}


def from_pattern(pattern: str) -> str:
    """Return a short text that a plain regular expression matches (first alternatives, least repeats)."""
    text, _ = _walk(pattern, 0)
    return text


def _walk(pattern: str, place: int) -> tuple[str, int]:
    """Read alternatives from `place` to the closing bracket; return the first one's text and where it ended."""
    first: str | None = None
    built = ""
    while place < len(pattern) and pattern[place] != ")":
        sign = pattern[place]
        if sign == "|":
            first, built, place = (built if first is None else first), "", place + 1
            continue
        piece, place = _atom(pattern, place)
        least, place = _repeat(pattern, place)
        built += piece * least
    return (built if first is None else first), place


def _atom(pattern: str, place: int) -> tuple[str, int]:
    sign = pattern[place]
    if sign in "^$":
        return "", place + 1
    if sign == "(":
        inner = place + 1
        silent = False
        if pattern.startswith("?", inner):
            kind = re.match(r"\?(?:P<\w+>|<\w+>|:|=|!|<=|<!)", pattern[inner:])
            silent = kind is not None and kind.group() in ("?=", "?!", "?<=", "?<!")
            inner += kind.end() if kind else 1
        text, end = _walk(pattern, inner)
        return "" if silent else text, end + 1
    if sign == "[":
        end = place + 1
        while end < len(pattern) and (pattern[end] != "]" or end == place + 1):
            end += 2 if pattern[end] == "\\" else 1
        return _member(pattern[place + 1 : end]), end + 1
    if sign == "\\" and place + 1 < len(pattern):
        following = pattern[place + 1]
        return "" if following in "bBAZ" else CLASS.get(following, following), place + 2
    return "a" if sign == "." else sign, place + 1


def _member(inside: str) -> str:
    """A character of a class such as `A-Z0-9`, or one outside a class that begins with `^`."""
    if not inside.startswith("^"):
        return CLASS.get(inside[1:2], inside[1:2]) if inside.startswith("\\") else inside[:1]
    return next((c for c in "a1-_ A" if not re.match(f"[{inside[1:]}]", c)), "a")


def _repeat(pattern: str, place: int) -> tuple[int, int]:
    least = 1
    if place < len(pattern) and pattern[place] in "*+?":
        least = 1 if pattern[place] == "+" else 0
        place += 1
    elif place < len(pattern) and (counted := re.match(r"\{(\d+)(?:,\d*)?\}", pattern[place:])):
        least = min(int(counted[1]), 1000)
        place += counted.end()
    if place < len(pattern) and pattern[place] in "?+":
        place += 1
    return least, place
