"""What is refused before the body is read: keys, version, betas, bytes that are no JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.api.headers import MAX_BYTES, betas, check_body, check_headers, family, version
from course.api.parse import NotJson, parse

SOUND = {"x-api-key": "sk-ant-test", "anthropic-version": "2023-06-01"}


def refused(**changed: str | None) -> str | None:
    given = {**SOUND, **{name.replace("_", "-"): value for name, value in changed.items()}}
    broken = check_headers({name: value for name, value in given.items() if value is not None})
    return broken.message if broken else None


@pytest.mark.parametrize("given", [{}, {"x_api_key": None, "authorization": "Bearer sk-ant-test"}])
def test_a_key_is_taken_in_either_header(given):
    assert refused(**given) is None


@pytest.mark.parametrize("key", ["sk-ant-invalid", "wrong", "sk-ant-api03-expired-key", "not-a-key", "BAD_KEY"])
def test_a_key_that_says_it_is_none_is_refused(key):
    assert refused(x_api_key=key) == "invalid x-api-key"
    assert refused(x_api_key=None, authorization=f"Bearer {key}") == "Invalid bearer token"


@pytest.mark.parametrize("key", ["sk-ant-api03-notable", "k", "offline", "badger", "sk-ant-test"])
def test_any_other_key_is_taken(key):
    assert refused(x_api_key=key) is None


@pytest.mark.parametrize("scheme", ["", "Basic abc", "Bearer ", "sk-ant-test"])
def test_an_authorization_without_a_bearer_token_is_no_key(scheme):
    assert refused(x_api_key=None, authorization=scheme) == "x-api-key header is required"


def test_keys_are_checked_before_the_version_and_the_version_before_betas():
    assert refused(x_api_key=None, anthropic_version=None) == "x-api-key header is required"
    assert refused(anthropic_version=None, anthropic_beta="x") == "anthropic-version: header is required"


@pytest.mark.parametrize("value", ["2023-01-01", "2023-06-01", "2026-10-21", "**REDACTED**"])
def test_versions_that_exist_are_taken(value):
    assert refused(anthropic_version=value) is None


def test_the_rules_of_a_version_that_is_masked_are_those_of_the_first():
    assert version({"anthropic-version": "**REDACTED**"}) == "2023-06-01"
    assert version({"anthropic-version": "2026-10-21"}) == "2026-10-21"


def test_unknown_betas_are_named_in_the_order_sent_and_known_ones_are_not():
    said = refused(anthropic_beta="zzz-2026-01-01, files-api-2025-04-14,aaa,zzz-2026-01-01")
    assert said is not None
    assert said.startswith("Unexpected value(s) `zzz-2026-01-01`, `aaa` for the `anthropic-beta` header.")


def test_a_beta_is_known_by_its_family_whatever_its_date():
    assert family("computer-use-2025-01-24") == family("computer-use-20251124") == "computer-use"
    assert refused(anthropic_beta="context-management-2031-01-01") is None


def test_a_masked_beta_header_stands_for_every_known_beta():
    assert refused(anthropic_beta="**REDACTED**") is None
    assert "computer-use" in {family(beta) for beta in betas({"anthropic-beta": "**REDACTED**"})}


def test_a_body_of_the_largest_size_is_read_and_a_larger_one_is_not():
    assert check_body(b'"' + b"a" * (MAX_BYTES - 2) + b'"')[1] is None
    broken = check_body(b'"' + b"a" * (MAX_BYTES - 1) + b'"')[1]
    assert broken is not None
    assert (broken.status, broken.error_type) == (413, "request_too_large")


# What the parser that the API uses says of these texts, and at which character (run with orjson 3.10.18 and 3.11.5).
SAID = [
    ("", "Input is a zero-length, empty document", 0),
    (" \n", "input data is empty", 0),
    ("{", "unexpected end of data", 1),
    ('{"a":', "unexpected end of data", 5),
    ('{"a":nul', "unexpected end of data", 8),
    ('"abc', "unexpected end of data", 4),
    ('"\\u', "unexpected end of data", 3),
    ('{"a":1,}', "trailing comma is not allowed", 6),
    ("[1, ]", "trailing comma is not allowed", 2),
    ("[1 2]", "unexpected character", 3),
    ("{a:1}", "unexpected character", 1),
    ("<html>", "unexpected character", 0),
    ("[}", "unexpected character", 1),
    ("NaN", "unexpected character", 0),
    ('{"a":["NaN",NaN]}', "unexpected character", 12),
    ("-Infinity", "no digit after minus sign", 1),
    ("[-a]", "no digit after minus sign", 2),
    ('{"a":tru}', "invalid literal", 5),
    ('"a\nb"', "unexpected control character in string", 2),
    ('"\\x"', "invalid escaped character in string", 2),
    ('"\\u12G4"', "invalid escaped sequence in string", 1),
    ('"\\ud800 and more"', "no low surrogate in string", 7),
    ('"\\udc00"', "invalid high surrogate in string", 1),
    ('"\\ud800\\u0041"', "invalid low surrogate in string", 7),
    ('"\\ud800\\u00"', "invalid escaped sequence in string", 7),
    ("{} x", "unexpected content after document", 3),
    ('{"a":1}\n}', "unexpected content after document", 8),
    ("1" * 5000, "number is infinity when parsed as double", 0),
    ("[" * 2000 + "]" * 2000, "array and object recursion depth exceeded", 1025),
    ("\ufeff{}", "unexpected character", 0),
]


@pytest.mark.parametrize(("text", "detail", "char"), SAID, ids=[repr(text[:20]) for text, *_ in SAID])
def test_what_is_no_json_is_told_in_the_words_of_the_api_s_parser(text, detail, char):
    with pytest.raises(NotJson) as caught:
        parse(text.encode())
    assert (caught.value.detail, caught.value.char) == (detail, char)


def test_bytes_that_are_no_text_are_no_json():
    with pytest.raises(NotJson, match="not valid UTF-8"):
        parse(b'{"a": "\xff"}')


def test_the_message_counts_lines_and_columns_from_one():
    broken = check_body(b'{"a": 1,\n "b": 2\n "c": 3}')[1]
    assert broken is not None
    assert broken.message == "The request body is not valid JSON: unexpected character: line 3 column 2 (char 18)"


@pytest.mark.parametrize("text", ['"\\ud83d\\ude00"', '"\\\\ud800"', '["\\\\\\\\ud800", "\\u0041"]'])
def test_escaped_pairs_and_escaped_backslashes_are_sound(text):
    assert parse(text.encode()) == json.loads(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.booleans())
def test_json_is_read_as_it_was_written(value, escaped):
    assert parse(json.dumps(value, ensure_ascii=escaped).encode()) == value


@given(st.text(max_size=40))
def test_any_text_is_json_or_the_place_of_its_fault_is_inside_it(text):
    raw = text.encode()
    fault = None
    try:
        parse(raw)
    except NotJson as error:
        fault = error
    assert fault is None or (0 <= fault.char <= len(text) and min(fault.line, fault.column) >= 1)
