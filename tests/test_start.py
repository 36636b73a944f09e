"""The two commands: setting up, its errors, and what holds the dependency files together."""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]


@pytest.fixture
def start(tmp_path, monkeypatch):
    """`start.py` as a module, working in a folder of its own, with the installer replaced by a recorder."""
    spec = importlib.util.spec_from_file_location("start", ROOT / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "UV_HOME", tmp_path / ".uv")
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "STAMP", tmp_path / ".venv" / ".course-stamp")
    monkeypatch.setattr(module, "LOG", tmp_path / ".course" / "setup.log")
    return module


def pretend_installed(start, level):
    start.python().parent.mkdir(parents=True)
    start.python().touch()
    start.STAMP.write_text(start.fingerprint(level), encoding="utf-8")


def test_the_second_start_runs_nothing(start, monkeypatch):
    pretend_installed(start, "run")
    monkeypatch.setattr(start, "run_logged", lambda *a: pytest.fail("ran the installer"))
    start.setup("run")


def test_an_environment_for_tests_also_serves_to_run_but_not_the_other_way_round(start):
    pretend_installed(start, "test")
    assert start.ready("run")
    start.STAMP.write_text(start.fingerprint("run"), encoding="utf-8")
    assert not start.ready("test")


def test_a_changed_lock_makes_the_environment_stale(start, monkeypatch, tmp_path):
    pretend_installed(start, "run")
    changed = tmp_path / "requirements.lock"
    changed.write_text("another==1", encoding="utf-8")
    monkeypatch.setitem(start.LOCKS, "run", changed)
    assert not start.ready("run")


def test_an_environment_for_tests_keeps_what_tests_need_when_the_lock_changes(start, monkeypatch):
    pretend_installed(start, "test")
    start.STAMP.write_text("test of an older lock", encoding="utf-8")
    installed = []
    for step in ("check_folder", "check_modules", "make_installer", "connect"):
        monkeypatch.setattr(start, step, lambda: None)
    monkeypatch.setattr(start, "install", installed.append)
    start.setup("run")
    assert installed == ["test"]


def test_packages_that_are_here_are_not_asked_for_elsewhere(start, monkeypatch):
    pretend_installed(start, "run")
    ran = []
    monkeypatch.setattr(start, "run_logged", lambda command, failed: ran.append(command))
    start.install("run")
    (command,) = ran
    assert command[-1] == "--offline"


def test_packages_that_are_not_here_are_downloaded(start, monkeypatch):
    pretend_installed(start, "run")
    ran = []

    def offline_fails(command, failed):
        ran.append(command)
        if "--offline" in command:
            raise start.SetupError(failed)

    monkeypatch.setattr(start, "run_logged", offline_fails)
    start.install("run")
    assert [command[-1] for command in ran] == ["--offline", start.LOCKS["run"]]


