"""`course trace`: the list, one sample, exports."""

import json

from course.cli.trace import run
from course.traces import Trace, samples


def test_without_a_name_all_samples_are_listed(capsys):
    assert run([]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{name}\n" in out for name in samples())


def test_a_name_shows_the_sample_step_by_step(capsys):
    assert run(["happy-path"]) == 0
    out = capsys.readouterr().out
    assert [label for label in ("Offer", "Ask", "Execute", "Return", "Continue") if label in out] == [
        "Offer", "Ask", "Execute", "Return", "Continue",
    ]  # fmt: skip
    assert "\x1b[" not in out


def test_raw_and_markdown_and_json_are_other_views(capsys):
    run(["happy-path", "--raw"])
    assert '"stop_reason": "tool_use"' in capsys.readouterr().out
    run(["happy-path", "--markdown"])
    assert capsys.readouterr().out.startswith("## One question")
    run(["happy-path", "--json"])
    assert Trace.model_validate(json.loads(capsys.readouterr().out)).id == "happy-path"


def test_html_is_written_to_a_file(tmp_path, capsys):
    path = tmp_path / "t.html"
    assert run(["wrong-id", "--html", str(path)]) == 0
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert str(path) in capsys.readouterr().out


def test_a_file_that_cannot_be_written_is_named(tmp_path, capsys):
    assert run(["wrong-id", "--html", str(tmp_path / "no" / "t.html")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_an_unknown_name_exits_with_2_and_names_near_ones(capsys):
    assert run(["wrong-ids"]) == 2
    assert "wrong-id" in capsys.readouterr().err


def test_a_file_with_a_conversation_is_shown_too(tmp_path, capsys):
    path = tmp_path / "c.json"
    path.write_text('[{"role": "user", "content": "Hi"}]', encoding="utf-8")
    assert run([str(path)]) == 0
    assert "Offer" in capsys.readouterr().out
    assert run([str(tmp_path / "none.json")]) == 2
