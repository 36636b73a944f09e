"""Where a learner stands, computed from events; and the history as a picture, a table and words."""

import json
import random
from datetime import timedelta

import pytest
from clocks import START, Clock
from synthetic import bank_of, full_bank, item

from course.quiz.attempts import Exam
from course.quiz.blueprint import blueprint
from course.quiz.charts import history_chart
from course.quiz.grading import key
from course.quiz.practice import Session
from course.quiz.progress import CONFIDENCE_MARKS, caveats, progress, sittings
from course.quiz.scores import Tally
from course.quiz.selection import Selection
from course.quiz.store import Store

BANK = full_bank()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    with Store(tmp_path / "history.sqlite", clock=clock) as store:
        yield store


def answer(store, bank, id, right=True, confidence=None):
    run = Session(bank, store, Selection(items=(id,)), rng=random.Random(0))
    run.answer(key(bank.item(id)) if right else "red", confidence)
    run.next()


def sit(store, clock, name="domain2", misses=0, seed="1"):
    exam = Exam.start(blueprint(name), BANK, store, seed=seed, monotonic=clock.monotonic)
    for number, entry in enumerate(exam.form.entries, 1):
        exam.answer(number, key(BANK.item(entry.item)) if number > misses else None)
    clock.go(minutes=30)
    exam.finish()
    return exam


def test_nothing_answered_is_an_empty_progress(store):
    found = progress(store, BANK)
    assert (found.answered, found.objectives, found.weeks, found.due) == (0, (), (), 0)
    assert not found.readiness.ready
    assert json.loads(json.dumps(found.as_json()))["sittings"] == []


def test_objectives_count_the_newest_answer_to_each_question(store, clock):
    bank = bank_of(item("a"), item("b"))
    answer(store, bank, "a", right=False)
    answer(store, bank, "b", right=False)
    clock.go(days=1)
    answer(store, bank, "a")
    found = progress(store, bank)
    assert [(row.id, row.tally) for row in found.objectives] == [("BLK-2", Tally(1, 2))]
    assert found.practice == Tally(1, 3)
    assert found.misconceptions == (("claude-runs-tools", "Claude runs the tool itself.", 2),)


def test_open_answers_enter_no_tally(store):
    bank = bank_of(item("q", "open"))
    Session(bank, store).answer({"text": "A plan.", "points": ["plan", "risk"]})
    found = progress(store, bank)
    assert (found.answered, found.practice) == (1, Tally(0, 0))


def test_calibration_sets_what_was_felt_beside_what_was_right(store):
    bank = bank_of(*(item(f"q{number}") for number in range(4)))
    for id, right, confidence in (("q0", True, 3), ("q1", False, 3), ("q2", True, 1), ("q3", False, 2)):
        answer(store, bank, id, right, confidence)
    found = progress(store, bank)
    assert [(row.id, row.tally) for row in found.calibration] == [
        ("1", Tally(1, 1)),
        ("2", Tally(0, 1)),
        ("3", Tally(1, 2)),
    ]
    assert found.confidence_marks == 3 - 6 + 1 - 2
    assert found.sure_but_wrong == ("q1",)


@pytest.mark.parametrize(("low", "high", "threshold"), [(1, 2, 2 / 3), (2, 3, 0.8)])
def test_confidence_marks_make_honesty_pay(low, high, threshold):
    def worth(level, chance):
        right, wrong = CONFIDENCE_MARKS[level]
        return chance * right + (1 - chance) * wrong

    assert worth(low, threshold - 0.05) > worth(high, threshold - 0.05)
    assert worth(high, threshold + 0.05) > worth(low, threshold + 0.05)


def test_what_was_sure_and_wrong_leaves_the_list_once_it_is_right(store, clock):
    bank = bank_of(item("q"))
    answer(store, bank, "q", right=False, confidence=3)
    clock.go(days=1)
    answer(store, bank, "q")
    assert progress(store, bank).sure_but_wrong == ()


def test_answers_are_gathered_by_week(store, clock):
    bank = bank_of(item("a"), item("b"))
    answer(store, bank, "a")
    clock.go(days=7)
    answer(store, bank, "b", right=False)
    weeks = progress(store, bank).weeks
    monday = (START - timedelta(days=START.weekday())).date()
    assert weeks == ((monday, Tally(1, 1)), (monday + timedelta(days=7), Tally(0, 1)))


def test_due_counts_concepts_and_names_the_next_day(store, clock):
    bank = bank_of(item("a"))
    answer(store, bank, "a", right=False)
    assert (progress(store, bank).due, progress(store, bank).next_due) == (0, START.date() + timedelta(days=1))
    clock.go(days=1)
    assert (progress(store, bank).due, progress(store, bank).next_due) == (1, None)


def test_a_blank_in_an_exam_is_a_missed_point(store, clock):
    sit(store, clock, misses=6)
    [sat] = sittings(store, BANK)
    assert (sat.tally, sat.unseen, sat.domains) == (Tally(24, 30), 1.0, {2: Tally(24, 30)})
    assert sat.counts


def test_a_form_sat_a_second_time_is_not_unseen(store, clock):
    exam = Exam.start(blueprint("domain2"), BANK, store, seed="x", fresh=False, monotonic=clock.monotonic)
    exam.finish()
    again = Exam.start(blueprint("domain2"), BANK, store, seed="x", fresh=False, monotonic=clock.monotonic)
    again.finish()
    assert [sat.unseen for sat in sittings(store, BANK)] == [1.0, 0.0]


def test_two_unseen_forms_give_an_estimate_and_readiness(store, clock):
    sit(store, clock, seed="1", misses=2)
    assert not progress(store, BANK).readiness.ready
    sit(store, clock, seed="2", misses=2)
    found = progress(store, BANK)
    assert found.readiness.ready
    assert found.estimate.tally == Tally(56, 60)


def test_exercises_and_predictions_of_lessons_are_counted(store):
    for passed in (False, True):
        data = {"lesson": "02", "exercise": "pair", "passed": passed}
        store.append("exercise_checked", key=f"e{passed}", item="pair", data=data)
    store.append("predicted", key="p", data={"lesson": "02", "question": "which", "prediction": 1})
    found = progress(store, BANK)
    assert (found.exercises, found.predictions) == (Tally(1, 1), 1)


def test_every_estimate_carries_the_note_on_live_difficulty_and_a_word_when_facts_are_old():
    assert len(caveats(START.date())) == 1
    assert "744 live" in caveats(START.date())[0]
    assert "checked on 2026-12-01" in caveats(START.date() + timedelta(days=61))[1]


def test_the_picture_has_the_same_numbers_as_its_table_and_its_words(store, clock):
    answer(store, BANK, "t11-00")
    sit(store, clock, misses=3)
    chart = history_chart(progress(store, BANK))
    assert chart.png.startswith(b"\x89PNG")
    assert chart.table[1:] == (
        ("2026-11-30", "answers of the week", "28 / 28", "100%", "88%–100%"),
        ("2026-12-01", "form domain2", "27 / 30", "90%", "74%–97%"),
    )
    for words in ("28 of 28 right (100%)", "27 of 30 right (90%)"):
        assert words in chart.words
    html = chart._repr_html_()
    assert 'alt="Your history.' in html
    assert '<th scope="col">95 % interval</th>' in html
    assert "<td>27 / 30</td>" in html


def test_nothing_to_draw_is_said_in_words(store):
    chart = history_chart(progress(store, BANK))
    assert (chart.png, chart.words) == (b"", "Nothing answered yet.")
    assert "<img" not in chart._repr_html_()
