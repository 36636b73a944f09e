"""Sitting a form: the clock, two windows, pauses, the end, and the review."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from clocks import START, Clock
from synthetic import bank_of, full_bank

from course.quiz.attempts import Exam, started_exams
from course.quiz.blueprint import Blueprint
from course.quiz.errors import AttemptError
from course.quiz.store import Store

PLAN = Blueprint.model_validate(
    {
        "id": "short", "title": "Short", "about": "A test.", "items": 6, "minutes": 10, "pauses": 1,
        "parts": [{"tasks": ["1.1"], "share": 1}, {"tasks": ["2.1"], "share": 1}],
    }
)  # fmt: skip
BANK = full_bank(["1.1", "2.1"])


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    with Store(tmp_path / "history.sqlite", clock=clock) as store:
        yield store


@pytest.fixture
def exam(store, clock):
    return Exam.start(PLAN, BANK, store, seed="1", monotonic=clock.monotonic)


def window(exam: Exam, clock: Clock) -> Exam:
    return Exam(exam.attempt, BANK, exam.store, monotonic=clock.monotonic)


def right(question: dict) -> object:
    ids = [option["id"] for option in question["item"]["options"]]
    return [id for id in ids if id in ("right", "also")] if "also" in ids else "right"


def test_a_question_is_json_without_key_or_reason(exam):
    question = exam.question(1)
    text = json.dumps(question)
    assert (question["number"], question["total"], question["left"]) == (1, 6, 600)
    assert "correct" not in text
    assert "A reason" not in text
    assert "difficulty" in question["item"]


def test_answers_flags_and_notes_are_there_in_every_window(exam, clock):
    question = exam.question(2)
    assert exam.answer(2, right(question)) == 1
    exam.flag(3)
    exam.note(3, "the second one is close")
    other = window(exam, clock)
    assert other.question(2)["response"] == right(question)
    assert (other.question(3)["flagged"], other.question(3)["note"]) == (True, "the second one is close")
    rows = other.status()["questions"]
    assert [row["answered"] for row in rows] == [False, True, False, False, False, False]
    assert [row["flagged"] for row in rows] == [False, False, True, False, False, False]


def test_an_answer_can_be_changed_and_taken_back(exam):
    exam.answer(1, right(exam.question(1)))
    assert exam.answer(1, None) == 2
    assert exam.question(1)["response"] is None
    assert not exam.status()["questions"][0]["answered"]


def test_a_double_click_is_one_answer(exam):
    choice = right(exam.question(1))
    assert exam.answer(1, choice, rev=0) == exam.answer(1, choice, rev=0) == 1
    assert len(exam.store.events("answered")) == 1


def test_a_second_window_may_not_overwrite_what_it_has_not_seen(exam, clock):
    other = window(exam, clock)
    number = next(n for n in range(1, 7) if exam.question(n)["item"]["kind"] == "single")
    seen = other.question(number)["rev"]
    exam.answer(number, "right")
    with pytest.raises(AttemptError, match="in another window"):
        other.answer(number, "red", rev=seen)
    assert other.question(number)["response"] == "right"
    assert other.answer(number, "red", rev=other.question(number)["rev"]) == 2


def test_an_answer_that_cannot_be_graded_is_refused_at_once(exam):
    number = next(n for n in range(1, 7) if exam.question(n)["item"]["kind"] == "select_n")
    with pytest.raises(AttemptError, match="Choose exactly 2; you chose 1"):
        exam.answer(number, ["right"])


def test_a_number_outside_the_form_is_named(exam):
    with pytest.raises(AttemptError, match="run from 1 to 6"):
        exam.question(7)


def test_the_clock_runs_on_while_the_lid_is_closed(exam, clock):
    clock.go(60)
    assert exam.left() == 540
    clock.sleep(240)
    assert exam.left() == 300


def test_a_wall_clock_set_back_gives_no_time(exam, clock):
    clock.go(60)
    clock.sleep(-3600)
    clock.go(30)
    assert exam.left() == 510


def test_the_clock_runs_on_while_the_program_is_gone(exam, clock):
    clock.go(120)
    exam.store.close()
    again = Clock()
    again.now, again.ticks = clock.now, 0.0
    assert Exam(exam.attempt, BANK, exam.store, monotonic=again.monotonic).left() == 480


def test_time_up_hands_in_what_was_answered_and_refuses_what_comes_late(exam, clock):
    exam.answer(1, right(exam.question(1)))
    question = exam.question(2)
    clock.go(601)
    with pytest.raises(AttemptError, match="Time is up"):
        exam.answer(2, right(question))
    assert exam.finished
    assert [row["right"] for row in exam.review()] == [True, False, False, False, False, False]
    assert exam.store.events("attempt_finished")[0].data["reason"] == "time"


def test_a_form_left_lying_is_over_when_it_is_opened_again(exam, clock):
    clock.sleep(86_400)
    assert window(exam, clock).status()["finished"]


def test_a_pause_stops_the_clock_and_hides_the_questions(exam, clock):
    clock.go(60)
    exam.pause()
    clock.go(hours=5)
    assert exam.left() == 540
    with pytest.raises(AttemptError, match="clock is stopped"):
        exam.question(1)
    exam.resume()
    clock.go(40)
    assert exam.left() == 500
    assert window(exam, clock).left() == 500
    assert exam.status()["pauses_left"] == 0


def test_no_more_pauses_than_the_form_allows(exam):
    exam.pause()
    exam.resume()
    with pytest.raises(AttemptError, match="allows 1 pauses"):
        exam.pause()


def test_resuming_a_clock_that_runs_does_nothing(exam):
    exam.resume()
    assert exam.store.events("attempt_resumed") == []


def test_the_review_opens_only_after_handing_in(exam):
    with pytest.raises(AttemptError, match="once the attempt is handed in"):
        exam.review()
    exam.finish()
    assert len(exam.review()) == 6


def test_the_review_gives_reasons_for_wrong_right_and_blank_answers(exam):
    singles = [n for n in range(1, 7) if exam.question(n)["item"]["kind"] == "single"][:3]
    exam.answer(singles[0], "red")
    exam.answer(singles[1], "right")
    exam.flag(singles[1])
    exam.finish()
    rows = {row["number"]: row for row in json.loads(json.dumps(exam.review()))}
    wrong, good, blank = (rows[number] for number in singles)
    assert [wrong["right"], good["right"], blank["right"]] == [False, True, False]
    assert wrong["feedback"]["words"] == "Not right."
    assert good["flagged"]
    assert blank["feedback"]["verdict"] == "blank"
    assert blank["feedback"]["parts"][0]["role"] == "key"
    assert blank["feedback"]["explanation"]


def test_an_exam_gives_all_or_nothing(exam):
    number = next(n for n in range(1, 7) if exam.question(n)["item"]["kind"] == "select_n")
    exam.answer(number, ["right", "red"])
    exam.finish()
    [graded] = exam.store.events("graded")
    assert (graded.data["score"], graded.data["verdict"]) == (0, "incorrect")


def test_handing_in_twice_is_handing_in_once(exam, clock):
    other = window(exam, clock)
    exam.answer(1, right(exam.question(1)))
    exam.finish()
    other.finish()
    assert len(exam.store.events("attempt_finished")) == 1
    assert len(exam.store.events("graded")) == 1


def test_nothing_is_taken_after_the_end(exam, clock):
    other = window(exam, clock)
    question = other.question(1)
    exam.finish()
    with pytest.raises(AttemptError, match="handed in"):
        other.answer(1, right(question))
    assert [row["right"] for row in exam.review()] == [False] * 6


def test_handing_in_brings_the_backup_up_to_date(exam):
    exam.finish()
    assert exam.store.path.with_name("history.sqlite.backup").is_file()
    assert exam.store.back_up() is False


def test_the_form_and_its_option_orders_stay_as_they_were_drawn(exam, clock):
    before = [exam.question(number)["item"] for number in range(1, 7)]
    assert [window(exam, clock).question(number)["item"] for number in range(1, 7)] == before


def test_an_item_that_left_the_bank_is_left_out_and_said_so(exam, clock):
    gone = exam.form.entries[0].item
    smaller = bank_of(*(row for row in BANK if row.id != gone))
    again = Exam(exam.attempt, smaller, exam.store, monotonic=clock.monotonic)
    assert again.question(1)["item"] is None
    with pytest.raises(AttemptError, match="withdrawn"):
        again.answer(1, "right")
    again.finish()
    assert again.review()[0]["right"] is None


def test_an_unknown_attempt_is_named(store):
    with pytest.raises(AttemptError, match="no exam attempt 'nothing'"):
        Exam("nothing", BANK, store)


def test_unfinished_and_finished_exams_are_told_apart(exam, clock):
    store = exam.store
    assert [event.attempt for event in started_exams(store, finished=False)] == [exam.attempt]
    exam.finish()
    assert started_exams(store, finished=False) == []
    assert [event.attempt for event in started_exams(store, finished=True)] == [exam.attempt]


def test_the_next_form_avoids_what_was_seen_even_unanswered(exam, clock):
    exam.answer(1, right(exam.question(1)))
    exam.finish()
    second = Exam.start(PLAN, BANK, exam.store, seed="1", monotonic=clock.monotonic)
    assert second.form.unseen == 6
    assert not {entry.item for entry in exam.form.entries} & {entry.item for entry in second.form.entries}


def test_the_start_is_recorded_with_the_time_it_was(exam):
    assert exam.store.events("attempt_started")[0].at == START


SITTER = """
import sys
sys.path.insert(0, sys.argv[2])
from synthetic import full_bank
from course.quiz.attempts import Exam, started_exams
from course.quiz.store import Store
store = Store(sys.argv[1])
[started] = started_exams(store, finished=False)
exam = Exam(started.attempt, full_bank(["1.1", "2.1"]), store)
for _ in range(1000):
    for number in range(1, 7):
        question = exam.question(number)
        ids = [option["id"] for option in question["item"]["options"]]
        choice = ids[question["rev"] % 3] if question["item"]["kind"] == "single" else ids[:2]
        rev = exam.answer(number, choice)
        print(number, rev, flush=True)
"""


def test_twenty_kills_in_an_exam_lose_no_acknowledged_answer(tmp_path):
    path = tmp_path / "history.sqlite"
    hours = PLAN.model_copy(update={"minutes": 600})
    with Store(path) as store:
        exam = Exam.start(hours, BANK, store, seed="1")
    acknowledged = set()
    for _ in range(20):
        command = [sys.executable, "-c", SITTER, str(path), str(Path(__file__).parent)]
        sitter = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        lines = [sitter.stdout.readline() for _ in range(5)]
        sitter.kill()
        lines += sitter.communicate()[0].splitlines(keepends=True)
        acknowledged |= {tuple(map(int, line.split())) for line in lines if line.endswith("\n")}
    with Store(path) as store:
        assert store.notices == ()
        numbers = {entry.item: number for number, entry in enumerate(exam.form.entries, 1)}
        kept = {(numbers[event.item], event.data["try"]) for event in store.events("answered")}
        again = Exam(exam.attempt, BANK, store)
        assert len(acknowledged) >= 100
        assert acknowledged <= kept
        assert all(again.question(number)["rev"] >= rev for number, rev in acknowledged)
