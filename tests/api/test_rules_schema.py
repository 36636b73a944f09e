"""Schemas of tools: what a JSON Schema is, and the part of it that strict tools may use."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from rule_helpers import body, strict, told, tool

from course.api.schema import is_schema, limits

VALUES = st.sampled_from(
    [None, True, False, 0, 1, -1, 1.5, "", "a", "string", "object", [], ["a"], ["a", "a"], ["string"], {}, [{}]]
)
WORDS = st.sampled_from(
    [
        "type", "properties", "required", "items", "enum", "const", "minLength", "maxItems", "minimum", "multipleOf",
        "pattern", "additionalProperties", "anyOf", "allOf", "not", "if", "prefixItems", "$defs", "title", "format",
        "uniqueItems", "dependentRequired", "propertyNames", "default", "examples", "readOnly", "x-own",
    ]
)  # fmt: skip
SCHEMAS = st.recursive(
    st.dictionaries(WORDS, VALUES, max_size=3),
    lambda inner: st.dictionaries(
        WORDS,
        VALUES | inner | st.lists(inner, max_size=2) | st.dictionaries(st.just("p"), inner, max_size=1),
        max_size=3,
    ),
    max_leaves=5,
)


def _by_the_metaschema(schema) -> bool:
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError:
        return False
    return True


@given(SCHEMAS)
def test_a_schema_is_one_where_the_metaschema_says_so(schema):
    assert is_schema(schema) == _by_the_metaschema(schema), json.dumps(schema)


def test_a_pattern_must_be_a_regular_expression():
    assert is_schema({"type": "string", "pattern": "^a*$"})
    assert not is_schema({"type": "string", "pattern": "("})


@pytest.mark.parametrize("word", ["oneOf", "allOf", "anyOf"])
def test_the_root_of_an_input_schema_is_no_union_and_what_it_holds_may_be_one(word):
    parts = [{"type": "string"}, {"type": "null"}]
    assert told(body(tools=[tool(schema={"type": "object", word: [{"required": ["a"]}]})])) == (
        "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"
    )
    assert told(body(tools=[tool(schema={"type": "object", "properties": {"a": {word: parts}}})])) is None


@pytest.mark.parametrize("key", ["a b", "é", "", "a" * 65, "a/b", "$ref"])
def test_a_property_has_a_plain_name(key):
    assert told(body(tools=[tool(schema={"type": "object", "properties": {key: {}}})])) == (
        "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"
    )


@pytest.mark.parametrize("key", ["a", "a.b-c_D9", "a" * 64])
def test_plain_names_are_accepted(key):
    assert told(body(tools=[tool(schema={"type": "object", "properties": {key: {}}})])) is None


def test_a_null_stands_for_no_properties():
    assert told(body(tools=[tool(schema={"type": "object", "properties": None, "required": None})])) is None


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "string", "enum": ["a"], "format": "date"},
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"type": "array", "items": {"type": "integer"}, "minItems": 1},
        {"type": "object", "properties": {"a": {"type": "boolean"}}, "additionalProperties": False},
        {"const": 5},
        {"type": "string", "pattern": "^[a-z]+$", "default": "a", "description": "a word"},
    ],
)
def test_a_strict_schema_may_use(schema):
    assert told(strict(schema)) is None


CUSTOM = "tools.0.custom: "


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer", "multipleOf": 2}, "For 'integer' type, property 'multipleOf' is not supported"),
        (
            {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
            "For 'number' type, properties exclusiveMaximum, minimum are not supported",
        ),
        (
            {"type": "string", "maxLength": 5, "minLength": 1},
            "For 'string' type, properties maxLength, minLength are not supported",
        ),
        (
            {"type": "array", "items": {}, "uniqueItems": True},
            "For 'array' type, property 'uniqueItems' is not supported",
        ),
        (
            {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 4},
            "For 'array' type, 'minItems' values other than 0 or 1 are not supported (got: [2, 4])",
        ),
        ({"type": "object"}, "For 'object' type, 'additionalProperties' must be explicitly set to false"),
        (
            {"type": "object", "additionalProperties": {"type": "string"}},
            "For 'object' type, 'additionalProperties: object' is not supported. "
            "Please set 'additionalProperties' to false",
        ),
        ({"not": {"type": "string"}}, "Schema type 'not' is not supported"),
        ({}, "Invalid schema: Schema type is missing"),
        ({"type": "array", "items": {"type": "array", "items": {}}}, "Invalid schema: Schema type is missing"),
        ({"anyOf": [{"type": "string", "minLength": 1}]}, "For 'string' type, property 'minLength' is not supported"),
    ],
)
def test_a_strict_schema_may_not_use(schema, words):
    assert told(strict(schema)) == CUSTOM + words
    loose = strict(schema)
    loose["tools"][0]["strict"] = False
    assert told(loose) is None


@pytest.mark.parametrize("pattern", ["(?!a)b", "(?<=a)b", r"(a)\1", r"\bword"])
def test_a_strict_pattern_is_a_plain_one(pattern):
    said = told(strict({"type": "string", "pattern": pattern}))
    assert said is not None
    assert said.startswith("tools.0.custom: Unsupported regex feature in pattern field: ")


def test_references_within_a_schema_are_followed_and_must_end():
    def sent(part):
        whole = strict({"$ref": "#/$defs/part"})
        whole["tools"][0]["input_schema"]["$defs"] = {"part": part}
        return whole

    assert told(sent({"type": "string"})) is None
    assert told(sent({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/part"}]})) == (
        "tools.0.custom: Circular $ref detected: #/$defs/part"
    )
    assert told(sent({"type": "string", "maxLength": 3})) is not None


def test_the_schema_of_an_answer_is_strict_too():
    said = told(body(output_config={"format": {"type": "json_schema", "schema": {"type": "object"}}}))
    assert said == (
        "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
    )


def test_optional_and_union_parameters_are_counted_in_depth():
    inner = {"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {"anyOf": []}}, "required": ["a"]}
    assert limits({"type": "object", "properties": {"x": inner, "y": {}}}) == (3, 2)
    assert limits({"type": "array", "items": inner}) == (1, 2)


def test_a_deep_schema_is_walked_without_recursion():
    deep = {"type": "string"}
    for _ in range(5000):
        deep = {"type": "array", "items": deep}
    assert is_schema(deep)
    assert limits(deep) == (0, 0)
