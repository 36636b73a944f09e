"""Shapes of JSON values: small functions that tell where a value departs from the shape the API expects.

A check takes a value and returns its faults, or None when the value is sound. Faults carry two paths: `place`,
the path in the request, and `loc`, the API's own location, in which the tag of a tagged union stands too
(`messages.1.content.0.tool_use.id`). Faults come in the API's order: fields as declared, then unknown fields.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

__all__ = [
    "Check", "Fault", "Faults", "Fields", "anything", "array", "boolean", "dictionary", "fault", "integer", "literal",
    "nullable", "number", "obj", "optional", "quoted", "string", "tagged", "text_or", "under", "within",
]  # fmt: skip


class Fault(NamedTuple):
    """One departure from the expected shape: the rule broken, where, and the values of its message."""

    rule: str
    place: tuple[str | int, ...] = ()
    loc: tuple[str, ...] = ()
    values: Mapping[str, object] = {}


Faults = list[Fault] | None
Check = Callable[[Any], Faults]


def fault(rule: str, *, field: str = "", **values: object) -> list[Fault]:
    """Return one fault at this value, or at its member `field`."""
    return [Fault(rule, (field,), (field,), values) if field else Fault(rule, values=values)]


def under(faults: Iterable[Fault], key: str | int) -> list[Fault]:
    """Return the faults of a member as faults of what holds it."""
    return [Fault(f.rule, (key, *f.place), (str(key), *f.loc), f.values) for f in faults]


def _tagged(faults: Iterable[Fault], tag: str) -> list[Fault]:
    return [Fault(f.rule, f.place, (tag, *f.loc), f.values) for f in faults]


def quoted(names: Iterable[str], last: str = "or") -> str:
    """Return `'a', 'b' or 'c'`, as the API lists the values a field may have."""
    *head, tail = [f"'{name}'" for name in names]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def anything(value: Any) -> Faults:
    """Accept any value."""
    return None


def boolean(value: Any) -> Faults:
    """Accept true and false."""
    return None if value is True or value is False else fault("field.boolean")


def integer(least: int | None = None, *, below: str = "field.at-least") -> Check:
    """Accept a JSON integer; `below` names the rule that a value under `least` breaks."""

    def check(value: Any) -> Faults:
        if type(value) is not int:
            return fault("field.integer")
        return fault(below, least=least) if least is not None and value < least else None

    return check


def number(low: float | None = None, high: float | None = None) -> Check:
    """Accept a JSON number within low..high."""

    def check(value: Any) -> Faults:
        if type(value) not in (int, float):
            return fault("field.number")
        if low is not None and high is not None and not low <= value <= high:
            return fault("field.range", low=low, high=high)
        return None

    return check


def string(least: int = 0, most: int | None = None, pattern: str | None = None) -> Check:
    """Accept a string of `least` to `most` characters that matches `pattern` (a whole match)."""
    if not least and most is None and pattern is None:
        return _any_string
    matches = re.compile(pattern.removesuffix("$") + r"\Z").match if pattern else None
    if matches and not least and most is None:
        return lambda value: (
            fault("field.string")
            if type(value) is not str
            else None
            if matches(value)
            else fault("field.pattern", pattern=pattern)
        )

    def check(value: Any) -> Faults:
        if type(value) is not str:
            return fault("field.string")
        if least and len(value) < least:
            return fault("field.too-short", least=least, s="" if least == 1 else "s")
        if most is not None and len(value) > most:
            return fault("field.too-long", most=most)
        if matches and not matches(value):
            return fault("field.pattern", pattern=pattern)
        return None

    return check


def _any_string(value: Any) -> Faults:
    return None if type(value) is str else fault("field.string")


def literal(*values: str) -> Check:
    """Accept one of `values`."""
    known = frozenset(values)

    def check(value: Any) -> Faults:
        return None if type(value) is str and value in known else fault("field.literal", values=quoted(values))

    return check


def nullable(inner: Check) -> Check:
    """Accept null too."""
    return lambda value: None if value is None else inner(value)


def dictionary(value: Any) -> Faults:
    """Accept any JSON object whose members are free."""
    return None if type(value) is dict else fault("field.dictionary")


def array(inner: Check) -> Check:
    """Accept an array whose members satisfy `inner`."""

    def check(value: Any) -> Faults:
        if type(value) is not list:
            return fault("field.array")
        found: list[Fault] = []
        for index, member in enumerate(value):
            if bad := inner(member):
                found += under(bad, index)
        return found

    return check


def within(part: str, inner: Check) -> Check:
    """Accept what `inner` accepts; `part` stands in the API's location of its faults, as a union's member does."""

    def check(value: Any) -> Faults:
        faults = inner(value)
        return _tagged(faults, part) if faults else None

    return check


def text_or(inner: Check) -> Check:
    """Accept a string, or what `inner` accepts."""
    return lambda value: None if type(value) is str else inner(value)


class optional(NamedTuple):
    """A member that may be absent."""

    check: Check


Fields = dict[str, Check | optional]


def obj(
    fields: Mapping[str, Check | optional],
    *,
    extra: bool = False,
    bad: str = "field.shape",
    then: Check | None = None,
) -> Check:
    """Accept an object with `fields` and no others (with `extra`: any others).

    `bad` names the rule a value that is no object breaks; `then` checks the object as a whole when its fields are
    sound.
    """
    members = {name: _member(given) for name, given in fields.items()}
    needed = sum(required for _, required in members.values())

    def check(value: Any) -> Faults:
        if type(value) is not dict:
            return fault(bad)
        missing = needed
        for name, member in value.items():
            known = members.get(name)
            if known is None:
                if extra:
                    continue
                return ordered(value, {})
            inner, required = known
            if inner is not None and (faults := inner(member)):
                return ordered(value, {name: faults})
            missing -= required
        if missing:
            return ordered(value, {})
        return None if then is None else then(value)

    def ordered(value: dict[str, Any], met: dict[str, list[Fault]]) -> list[Fault]:
        found: list[Fault] = []
        for name, (inner, required) in members.items():
            if name in met:
                found += under(met[name], name)
            elif name in value:
                found += under((inner and inner(value[name])) or (), name)
            elif required:
                found += fault("field.required", field=name)
        if not extra:
            found += [f for name in value if name not in members for f in fault("field.extra", field=name)]
        return found

    return check


def _member(given: Check | optional) -> tuple[Check | None, bool]:
    """Return (check, whether the member must be there); no check where any value does."""
    inner = given.check if isinstance(given, optional) else given
    return None if inner is anything else inner, not isinstance(given, optional)


def tagged(
    variants: Mapping[str, Check],
    *,
    tags: Iterable[str] | None = None,
    default: str | None = None,
) -> Check:
    """Accept an object whose `type` names one of `variants`; without `type` it is the variant `default`.

    `tags` are the tags as the API lists them (default: the variants in alphabetical order).
    """
    listed = ", ".join(f"'{tag}'" for tag in (sorted(variants) if tags is None else tags))

    def check(value: Any) -> Faults:
        if type(value) is not dict:
            return fault("field.object")
        tag = value.get("type")
        if type(tag) is str and (inner := variants.get(tag)) is not None:
            faults = inner(value)
            return _tagged(faults, tag) if faults else None
        if tag is None and ("type" not in value or default):
            if default is None:
                return fault("field.required", field="type")
            return within(default, variants[default])(value)
        return fault("field.tag", tag=tag if type(tag) is str else repr(tag), tags=listed)

    return check