def test_no_network_is_one_line_that_says_so(start, monkeypatch, capsys):
    def offline(command, failed):
        raise start.SetupError(failed)

    monkeypatch.setattr(start, "run_logged", offline)
    monkeypatch.setattr(start, "make_installer", lambda: None)
    assert start.main(["lab"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("Setup failed: ")
    assert error.count("\n") == 1


def test_a_failed_download_points_at_the_log(start):
    with pytest.raises(start.SetupError, match=r"needs a network.*setup\.log"):
        start.run_logged([sys.executable, "-c", "raise SystemExit(3)"], "The first start needs a network.")


def test_a_read_only_folder_is_named_as_such(start, monkeypatch, capsys):
    def refuse(self, *args, **kwargs):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(type(start.LOG), "mkdir", refuse)
    assert start.main(["lab"]) == 1
    assert "read-only" in capsys.readouterr().err


def test_an_unknown_verb_lists_the_verbs(start, capsys):
    assert start.main(["fly"]) == 2
    error = capsys.readouterr().err
    assert "fly" in error
    assert all(verb in error for verb in start.VERBS)


def test_an_old_python_is_told_which_one_is_needed():
    code = (
        "import sys; sys.version_info = (3, 9, 0)\n"
        f"exec(compile(open({str(ROOT / 'start.py')!r}).read(), 'start.py', 'exec'), {{'__name__': 'start'}})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "3.11 or newer; this is 3.9" in done.stderr


def test_make_lists_the_verbs_and_names_a_missing_python():
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for verb in ("setup", "lab", "test", "build", "check", "quiz", "exam", "serve", "doctor", "clean"):
        assert re.search(rf"^  {verb}\s", listed, re.MULTILINE)
    missing = subprocess.run(
        ["make", "lab", "PY=no-such-python"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert missing.returncode != 0
    assert "install Python 3.11 or newer" in missing.stderr


def pins(path):
    """Return {name: {versions}} of a requirements file."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)==([^\s;\\]+)", line):
            found.setdefault(match[1].lower().replace("_", "-"), set()).add(match[2])
    return found


def wanted(path):
    """Return the package names of a `.in` file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {re.split(r"[><=~;\s]", line)[0].lower().replace("_", "-") for line in lines if line and line[0].isalnum()}


@pytest.mark.parametrize("stem", ["requirements", "requirements-test"])
def test_each_lock_pins_everything_asked_for_with_hashes_and_without_addresses(stem):
    text = (ROOT / f"{stem}.lock").read_text(encoding="utf-8")
    assert wanted(ROOT / f"{stem}.in") <= set(pins(ROOT / f"{stem}.lock"))
    assert "://" not in text
    assert text.count("==") <= text.count("--hash=sha256:")


def test_the_test_lock_is_the_lock_and_more():
    run, test = pins(ROOT / "requirements.lock"), pins(ROOT / "requirements-test.lock")
    assert run.items() <= test.items()


def test_the_plain_pins_are_the_lock(start):
    assert (ROOT / "requirements.txt").read_text(encoding="utf-8") == start.pins(ROOT / "requirements.lock")


def test_pyproject_takes_its_dependencies_from_the_same_list():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["dependencies"]
    assert project["tool"]["setuptools"]["dynamic"]["dependencies"] == {"file": ["requirements.in"]}
    assert project["project"]["requires-python"] == ">=3.11"


def test_the_conda_environment_is_thin_over_the_same_pins():
    file = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert set(file) == {"name", "channels", "dependencies"}
    assert file["channels"] == ["conda-forge", "nodefaults"]
    *conda, pip = file["dependencies"]
    assert all(re.fullmatch(r"[a-z0-9_-]+(=[0-9.]+)?", spec) for spec in conda)
    assert "python=3.12" in conda
    assert pip == {"pip": ["-r requirements.txt", "-e ."]}


def test_no_tracked_file_names_this_machine_or_a_package_host():
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    hosts = re.compile("|".join(["pypi" + r"\.org", "files." + "pythonhosted", "registry." + r"npmjs\.org"]))
    home = str(ROOT) + os.sep
    for name in filter(None, tracked.split("\0")):
        path = ROOT / name
        if path.is_file() and path.suffix not in {".png", ".gz", ".woff2"}:
            text = path.read_text(encoding="utf-8", errors="replace")
            assert home not in text, name
            assert not hosts.search(text), name


@pytest.mark.parametrize(("level", "told"), [("1", "make"), (None, f"{Path(sys.executable).stem} start.py")])
def test_the_command_is_told_how_it_was_started(start, monkeypatch, level, told):
    monkeypatch.delenv("MAKELEVEL", raising=False)
    if level:
        monkeypatch.setenv("MAKELEVEL", level)
    assert start.started()["COURSE_STARTED"] == told


def test_an_interrupt_is_left_to_the_command_which_ends_by_itself(start, monkeypatch):
    class Ending:
        def __init__(self, command, **options):
            self.waits = [KeyboardInterrupt(), KeyboardInterrupt(), 0]
            assert command[1:] == ["-m", "course", "lab", "--port", "8899"]

        def wait(self):
            ended = self.waits.pop(0)
            if isinstance(ended, BaseException):
                raise ended
            return ended

    monkeypatch.setattr(start.subprocess, "Popen", Ending)
    assert start.course("lab", "--port", "8899") == 0
