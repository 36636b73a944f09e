"""`course check`, used as a person uses it."""

import io
import json

import pytest

from course.cli.check import run
from course.traces import sample
from course.traces.library import SAMPLES

HISTORY = [
    {"role": "user", "content": "Weather?"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "4 C"}]},
]


@pytest.fixture
def file(tmp_path):
    def write(value, name="c.json"):
        path = tmp_path / name
        if isinstance(value, bytes):
            path.write_bytes(value)
        else:
            path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return str(path)

    return write


def test_a_sound_conversation_exits_with_0(file, capsys):
    assert run([file(HISTORY)]) == 0
    assert "Sound" in capsys.readouterr().out


def test_a_broken_one_exits_with_1_and_names_rule_place_and_mend(file, capsys):
    assert run([file(HISTORY[:2])]) == 1
    out = capsys.readouterr().out
    assert "pairing.missing-result" in out
    assert "message 1 (assistant), block 0 (tool_use)" in out
    assert "Mend:" in out


@pytest.mark.parametrize("value", ["", "no json", b"\x00\x01\x02", "[1, 2", '{"a": 1}'])
def test_an_unreadable_one_exits_with_2_and_one_line_of_words(file, capsys, value):
    assert run([file(value)]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert len(streams.err.strip().splitlines()) == 1


def test_a_missing_file_and_a_directory_exit_with_2(tmp_path, capsys):
    assert run([str(tmp_path / "none.json")]) == 2
    assert run([str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert "There is no file" in err
    assert "is a directory" in err


def test_standard_input_is_read_at_a_dash(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(HISTORY[:2]).encode())))
    assert run(["-"]) == 1
    assert "pairing.missing-result" in capsys.readouterr().out


def test_json_gives_the_findings_as_data(file, capsys):
    assert run([file(HISTORY[:2]), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["sound"] is False
    assert data["findings"][0]["place"] == ["messages", 1, "content", 0]
    assert run([file("nothing"), "--json"]) == 2
    assert "error" in json.loads(capsys.readouterr().out)


def test_fix_writes_a_sound_copy_and_says_what_was_done(file, tmp_path, capsys):
    given, out = file(HISTORY[:2]), tmp_path / "mended.json"
    assert run([given, "--fix", str(out)]) == 1
    assert "Nothing was invented" in capsys.readouterr().err
    assert run([str(out)]) == 0
    assert json.loads((tmp_path / "c.json").read_text()) == HISTORY[:2]


def test_fix_never_writes_over_the_file_that_was_read(file, capsys):
    given = file(HISTORY[:2])
    assert run([given, "--fix", given]) == 1
    assert "it was left as it is" in capsys.readouterr().err
    assert run([given]) == 1


def test_fix_says_when_there_is_nothing_to_write(file, tmp_path, capsys):
    out = tmp_path / "mended.json"
    run([file(HISTORY), "--fix", str(out)])
    assert "Nothing is broken" in capsys.readouterr().err
    assert not out.exists()


def test_fix_says_when_it_cannot_write(file, tmp_path, capsys):
    assert run([file(HISTORY[:2]), "--fix", str(tmp_path / "none" / "x.json")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_a_trace_a_log_and_a_program_can_be_checked(file, capsys):
    assert run([str(SAMPLES / "wrong-id.json")]) == 1
    assert run([file(f"10:00 sent {json.dumps({'messages': HISTORY})} ok", "app.log")]) == 0
    assert run([file("import x\nt = answer.content[0].text\n", "loop.py")]) == 0
    out = capsys.readouterr().out
    assert "a trace" in out
    assert "by its position" in out


def test_steps_shows_the_conversation_first(file, capsys):
    run([file(HISTORY), "--steps"])
    assert "Offer" in capsys.readouterr().out


def test_version_and_beta_are_taken_into_account(file, capsys):
    body = {"model": "claude-haiku-4-5", "max_tokens": 9, "temperature": 1, "messages": HISTORY}
    assert run([file(body)]) == 0
    assert run([file(body), "--version", "2026-10-21"]) == 1


def test_a_version_that_does_not_exist_is_refused(file, capsys):
    assert run([file(HISTORY), "--version", "2020-01-01"]) == 2
    assert "2023-06-01" in capsys.readouterr().err


def test_output_has_no_colour_when_it_is_no_terminal(file, capsys):
    run([file(HISTORY[:2])])
    assert "\x1b[" not in capsys.readouterr().out


def test_half_a_character_does_not_crash_the_output(file, capsys):
    assert run([file(b'[{"role": "user", "content": "cut \\ud83d"}]'), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["findings"][0]["rule"] == "body.not-json"


def test_every_sample_can_be_checked(capsys):
    for path in SAMPLES.glob("*.json"):
        assert run([str(path)]) == (1 if sample(path.stem).breaks else 0), path.stem
    capsys.readouterr()


def test_what_can_be_mended_is_shown_how(file, capsys, monkeypatch):
    monkeypatch.delenv("COURSE_STARTED", raising=False)
    broken = [*HISTORY[:2], {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t9", "content": "4"}]}]
    path = file(broken)
    assert run([path]) == 1
    streams = capsys.readouterr()
    assert f"For a mended copy: course check {path} --fix mended.json" in streams.out
    assert "make" not in streams.err


def test_under_make_the_error_line_of_make_is_explained(file, capsys, monkeypatch):
    monkeypatch.setenv("COURSE_STARTED", "make")
    assert run([file(HISTORY[:2])]) == 1
    assert "make: *** … Error 1" in capsys.readouterr().err
    assert run([file(HISTORY)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("typed", [True, False])
def test_who_pastes_is_told_how_to_end_and_a_pipe_is_not(typed, monkeypatch, capsys):
    stdin = io.TextIOWrapper(io.BytesIO(json.dumps(HISTORY).encode()))
    monkeypatch.setattr(stdin, "isatty", lambda: typed)
    monkeypatch.setattr("sys.stdin", stdin)
    assert run(["-"]) == 0
    assert ("Ctrl-D" in capsys.readouterr().err) is typed
