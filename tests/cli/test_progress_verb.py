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
        "How ready you are cannot be said yet.",
        "new to you; so far: 0.",
        "Nothing is due.",
    ):
        assert words in flat
    assert "Not ready" not in flat
    assert "Forms sat" not in flat


def test_everything_comes_as_json_too(desk):
    practised(desk, "1", "2")
    code, shown = desk.run(progress.run, "--json")
    found = json.loads(shown)
    assert code == 0
    assert found["practice"] == {"right": 1, "total": 1, "low": None, "high": None}
    assert found["cards"][0]["reviews"] == 1


def test_a_backup_holds_every_event_and_only_its_owner_reads_it(desk, tmp_path):
    practised(desk, "1", "2")
    path = tmp_path / "mine.jsonl"
    code, shown = desk.run(progress.run, "--backup", str(path))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert code == 0
    assert f"All {len(rows)} entries" in shown
    assert {"attempt_started", "answered", "graded", "attempt_finished"} <= {row["kind"] for row in rows}
    assert path.stat().st_mode & 0o077 == 0
    _, piped = desk.run(progress.run, "--backup", "-")
    assert len(piped.splitlines()) == len(rows)


def test_a_backup_that_cannot_be_written_exits_with_1(desk, tmp_path):
    code, shown = desk.run(progress.run, "--backup", str(tmp_path / "no" / "folder"))
    assert (code, "can't be written" in " ".join(shown.split())) == (1, True)


def test_forgetting_keeps_one_copy_and_says_where(desk, tmp_path):
    practised(desk, "1", "2")
    before = len(desk.store().events())
    copy = tmp_path / "copy.jsonl"
    code, shown = desk.run(progress.run, "--forget", str(copy), typed=["delete"])
    assert code == 0
    assert "copy.jsonl" in shown.replace("\n", "")
    assert len(copy.read_text().splitlines()) == before
    assert desk.store().events() == []


def test_forgetting_without_the_word_deletes_nothing(desk, tmp_path):
    practised(desk, "1", "2")
    _, shown = desk.run(progress.run, "--forget", str(tmp_path / "copy.jsonl"), typed=["yes"])
    assert "Nothing was deleted" in shown
    assert desk.store().events()


def test_forgetting_never_begins_when_the_copy_cannot_be_written(desk, tmp_path):
    practised(desk, "1", "2")
    taken = tmp_path / "taken.jsonl"
    taken.write_text("mine")
    code, _ = desk.run(progress.run, "--forget", str(taken), "--yes")
    assert (code, taken.read_text()) == (1, "mine")
    assert desk.store().events()


def handed(path):
    header, *lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return header, lines


def test_handing_in_writes_a_file_under_a_pseudonym_into_a_folder(desk, tmp_path):
    practised(desk, "1", "2", "2", "3")
    drop = tmp_path / "drop"
    drop.mkdir()
    code, shown = desk.run(progress.run, "--export", str(drop), "--name", "blue heron")
    (path,) = drop.iterdir()
    header, lines = handed(path)
    assert code == 0
    assert path.name.startswith("blue-heron-2")
    assert "self-reported" in shown
    assert (header["trust"], header["signed"], header["by"], header["lines"]) == ("self-reported", None, "progress", 2)
    assert [(line["learner"], line["try"], line["source"]) for line in lines] == [("blue heron", 1, "practice")] * 2
    assert [line["confidence"] for line in lines] == [2, 3]


def test_the_name_is_asked_for_once_and_a_second_file_takes_another_name(desk, tmp_path):
    practised(desk, "1", "2")
    code, shown = desk.run(progress.run, "--export", str(tmp_path))
    assert (code, "pseudonym" in shown) == (2, True)
    desk.run(progress.run, "--export", str(tmp_path), "--name", "ada")
    desk.run(progress.run, "--export", str(tmp_path))
    assert len(list(tmp_path.glob("ada-*.jsonl"))) == 2


def test_a_named_file_that_exists_stays_as_it_is(desk, tmp_path):
    practised(desk, "1", "2")
    taken = tmp_path / "taken.jsonl"
    taken.write_text("mine")
    code, shown = desk.run(progress.run, "--export", str(taken), "--name", "ada")
    assert (code, "stays as it is" in " ".join(shown.split()), taken.read_text()) == (1, True, "mine")


@pytest.mark.parametrize("name", ["", " ", "\u202e\u200b", "x" * 41])
def test_a_name_nobody_can_read_is_refused(name, desk, tmp_path):
    practised(desk, "1", "2")
    code, _ = desk.run(progress.run, "--export", str(tmp_path / "a.jsonl"), "--name", name)
    assert (code, list(tmp_path.glob("*.jsonl"))) == (2, [])


def test_nothing_since_a_day_is_nothing_to_hand_in(desk, tmp_path):
    practised(desk, "1", "2")
    code, shown = desk.run(progress.run, "--export", "-", "--name", "ada", "--since", "2999-01-01")
    assert (code, "nothing to hand in" in shown) == (1, True)


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
