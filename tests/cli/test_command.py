"""The command `course`: its verbs, and what it says about what is not one."""

import importlib
import subprocess
import sys

import pytest

from course.cli import VERBS, main


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_module_with_a_run(verb):
    assert callable(importlib.import_module(f"course.cli.{verb}").run)


def test_alone_it_lists_every_verb(capsys):
    assert main([]) == 0
    listed = capsys.readouterr().out
    assert all(f"  {verb} " in listed for verb in VERBS)


def test_an_unknown_verb_is_named_and_the_verbs_are_listed(capsys):
    assert main(["fly"]) == 2
    assert "'fly'" in capsys.readouterr().err


def test_listing_the_verbs_loads_no_library():
    code = "import sys; from course.cli import main; main([]); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"anthropic", "pydantic", "numpy", "typer", "yaml"} & set(loaded)


@pytest.mark.parametrize(("options", "scripts"), [((), False), (("--interactive",), True)])
def test_a_trace_becomes_a_page_with_or_without_steps(tmp_path, options, scripts):
    from course.traces import samples

    page = tmp_path / "trace.html"
    assert main(["trace", next(iter(samples())), "--html", str(page), *options]) == 0
    assert ("<script" in page.read_text(encoding="utf-8")) is scripts


@pytest.mark.parametrize("line", ["--help", "--version", "workshop --rooms", "rules"])
def test_a_reader_that_has_gone_is_no_traceback(line, tmp_path):
    import os

    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "course", *line.split()]
    environ = os.environ | {"COURSE_HOME": str(tmp_path)}
    ran = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, env=environ)
    os.close(write)
    assert ran.stderr == ""


def test_ctrl_c_is_no_traceback(monkeypatch, capsys):
    def stopped(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("course.cli.importlib.import_module", stopped)
    assert main(["exam"]) == 130
    assert capsys.readouterr().err == "\n"


def test_who_calls_a_verb_through_make_without_its_file_is_told_of_args(monkeypatch, capsys):
    monkeypatch.setenv("COURSE_STARTED", "make")
    assert main(["check"]) == 2
    assert 'make check ARGS="…"' in capsys.readouterr().err
    monkeypatch.delenv("COURSE_STARTED")
    assert main(["check"]) == 2
    assert "ARGS" not in capsys.readouterr().err
