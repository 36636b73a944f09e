"""Sound request bodies, made from the SDK's own types: each field of each type once, with each kind of value.

A body has the fields that must be there and one more; where that one holds a type of its own, the body has it in
each of its forms. What a type can't say (patterns of ids, least numbers) is filled in by the name of the field.
"""

import types
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict

__all__ = ["bodies"]

MARKS = (Required, NotRequired, Annotated)
UNIONS = (Union, types.UnionType)
TEXTS = {
    "data": "aGVsbG8=",
    "role": "user",
    "url": "https://example.com/page",
    "inference_geo": "us",
    "model": "claude-opus-5-5",
}
NUMBERS = {"budget_tokens": 1024, "max_tokens": 1024, "total": 20_000, "value": 50_000}
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
FREE = {"input_schema": SCHEMA, "schema": SCHEMA}
NEEDS = {"is_error True": {"content": "It failed."}}
"""What else a field of one value wants, though the types don't say so."""
IDS = ("id", "tool_use_id", "tool_id")

Path = tuple[str, ...]


def bodies(kind: Any) -> Iterator[dict[str, Any]]:
    """Yield bodies of the TypedDict `kind`, first the least one."""
    yield from _of(kind, (), True, ())


def _plain(kind: Any) -> Any:
    while get_origin(kind) in MARKS:
        kind = get_args(kind)[0]
    return kind


def _of(kind: Any, path: Path, every: bool, within: tuple[Any, ...]) -> Iterator[Any]:
    """Yield values of `kind`: with `every` one of each form, else the least."""
    kind = _plain(kind)
    if path and path[-1] in FREE:
        yield FREE[path[-1]]
        return
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Literal:
        yield from inside if every else inside[:1]
    elif origin in UNIONS:
        yield from _of_union(inside, path, every, within)
    elif is_typeddict(kind):
        yield from _of_object(kind, (*path, kind.__name__), every, within)
    elif origin is not None and issubclass(origin, dict):
        yield from ({"key": value} for value in _of(inside[1], (*path, "{}"), every, within))
    elif inside:
        yield from ([value] for value in _of(inside[0], (*path, "[]"), every, within))
    else:
        yield from _of_leaf(kind, path, every)


def _of_union(parts: tuple[Any, ...], path: Path, every: bool, within: tuple[Any, ...]) -> Iterator[Any]:
    known = [part for part in parts if part is not type(None)]
    for part in known if every else known[:1]:
        yield from _of(part, path, every, within)
    if every and len(known) < len(parts):
        yield None


def _of_object(kind: Any, path: Path, every: bool, within: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
    hints = _hints(kind)
    least = {name: next(_of(hints[name], (*path, name), False, ())) for name in hints if _needed(kind, name)}
    yield least
    if not every or kind in within:
        return
    for name, hint in hints.items():
        for value in _of(hint, (*path, name), True, (*within, kind)):
            if name not in least or least[name] != value:
                yield {**least, **NEEDS.get(f"{name} {value}", {}), name: value}


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _needed(kind: Any, name: str) -> bool:
    hint = get_origin(_hints(kind)[name])
    if hint in (Required, NotRequired):
        return hint is Required
    parents = [base for base in getattr(kind, "__orig_bases__", ()) if is_typeddict(base)]
    return next((_needed(base, name) for base in parents if name in _hints(base)), kind.__total__)


def _of_leaf(kind: Any, path: Path, every: bool) -> Iterator[Any]:
    name = path[-2] if path[-1] in ("[]", "{}") else path[-1]
    if kind is bool:
        yield from (True, False) if every else (True,)
    elif kind is int:
        yield NUMBERS.get(name, 1)
    elif kind is float:
        yield 0.5
    elif name in IDS:
        yield "srvtoolu_1" if _of_a_server(path) else "toolu_1"
    elif kind is dict:
        yield {}
    elif kind is str or kind is object:
        yield TEXTS.get(name, f"some_{name}")
    # What is left are files and the SDK's own answers, which it turns into the forms above before it sends them.


def _of_a_server(path: Path) -> bool:
    """Tell whether an id is one of a server tool, by the type it stands in."""
    owner = path[-2].removeprefix("Beta")
    if owner in ("ToolResultBlockParam", "RequestMCPToolResultBlockParam", "MCPToolUseBlockParam"):
        return False
    return any(word in owner for word in ("Server", "Result", "Caller"))
