"""Practice sessions: what is asked, what is told, what is kept."""

import json
import random
from datetime import UTC, datetime, timedelta

import pytest
from clocks import Clock
from synthetic import bank_of, full_bank, item

from course.quiz.errors import AttemptError, QuizError
from course.quiz.grading import key
from course.quiz.history import OF_ANSWERS, answers
from course.quiz.kinds import KINDS
from course.quiz.practice import Session
from course.quiz.selection import Selection, pick
from course.quiz.store import Store

EVERY_KIND = bank_of(*(item(f"k-{kind.replace('_', '-')}", kind) for kind in KINDS))


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    with Store(tmp_path / "history.sqlite", clock=clock) as store:
        yield store


def session(bank, store, **options) -> Session:
    selection = Selection(**options.pop("select", {}))
    return Session(bank, store, selection, rng=random.Random(1), **options)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_asked_and_answered_in_json(kind, store):
    run = session(EVERY_KIND, store, select={"kind": kind})
    question = json.loads(json.dumps(run.current()))
    assert question["item"]["kind"] == kind
    told = run.answer(json.loads(json.dumps(key(EVERY_KIND.item(question["item"]["id"])))))
    assert told.verdict == "correct"
    assert json.loads(json.dumps(told.as_json()))["words"] == "Correct."
    assert run.next() is None


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_carries_neither_key_nor_reason_before_it_is_answered(kind, store):
    asked = json.dumps(session(EVERY_KIND, store, select={"kind": kind}).current())
    assert "correct" not in asked
    assert "A reason that is long enough" not in asked
    assert "What k-" not in asked


@pytest.mark.parametrize("last", ["q1", "q4"])
def test_a_question_can_be_kept_for_the_end(store, last):
    bank = bank_of(*(item(f"q{number}") for number in range(1, 5)))
    run = session(bank, store, count=3, last=last)
    asked = [row.item for row in run._picks]
    assert asked[-1] == last
    assert len(asked) == len(set(asked)) == 3


def test_feedback_comes_in_the_order_in_which_it_helps(store):
    bank = bank_of(item("q"))
    told = session(bank, store).answer("red")
    assert told.words == "Not right."
    assert [part["heading"] for part in told.parts] == [
        "Your answer, and why it fails",
        "The right answer, and why it holds",
    ]
    assert told.parts[0]["text"].endswith("red.")
    assert told.explanation == "What q is about."
    assert told.lessons[0]["words"].startswith("Lesson 02, section “The pairing rule” (BLK-2)")
    assert told.misconceptions == ({"id": "claude-runs-tools", "text": "Claude runs the tool itself."},)
    assert told.again == "It comes back on 2026-12-02."


def test_a_sure_and_wrong_answer_is_told_so(store):
    assert "You were sure" in session(bank_of(item("q")), store).answer("red", 3).words


def test_a_guess_that_was_right_is_told_so(store):
    assert "You called it a guess" in session(bank_of(item("q")), store).answer("right", 1).words


@pytest.mark.parametrize("response", [None, "", "purple", ["right"]])
def test_a_blank_or_invalid_answer_is_not_wrong_and_the_question_waits(response, store):
    run = session(bank_of(item("q")), store)
    told = run.answer(response)
    assert told.verdict in ("blank", "invalid")
    assert not told.done
    assert not told.explanation
    assert all(part["role"] == "note" for part in told.parts)
    assert store.events(OF_ANSWERS) == []
    assert run.answer("right").verdict == "correct"


def test_a_double_click_gets_the_first_feedback_and_is_kept_once(store):
    run = session(bank_of(item("q")), store)
    assert run.answer("red") == run.answer("right")
    assert len(store.events("answered")) == 1


def test_confidence_is_1_to_3(store):
    with pytest.raises(QuizError, match="not 4"):
        session(bank_of(item("q")), store).answer("right", 4)


def test_hints_come_in_stages_and_are_remembered(store):
    run = session(bank_of(item("q")), store)
    assert [run.hint() for _ in range(4)] == ["nudge", "rule", "shape", None]
    shown = run.current()
    assert (shown["hints"], shown["hints_left"]) == (["nudge", "rule", "shape"], 0)
    run.answer("right")
    assert answers(store.events(OF_ANSWERS))[0].hints == 3


def test_seconds_are_measured_from_when_the_question_was_shown(store, clock):
    run = Session(bank_of(item("q")), store, monotonic=clock.monotonic)
    run.current()
    clock.go(12)
    run.answer("right")
    assert answers(store.events(OF_ANSWERS))[0].seconds == 12


def test_flags_and_notes_come_back_with_the_question(store):
    bank = bank_of(item("q"))
    run = session(bank, store)
    run.flag()
    run.note("compare with the other one")
    again = session(bank, store).current()
    assert (again["flagged"], again["note"]) == (True, "compare with the other one")
    run.flag(False)
    assert not run.current()["flagged"]


