"""`course exam`: sitting, leaving, coming back, handing in, and looking again."""

import pytest
from quiz_desk import Desk, bank_of, full_bank, item

from course.cli import exam
from course.quiz.attempts import started_exams

BANK = full_bank(singles=12, selects=3, variants=2)


@pytest.fixture
def desk(tmp_path, monkeypatch, capsys):
    desk = Desk(tmp_path, monkeypatch, capsys)
    desk.lay_out(BANK)
    return desk


def answers_to(desk: Desk, wrong: int = 0) -> list[str]:
    """Return the lines that answer the unfinished form rightly, the first `wrong` questions wrongly."""
    [started] = started_exams(desk.store(), finished=False)
    lines = []
    for number, entry in enumerate(started.data["form"]["entries"]):
        right = [str(entry["order"].index(id) + 1) for id in ("right", "also") if id in entry["order"]]
        red = str(entry["order"].index("red") + 1)
        lines.append(" ".join([red, *right[1:]] if number < wrong else right))
    return lines


def test_a_form_is_announced_honestly_and_can_be_left(desk):
    code, shown = desk.run(exam.run)
    assert code == 0
    for words in ("10 questions, 20 minutes", "A practice form, not the exam", "10 of 10 questions are new to you"):
        assert words in shown
    assert "Question 1 of 10" in shown
    assert "The clock runs on" in shown
    assert "course exam --resume" in shown.replace("\n", " ")


def test_a_form_is_resumed_answered_handed_in_and_reviewed(desk):
    desk.run(exam.run)
    lines = answers_to(desk, wrong=2)
    code, shown = desk.run(exam.run, "--resume", typed=[*lines, "d", "yes", ""])
    assert code == 0
    assert "That was the last question." in shown
    for words in ("Handed in.", "8 of 10 right (80%)", "Too few answers for an estimate", "By exam task"):
        assert words in shown
    assert "Not ready yet" not in shown
    assert "cannot be said yet" in shown
    assert "980 on the old practice exam and 744 live" in " ".join(shown.split())
    assert shown.count("Your answer, and why it fails") == 2
    assert "Question 1 of 10 · wrong" in shown


def test_no_reason_is_shown_before_the_form_is_handed_in(desk):
    desk.run(exam.run)
    _, shown = desk.run(exam.run, "--resume", typed=[*answers_to(desk), "o"])
    assert "10 of 10 answered" in shown
    for words in ("Correct", "A reason that is long enough", "What t"):
        assert words not in shown


def test_moving_about_flags_notes_and_the_overview(desk):
    desk.run(exam.run)
    typed = ["f", "t the second is close", "n", "p", "g 5", "g 99", "x", "o", "?", "q"]
    _, shown = desk.run(exam.run, "--resume", typed=typed)
    for words in (
        "Flagged.",
        "Noted.",
        "Your note: the second is close",
        "Question 5 of 10",
        "Answer with numbers from 1 to 10.",
        "There is no answer to take back.",
        "0 of 10 answered, 1 flagged",
        "(1)*",
        "n next",
    ):
        assert words in shown


def test_an_answer_can_be_changed_and_taken_back(desk):
    desk.run(exam.run)
    first = answers_to(desk)[0]
    _, shown = desk.run(exam.run, "--resume", typed=[first, "p", "x", "o"])
    assert f"Your answer so far: {', '.join(first.split())}" in shown
    assert "0 of 10 answered" in shown


def test_a_pause_stops_the_clock_until_the_sitter_is_back(desk):
    desk.run(exam.run)
    _, shown = desk.run(exam.run, "--resume", typed=["z", "q"])
    assert "the clock is stopped at" in shown
    _, shown = desk.run(exam.run, "--resume", typed=["", "z"])
    assert "Question 1 of 10" in shown
    assert "allows 1 pauses, and they are used up" in shown


def test_an_unfinished_form_is_offered_before_a_new_one(desk):
    desk.run(exam.run)
    _, shown = desk.run(exam.run, typed=[""])
    assert "is not finished" in shown
    assert len(started_exams(desk.store(), finished=False)) == 1
    desk.run(exam.run, typed=["new"])
    assert len(started_exams(desk.store(), finished=False)) == 1
    assert len(started_exams(desk.store(), finished=True)) == 1


def test_time_up_is_said_and_graded(desk, monkeypatch):
    desk.run(exam.run)
    first = answers_to(desk)[0]
    monkeypatch.setattr("course.quiz.attempts.Exam.left", lambda self: 0.0)
    code, shown = desk.run(exam.run, "--resume", typed=[first, "q"])
    assert code == 0
    assert "Time is up." in shown
    assert "0 of 10 right" in shown


def test_the_same_seed_makes_the_same_form_for_everybody(desk):
    def entries() -> list[str]:
        desk.run(exam.run, "--seed", "class-7")
        [started] = started_exams(desk.store(), finished=False)
        desk.store().delete()
        return [entry["item"] for entry in started.data["form"]["entries"]]

    assert entries() == entries()


def test_the_last_review_can_be_looked_at_again(desk):
    assert desk.run(exam.run, "--review")[0] == 2
    desk.run(exam.run)
    desk.run(exam.run, "--resume", typed=[*answers_to(desk, wrong=1), "d", "yes", "q"])
    code, shown = desk.run(exam.run, "--review", typed=["a"])
    assert code == 0
    assert "9 of 10 right" in shown
    assert shown.count("What t") == 10


def test_the_forms_are_listed_with_what_is_missing(desk):
    code, shown = desk.run(exam.run, "--forms")
    assert code == 0
    assert "mini: Mini form. The question bank can fill it." in shown
    assert "domain 3: 12 needed, 0 there." in shown


def test_a_form_that_cannot_be_filled_or_does_not_exist_exits_with_2(desk):
    desk.lay_out(bank_of(item("q")))
    code, shown = desk.run(exam.run)
    assert (code, "can't be filled" in shown) == (2, True)
    code, shown = desk.run(exam.run, "--form", "maxi")
    assert (code, "there are: domain2" in shown.replace("\n", " ")) == (2, True)
    assert desk.run(exam.run, "--resume")[0] == 2


def test_a_long_form_gets_band_chance_and_the_part_it_speaks_for(desk):
    desk.run(exam.run, "--form", "domain2")
    _, shown = desk.run(exam.run, "--resume", typed=[*answers_to(desk, wrong=6), "d", "yes", "q"])
    flat = " ".join(shown.split())
    for words in (
        "24 of 30 right (80%)",
        "Your true rate lies between 63% and 90%",
        "On the exam's scale that is about 790 to 813",
        "Chance of passing a whole exam made of questions like these: 75% to 84%.",
        "covers part of the exam (2)",
        "new to you; so far: 1.",
    ):
        assert words in flat
