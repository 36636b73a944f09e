"""Graders of the closed kinds, by table: what scores what, and what is said about it."""

import json

import pytest
from guide import changed, examples, records

from course.quiz.grading import GRADER_VERSION, Grade, grade, key
from course.quiz.kinds import KINDS

CLOSED = ("single", "select_n", "order", "match", "spot_block", "numeric", "open")
STEPS = ["offer", "ask", "execute", "give_back", "answer"]


@pytest.mark.parametrize("kind", CLOSED)
def test_the_key_scores_one_in_both_modes(kind):
    item = examples()[kind]
    for mode in ("practice", "exam"):
        result = grade(item, key(item), mode=mode)
        assert (result.score, result.verdict) == (1.0, "correct")
        assert (result.item_id, result.item_version, result.grader_version) == (item.id, item.version, GRADER_VERSION)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("blank", [None, "", "  ", [], {}])
def test_nothing_answered_is_blank_and_not_wrong(kind, blank):
    result = grade(examples()[kind], blank)
    assert (result.score, result.verdict, result.counts, result.answered) == (0.0, "blank", False, False)


@pytest.mark.parametrize(
    ("kind", "response", "words"),
    [
        ("single", 3, "id of one option"),
        ("single", "nope", "no 'nope' here"),
        ("single", ["refused_call"], "id of one option"),
        ("select_n", ["text_after"], "Choose exactly 2; you chose 1"),
        ("select_n", ["text_after", "error_only", "silent"], "Choose exactly 2; you chose 3"),
        ("select_n", ["text_after", "text_after"], "twice"),
        ("select_n", "text_after", "list of option ids"),
        ("select_n", [["text_after"], "silent"], "There is no"),
        ("order", {"offer": 1}, "list of step ids"),
        ("order", ["offer", "offer"], "twice"),
        ("match", ["free"], "mapping"),
        ("match", {"some_call": "nowhere"}, "There is no 'nowhere'"),
        ("match", {"nothing": "free"}, "There is no 'nothing'"),
        ("match", {"some_call": ["free"]}, "There is no"),
        ("spot_block", {"place": [2, 9], "rule": "role.tool-result"}, "[message, block]"),
        ("spot_block", {"place": [True, 0], "rule": "role.tool-result"}, "[message, block]"),
        ("spot_block", {"rule": "role.tool-result"}, "[message, block]"),
        ("spot_block", {"place": [2, 2]}, "Name the rule"),
        ("spot_block", {"place": [2, 2], "rule": "x", "extra": 1}, "a place"),
        ("numeric", "three", "one number"),
        ("numeric", True, "one number"),
        ("numeric", float("nan"), "one number"),
        ("numeric", "1e999", "one number"),
        ("numeric", [3], "one number"),
        ("numeric", "9" * 100, "one number"),
        ("open", {"text": "My plan."}, "tick the points"),
        ("open", "My plan.", "a text, and the rubric points"),
        ("open", {"text": "My plan.", "points": ["genius"]}, "There is no 'genius'"),
    ],
)
def test_what_cannot_be_graded_is_invalid_and_says_what_to_do(kind, response, words):
    result = grade(examples()[kind], response)
    assert (result.verdict, result.score, result.counts) == ("invalid", 0.0, False)
    assert words in result.parts[0].text


def test_single_says_first_why_the_choice_fails_and_then_why_the_key_holds():
    item = examples()["single"]
    result = grade(item, "refused_role")
    assert [(part.role, part.ref, part.ok) for part in result.parts] == [
        ("chosen", "refused_role", False),
        ("key", "refused_call", True),
    ]
    assert result.parts[0].text.startswith("It is the other way round")
    assert result.misconceptions == ("results-anywhere",)


def test_select_n_credits_each_decision_in_practice_and_nothing_less_than_all_in_an_exam():
    item = examples()["select_n"]
    half = grade(item, ["text_after", "silent"])
    assert (half.score, half.verdict) == (pytest.approx(3 / 5), "partial")
    assert [(part.role, part.ref) for part in half.parts] == [
        ("chosen", "silent"),
        ("chosen", "text_after"),
        ("missed", "error_only"),
    ]
    assert half.misconceptions == ("error-may-be-dropped",)
    assert grade(item, ["text_after", "silent"], mode="exam").score == 0
    assert grade(item, ["text_after", "silent"], mode="exam").verdict == "incorrect"
    assert grade(item, ["from_assistant", "silent"]).score == 0


