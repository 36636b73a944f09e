"""Answers from events, and re-grading when a question was mended."""

import pytest
from clocks import Clock
from synthetic import bank_of, item

from course.quiz.history import OF_ANSWERS, answers, regrade
from course.quiz.practice import Session
from course.quiz.selection import Selection
from course.quiz.store import Store


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "history.sqlite", clock=Clock()) as store:
        yield store


def options(key: str) -> list[dict[str, object]]:
    return [
        {"id": name, "text": f"Option {name}", "correct": name == key, "why": f"Because of {name}."}
        for name in ("a", "b", "c")
    ]


OLD = bank_of(item("q", options=options("a")))
MENDED = bank_of(item("q", version=2, options=options("b")))


def practise(store: Store, *responses: str) -> None:
    for response in responses:
        Session(OLD, store, Selection(items=("q",))).answer(response)


def test_an_answer_carries_what_was_given_and_what_it_was_worth(store):
    session = Session(OLD, store)
    session.current()
    session.hint()
    session.answer("b", 3)
    [answer] = answers(store.events(OF_ANSWERS))
    assert (answer.item, answer.response, answer.verdict, answer.score) == ("q", "b", "incorrect", 0)
    assert (answer.confidence, answer.hints, answer.item_version, answer.mode) == (3, 1, 1, "practice")
    assert sorted(answer.order) == ["a", "b", "c"]


def test_a_mended_key_scores_the_old_answers_again_and_tells_what_changed(store):
    practise(store, "a", "b", "c")
    changes = regrade(store, MENDED)
    assert [(change.was, change.now, change.verdict) for change in changes] == [
        (1, 0, "incorrect"),
        (0, 1, "correct"),
    ]
    now = answers(store.events(OF_ANSWERS))
    assert [(answer.score, answer.was, answer.item_version) for answer in now] == [(0, 1, 2), (1, 0, 2), (0, 0, 2)]


def test_the_old_grade_stays_in_the_history(store):
    practise(store, "a")
    regrade(store, MENDED)
    kinds = [event.kind for event in store.events(OF_ANSWERS)]
    assert kinds == ["answered", "graded", "regraded"]
    assert store.events("graded")[0].data["score"] == 1


def test_regrading_twice_changes_nothing_more(store):
    practise(store, "a")
    assert len(regrade(store, MENDED)) == 1
    assert regrade(store, MENDED) == []
    assert len(store.events("regraded")) == 1


def test_answers_given_between_two_corrections_are_graded_again_too(store):
    practise(store, "a")
    regrade(store, MENDED)
    practise(store, "a")
    assert [(change.was, change.now) for change in regrade(store, bank_of(item("q", version=3, options=options("c"))))]
    assert [answer.item_version for answer in answers(store.events(OF_ANSWERS))] == [3, 3]


def test_nothing_is_graded_again_while_versions_are_the_same(store):
    practise(store, "a")
    assert regrade(store, OLD) == []
    assert store.events("regraded") == []


def test_an_answer_whose_option_is_gone_keeps_its_grade(store):
    practise(store, "a")
    without = [row for row in options("b") if row["id"] != "a"]
    assert regrade(store, bank_of(item("q", version=2, options=without))) == []
    assert answers(store.events(OF_ANSWERS))[0].right


def test_a_question_that_left_the_bank_keeps_its_grades(store):
    practise(store, "a")
    assert regrade(store, bank_of(item("other"))) == []
    assert answers(store.events(OF_ANSWERS))[0].right
