"""Item records: what they accept, and what they say when a record is wrong."""

import pytest
from guide import bank_of, changed, examples, records
from pydantic import ValidationError

from course.quiz.items import in_language
from course.quiz.kinds import KINDS


def test_the_guide_has_an_example_of_every_kind():
    assert set(examples()) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_an_item_survives_a_round_trip_through_json(kind):
    item = examples()[kind]
    assert KINDS[item.kind].model_validate_json(item.model_dump_json(by_alias=True)) == item


def test_a_text_by_language_falls_back_to_english():
    item = changed("single", stem={"en": "Who runs it?", "ko": "누가 실행하나요?"})
    assert item.text("stem", "ko") == "누가 실행하나요?"
    assert item.text("stem", "fr") == "Who runs it?"
    assert item.text("exam_says") == ""
    assert in_language("plain", "ko") == "plain"


@pytest.mark.parametrize("stem", ["  ", {"ko": "한국어만"}, {"en": " "}, 7, ["a"]])
def test_a_text_must_say_something_in_english(stem):
    with pytest.raises(ValidationError, match="text"):
        changed("single", stem=stem)


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        (
            "single",
            {"options": [{**option, "correct": True} for option in records()["single"]["options"]]},
            "exactly one",
        ),
        ("select_n", {"select_n": 3}, "select_n is 3"),
        ("single", {"options": records()["single"]["options"][:1] * 4}, "two options have the id"),
        ("match", {"targets": records()["match"]["targets"][:2]}, "is no target"),
        ("spot_block", {"answer": {"places": [[9, 0]], "rule": "x"}}, "no message 9"),
        ("spot_block", {"rules": ["role.tool-result"]}, "not among"),
        ("faded_code", {"code": "def run(): <<other>>"}, "the code marks the holes other"),
        ("single", {"exam_task": "9.9"}, "pattern"),
        ("single", {"id": "Not An Id"}, "pattern"),
        ("single", {"surprise": 1}, "Extra inputs"),
    ],
)
def test_a_record_that_could_not_be_graded_is_refused(kind, fields, words):
    with pytest.raises(ValidationError, match=words):
        changed(kind, **fields)


def test_steps_that_wait_for_each_other_are_refused():
    steps = [{**step, "after": []} for step in records()["order"]["options"]]
    steps[0]["after"], steps[1]["after"] = [steps[1]["id"]], [steps[0]["id"]]
    with pytest.raises(ValidationError, match="wait for each other"):
        changed("order", options=steps)


def test_order_follows_the_file_unless_steps_say_after():
    steps = [{**step, "after": []} for step in records()["order"]["options"]]
    strict = changed("order", options=steps)
    assert [len(strict.before()[step["id"]]) for step in steps if step.get("correct", True)] == [0, 1, 2, 3, 4]
    steps[2]["after"] = [steps[0]["id"]]
    loose = changed("order", options=steps)
    assert loose.before()[steps[2]["id"]] == {steps[0]["id"]}
    assert loose.before()[steps[3]["id"]] == frozenset()


BAD = """
- id: fine
  version: 1
  kind: numeric
  objectives: [CYC-1]
  exam_task: "1.1"
  difficulty: easy
  stem: How many?
  answer: 1
  why: Because.
  explanation: So.
  est_seconds: 10
- id: broken
  version: 1
  kind: numeric
  objectives: [CYC-1]
  exam_task: 1.1
  difficulty: medium
  stem: {ko: "몇?"}
  answer: 1
  why: Because.
  explanation: So.
  est_second: 10
- id: strange
  kind: essay
- just a text
- id: fine
  version: 2
  kind: numeric
  objectives: [CYC-1]
  exam_task: "1.1"
  difficulty: easy
  stem: Again?
  answer: 1
  why: Because.
  explanation: So.
  est_seconds: 10
"""


def test_a_bad_item_is_reported_with_its_place_and_hides_no_other(tmp_path):
    bank = bank_of(tmp_path, BAD)
    assert list(bank.items) == ["fine"]
    said = "\n".join(map(str, bank.problems))
    for words in (
        "01_test.yaml:17: broken exam_task: expected a text, found 1.1: put it in quotes",
        "01_test.yaml:18: broken difficulty: found 'medium': use one of 'easy', 'exam' or 'hard'",
        "01_test.yaml:19: broken stem: a text by language needs the language `en`",
        "01_test.yaml:23: broken est_second: there is no field `est_second`",
        "broken est_seconds: this field is missing: add `est_seconds:`",
        "01_test.yaml:25: strange kind: there is no kind 'essay'",
        "01_test.yaml:26: this entry is not an item",
        "01_test.yaml:27: fine id: this id is taken by 01_test.yaml, line 2",
    ):
        assert words in said
    assert len(bank.problems) == 8