@pytest.mark.parametrize(
    ("response", "score"),
    [
        (STEPS, 1.0),
        (["ask", "offer", "execute", "give_back", "answer"], 0.8),
        (["execute", "offer", "ask", "give_back", "answer"], 0.8),
        (["offer", "ask", "execute", "give_back"], 0.8),
        ([*STEPS, "on_server"], 0.8),
        (["offer", "ask", "on_server", "give_back", "answer"], 0.6),
        (STEPS[::-1], 0.2),
        (["on_server"], 0.0),
    ],
)
def test_order_loses_a_share_for_each_step_to_move_add_or_take_out(response, score):
    assert grade(examples()["order"], response).score == pytest.approx(score)


def test_order_names_the_first_step_out_of_place_and_shows_a_valid_order():
    result = grade(examples()["order"], ["ask", "offer", "execute", "give_back", "answer"])
    assert (result.parts[0].role, result.parts[0].ref) == ("chosen", "ask")
    assert [part.ref for part in result.parts if part.role == "key"] == STEPS


def test_every_order_that_keeps_the_after_relations_is_right():
    steps = [{**step, "after": []} for step in records()["order"]["options"][:4]]
    steps[3]["after"] = ["offer", "ask"]
    item = changed("order", options=steps, proof=None)
    for right in (["offer", "ask", "give_back", "execute"], ["execute", "ask", "offer", "give_back"]):
        assert grade(item, right).score == 1
    assert grade(item, ["give_back", "offer", "ask", "execute"]).score == pytest.approx(0.75)


def test_match_counts_rows_and_a_row_left_out_is_missed():
    item = examples()["match"]
    result = grade(item, {"some_call": "any_tool", "this_call": "free"})
    assert result.score == pytest.approx(1 / 3)
    assert [(part.role, part.ref, part.ok) for part in result.parts] == [
        ("chosen", "this_call", False),
        ("missed", "no_call", False),
        ("chosen", "some_call", True),
    ]
    assert "`tool`, with a name" in result.parts[0].label


def test_spot_block_gives_half_for_the_place_and_half_for_the_rule():
    item = examples()["spot_block"]
    right = {"place": [2, 2], "rule": "pairing.duplicate-result"}
    assert grade(item, right).score == 1
    assert grade(item, {**right, "place": [1, 1]}).score == 0.5
    assert grade(item, {**right, "rule": "pairing.missing-result"}).score == 0.5
    assert grade(item, {**right, "rule": "pairing.missing-result"}, mode="exam").score == 0
    assert "Two tool_results of one user message" in grade(item, {**right, "rule": "role.tool-result"}).parts[1].text


@pytest.mark.parametrize("response", [3, 3.0, "3", " 3 ", "3.0", "+3", "3e0"])
def test_numeric_reads_numbers_as_people_type_them(response):
    assert grade(examples()["numeric"], response).score == 1


def test_numeric_reads_thousands_with_commas_or_spaces():
    item = changed("numeric", answer=12500, near=[], proof=None)
    assert [grade(item, text).score for text in ("12,500", "12 500", "12500", "12.500")] == [1, 1, 1, 0]


def test_numeric_names_a_known_near_miss():
    result = grade(examples()["numeric"], 2)
    assert result.verdict == "incorrect"
    assert result.parts[0].text.startswith("That counts the look-ups")
    assert result.parts[-1].label == "3 requests"


def test_numeric_tolerance_is_in_the_unit_of_the_answer():
    item = changed("numeric", answer=0.3, tolerance=0.05, near=[], proof=None)
    assert [grade(item, value).score for value in (0.25, 0.35, 0.36, 0.24)] == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("value", "score"),
    [(1000, 1), (1100, 1), (910, 1), (1250, 0.6), (800, 0.6), (1500, 0.3), (667, 0.3), (1600, 0), (0, 0), (-1000, 0)],
)
def test_an_estimate_is_graded_by_ratio(value, score):
    item = changed("numeric", answer=1000, estimate=True, near=[], proof=None)
    assert grade(item, value).score == score


def test_an_open_answer_adds_up_the_points_its_writer_claims_and_never_counts():
    result = grade(examples()["open"], {"text": "Sort, split, rewrite.", "points": ["classify", "delegate"]})
    assert result.score == pytest.approx(3 / 5)
    assert result.counts is False
    assert result.parts[-1].text.startswith("First sort the tools")


def test_a_grade_survives_json():
    result = grade(examples()["select_n"], ["text_after", "silent"])
    assert Grade.model_validate_json(json.dumps(result.model_dump(mode="json"))) == result


def test_feedback_speaks_the_language_that_is_asked_for():
    options = [
        {**option, "why": {"en": option["why"], "ko": f"한국어 {option['id']}"}}
        for option in records()["single"]["options"]
    ]
    item = changed("single", options=options)
    assert grade(item, "waits", lang="ko").parts[0].text == "한국어 waits"
