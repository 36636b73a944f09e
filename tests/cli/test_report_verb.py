"""`course report`: from the files a class handed in to a page, on the command line."""

import json

import pytest
from quiz_desk import Desk, bank_of, item

from course.cli import progress, quiz, report


@pytest.fixture
def desk(tmp_path, monkeypatch, capsys):
    desk = Desk(tmp_path, monkeypatch, capsys)
    desk.lay_out(bank_of(*(item(f"q{number}", shuffle=False) for number in range(3))))
    return desk


def handed_in(desk, tmp_path, people=12, name="learner {}"):
    """Let so many learners answer three questions in homes of their own, every other one wrongly; return the folder."""
    drop = tmp_path / "drop"
    drop.mkdir()
    for number in range(people):
        desk.monkeypatch.setenv("COURSE_HOME", str(tmp_path / f"home-{number}"))
        choice = "1" if number % 2 else "2"
        desk.run(quiz.run, "--count", "3", "--confidence", typed=[choice, "3"] * 3)
        code, _ = desk.run(progress.run, "--export", str(drop), "--name", name.format(number))
        assert code == 0
    return drop


def test_what_a_class_exports_becomes_a_report(desk, tmp_path):
    drop = handed_in(desk, tmp_path)
    assert len(list(drop.iterdir())) == 12
    page, sheets = tmp_path / "report.html", tmp_path / "sheets"
    code, shown = desk.run(report.run, str(drop), "--html", str(page), "--csv", str(sheets))
    flat = " ".join(shown.split())
    assert code == 0
    for words in (
        "12 people",
        "self-reported",
        "BLK-2: 50% of 36 answers right",
        "5 to 9 of 12 people (5 to 9 of them sure): Claude runs the tool itself.",
    ):
        assert words in flat
    assert not [n for n in range(12) if f"learner {n}" in page.read_text(encoding="utf-8")]
    assert {path.name for path in sheets.iterdir()} >= {"objectives.csv", "items.csv", "ideas.csv"}
    again = tmp_path / "again.html"
    desk.run(report.run, *map(str, sorted(drop.iterdir(), reverse=True)), "--html", str(again))
    assert again.read_bytes() == page.read_bytes()


def test_names_are_listed_only_when_asked_for_and_only_on_the_screen(desk, tmp_path):
    drop, page = handed_in(desk, tmp_path, people=5), tmp_path / "report.html"
    _, shown = desk.run(report.run, str(drop))
    assert "learner 3" not in shown
    _, shown = desk.run(report.run, str(drop), "--names", "--html", str(page))
    assert "learner 3 (answers: 3): self-reported" in shown
    assert "learner 3" not in page.read_text(encoding="utf-8")


def test_what_is_wrong_with_files_is_listed_with_place_and_advice(desk, tmp_path):
    drop = handed_in(desk, tmp_path, people=5)
    broken = sorted(drop.iterdir())[0]
    broken.write_text(broken.read_text().replace('"score": ', '"score": 7'), encoding="utf-8")
    desk.monkeypatch.setattr("sys.stdin", None)
    assert report.run([str(drop)]) == 0
    told = desk.capsys.readouterr().err
    assert "Things to look at: 3" in told
    assert f"{broken.name}:2: `score`: expected a number from 0 to 1" in told


def test_a_class_key_is_made_signs_and_is_checked(desk, tmp_path):
    key = tmp_path / "class.key"
    code, shown = desk.run(report.run, "--new-class-key", str(key))
    assert (code, "Class key" in shown) == (0, True)
    assert desk.run(report.run, "--new-class-key", str(key))[0] == 2
    drop = handed_in(desk, tmp_path, people=5)
    signed = tmp_path / "signed.jsonl"
    code, shown = desk.run(progress.run, "--export", str(signed), "--class-key", str(key))
    assert "proves nothing" in " ".join(shown.split())
    assert json.loads(signed.read_text().splitlines()[0])["trust"] == "signed by class"
    _, shown = desk.run(report.run, str(drop), str(signed), "--class-key", str(key))
    assert "Some files are signed" in shown
    assert desk.run(report.run, str(drop), "--class-key", str(key), "--signed-only")[0] == 2


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["{tmp}/nowhere"],
        ["{tmp}/drop", "--signed-only"],
        ["{tmp}/drop", "--pre", "mini"],
        ["{tmp}/drop", "--html", "{tmp}/taken"],
        ["{tmp}/drop", "--csv", "{tmp}/drop"],
        ["{tmp}/drop", "--bank", "{tmp}/nowhere"],
        ["{tmp}/drop", "--class-key", "{tmp}/taken"],
    ],
)
def test_what_cannot_be_done_exits_with_2_and_changes_nothing(desk, tmp_path, args):
    handed_in(desk, tmp_path, people=1)
    (tmp_path / "taken").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    code, _ = desk.run(report.run, *(arg.format(tmp=tmp_path) for arg in args))
    assert (code, (tmp_path / "taken").read_text()) == (2, "mine")
    assert [path for path in sorted(tmp_path.rglob("*")) if "home-" not in str(path)] == [
        path for path in before if "home-" not in str(path)
    ]


def test_fewer_than_five_people_are_no_report_but_no_error(desk, tmp_path):
    code, shown = desk.run(report.run, str(handed_in(desk, tmp_path, people=4)))
    assert (code, "fewer than 5 people" in shown) == (0, True)
