"""The quiz view in Python: the key is nowhere before the answer, and what the page sends reaches session and store."""

import json
import random

import pytest
import view_items

from course.quiz.grading import key
from course.quiz.history import OF_ANSWERS
from course.quiz.practice import Session
from course.quiz.selection import Selection
from course.quiz.store import Store
from course.widgets import QuizView

BANK = view_items.bank()


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "history.sqlite") as store:
        yield store


def view(store, *kinds):
    items = tuple(f"view-{kind.replace('_', '-')}" for kind in kinds)
    return QuizView(Session(BANK, store, Selection(items=items), count=len(items), rng=random.Random(1)))


def page(quiz, **message):
    """What a kernel does with a message of the page."""
    quiz._handle_custom_msg({"item": quiz.question["item"]["id"], **message}, [])


@pytest.mark.parametrize("kind", view_items.BODIES)
def test_neither_state_nor_output_holds_the_key_before_the_answer(kind, store):
    quiz = view(store, kind)
    data, _ = quiz._repr_mimebundle_()
    state = {name: value for name, value in quiz.get_state().items() if name not in ("_esm", "_css")}
    for text in (json.dumps(quiz.question), str(state), json.dumps(data), repr(quiz)):
        assert view_items.SECRET not in text
        assert "correct" not in text
    assert quiz.question["feedback"] is None


@pytest.mark.parametrize("kind", view_items.BODIES)
def test_every_kind_is_answered_by_a_message_and_kept(kind, store):
    quiz = view(store, kind)
    response = key(BANK.item(quiz.question["item"]["id"]))
    page(quiz, do="answer", response=response, confidence=2)
    assert quiz.question["feedback"]["done"]
    assert view_items.SECRET in json.dumps(quiz.question["feedback"])
    kept = [event for event in store.events(OF_ANSWERS) if event.kind == "answered"]
    assert [(event.data["response"], event.data["confidence"]) for event in kept] == [(response, 2)]


def test_an_open_answer_is_marked_by_its_writer_in_a_second_step(store):
    quiz = view(store, "open")
    page(quiz, do="answer", response={"text": "Control and audit.", "points": None})
    assert quiz.question["feedback"]["verdict"] == "mark"
    assert quiz.question["state"] == "asking"
    page(quiz, do="answer", response={"text": "Control and audit.", "points": ["control"]})
    assert quiz.question["feedback"]["verdict"] == "partial"


def test_a_blank_answer_waits_and_gives_nothing_away(store):
    quiz = view(store, "single")
    page(quiz, do="answer", response=None)
    assert quiz.question["feedback"]["verdict"] == "blank"
    assert view_items.SECRET not in json.dumps(quiz.question)
    page(quiz, do="answer", response="both")
    assert quiz.question["feedback"]["verdict"] == "correct"


def test_hints_come_one_by_one(store):
    quiz = view(store, "single")
    page(quiz, do="hint")
    assert quiz.question["hints"] == [[["p", "A nudge with ", ["code", "code"], "."]]]
    assert quiz.question["hints_left"] == 1


def test_next_asks_the_next_question_and_then_sums_up(store):
    quiz = view(store, "single", "numeric")
    first = quiz.question["item"]["id"]
    page(quiz, do="answer", response=key(BANK.item(first)))
    page(quiz, do="next")
    assert quiz.question["position"] == 2
    page(quiz, do="answer", response=key(BANK.item(quiz.question["item"]["id"])))
    page(quiz, do="next")
    assert quiz.question["state"] == "done"
    assert quiz.question["summary"]["right"] == 2


def test_a_command_about_a_question_that_is_gone_is_left_alone(store):
    quiz = view(store, "single", "numeric")
    first = quiz.question["item"]["id"]
    page(quiz, do="next")
    quiz._handle_custom_msg({"do": "next", "item": first}, [])
    assert quiz.question["position"] == 2


@pytest.mark.parametrize("message", ["next", {"do": "explode"}, {"do": "answer"}, None, {"item": 3}])
def test_a_message_that_is_no_command_does_no_harm(message, store):
    quiz = view(store, "single")
    asked = quiz.question
    quiz._handle_custom_msg(message, [])
    assert quiz.question == asked


def test_flag_note_and_report_reach_the_store(store):
    quiz = view(store, "single")
    page(quiz, do="flag", on=True)
    page(quiz, do="note", text="Compare with lesson 02.")
    page(quiz, do="report", text="Two options seem right.")
    assert quiz.question["flagged"] is True
    assert quiz.question["note"] == "Compare with lesson 02."
    assert "Two options seem right." in quiz.question["report"]
    assert {event.kind for event in store.events()} >= {"flagged", "noted", "reported"}


def test_the_still_picture_asks_in_words_and_escapes_them(store):
    data, _ = view(store, "single")._repr_mimebundle_()
    assert "What does the app send <strong>next</strong>?" in data["text/html"]
    assert "&lt;b&gt;both&lt;/b&gt;" in data["text/html"]


def test_a_broken_block_named_without_its_rule_is_told_what_is_missing(store):
    quiz = view(store, "spot_block")
    page(quiz, do="answer", response={"place": [1, 0]})
    (note,) = quiz.question["feedback"]["parts"]
    assert (note["role"], note["text"]) == ("note", [["p", "Name the rule as well as the place."]])
