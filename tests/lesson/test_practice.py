import sys

import pytest

from course.lesson import check, predict, progress, quiz
from course.lesson.prediction import Choices, current_lesson
from course.lesson.record import events
from course.lesson.sentence import Sentence
from course.quiz.bank import QUIZZES, load_bank


def test_a_prediction_is_noted_with_its_lesson_and_not_graded(monkeypatch):
    monkeypatch.setenv("JPY_SESSION_NAME", "notebooks/01_six_steps.ipynb")
    view = predict("six-ran", "How often?", ["never", "once"])
    view.choice = 1
    (event,) = events(("predicted",))
    assert event.item == "six-ran"
    assert event.data == {"lesson": "01", "question": "How often?", "prediction": "once"}
    assert view.prediction.right is None


def test_going_on_without_a_guess_is_noted_nowhere():
    predict("six-ran", "How often?", ["never", "once"]).choice = -1
    assert not events(("predicted",))


def test_where_no_widget_can_be_made_the_choices_are_read(monkeypatch):
    monkeypatch.setitem(sys.modules, "course.widgets", None)
    view = predict("six-ran", "How often <b>?", ["never", "once"])
    assert isinstance(view, Choices)
    assert "( ) never" in repr(view)
    assert "<b>?" not in view._repr_html_()


def test_dots_make_no_prediction():
    assert predict("six-ran", ..., ["a"]) is ...


@pytest.mark.parametrize(
    ("name", "lesson"), [("x/03_a.ipynb", "03"), ("", ""), ("untitled.ipynb", ""), ("03_a.mine-1.ipynb", "03")]
)
def test_the_lesson_is_read_from_the_notebooks_name(monkeypatch, name, lesson):
    monkeypatch.setenv("JPY_SESSION_NAME", name)
    assert current_lesson() == lesson


def test_progress_counts_each_solved_exercise_once_by_lesson():
    check("six-in-order", "wrong")
    check("six-in-order", "cefdab")
    check("six-in-order", "cefdab")
    row = next(row for row in progress().rows if row.lesson == "01")
    assert row.solved == 1
    assert row.exercises >= 4
    assert "1 of" in repr(progress())
    assert "<table>" in progress()._repr_html_()


def test_the_quiz_of_a_lesson_asks_five_questions_about_it():
    view = quiz("02")
    assert view.question["total"] == 5
    asked = load_bank(QUIZZES).item(view.question["item"]["id"])
    assert any(id.startswith("BLK") for id in asked.objectives)


def test_two_learners_start_with_the_same_question():
    first = quiz("02").question["item"]["id"]
    assert quiz("02").question["item"]["id"] == first


def test_a_lesson_without_questions_gets_a_sentence():
    told = quiz("77")
    assert isinstance(told, Sentence)
    assert "77" in told


def test_what_the_store_has_to_tell_is_told_once(tmp_path, monkeypatch, capsys):
    home = tmp_path / "damaged"
    home.mkdir()
    (home / "history.sqlite").write_bytes(b"no database at all" * 100)
    monkeypatch.setenv("COURSE_HOME", str(home))
    check("six-in-order", "abc")
    assert "no backup could be read" in capsys.readouterr().out
    check("six-in-order", "cefdab")
    progress()
    quiz("02")
    assert capsys.readouterr().out == ""


def test_a_kernel_opens_one_store(monkeypatch):
    from course.quiz import store as module

    made = []

    class Counted(module.Store):
        def __init__(self, *args, **options):
            made.append(self)
            super().__init__(*args, **options)

    monkeypatch.setattr(module, "Store", Counted)
    for _ in range(3):
        check("six-in-order", "abc")
        progress()
    quiz("02")
    assert len(made) == 1


def test_the_quiz_of_a_lesson_begins_with_what_is_easy():
    bank = load_bank(QUIZZES)
    view = quiz("01")
    assert bank.item(view.question["item"]["id"]).difficulty == "easy"
