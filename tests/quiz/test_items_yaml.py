"""Reading YAML that strangers wrote: data with lines, and clear refusals."""

import pytest
from guide import bank_of

from course.quiz.bank import BankError, load_bank
from course.quiz.yamlfile import DEEPEST, LARGEST, YamlProblem, read_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("2026-12-01", "2026-12-01"),
        ("1:30", "1:30"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("12", 12),
        ("-3.5", -3.5),
        ("1e3", 1000.0),
        ("true", True),
        ("null", None),
        ("~", None),
        ('"12"', "12"),
        ("'true'", "true"),
        ("|\n  a\n  b\n", "a\nb\n"),
        ("", None),
        ("[1, [2]]", [1, [2]]),
        ("{a: {b: c}}", {"a": {"b": "c"}}),
    ],
)
def test_scalars_follow_the_core_schema(text, value):
    assert read_yaml(text).data == value


def test_lines_are_known_down_to_the_deepest_part_that_exists():
    document = read_yaml("- id: a\n  options:\n    - id: x\n      why: y\n    - id: z\n- id: b\n")
    assert document.line(0, "options", 0, "why") == 4
    assert document.line(0, "options", 1) == 5
    assert document.line(0, "options", 1, "nothing", "there") == 5
    assert document.line(1) == 6


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3", 3, "the key `a` stands here a second time"),
        ("a: &x [1]\nb: *x", 1, "the anchor `&x` is set"),
        ("a: *x", 1, "the alias `*x` is used"),
        ("a: !!python/object/apply:os.system [ls]", 1, "the tag `tag:yaml.org,2002:python/object/apply:os.system`"),
        ("a: 1\n---\nb: 2", 2, "a second document"),
        ("? [1, 2]\n: 3", 1, "a key is not a plain text"),
        ("a: 'x", 1, "this is not YAML"),
        ("a: b: c", 1, "this is not YAML"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), 1, "the nesting is deeper"),
        ("a: \x07", 0, "this is not YAML"),
    ],
)
def test_what_is_refused_names_the_line_and_what_to_do(text, line, words):
    with pytest.raises(YamlProblem) as caught:
        read_yaml(text)
    assert words in caught.value.what
    assert caught.value.line == line
    assert caught.value.todo


def test_an_alias_bomb_is_refused_at_its_first_anchor():
    bomb = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    with pytest.raises(YamlProblem, match="line 1: the anchor"):
        read_yaml(bomb)


def test_a_huge_file_is_refused_unread(tmp_path):
    bank = bank_of(tmp_path, "x" * (LARGEST + 1))
    [problem] = bank.problems
    assert "1,000,001 bytes" in problem.what
    assert problem.file.name == "01_test.yaml"


def test_a_file_that_is_not_utf8_is_a_problem_of_its_own(tmp_path):
    (tmp_path / "01.yaml").write_bytes(b"- id: \xff\xfe")
    [problem] = load_bank(tmp_path).problems
    assert "not UTF-8" in problem.what


def test_a_file_that_is_no_list_is_a_problem_of_its_own(tmp_path):
    [problem] = bank_of(tmp_path, "id: a").problems
    assert "a list of items" in problem.what


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(BankError, match="nowhere"):
        load_bank(tmp_path / "nowhere")


def test_an_item_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BankError, match="no-such"):
        bank_of(tmp_path, "[]").item("no-such")
