"""JSON out of what people paste: what is read, and what is said about it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.traces.encoding import Unreadable, decode
from course.traces.salvage import salvage


def only(text):
    found = salvage(text)
    assert len(found.values) == 1, found
    return found.values[0], " ".join(found.repairs)


def attempt(text):
    """Return what was read, or the words of the error."""
    try:
        return salvage(text)
    except Unreadable as error:
        return str(error)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
documents = st.dictionaries(st.text(min_size=1, max_size=8), json_values, min_size=1, max_size=4)


@given(documents)
@settings(max_examples=60, deadline=None)
def test_valid_json_is_read_as_it_is(value):
    assert salvage(json.dumps(value)) == salvage(json.dumps(value, ensure_ascii=False, indent=2))
    assert only(json.dumps(value)) == (value, "")


@given(documents)
@settings(max_examples=60, deadline=None)
def test_json_inside_of_a_log_line_is_read_whole(value):
    text = f"2026-12-01 10:00:00 INFO [http] sending {json.dumps(value)} took 3 ms"
    assert value in salvage(text).values


@given(documents)
@settings(max_examples=60, deadline=None)
def test_a_python_repr_is_read_as_json(value):
    assert only(f"body = {value!r}")[0] == value


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_no_text_makes_it_fail_otherwise_than_by_saying_so(text):
    found = attempt(text)
    assert found if isinstance(found, str) else found.values


@given(documents, st.integers(0, 400))
@settings(max_examples=100, deadline=None)
def test_a_cut_document_is_read_as_far_as_it_goes(value, at):
    text = json.dumps(value)
    cut = text[: min(at, len(text) - 1)]
    found = attempt(cut)
    assert isinstance(found, str) or all(isinstance(read, dict | list) for read in found.values)


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ('{"a": 1, // one\n "b": [2, /* two */ 3]}', {"a": 1, "b": [2, 3]}, "Comments"),
        ('{"a": [1, 2,],}', {"a": [1, 2]}, "comma before a closing bracket (2"),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}, "comma was missing"),
        ("{'a': True, 'b': None, 'c': (1, 2)}", {"a": True, "b": None, "c": [1, 2]}, "Notation that is Python"),
        ("Block(type='text', text='it\\'s')", {"type": "text", "text": "it's"}, "Notation that is Python"),
        ("{a: 1}", {"a": 1}, "key without quotes"),
        ("{“a”: “b”}", {"a": "b"}, "Typographic quotes"),
        ('{"a": NaN, "b": undefined}', {"a": None, "b": None}, "does not have"),
        ('{"a": "she said "no" twice", "b": 1}', {"a": 'she said "no" twice', "b": 1}, "inside a string"),
        ('{"a": [{"b": 1}, ...]}', {"a": [{"b": 1}]}, "leaves something out"),
        ('{"a": {"b": "unfinished bus', {"a": {"b": "unfinished bus"}}, "cut off at line 1"),
        ('{"a": [1, 2}', {"a": [1, 2]}, "bracket did not match"),
        ('"{\\"a\\": \\"b\\\\nc\\"}"', {"a": "b\nc"}, "encoded twice"),
        ('{\\"a\\": \\"b\\"}', {"a": "b"}, "escaped as if inside a string"),
        ('{"a": 1, "a": 2}', {"a": 2}, "`a` stands twice"),
        ('{"a": "x\ny"}', {"a": "x\ny"}, ""),
    ],
)
def test_each_departure_from_json_is_read_and_named(text, value, said):
    read, repairs = only(text)
    assert read == value
    assert said in repairs


def test_a_repair_names_the_line():
    _, repairs = only('{"a": 1,\n"b": 2,\n}')
    assert "near line 3" in repairs


def test_json_lines_give_one_value_a_line():
    assert salvage('{"a": 1}\n\n{"b": 2}\n').values == ({"a": 1}, {"b": 2})


def test_a_fenced_block_in_prose_is_found_and_the_prose_is_not():
    found = salvage('See [the docs] for {name}:\n```json\n{"role": "user"}\n```\nand (more).')
    assert found.values == ({"role": "user"},)
    assert found.repairs == ()


@pytest.mark.parametrize("text", ["", "  \n", "no json here", "[1, 2", "[[[[", "null", "{}{"])
def test_text_without_an_object_is_unreadable(text):
    with pytest.raises(Unreadable):
        salvage(text)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 5_000 + "]" * 5_000])
def test_deep_nesting_ends_in_words_not_in_a_crash(text):
    found = attempt(text)
    assert found if isinstance(found, str) else any("deep" in repair for repair in found.repairs)


def test_bytes_of_other_encodings_are_read():
    text = '{"a": "ü"}'
    assert decode(text.encode("utf-8-sig")) == text
    assert decode(text.encode("utf-16")) == text
    assert decode(text.encode("latin-1")) == text


@pytest.mark.parametrize("raw", [b"\x7fELF\x00\x01\x02", b"\x89PNG\r\n\x1a\n\x00\x00", bytes(range(256))])
def test_a_binary_file_is_named_as_one(raw):
    with pytest.raises(Unreadable, match="binary"):
        decode(raw)
