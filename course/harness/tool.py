"""A client tool: what Claude reads of it, and the function that your application runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, overload

from course.facts import say
from course.harness.errors import CallError
from course.harness.schema import describe, typed

__all__ = ["Tool", "tool"]


@dataclass(frozen=True)
class Tool:
    """One tool. `extra` holds further fields of its definition, such as strict, input_examples or defer_loading."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    function: Callable[..., Any]
    extra: Mapping[str, Any] = field(default_factory=dict)

    def definition(self) -> dict[str, Any]:
        """Return what travels in the `tools` of a request."""
        return {
            "name": self.name,
            "description": self.description,
            "input_schema": dict(self.input_schema),
            **self.extra,
        }

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the function, as if it had never become a tool. Raises CallError for the input of a call without `**`."""
        if len(args) == 1 and not kwargs and self._is_input(args[0]):
            raise CallError(say("harness.call.stars", name=self.name, given=dict(args[0])))
        return self.function(*args, **kwargs)

    def _is_input(self, value: Any) -> bool:
        """Tell whether a value is a whole input of this tool, and not the value of a parameter that takes an object."""
        if not isinstance(value, Mapping) or not value:
            return False
        known = self.input_schema.get("properties", {})
        first = next(iter(known.values()), None)
        takes_object = isinstance(first, Mapping) and first.get("type") in (None, "object")
        return set(value) <= set(known) and not takes_object


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...


@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    input_schema: Mapping[str, Any] | None = None,
    **extra: Any,
) -> Callable[[Callable[..., Any]], Tool]: ...


def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    input_schema: Mapping[str, Any] | None = None,
    **extra: Any,
) -> Any:
    """Make a Tool from a function: its name, docstring and signature become name, description and input_schema.

    Use it as `tool(get_weather)`, as `@tool`, or as `@tool(name="…", strict=True)`: what is given there wins over what
    the function says, and unknown keywords become further fields of the definition. With your own `input_schema` the
    arguments reach the function as JSON values; otherwise they are converted to the types of the signature.
    Raises DefinitionError when the signature cannot be described.
    """
    if function is None:
        return lambda given: tool_of(given, name, description, input_schema, extra)
    return tool_of(function, name, description, input_schema, extra)


def tool_of(
    function: Callable[..., Any],
    name: str | None,
    description: str | None,
    input_schema: Mapping[str, Any] | None,
    extra: Mapping[str, Any],
) -> Tool:
    """Make the Tool; a parameter that is None is read from the function."""
    about = describe(function)
    if input_schema is None:
        function, input_schema = typed(function, about.parameters)
    return Tool(
        name=name or str(getattr(function, "__name__", type(function).__name__)),
        description=about.summary if description is None else description,
        input_schema=input_schema,
        function=function,
        extra=extra,
    )
