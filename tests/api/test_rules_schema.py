"""Schemas of tools: what a JSON Schema is, and the part of it that strict tools may use."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from rule_helpers import body, strict, told, tool

from course.api.schema import is_schema
from course.api.strict import limits

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
        {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}], "default": None, "description": "a or none"},
        {"type": "string", "minLength": 1, "maxLength": 9},
        {"type": "string", "pattern": "^[a-z]+$", "default": "a", "description": "a word"},
    ],
)
def test_a_strict_schema_may_use(schema):
    assert told(strict(schema)) is None


CUSTOM = "tools.0.custom: "
EMPTY = "Empty schema ({}) that accepts any JSON value is not supported. Please specify a concrete type."


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer", "multipleOf": 2}, "For 'integer' type, property 'multipleOf' is not supported"),
        (
            {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
            "For 'number' type, properties exclusiveMaximum, minimum are not supported",
        ),
        (
            {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
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
        ({"type": "string", "not": {"const": "a"}}, "Schema keyword 'not' is not supported"),
        ({"oneOf": [{"type": "string"}]}, "Schema type 'oneOf' is not supported"),
        ({}, EMPTY),
        ({"title": "Value", "description": "anything"}, EMPTY),
        ({"type": "array", "items": {"type": "array", "items": {}}}, EMPTY),
        (
            {"default": None, "title": "Value"},
            "Invalid schema: Schema type is missing for schema: {'default': None, 'title': 'Value'}",
        ),
        ({"anyOf": [{"type": "integer", "minimum": 1}]}, "For 'integer' type, property 'minimum' is not supported"),
        ({"type": "string", "anyOf": [{"type": "string"}]}, "For 'anyOf', 'type' is not supported"),
        (
            {
                "type": "object",
                "properties": {},
                "required": [],
                "additionalProperties": False,
                "allOf": [{"required": []}],
            },
            "For 'anyOf', 'additionalProperties, properties, required, type' is not supported",
        ),
        (
            {"anyOf": [{"type": "string"}], "discriminator": {"propertyName": "kind"}},
            "For 'anyOf', 'discriminator' is not supported",
        ),
        (
            {"type": "array", "prefixItems": [{"type": "string"}]},
            "For 'array' type, property 'prefixItems' is not supported",
        ),
        (
            {"type": "object", "properties": {}, "additionalProperties": False, "if": {"required": []}},
            "For 'object' type, property 'if' is not supported",
        ),
        ({"type": "string", "format": "phone"}, "For 'string' type, format 'phone' is not supported"),
        (
            {"type": ["string", "null"], "enum": ["a", "b"]},
            "Invalid schema: Enum value 'a' does not match declared type '['string', 'null']'",
        ),
        (
            {"type": "string", "enum": ["a", None]},
            "Invalid schema: Enum value None does not match declared type 'string'",
        ),
        (
            {"type": "integer", "enum": [1, True]},
            "Invalid schema: Enum value True does not match declared type 'integer'",
        ),
        ({"$ref": "#/$defs/gone"}, "Invalid schema: Reference to non-existent definition: #/$defs/gone"),
        (
            {"type": "string", "pattern": "^(?=a)b"},
            "Invalid regex in pattern field: Quantifier '?' without preceding element",
        ),
    ],
)
def test_a_strict_schema_may_not_use(schema, words):
    assert told(strict(schema)) == CUSTOM + words
    loose = strict(schema)
    loose["tools"][0]["strict"] = False
    assert told(loose) is None


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(?!a)b", "Invalid regex in pattern field: Quantifier '?' without preceding element"),
        ("^P(?!$)(?:[0-9]+D)?$", "Invalid regex in pattern field: Quantifier '?' without preceding element"),
        ("(?<=a)b", "Invalid regex in pattern field: Quantifier '?' without preceding element"),
        (r"(a)\1", "Unsupported regex feature in pattern field: backreferences are not supported"),
        (r"\bword", "Unsupported regex feature in pattern field: word boundaries are not supported"),
    ],
)
def test_a_strict_pattern_is_a_plain_one(pattern, said):
    assert told(strict({"type": "string", "pattern": pattern})) == CUSTOM + said


@pytest.mark.parametrize("pattern", ["^(?:ab)+$", "[(?]", r"\(?", "a|b?", "[]?]", r"[^\]?]x"])
def test_what_looks_like_a_bare_quantifier_and_is_none_is_accepted(pattern):
    assert told(strict({"type": "string", "pattern": pattern})) is None


def test_references_within_a_schema_are_followed_and_must_end():
    def sent(part):
        whole = strict({"$ref": "#/$defs/part"})
        whole["tools"][0]["input_schema"]["$defs"] = {"part": part}
        return whole

    assert told(sent({"type": "string"})) is None
    assert told(sent({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/part"}]})) == (
        "tools.0.custom: Circular reference detected in schema definitions: part -> part. "
        "Self-referencing or mutually-referencing definitions are not supported."
    )
    assert told(sent({"type": "integer", "maximum": 3})) is not None


def test_definitions_that_lead_to_one_another_are_told_in_their_order():
    def closed(name):
        return {"type": "object", "properties": {"n": {"$ref": name}}, "required": ["n"], "additionalProperties": False}

    whole = strict({"$ref": "#/$defs/a"})
    whole["tools"][0]["input_schema"]["$defs"] = {"a": closed("#/$defs/b"), "b": closed("#/$defs/a")}
    assert "definitions: a -> b -> a. " in told(whole)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "string", "enum": ["a", "b", "a"]}, "['a', 'b', 'a'] has non-unique elements"),
        ({"type": "STRING"}, "'STRING' is not valid under any of the given schemas"),
        ({"type": "array", "items": {"type": "string"}, "required": None}, "None is not of type 'array'"),
    ],
)
def test_the_schema_of_an_answer_is_a_json_schema(schema, said):
    answer = {"type": "object", "properties": {"v": schema}, "required": ["v"], "additionalProperties": False}
    assert told(body(output_config={"format": {"type": "json_schema", "schema": answer}})) == (
        f"output_config.format.schema: Invalid JSON Schema in output format: {said}"
    )


def test_a_tuple_in_the_schema_of_an_answer_is_told_as_one():
    pair = {"type": "array", "items": [{"type": "string"}, {"type": "number"}]}
    answer = {"type": "object", "properties": {"v": pair}, "required": ["v"], "additionalProperties": False}
    assert told(body(output_config={"format": {"type": "json_schema", "schema": answer}})) == (
        "output_config.format.schema: Invalid schema: "
        "Array types must be specified with a single object schema for 'items'."
    )


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
