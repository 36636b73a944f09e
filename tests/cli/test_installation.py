"""`course doctor` says what is wrong and what to do."""

import json
import socket

import pytest

from course.cli import doctor, lab


def test_a_sound_installation_passes_every_check(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_HOME", str(tmp_path))
    monkeypatch.delenv("COURSE_LIVE", raising=False)
    assert doctor.run(["--json"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert len(results) == 8
    assert all(result["passed"] for result in results)


def test_a_wrong_version_of_a_package_is_named_with_the_one_wanted(tmp_path, monkeypatch):
    (tmp_path / "requirements.lock").write_text("pydantic==0.1 \\\n    --hash=sha256:00\nno-such-package==1 \\\n")
    monkeypatch.setattr(doctor, "ROOT", tmp_path)
    result = doctor.packages()
    assert not result.passed
    assert "pydantic" in result.found
    assert "0.1" in result.found
    assert "no-such-package -" in result.found
    assert "make setup" in result.advice


def test_a_pin_for_another_system_is_not_asked_for(tmp_path, monkeypatch):
    (tmp_path / "requirements.lock").write_text("no-such-package==1 ; sys_platform == 'never' \\\n")
    monkeypatch.setattr(doctor, "ROOT", tmp_path)
    assert doctor.packages().passed


@pytest.fixture
def taken_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_taken_port_fails_and_another_is_offered(taken_port):
    result = doctor.port(taken_port)
    assert not result.passed
    assert "--port" in result.advice


def test_a_home_that_cannot_be_written_to_is_named(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("COURSE_HOME", str(file / "home"))
    result = doctor.home()
    assert not result.passed
    assert "COURSE_HOME" in result.advice


def test_missing_widget_extensions_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(doctor.sys, "prefix", str(tmp_path))
    assert "anywidget" in doctor.widgets().found
    assert not doctor.kernel().passed


def test_live_mode_without_a_key_fails_and_offline_passes(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("COURSE_LIVE", "1")
    assert not doctor.live().passed
    monkeypatch.setenv("COURSE_LIVE", "0")
    assert doctor.live().passed


def test_lab_refuses_a_taken_port_in_one_line_and_names_a_free_one(taken_port, capsys, monkeypatch):
    monkeypatch.setattr(lab, "START", "README.md")
    assert lab.run(["--port", str(taken_port), "--no-browser"]) == 1
    error = capsys.readouterr().err
    assert str(taken_port) in error
    assert error.count("\n") == 1


def test_lab_without_lessons_says_how_to_build_them(capsys, monkeypatch):
    monkeypatch.setattr(lab, "START", "notebooks/none.ipynb")
    assert lab.run([]) == 1
    assert "course build" in capsys.readouterr().err


def test_lab_finds_the_next_free_port(taken_port):
    assert lab.free_port(taken_port) != taken_port
    assert lab.port_is_free(lab.free_port(taken_port))


def test_lab_listens_on_loopback_only_and_fetches_nothing():
    line = lab.command(8899, browser=False)
    assert "--ServerApp.ip=127.0.0.1" in line
    assert "--no-browser" in line
    assert "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate" in line
    assert "--allow-root" not in line
    assert "--no-browser" not in lab.command(8899, browser=True)
    assert "--ServerApp.log_level=WARN" in line
    assert "--ServerApp.answer_yes=True" in line