def test_a_report_is_a_ready_issue_text(store):
    run = session(bank_of(item("q")), store)
    run.answer("red")
    text = run.report("Two answers hold.")
    assert text.startswith("# Question q\n\nTwo answers hold.\n")
    assert "- question: `q v1`" in text
    assert '- my answer: `"red"`' in text
    assert "> Question q: which one holds?" in text
    assert store.events("reported")[0].item == "q"


def test_an_open_answer_is_marked_by_its_writer_and_enters_no_score(store):
    run = session(bank_of(item("q", "open")), store)
    shown = run.answer({"text": "First a plan."})
    assert (shown.verdict, shown.done) == ("mark", False)
    assert "A plan, and a risk." in [part["text"] for part in shown.parts]
    assert store.events("graded") == []
    told = run.answer({"text": "First a plan.", "points": ["plan"]})
    assert (told.verdict, told.score) == ("partial", 0.5)
    assert run.summary()["total"] == 0


def test_a_session_broken_off_goes_on_where_it_was(store):
    bank = full_bank(["1.1"])
    run = session(bank, store, count=4)
    first = run.current()["item"]
    run.answer(key(bank.item(first["id"])))
    second = run.next()
    run.hint()
    again = Session.resume(bank, store)
    assert again.attempt == run.attempt
    assert again.current() == {**second, "hints": ["nudge"], "hints_left": 2}
    assert again.summary() == {"right": 1, "total": 1, "answered": 1, "left": 3, "missed": []}


def test_a_finished_session_is_not_resumed(store):
    run = session(bank_of(item("q")), store)
    run.answer("right")
    assert run.next() is None
    assert run.done
    assert Session.resume(bank_of(item("q")), store) is None
    with pytest.raises(AttemptError, match="over"):
        run.answer("right")


def test_resuming_leaves_out_what_left_the_bank(store):
    bank = bank_of(item("a"), item("b"))
    session(bank, store, count=2)
    again = Session.resume(bank_of(item("b")), store)
    assert again.current()["total"] == 1


def test_two_windows_on_one_session_keep_the_first_answer_and_say_so(store):
    bank = bank_of(item("q"))
    one = session(bank, store)
    other = Session.resume(bank, store)
    one.answer("right")
    told = other.answer("red")
    assert told.verdict == "correct"
    assert "answered in another window" in told.notice
    assert len(store.events("answered")) == 1


def test_the_summary_counts_and_names_what_was_missed(store):
    run = session(bank_of(item("a"), item("b")), store)
    run.answer("right")
    run.next()
    run.answer("red")
    summary = run.summary()
    assert (summary["right"], summary["total"], summary["left"]) == (1, 2, 0)
    assert summary["missed"][0]["lessons"][0]["objective"] == "BLK-2"


def test_an_answer_that_cannot_be_kept_is_still_explained_and_says_so(store):
    run = session(bank_of(item("q")), store)
    store._connection.execute("PRAGMA query_only = ON")
    told = run.answer("red")
    assert told.words == "Not right."
    assert not told.saved
    assert "could not be saved" in told.notice
    store._connection.execute("PRAGMA query_only = OFF")


def test_what_matches_nothing_says_so(store):
    with pytest.raises(QuizError, match="No question fits"):
        session(bank_of(item("q")), store, select={"lesson": "05"})
    with pytest.raises(QuizError, match="Nothing is due"):
        session(bank_of(item("q")), store, select={"due": True})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"lesson": "99"}, "no lesson '99'.*01, 02"),
        ({"objective": "BLK-99"}, "no objective 'BLK-99'.*BLK-2"),
        ({"task": "9.9"}, "no exam task '9.9'.*2.1"),
        ({"misconception": "none"}, "no misconception 'none'.*claude-runs-tools"),
    ],
)
def test_a_wrong_name_lists_the_right_ones(wrong, message):
    with pytest.raises(QuizError, match=message):
        Selection(**wrong)


MIXED = bank_of(
    item("blk", objectives=["BLK-2"]),
    item("loop", objectives=["LOOP-1"], exam_task="1.1"),
    item("def", objectives=["DEF-2"], exam_task="2.1"),
    item("number", "numeric", objectives=["PAR-1"], exam_task="beyond"),
    item("gone", status="retired"),
)


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        ({"lesson": "02"}, {"blk"}),
        ({"lesson": "2"}, {"blk"}),
        ({"objective": "DEF-2"}, {"def"}),
        ({"task": "2.1"}, {"def"}),
        ({"task": "beyond"}, {"number"}),
        ({"misconception": "claude-runs-tools"}, {"blk", "loop", "def"}),
        ({"kind": "numeric"}, {"number"}),
        ({"lesson": "04", "task": "1.1"}, {"loop"}),
        ({}, {"blk", "loop", "def", "number"}),
    ],
)
def test_a_selection_narrows(selection, expected, store, clock):
    chosen = pick(MIXED, [], Selection(**selection), rng=random.Random(0), now=clock(), count=9)
    assert {row.item for row in chosen} == expected


