"""`course quiz`: every kind by keyboard, piped or typed; stopping, resuming, and what is said on the way."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from quiz_desk import Desk, bank_of, item

from course.cli import quiz
from course.quiz.grading import key
from course.quiz.history import OF_ANSWERS, answers
from course.quiz.kinds import KINDS
from course.quiz.public import choice_order


@pytest.fixture
def desk(tmp_path, monkeypatch, capsys):
    return Desk(tmp_path, monkeypatch, capsys)


def numbers(shown: str, wanted: list[str]) -> list[int]:
    """Return the numbers that the texts have on the screen."""
    found = []
    for text in wanted:
        line = next(line for line in shown.splitlines() if ") " in line and text[:20] in line)
        found.append(int(line.split(")")[0]))
    return found


def seen(desk: Desk, *args: str) -> str:
    return desk.run(quiz.run, *args)[1]


def test_a_right_answer_is_said_in_words_with_reason_and_lesson(desk):
    desk.lay_out(bank_of(item("q", shuffle=False)))
    code, shown = desk.run(quiz.run, typed=["1"])
    assert code == 0
    for words in (
        "✓ Correct.",
        "Your answer, which holds",
        "What q is about.",
        "→ Lesson 02, section “The pairing rule” (BLK-2)",
    ):
        assert words in shown
    assert "1 of 1 right" in shown


def test_a_wrong_answer_says_why_it_fails_then_why_the_key_holds(desk):
    desk.lay_out(bank_of(item("q", shuffle=False)))
    _, shown = desk.run(quiz.run, typed=["3"])
    order = [
        shown.index(words)
        for words in (
            "✗ Not right.",
            "Your answer, and why it fails",
            "The right answer, and why it holds",
            "What q is about.",
            "→ Lesson 02",
            "Common misconception: Claude runs the tool itself.",
            "It comes back on",
            "Read again:",
        )
    ]
    assert order == sorted(order)


def typed_key(kind: str, order: tuple[str, ...]) -> list[str]:
    """Return what a person types to answer the synthetic item of a kind rightly."""
    places = {id: str(place) for place, id in enumerate(order, 1)}
    match kind:
        case "single":
            return [places["right"]]
        case "select_n":
            return [f"{places['also']},{places['right']}"]
        case "order":
            return [" ".join(places[id] for id in ("first", "second", "third"))]
        case "match":
            return [" ".join(chr(96 + int(places[target])) for target in ("t1", "t2"))]
        case "spot_block":
            return ["2.0", places["pairing.unexpected-result"]]
        case "numeric":
            return ["3"]
        case "open":
            return [":", "First a plan,", "then a risk.", ".", "1 2"]
        case "faded_code":
            return ["2"]
    return [":", *json.dumps(json.loads(key(item("x", kind))), indent=1).splitlines(), "."]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_answered_by_keyboard(kind, desk, monkeypatch):
    asked = item("q", kind)
    desk.lay_out(bank_of(asked))
    monkeypatch.setattr("course.quiz.practice.new_id", lambda at: "attempt")
    order = choice_order(asked, "attempt")
    code, shown = desk.run(quiz.run, typed=typed_key(kind, order))
    assert code == 0
    [answer] = answers(desk.store().events(OF_ANSWERS))
    assert answer.verdict == "correct", shown


@pytest.mark.parametrize("typed", [["1a 2b"], ["1=a", ""], ["b a c"], ["x y"], ["9"], ["zz"]])
@pytest.mark.parametrize("kind", ["single", "select_n", "order", "match", "spot_block"])
def test_what_cannot_be_read_as_an_answer_says_how_to_answer(kind, typed, desk):
    desk.lay_out(bank_of(item("q", kind)))
    code, shown = desk.run(quiz.run, typed=typed)
    assert code == 0
    assert "Traceback" not in shown
    assert "course quiz --resume" in shown or "Correct" in shown or "Not right" in shown or "Partly" in shown


def test_json_can_come_from_a_file(desk, tmp_path):
    asked = item("q", "write_schema")
    desk.lay_out(bank_of(asked))
    (tmp_path / "schema.json").write_text(key(asked))
    _, shown = desk.run(quiz.run, typed=[f"@{tmp_path / 'none.json'}", f"@{tmp_path / 'schema.json'}"])
    assert "none.jsoncan'tberead" in "".join(shown.split())
    assert "✓ Correct." in shown


def test_hint_flag_note_report_and_help_are_letters_away(desk):
    desk.lay_out(bank_of(item("q", shuffle=False)))
    typed = ["?", "h", "h", "h", "h", "f", "n look again", "r Two answers hold.", "1"]
    _, shown = desk.run(quiz.run, typed=typed)
    for words in (
        "Type the number of one option",
        "Hint: nudge",
        "Hint: shape",
        "There is no hint left for this question.",
        "Flagged.",
        "Noted.",
        "# Question q",
        "✓ Correct.",
    ):
        assert words in shown
    kinds = {event.kind for event in desk.store().events()}
    assert {"hint_used", "flagged", "noted", "reported", "answered", "graded"} <= kinds


def test_a_skipped_question_is_not_wrong(desk):
    desk.lay_out(bank_of(item("a"), item("b")))
    _, shown = desk.run(quiz.run, typed=["s", "s"])
    assert "Nothing was answered." in shown
    assert desk.store().events("answered") == []


def test_the_end_of_input_keeps_what_was_answered_and_says_how_to_go_on(desk):
    desk.lay_out(bank_of(*(item(f"q{number}", shuffle=False) for number in range(3))))
    _, shown = desk.run(quiz.run, "--count", "3", typed=["1"])
    assert "Questions left: 2." in shown
    assert "Your answers are kept. Go on with: course quiz --resume" in shown
    code, shown = desk.run(quiz.run, "--resume", typed=["1", "2"])
    assert code == 0
    assert "Question 2 of 3" in shown
    assert "2 of 3 right" in shown
    assert desk.run(quiz.run, "--resume") == (2, "There is no session to go on with. Start one with: course quiz\n")


def test_confidence_is_asked_for_when_wanted(desk):
    desk.lay_out(bank_of(item("q", shuffle=False)))
    _, shown = desk.run(quiz.run, "--confidence", typed=["2", "3"])
    assert "You were sure" in shown
    assert answers(desk.store().events(OF_ANSWERS))[0].confidence == 3


def test_a_wrong_choice_exits_with_2_and_lists_what_there_is(desk):
    desk.lay_out(bank_of(item("q")))
    code, shown = desk.run(quiz.run, "--lesson", "99")
    assert (code, "there are: 01, 02" in shown.replace("\n", " ")) == (2, True)
    assert desk.run(quiz.run, "--due")[0] == 2


def test_the_list_shows_every_value_with_its_count(desk):
    desk.lay_out(bank_of(item("a"), item("b", exam_task="2.1"), item("c", "numeric", exam_task="beyond")))
    _, shown = desk.run(quiz.run, "--list")
    rows = [line.split() for line in shown.splitlines()]
    assert ["02", "3"] in rows
    assert any(row[:2] == ["2.1", "1"] for row in rows)
    assert any(row[:2] == ["beyond", "1"] for row in rows)


def test_the_same_seed_draws_the_same_questions(desk):
    desk.lay_out(bank_of(*(item(f"q{number}") for number in range(20))))

    def drawn() -> list[str]:
        shown = seen(desk, "--seed", "7", "--count", "1")
        desk.store().delete()
        return [line for line in shown.splitlines() if line.startswith("Question q")]

    assert drawn() == drawn()


def test_a_mended_question_tells_what_changed(desk):
    desk.lay_out(bank_of(item("q", shuffle=False)))
    desk.run(quiz.run, typed=["1"])
    mended = [
        {"id": id, "text": f"Option {id}", "why": "Because.", "correct": id == "red"} for id in ("right", "red", "blue")
    ]
    desk.lay_out(bank_of(item("q", version=2, options=mended)))
    shown = seen(desk)
    assert "1 of your answers changed their score" in shown
    assert "100% before, 0% now." in shown.replace("\n  ", " ")


def test_a_bank_with_a_bad_entry_says_so_and_goes_on(desk, tmp_path):
    desk.lay_out(bank_of(item("q", shuffle=False)))
    (tmp_path / "quizzes" / "worse.yaml").write_text("- id: half\n")
    _, shown = desk.run(quiz.run, typed=["1"])
    assert "1 entries of the question bank could not be read" in shown
    assert "✓ Correct." in shown


def test_escapes_in_a_question_do_not_reach_the_terminal(desk):
    desk.lay_out(bank_of(item("q", stem="Look \x1b]0;owned\x07here\u202e: which one holds?")))
    shown = seen(desk)
    assert "Look here: which one holds?" in shown
    assert "\x1b" not in shown


def test_a_home_that_cannot_be_written_is_said_at_once_and_the_quiz_goes_on(desk, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COURSE_HOME", str(tmp_path / "file"))
    desk.lay_out(bank_of(item("q", shuffle=False)))
    _, shown = desk.run(quiz.run, typed=["1"])
    assert "Your results can't be kept" in shown
    assert "✓ Correct." in shown


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo terminal")
def test_ctrl_c_in_a_real_terminal_keeps_the_answer(desk, tmp_path):
    pexpect = pytest.importorskip("pexpect")
    desk.lay_out(bank_of(item("a", shuffle=False), item("b", shuffle=False)))
    code = (
        "import sys, pathlib; import course.quiz.bank as bank; "
        "bank.QUIZZES = pathlib.Path(sys.argv[1]); from course.cli import quiz; sys.exit(quiz.run([]))"
    )
    environ = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(Path(__file__).parents[2])}
    environ.pop("NO_COLOR")
    child = pexpect.spawn(
        sys.executable, ["-c", code, str(tmp_path / "quizzes")], env=environ, dimensions=(24, 80), encoding="utf-8"
    )
    child.expect("Answer .* >", timeout=60)
    child.sendline("1")
    child.expect("Correct")
    child.expect("Enter: next.*>")
    child.sendline("")
    child.expect("Question 2 of 2")
    child.expect("Answer .* >")
    child.sendintr()
    child.expect("Your answers are kept. Go on with: course quiz --resume")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert len(desk.store().events("answered")) == 1


def test_the_way_to_the_first_question_imports_nothing_heavy(tmp_path):
    code = (
        "import sys; from course.cli import main; main(['quiz']); "
        "print(sorted({'anthropic', 'numpy', 'matplotlib', 'typer', 'rich', 'prompt_toolkit', 'IPython', 'jsonschema'}"
        " & set(sys.modules)))"
    )
    environ = {**os.environ, "COURSE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environ, stdin=subprocess.DEVNULL, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_missed_and_flagged_questions_can_be_asked_again(desk):
    desk.lay_out(bank_of(*(item(f"q{number}", shuffle=False) for number in range(3))))
    assert desk.run(quiz.run, "--missed")[0] == 2
    desk.run(quiz.run, "--count", "3", typed=["f", "1", "2", "1"])
    missed = [answer.item for answer in answers(desk.store().events(OF_ANSWERS)) if not answer.right]
    _, shown = desk.run(quiz.run, "--missed")
    assert f"Question {missed[0]}:" in shown
    assert "Question 1 of 1" in shown
    _, shown = desk.run(quiz.run, "--flagged")
    assert "Question 1 of 1" in shown
    assert "flagged" in shown


def test_the_first_session_says_where_it_starts_and_how_to_choose(desk, monkeypatch):
    monkeypatch.setenv("COURSE_STARTED", "make")
    desk.lay_out(bank_of(item("a"), item("b", objectives=["CYC-1"])))
    _, out = desk.run(quiz.run, "--count", "1", typed=["1"])
    assert 'make quiz ARGS="--lesson 05"' in out
    assert "Question b" in out
    _, out = desk.run(quiz.run, "--count", "1", typed=["1"])
    assert "--lesson 05" not in out
