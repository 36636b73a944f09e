"""A function becomes a tool."""

import datetime
import enum
import functools
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from course.harness import CallError, DefinitionError, Tool, tool


class Unit(enum.Enum):
    CELSIUS = "celsius"
    FAHRENHEIT = "fahrenheit"


class Guest(BaseModel):
    name: str
    title: Literal["Dr", "Prof"] = "Dr"


def schema_of(function):
    return tool(function).input_schema


def test_name_docstring_and_signature_become_the_definition():
    def get_weather(city: str, days: int = 3) -> str:
        """Get the weather forecast for a city.

        Returns one line a day.

        Args:
            city: The city's name, with its country
                when it is ambiguous.
            days: How many days.
        """
        return city

    assert tool(get_weather).definition() == {
        "name": "get_weather",
        "description": "Get the weather forecast for a city.\n\nReturns one line a day.",
        "input_schema": {
            "type": "object",
            "properties": {
                "city": {
                    "type": "string",
                    "description": "The city's name, with its country when it is ambiguous.",
                },
                "days": {"type": "integer", "description": "How many days.", "default": 3},
            },
            "required": ["city"],
            "additionalProperties": False,
        },
    }


def numpy_style(x: int):
    """Square.

    Parameters
    ----------
    x : int
        A number.
    """


def rest_style(x: int):
    """Square.

    :param x: A number.
    """


@pytest.mark.parametrize("function", [numpy_style, rest_style])
def test_numpy_and_rest_docstrings_describe_parameters_too(function):
    assert schema_of(function)["properties"]["x"] == {"type": "integer", "description": "A number."}


def test_a_text_in_annotated_wins_over_the_docstring():
    def look(at: Annotated[str, "What to look at."]):
        """Look.

        Args:
            at: Something else.
        """

    assert schema_of(look)["properties"]["at"]["description"] == "What to look at."


def test_a_pydantic_field_in_annotated_narrows_the_schema():
    def buy(count: Annotated[int, Field(ge=1, le=9)]):
        """Buy."""

    assert schema_of(buy)["properties"]["count"] == {"type": "integer", "maximum": 9, "minimum": 1}


def test_literals_and_enums_become_enum_values_without_references():
    def measure(unit: Unit, scale: Literal["low", "high"] = "low"):
        """Measure."""

    assert schema_of(measure)["properties"] == {
        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
        "scale": {"type": "string", "enum": ["low", "high"], "default": "low"},
    }


def test_an_optional_parameter_is_not_required_and_has_no_null_branch():
    def find(name: str, city: str | None = None):
        """Find."""

    schema = schema_of(find)
    assert schema["required"] == ["name"]
    assert schema["properties"]["city"] == {"type": "string"}


def test_lists_dicts_and_models_nest_and_models_are_closed():
    def invite(guests: list[Guest], seats: dict[str, int]):
        """Invite."""

    schema = schema_of(invite)
    assert schema["properties"]["seats"] == {"type": "object", "additionalProperties": {"type": "integer"}}
    assert schema["properties"]["guests"] == {"type": "array", "items": {"$ref": "#/$defs/Guest"}}
    assert schema["$defs"]["Guest"] == {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "title": {"type": "string", "enum": ["Dr", "Prof"], "default": "Dr"},
        },
        "required": ["name"],
        "additionalProperties": False,
    }


def test_parameters_may_be_called_like_keywords_of_pydantic_or_json_schema():
    def odd(title: str, json: str, properties: int = 1, _private: int = 2, model_config: str = ""):
        """Odd names."""
        return title, json, properties, _private, model_config

    made = tool(odd)
    assert list(made.input_schema["properties"]) == ["title", "json", "properties", "_private", "model_config"]
    assert made(title="a", json="b", _private=5) == ("a", "b", 1, 5, "")


def test_a_tool_without_parameters_has_an_empty_object():
    def now():
        """Tell the time."""

    assert schema_of(now) == {"type": "object", "properties": {}, "additionalProperties": False}


def test_arguments_arrive_as_the_types_of_the_signature():
    @tool
    def plan(day: datetime.date, unit: Unit = Unit.CELSIUS, guest: Guest | None = None):
        """Plan."""
        return day, unit, guest

    assert plan(day="2026-12-01", unit="fahrenheit", guest={"name": "Ada"}) == (
        datetime.date(2026, 12, 1),
        Unit.FAHRENHEIT,
        Guest(name="Ada"),
    )


def test_a_tool_can_still_be_called_as_a_function():
    @tool
    def add(a: int, b: int = 2) -> int:
        """Add."""
        return a + b

    assert add(1) == 3
    assert add(1, b=4) == 5


def test_overrides_win_and_unknown_keywords_become_fields_of_the_definition():
    @tool(name="lookup", description="Look up.", strict=True, input_examples=[{"key": "a"}])
    def f(key: str):
        """Not this."""

    assert isinstance(f, Tool)
    definition = f.definition()
    assert (definition["name"], definition["description"]) == ("lookup", "Look up.")
    assert definition["strict"] is True
    assert definition["input_examples"] == [{"key": "a"}]


def test_an_own_schema_is_taken_as_it_is_and_arguments_are_not_converted():
    schema = {"type": "object", "properties": {"day": {"type": "string"}}}

    @tool(input_schema=schema)
    def plan(day):
        """Plan."""
        return day

    assert plan.input_schema == schema
    assert plan(day="2026-12-01") == "2026-12-01"


def test_methods_callable_objects_and_partials_become_tools():
    class Shop:
        def price(self, item: str) -> int:
            """Tell a price."""
            return len(item)

        def __call__(self, item: str):
            """Sell."""

    def scale(x: int, factor: int):
        """Scale."""
        return x * factor

    assert tool(Shop().price).definition()["input_schema"]["required"] == ["item"]
    assert tool(name="sell")(Shop()).input_schema["required"] == ["item"]
    doubled = tool(name="double")(functools.partial(scale, factor=2))
    assert (doubled.description, doubled(x=4)) == ("Scale.", 8)


def test_a_signature_that_json_cannot_fill_is_refused_with_the_parameter_named():
    with pytest.raises(DefinitionError, match=r"collect: the parameter \*items"):
        tool(collect)


def collect(*items):
    """Collect."""


def test_a_type_without_schema_is_refused_with_the_reason():
    class Strange:
        pass

    def use(it: Strange):
        """Use."""

    def lost(it: "Missing"):  # noqa: F821
        """Lost."""

    with pytest.raises(DefinitionError, match="use: a type in the signature"):
        tool(use)
    with pytest.raises(DefinitionError, match="'Missing' is not defined"):
        tool(lost)


def test_an_input_without_its_stars_is_told_how_to_call():
    @tool
    def book(city: str, days: int = 3) -> str:
        return f"{city} {days}"

    with pytest.raises(CallError, match=r"book\(\*\*the_dictionary\)"):
        book({"city": "Seoul"})
    with pytest.raises(TypeError):
        book({"city": "Seoul", "days": 2})
    assert book("Seoul", 2) == book(**{"city": "Seoul", "days": 2}) == "Seoul 2"


def test_a_parameter_that_takes_an_object_is_given_one():
    @tool
    def count(numbers: dict) -> int:
        return len(numbers)

    assert count({"numbers": 1}) == 1
    assert count({"a": 1, "b": 2}) == 2