def test_a_session_never_asks_two_variants_of_one_concept(store):
    bank = bank_of(item("a"), item("b", variant_of="a"), item("c", variant_of="a"))
    assert session(bank, store).current()["total"] == 1


def practised(bank, store, clock, *, response="right") -> str:
    run = Session(bank, store, rng=random.Random(1), count=1)
    asked = run.current()["item"]["id"]
    run.answer(response)
    run.next()
    clock.go(days=1)
    return asked


def test_a_missed_concept_comes_back_in_another_dress_and_says_why(store, clock):
    bank = bank_of(item("a"), item("b", variant_of="a"))
    first = practised(bank, store, clock, response="red")
    question = session(bank, store, select={"due": True}).current()
    assert question["item"]["id"] != first
    assert question["why"] == "Due again: you missed it on 2026-12-01. The same idea in another dress."


def test_due_comes_before_new_and_new_before_early(store, clock):
    bank = bank_of(item("a"), item("b"), item("c"))
    missed = practised(bank, store, clock, response="red")
    known = practised(bank_of(*(row for row in bank if row.id != missed)), store, clock)
    run = session(bank, store, count=3)
    order = []
    while question := run.current():
        order.append((question["item"]["id"], question["why"].split()[0]))
        run.next()
    assert order[0] == (missed, "Due")
    assert order[1][1] == "New"
    assert order[2] == (known, "Not")


def test_an_exam_date_brings_concepts_back_sooner(store, clock):
    bank = bank_of(item("a"))
    practised(bank, store, clock)
    now = clock()
    past = answers(store.events(OF_ANSWERS))

    def due(exam_date):
        chosen = pick(bank, past, Selection(due=True), rng=random.Random(0), now=now, count=1, exam_date=exam_date)
        return bool(chosen)

    assert not due(None)
    assert due(now.date() + timedelta(days=4))


# the first day ------------------------------------------------------------------------------------------------------

WIDE = bank_of(
    *(item(f"mcp{n}", objectives=["MCP-1"], difficulty="hard") for n in range(20)),
    *(item(f"cyc{n}", objectives=["CYC-1"], difficulty=level) for n, level in enumerate(["hard", "exam", "easy"] * 2)),
    *(item(f"blk{n}", objectives=["BLK-2"]) for n in range(6)),
)


def chosen(past=(), *, begun=(), count=6, seed=0, **selection):
    now = datetime(2026, 12, 1, tzinfo=UTC)
    return pick(WIDE, past, Selection(**selection), rng=random.Random(seed), now=now, count=count, begun=begun)


@pytest.mark.parametrize("seed", range(5))
def test_an_empty_history_starts_with_the_first_lesson_and_what_is_easy(seed):
    asked = [WIDE.item(row.item) for row in chosen(seed=seed)]
    assert {row.objectives for row in asked} == {("CYC-1",)}
    assert [row.difficulty for row in asked] == ["easy", "easy", "exam", "exam", "hard", "hard"]


def test_the_lessons_begun_in_notebooks_come_first():
    assert {row.item[:3] for row in chosen(begun={"02"})} == {"blk"}
    assert {row.item[:3] for row in chosen(begun={"01", "02"}, count=12)} == {"cyc", "blk"}


def test_a_choice_of_ones_own_is_not_bent():
    assert {row.item[:3] for row in chosen(lesson="11", begun={"01"})} == {"mcp"}


def test_a_session_knows_the_lessons_of_the_notebooks(store):
    store.append("exercise_checked", key="x", item="pair", data={"lesson": "02", "exercise": "pair", "passed": True})
    assert Session(WIDE, store, count=1, rng=random.Random(0)).current()["item"]["id"].startswith("blk")


def test_of_a_concepts_variants_the_easiest_is_met_first():
    bank = bank_of(item("a", difficulty="hard"), item("b", variant_of="a", difficulty="easy"))
    now = datetime(2026, 12, 1, tzinfo=UTC)
    assert {pick(bank, [], Selection(), rng=random.Random(n), now=now, count=1)[0].item for n in range(5)} == {"b"}


def test_a_number_without_a_known_reason_points_to_the_computation(store):
    run = Session(bank_of(item("n", "numeric")), store, count=1, rng=random.Random(0))
    parts = run.answer("77").parts
    assert parts[0]["heading"] == "Your answer; the computation is below"
    assert parts[1]["text"]
