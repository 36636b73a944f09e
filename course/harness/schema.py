"""From a Python signature and its docstring to a JSON Schema, and from JSON arguments back to Python values.

The types are pydantic's business (str, int, Literal, Enum, date, list, dict, models…); this module hands it the
parameters as one typed dictionary and tidies what comes back for a reader that pays by the token: no titles, no
`null` branch on an optional parameter, no properties beside the declared ones.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, get_type_hints

from course.facts import say
from course.harness.errors import DefinitionError, ToolError

__all__ = ["Description", "describe", "typed"]

ORDER = ("type", "description", "enum", "default", "properties", "required", "additionalProperties", "$defs")


@dataclass(frozen=True)
class Description:
    """What a docstring says: the text before the parameters, and a text by parameter name."""

    summary: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)


def describe(function: Callable[..., Any]) -> Description:
    """Read a docstring in Google, NumPy or reST style."""
    from docstring_parser import parse

    function = _undone(function)
    doc = parse(inspect.getdoc(function) or "")
    parts = [part.strip() for part in (doc.short_description, doc.long_description) if part and part.strip()]
    return Description("\n\n".join(parts), {p.arg_name: " ".join((p.description or "").split()) for p in doc.params})


def typed(function: Callable[..., Any], descriptions: Mapping[str, str]) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return the function with its keyword arguments converted to the signature's types, and its input schema.

    Raises DefinitionError for a signature that JSON cannot fill. The function it returns raises ToolError for
    arguments that are no value of their type, such as the 30th of February, in words that say what to correct.
    """
    from pydantic import PydanticUserError, TypeAdapter, ValidationError, with_config
    from typing_extensions import TypedDict

    fields = {p.name: _field(function, p, descriptions.get(p.name, "")) for p in _parameters(function)}
    arguments = with_config(extra="forbid")(TypedDict("Arguments", fields))  # type: ignore[operator]
    try:
        adapter = TypeAdapter(arguments)
        schema = _tidy(_inlined(adapter.json_schema()))
    except (PydanticUserError, NameError) as error:
        raise DefinitionError(say("harness.define.type", name=_name(function), reason=str(error))) from error
    schema.setdefault("properties", {})

    @functools.wraps(function)
    def converted(*args: Any, **kwargs: Any) -> Any:
        if args:
            return function(*args, **kwargs)
        try:
            values = adapter.validate_python(kwargs)
        except ValidationError as error:
            faults = [f"- {'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
            text = say("harness.result.invalid", name=_name(function), problems="\n".join(faults))
            raise ToolError(text) from None
        return function(**values)

    return converted, schema


def _undone(function: Callable[..., Any]) -> Callable[..., Any]:
    return function.func if isinstance(function, functools.partial) else function


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", repr(function))


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    parameters = list(inspect.signature(function).parameters.values())
    for parameter in parameters:
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise DefinitionError(say("harness.define.parameter", name=_name(function), parameter=str(parameter)))
    return parameters


def _field(function: Callable[..., Any], parameter: inspect.Parameter, description: str) -> Any:
    from pydantic import Field
    from pydantic_core import to_jsonable_python

    hint = _hints(function).get(parameter.name, Any)
    said = [text for text in getattr(hint, "__metadata__", ()) if isinstance(text, str)]
    about: dict[str, Any] = {"description": said[0] if said else description} if said or description else {}
    if parameter.default is parameter.empty:
        return Annotated[hint, Field(**about)] if about else hint
    extra = {} if parameter.default is None else {"default": to_jsonable_python(parameter.default, fallback=str)}
    return NotRequired[Annotated[hint, Field(**about, json_schema_extra=extra)]]


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    function = _undone(function)
    target = function if inspect.isroutine(function) else type(function).__call__
    try:
        return get_type_hints(target, include_extras=True)
    except NameError as error:
        raise DefinitionError(say("harness.define.type", name=_name(function), reason=str(error))) from error


def _inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with the values of an Enum where they are used, instead of a reference to them."""
    shared = schema.get("$defs", {})
    simple = {f"#/$defs/{name}": kind for name, kind in shared.items() if "enum" in kind}

    def inline(node: Any) -> Any:
        if isinstance(node, list):
            return [inline(item) for item in node]
        if not isinstance(node, dict):
            return node
        kind = simple.get(node["$ref"], {}) if isinstance(node.get("$ref"), str) else {}
        return {**kind, **{key: inline(value) for key, value in node.items() if not (kind and key == "$ref")}}

    rest = {name: kind for name, kind in shared.items() if f"#/$defs/{name}" not in simple}
    top = {key: value for key, value in schema.items() if key != "$defs"}
    return inline({**top, "$defs": rest} if rest else top)


def _tidy(schema: Any, names: bool = False) -> Any:
    """Return a schema without titles and without the `null` branch of optional parameters, closed, in reading order.

    `names`: the keys of this mapping are names of properties or definitions, not keywords.
    """
    if isinstance(schema, list):
        return [_tidy(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if names:
        return {name: _tidy(value) for name, value in schema.items()}
    branches = schema.get("anyOf", ())
    if len(branches) == 2 and {"type": "null"} in branches:
        other = next(branch for branch in branches if branch != {"type": "null"})
        schema = {**other, **{key: value for key, value in schema.items() if key != "anyOf"}}
    if "properties" in schema:
        schema = {"additionalProperties": False, **schema}
    kept = sorted((key for key in schema if key != "title"), key=_rank)
    return {key: _tidy(schema[key], key in ("properties", "$defs")) for key in kept}


def _rank(keyword: str) -> int:
    return ORDER.index(keyword) if keyword in ORDER else ORDER.index("default")
