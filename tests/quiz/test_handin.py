"""Handing in: which answers go into a result file, under which name, and what signs it."""

import json
import os
from datetime import date

import pytest
from clocks import START, Clock
from hypothesis import given
from hypothesis import strategies as st
from synthetic import bank_of, full_bank, item

from course.quiz.attempts import Exam
from course.quiz.blueprint import Blueprint
from course.quiz.errors import HandInError
from course.quiz.handin import (
    canonical,
    file_name,
    fingerprint,
    free_path,
    history_id,
    lines_of,
    mac,
    new_class_key,
    pseudonym,
    read_class_key,
    text_of,
    write_new,
)
from course.quiz.practice import Session
from course.quiz.selection import Selection
from course.quiz.store import Store

BANK = full_bank(["1.1", "2.1"])
PLAN = Blueprint.model_validate(
    {
        "id": "short", "title": "Short", "about": "A test.", "items": 6, "minutes": 10, "pauses": 1,
        "parts": [{"tasks": ["1.1"], "share": 1}, {"tasks": ["2.1"], "share": 1}],
    }
)  # fmt: skip


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    with Store(tmp_path / "history.sqlite", clock=clock) as store:
        yield store


def practise(store, clock, bank, response, **selection):
    """Answer one question of a bank."""
    session = Session(bank, store, Selection(**selection), count=1, monotonic=clock.monotonic)
    session.answer(response, 2)
    session.next()
    clock.go(minutes=1)


def test_a_practised_answer_is_one_line(store, clock):
    practise(store, clock, bank_of(item("q1")), "red")
    (line,) = lines_of(store, "ada")
    assert line.as_json() == {
        "learner": "ada",
        "item": "q1",
        "version": 1,
        "try": 1,
        "response": "red",
        "score": 0.0,
        "confidence": 2,
        "at": "2026-12-01T09:00:00.000+00:00",
        "source": "practice",
        "form": None,
    }


def test_tries_count_over_the_whole_history_also_behind_since(store, clock):
    bank = bank_of(item("q1"))
    practise(store, clock, bank, "red")
    clock.go(days=1)
    practise(store, clock, bank, "right")
    assert [line.try_number for line in lines_of(store, "ada")] == [1, 2]
    assert [line.try_number for line in lines_of(store, "ada", since=date(2026, 12, 2))] == [2]


def test_a_lesson_is_told_from_free_practice(store, clock):
    practise(store, clock, bank_of(item("q1")), "red", lesson="02")
    assert [line.source for line in lines_of(store, "ada")] == ["lesson"]


def test_of_an_exam_the_answers_handed_in_count_and_blanks_are_lines(store, clock):
    exam = Exam.start(PLAN, BANK, store, seed="1", monotonic=clock.monotonic)
    ids = [entry.item for entry in exam.form.entries]
    first = exam.question(1)["item"]
    wrong = "red" if "also" not in str(first) else ["red", "green"]
    exam.answer(1, wrong)
    exam.answer(1, ["right", "also"] if isinstance(wrong, list) else "right")
    exam.answer(2, None)
    assert lines_of(store, "ada") == []
    exam.finish()
    found = {line.item: line for line in lines_of(store, "ada")}
    assert set(found) == set(ids)
    assert found[ids[0]].score == 1.0
    assert {(found[id].response, found[id].score) for id in ids[1:]} == {(None, 0.0)}
    assert {(line.source, line.form, line.try_number) for line in found.values()} == {("exam", "short", 1)}


def test_open_answers_notes_and_flags_stay_at_home(store, clock):
    bank = bank_of(item("essay", "open"))
    session = Session(bank, store, Selection(), count=1, monotonic=clock.monotonic)
    session.note("my secret")
    session.flag()
    session.answer({"text": "my secret plan", "points": ["plan"]})
    assert lines_of(store, "ada") == []
    assert "secret" not in text_of(lines_of(store, "ada"), made=START, by="progress", bank="x", learner="ada")


def test_the_id_of_a_history_stays_until_the_history_is_deleted(store):
    first = history_id(store)
    assert history_id(store) == first
    store.delete()
    assert history_id(store) != first


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("  blue   heron ", "blue heron"),
        ("a\u202eb\x1b[31mc", "abc"),
        ("한글", "한글"),
        ("e\u0301", "é"),
        ("=1+1", "=1+1"),
    ],
)
def test_a_name_keeps_what_can_be_seen(given, name):
    assert pseudonym(given) == name


@given(st.text(max_size=60))
def test_a_file_name_is_one_every_system_keeps(text):
    name = file_name(text, date(2026, 12, 1))
    assert name.endswith("-2026-12-01.jsonl")
    assert not set(name) & set('/\\:*?"<>|\x00 ')
    assert not name.startswith((".", "-"))
    assert len(name.encode()) < 200


@pytest.mark.parametrize("name", ["CON", "nul", "com1", "..", "/", ""])
def test_a_name_a_system_keeps_for_itself_gets_another(name):
    stem = file_name(name, date(2026, 12, 1)).split("-")[0]
    assert stem == "learner"


def test_a_taken_name_gets_a_number_and_nothing_is_overwritten(tmp_path):
    for expected in ("a.jsonl", "a-2.jsonl", "a-3.jsonl"):
        path = free_path(tmp_path, "a.jsonl")
        assert path.name == expected
        write_new(path, "x")
    with pytest.raises(HandInError, match="stays as it is"):
        write_new(tmp_path / "a.jsonl", "y")


def test_a_class_key_is_private_and_read_again(tmp_path):
    path = tmp_path / "class.key"
    made = new_class_key(path)
    assert fingerprint(read_class_key(path)) == made
    assert made not in path.read_text()
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o644)
        with pytest.raises(HandInError, match="chmod 600"):
            read_class_key(path)


def test_what_holds_no_key_is_refused_without_repeating_it(tmp_path):
    path = tmp_path / "key"
    write_new(path, "secret words", mode=0o600)
    with pytest.raises(HandInError) as told:
        read_class_key(path)
    assert "secret words" not in str(told.value)
    with pytest.raises(HandInError, match="can't be read"):
        read_class_key(tmp_path / "missing")


def test_a_signature_covers_the_header_and_every_line(store, clock):
    practise(store, clock, bank_of(item("q1")), "red")
    text = text_of(lines_of(store, "ada"), made=START, by="progress", bank="x", learner="ada", key=b"k" * 32)
    header, *rows = map(json.loads, text.splitlines())
    assert header["signed"]["mac"] == mac(b"k" * 32, header, rows)
    assert header["signed"]["mac"] != mac(b"j" * 32, header, rows)
    assert header["signed"]["mac"] != mac(b"k" * 32, {**header, "learner": "eve"}, rows)
    assert header["signed"]["mac"] != mac(b"k" * 32, header, [{**rows[0], "score": 1.0}])
    assert header["signed"]["mac"] != mac(b"k" * 32, header, [])


@given(st.dictionaries(st.text(max_size=5), st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9)))
def test_canonical_json_survives_a_round_trip(row):
    assert canonical(json.loads(json.dumps(row, indent=2))) == canonical(row)
