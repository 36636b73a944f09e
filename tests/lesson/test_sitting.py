"""A form in a cell: kept answers, no word of their worth before the end, reasons after it."""

from course.lesson import sit
from course.lesson.desk import desk
from course.lesson.sitting import InCell, Reviewed
from course.quiz import grading
from course.widgets import QuizView


def sat(view, right=True):
    """Answer every question by its key, or leave it."""
    told = []
    while (now := view.session.current()) is not None:
        if right:
            item = view.session.exam.bank.item(now["item"]["id"])
            view.answer(grading.key(item))
            told.append(view.question)
        view.session.next()
    return told


def test_without_begin_nothing_starts():
    assert "twenty minutes" in str(sit("mini"))
    assert desk().store().events("attempt_started") == []


def test_a_form_keeps_answers_silently_and_tells_the_reasons_at_the_end():
    view = sit("mini", begin=True)
    assert isinstance(view, QuizView)
    assert view.question["total"] == 10
    told = sat(view)
    assert len(told) == 10
    for question in told:
        assert question["feedback"]["verdict"] == "kept"
        assert question["feedback"]["parts"] == []
        assert not question["feedback"]["explanation"]
    assert view.session.summary()["right"] == 10
    review = sit("mini", begin=True)
    assert isinstance(review, Reviewed)
    assert "10 of 10" in repr(review)
    assert review._repr_html_().count("✓") == 10


def test_a_form_that_was_begun_goes_on_where_it_was_left():
    first = sit("mini", begin=True)
    item = first.session.exam.bank.item(first.question["item"]["id"])
    first.answer(grading.key(item))
    second = sit("mini", begin=True)
    assert second.session.exam.attempt == first.session.exam.attempt
    assert second.question["position"] == 2


def test_skipped_questions_come_once_more_and_then_count_as_missed():
    view = sit("mini", begin=True)
    seen = []
    while (now := view.session.current()) is not None:
        seen.append(now["position"])
        view.session.next()
    assert seen == [*range(1, 11), *range(1, 11)]
    assert view.session.summary() | {"missed": []} == {"right": 0, "total": 10, "missed": []}
    assert isinstance(sit("mini", begin=True, again=True).session, InCell)


def test_an_empty_answer_waits():
    view = sit("mini", begin=True)
    view.answer(None)
    assert view.question["feedback"]["done"] is False
    assert view.question["state"] == "asking"
