"""`course progress`: where a learner stands, and what becomes of the data."""

import json

import pytest
from quiz_desk import Desk, bank_of, item

from course.cli import progress, quiz


@pytest.fixture
def desk(tmp_path, monkeypatch, capsys):
    desk = Desk(tmp_path, monkeypatch, capsys)
    desk.lay_out(bank_of(*(item(f"q{number}", shuffle=False) for number in range(12))))
    return desk


def practised(desk: Desk, *typed: str) -> None:
    desk.run(quiz.run, "--count", str(len(typed) // 2), "--confidence", typed=typed)


def test_nothing_answered_says_how_to_begin(desk):
    code, shown = desk.run(progress.run)
    assert (code, "Begin with: course quiz" in shown) == (0, True)


def test_counts_intervals_misconceptions_and_calibration_are_shown(desk):
    practised(desk, *["1", "3"] * 8, "2", "3", "1", "1")
    _, shown = desk.run(progress.run, "--chart")
    flat = " ".join(shown.split())
    for words in (
        "10 answers, 10 of 12 questions met",
        "9/10 60%–98% BLK-2",
        "1 × Claude runs the tool itself.",
        "8/9 56%–98% sure",
        "1/1 too few to say guessed",
        "Sure, but wrong; look at these first (course quiz --missed): q",
        "By week",
        "0 of 2 unseen forms",
        "Nothing is due.",
    ):
        assert words in flat


def test_everything_comes_as_json_too(desk):
    practised(desk, "1", "2")
    code, shown = desk.run(progress.run, "--json")
    found = json.loads(shown)
    assert code == 0
    assert found["practice"] == {"right": 1, "total": 1, "low": None, "high": None}
    assert found["cards"][0]["reviews"] == 1


def test_an_export_holds_every_event(desk, tmp_path):
    practised(desk, "1", "2")
    code, shown = desk.run(progress.run, "--export", str(tmp_path / "mine.jsonl"))
    rows = [json.loads(line) for line in (tmp_path / "mine.jsonl").read_text().splitlines()]
    assert code == 0
    assert f"{len(rows)} events written" in shown
    assert {"attempt_started", "answered", "graded", "attempt_finished"} <= {row["kind"] for row in rows}
    _, piped = desk.run(progress.run, "--export", "-")
    assert len(piped.splitlines()) == len(rows)


def test_an_export_that_cannot_be_written_exits_with_1(desk, tmp_path):
    code, shown = desk.run(progress.run, "--export", str(tmp_path / "no" / "folder"))
    assert (code, "can't be written" in " ".join(shown.split())) == (1, True)


def test_deleting_asks_first(desk):
    practised(desk, "1", "2")
    _, shown = desk.run(progress.run, "--delete", typed=["yes"])
    assert "Nothing was deleted." in shown
    assert desk.store().events()
    _, shown = desk.run(progress.run, "--delete", typed=["delete"])
    assert "Deleted:" in shown
    assert desk.store().events() == []


def test_deleting_without_asking_is_possible_in_scripts(desk):
    practised(desk, "1", "2")
    desk.run(progress.run, "--delete", "--yes")
    assert desk.store().events() == []


def test_an_exam_date_is_set_shown_and_taken_back(desk):
    practised(desk, "1", "2")
    assert "Exam date: 2099-01-01" in desk.run(progress.run, "--exam-date", "2099-01-01")[1]
    assert "Exam on 2099-01-01, in" in desk.run(progress.run)[1]
    assert "No exam date any more" in desk.run(progress.run, "--exam-date", "none")[1]
    assert "Exam on" not in desk.run(progress.run)[1]


@pytest.mark.parametrize(("date", "message"), [("soon", "is not a date like"), ("2001-01-01", "not in the future")])
def test_a_date_that_is_none_is_refused(date, message, desk):
    code, shown = desk.run(progress.run, "--exam-date", date)
    assert (code, message in shown) == (2, True)


def test_the_history_is_drawn_into_a_file(desk, tmp_path):
    practised(desk, "1", "2")
    code, shown = desk.run(progress.run, "--chart", str(tmp_path / "history.png"))
    assert code == 0
    assert (tmp_path / "history.png").read_bytes().startswith(b"\x89PNG")
    assert "Picture written" in shown
