"""Values are made to fit a schema; the judge is a JSON Schema validator."""

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.api.conform import conform

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer"},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "null"},
        {"type": ["string", "null"]},
        {"enum": ["x", 2, None]},
        {"const": "c"},
        {"$ref": "#/$defs/thing"},
    ]
)


def _object(properties, needed):
    required = [name for name, need in zip(properties, needed, strict=False) if need]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(
            _object, st.dictionaries(st.sampled_from("abc"), inner, max_size=3), st.lists(st.booleans(), max_size=3)
        ),
        st.builds(lambda items, least: {"type": "array", "items": items, "minItems": least}, inner, st.integers(0, 1)),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: {"anyOf": options}),
        inner.map(lambda one: {"allOf": [one]}),
    ),
    max_leaves=6,
)
DEFS = {"thing": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}


@settings(max_examples=150, deadline=None)
@given(VALUES, SCHEMAS)
def test_whatever_it_was_it_fits(value, schema):
    schema = {**schema, "$defs": DEFS}
    made = conform(value, schema)
    jsonschema.validate(made, schema)
    assert conform(made, schema) == made


@pytest.mark.parametrize(
    ("value", "schema", "made"),
    [
        ({"b": 1, "a": 2}, {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]}, {"b": 1, "a": 2}),
        ({"n": "7"}, {"type": "object", "properties": {"n": {"type": "integer"}}}, {"n": 7}),
        ("TRUE", {"type": "boolean"}, True),
        ("one", {"type": "array", "items": {"type": "string"}}, ["one"]),
        (None, {"type": "string", "format": "email"}, "someone@example.com"),
        ({"x": 1}, {"type": "object"}, {"x": 1}),
        (3, {"anyOf": [{"type": "string"}, {"type": "integer"}]}, 3),
    ],
)
def test_it_is_changed_no_more_than_needed(value, schema, made):
    assert conform(value, schema) == made


def test_required_members_come_first():
    schema = {"type": "object", "properties": {"late": {}, "first": {}}, "required": ["first"]}
    assert list(conform({"late": 1, "first": 2}, schema)) == ["first", "late"]


def test_a_schema_that_refers_to_itself_comes_to_an_end():
    schema = {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}
    assert isinstance(conform({}, schema), dict)
