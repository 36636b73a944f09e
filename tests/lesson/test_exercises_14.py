"""Right and wrong answers to the exercises of lesson 14, and the page of two truths."""

import pytest

from course.lesson import check, two_truths
from course.lesson.exercises.lesson_14 import ANSWERS, ASKS, LAYERS

KEYED = LAYERS | {"key": "filter"}

RIGHT = [
    *[("exam-domain-two", (share,)) for share in (18, 0.18, 18.0, "18 %", "18")],
    ("exam-read-qualifiers", (ASKS,)),
    ("exam-read-qualifiers", ({row: answer.upper() for row, answer in ASKS.items()},)),
    ("exam-name-the-layer", (KEYED,)),
    ("exam-name-the-layer", (KEYED | {"key": "Tool", "plead": " Prompt"},)),
    ("exam-two-truths", (ANSWERS,)),
    *[("exam-interval", (who,)) for who in ("B", "b ", "B")],
]

WRONG = [
    ("exam-domain-two", (20,), "begins with 2"),
    ("exam-domain-two", (11,), "11 is not it"),
    ("exam-domain-two", ("a fifth",), "a fifth"),
    ("exam-read-qualifiers", (dict.fromkeys(ASKS, "cheap"),), "2 not right yet"),
    ("exam-name-the-layer", (KEYED | {"second": "prompt"},), "second"),
    ("exam-name-the-layer", (KEYED | {"key": "plead"},), "leaves the cause"),
    ("exam-name-the-layer", (KEYED | {"key": "model"},), "leaves the cause"),
    ("exam-two-truths", (dict.fromkeys(ANSWERS, "docs"),), "2 not right yet"),
    ("exam-interval", ("A",), "lower ends"),
    ("exam-interval", (0.6,), "lower ends"),
]


@pytest.mark.parametrize(("exercise", "values"), RIGHT)
def test_every_right_answer_is_accepted(exercise, values):
    verdict = check(exercise, *values)
    assert verdict.ok, verdict


@pytest.mark.parametrize(("exercise", "values", "said"), WRONG)
def test_a_wrong_answer_is_told_why(exercise, values, said):
    verdict = check(exercise, *values)
    assert verdict.state == "wrong"
    assert said in verdict.message, verdict
    assert verdict.place


def test_the_page_of_two_truths_begins_with_the_guide_and_says_when_it_was_checked():
    page = two_truths()
    guided = ["exam guide" in str(row.says) for row in page.rows]
    assert guided == sorted(guided, reverse=True)
    assert sum(guided) >= 10
    assert "Checked on 2026-" in repr(page)
    assert page._repr_html_().count("<tr>") == len(page.rows) + 1
