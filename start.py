#!/usr/bin/env python3
"""Set up the course and run one of its verbs: `python start.py VERB [options]`.

Needs nothing but Python's standard library, so it works where `make` does not exist. It keeps two environments
beside it: `.uv` (the installer) and `.venv` (the course). Both are made once; later starts need no network.
"""

from __future__ import print_function

import sys

LEAST = (3, 11)
if sys.version_info < LEAST:
    sys.exit(
        "The course needs Python %d.%d or newer; this is %d.%d. Install a newer one and name it: PY=python3.12 make lab"
        % (LEAST + sys.version_info[:2])
    )

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent
UV_VERSION = "0.13.9"
WINDOWS = os.name == "nt"
BIN = "Scripts" if WINDOWS else "bin"
UV_HOME, VENV = ROOT / ".uv", ROOT / ".venv"
LOCKS = {"run": ROOT / "requirements.lock", "test": ROOT / "requirements-test.lock"}
STAMP = VENV / ".course-stamp"
LOG = ROOT / ".course" / "setup.log"
NEVER = "sys_platform == 'never'"
FIRST_CLASS = (
    "lab", "build", "check", "quiz", "exam", "progress", "reset", "workshop", "report", "slides", "serve", "doctor",
)  # fmt: skip
VERBS = {
    "setup": "make the environment (the other verbs do it when needed)",
    "lab": "open the course in JupyterLab",
    "test": "install what tests need and run them all",
    "build": "build notebooks and solutions from lessons/",
    "check": 'say what is wrong with a conversation: make check ARGS="FILE.json"',
    "quiz": "practise questions in the terminal",
    "exam": "sit a timed practice form",
    "progress": "show your results: make progress ARGS=--chart",
    "reset": "restore a lesson and keep yours as a copy: make reset ARGS=03",
    "workshop": 'serve a live poll for a room of people: make workshop ARGS="--lesson 03"',
    "report": "say what a class knows, from the files it handed in: make report ARGS=FOLDER",
    "slides": "write slides of the lessons for a workshop: make slides ARGS=05",
    "serve": "run the offline Messages API on this machine",
    "doctor": "check this installation, and say what to do",
    "clean": "remove the environments and caches; your work and your results stay",
}


class SetupError(Exception):
    """Setting up failed; the message says what happened and what to do, in one line."""


def say(text):
    """Print a line of progress."""
    print(text, flush=True)


def executable(home, name):
    """Return the path of the program `name` in the environment `home`."""
    return home / BIN / (name + (".exe" if WINDOWS else ""))


def python():
    """Return the course environment's Python."""
    return executable(VENV, "python")


def run_logged(command, failed):
    """Run `command` with its output in the log; on failure raise SetupError(`failed`) with the log's last line."""
    LOG.parent.mkdir(exist_ok=True)
    env = dict(os.environ, UV_PYTHON_DOWNLOADS="never", UV_NO_PROGRESS="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
    env.pop("VIRTUAL_ENV", None)
    with LOG.open("a", encoding="utf-8") as log:
        log.write("$ %s\n" % " ".join(map(str, command)))
        log.flush()
        code = subprocess.call([str(part) for part in command], stdout=log, stderr=log, env=env, cwd=str(ROOT))
    if code:
        words = [line.strip() for line in LOG.read_text(encoding="utf-8").splitlines() if line.strip()]
        raise SetupError("%s Details in %s, which ends: %s" % (failed, LOG.relative_to(ROOT), words[-1][:160]))


def check_folder():
    """Raise SetupError when the course's folder cannot be written to."""
    try:
        LOG.parent.mkdir(exist_ok=True)
        probe = LOG.parent / "probe"
        probe.write_text("")
        probe.unlink()
    except OSError:
        raise SetupError(
            "This folder is read-only: copy the course to a folder you can write to, and start again there."
        )


def check_modules():
    """Raise SetupError when this Python cannot make environments (Debian ships these modules apart)."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        raise SetupError(
            "This Python cannot make environments: install its venv package (Debian, Ubuntu: apt install python3-venv)."
        )


def fingerprint(level):
    """Return what the stamp holds when the environment is complete for `level` ("run" or "test")."""
    digest = hashlib.sha256()
    for lock in LOCKS.values():
        digest.update(lock.read_bytes())
    digest.update(Path(__file__).read_bytes())
    return "%s %s %s" % (level, digest.hexdigest(), ROOT)


def ready(level):
    """Return whether the environment holds all that `level` needs (one set up for tests also serves to run)."""
    if not python().exists() or not STAMP.is_file():
        return False
    return STAMP.read_text(encoding="utf-8") in {fingerprint("test"), fingerprint(level)}


def make_installer():
    """Make `.uv` with the installer of the pinned version."""
    if executable(UV_HOME, "uv").exists() and (UV_HOME / UV_VERSION).exists():
        return
    say("Step 1 of 3: fetching the installer (uv %s)" % UV_VERSION)
    if not executable(UV_HOME, "python").exists():
        run_logged([sys.executable, "-m", "venv", UV_HOME], "Could not make an environment in .uv.")
    run_logged(
        [executable(UV_HOME, "python"), "-m", "pip", "install", "-q", "uv==" + UV_VERSION],
        "Could not download the installer. The first start needs a network; later starts do not.",
    )
    (UV_HOME / UV_VERSION).touch()


def install(level):
    """Make `.venv` and bring it to exactly what the hashed lock of `level` lists.

    What is on this machine already needs no network: most updates of the course change no package.
    """
    uv = executable(UV_HOME, "uv")
    if not python().exists():
        run_logged([uv, "venv", "-q", "--allow-existing", "--python", sys.executable, VENV], "Could not make .venv.")
    say("Step 2 of 3: installing packages (the first time this downloads about 250 MB)")
    sync = [uv, "pip", "sync", "-q", "--python", python(), "--require-hashes", LOCKS[level]]
    try:
        run_logged(sync + ["--offline"], "Not all packages are on this machine.")
    except SetupError:
        run_logged(
            sync,
            "Could not download the packages. The first start needs a network, and so does an update that brings new ones.",
        )


def connect():
    """Make `import course` and the command `course` work in `.venv`, and quiet JupyterLab's news prompt."""
    say("Step 3 of 3: connecting the course to the environment")
    where = subprocess.check_output(
        [str(python()), "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"], universal_newlines=True
    ).strip()
    (Path(where) / "course.pth").write_text(str(ROOT) + "\n", encoding="utf-8")
    if WINDOWS:
        (VENV / BIN / "course.cmd").write_text('@"%s" -m course %%*\r\n' % python(), encoding="utf-8")
    else:
        command = VENV / BIN / "course"
        command.write_text('#!/bin/sh\nexec "$(dirname "$0")/python" -m course "$@"\n', encoding="utf-8")
        command.chmod(0o755)
    settings = VENV / "share" / "jupyter" / "lab" / "settings"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "overrides.json").write_text(
        '{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false}}\n',
        encoding="utf-8",
    )


def setup(level="run"):
    """Make the environment complete for `level`; quick and without network when it already is."""
    if ready(level):
        return
    if STAMP.is_file() and STAMP.read_text(encoding="utf-8").startswith("test "):
        level = "test"  # what was complete for tests stays so when the locks change
    check_folder()
    check_modules()
    make_installer()
    install(level)
    connect()
    STAMP.write_text(fingerprint(level), encoding="utf-8")
    say("The environment is ready.")


def course(*args):
    """Run the command `course` in the environment and return its exit code."""
    process = subprocess.Popen([str(python()), "-m", "course"] + list(args), cwd=os.getcwd(), env=started())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # it has reached the command, too, which ends as it should
            continue


def started():
    """Return the environment of the command `course`, which names how it was started in what it tells to type."""
    how = "make" if os.environ.get("MAKELEVEL") else "%s start.py" % Path(sys.executable).stem
    return dict(os.environ, COURSE_STARTED=how)


def test(args):
    """Run the tests and return the exit code: everything, or what `args` (pytest's) select."""
    command = [str(python()), str(ROOT / "tests" / "run.py")] + list(args)
    return subprocess.call(command, cwd=str(ROOT))


def clean():
    """Remove what can be made again. Notebooks, results and settings stay."""
    for path in (
        UV_HOME,
        VENV,
        ROOT / ".pytest_cache",
        ROOT / ".ruff_cache",
        ROOT / ".mypy_cache",
        ROOT / ".hypothesis",
    ):
        shutil.rmtree(str(path), ignore_errors=True)
    for path in ROOT.rglob("__pycache__"):
        shutil.rmtree(str(path), ignore_errors=True)
    say("Removed the environments and caches. Your notebooks and your results are untouched.")
    return 0


def pins(lock):
    """Return the pins of a hashed lock as lines that plain pip accepts, with nothing left out on purpose."""
    lines = []
    for line in lock.read_text(encoding="utf-8").splitlines():
        if "==" in line and not line.startswith((" ", "#")):
            lines.append(line.rstrip(" \\").replace(" ; " + NEVER, ""))
    return "".join(line + "\n" for line in lines)


def lock():
    """Resolve the `.in` files anew and write the two locks and `requirements.txt` (for maintainers; needs a network)."""
    make_installer()
    for level, path in LOCKS.items():
        say("Resolving %s" % path.name)
        source = path.with_suffix(".in")
        extra = [] if level == "run" else ["-c", LOCKS["run"].with_suffix(".txt")]
        options = "--universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q --upgrade"
        run_logged(
            [executable(UV_HOME, "uv"), "pip", "compile", source, "--overrides", "overrides.txt", "-o", path]
            + options.split()
            + extra,
            "Could not resolve %s." % source.name,
        )
        if level == "run":
            path.with_suffix(".txt").write_text(pins(path), encoding="utf-8")
    return 0


def usage():
    """Return the list of verbs."""
    width = max(map(len, VERBS))
    lines = ["  %-*s  %s" % (width, verb, text) for verb, text in VERBS.items()]
    return "\n".join(
        ["Usage: make VERB, or python start.py VERB [options]", ""]
        + lines
        + ["", 'Options go through ARGS: make lab ARGS="--no-browser --port 8899"']
    )


def guarded(step, *args):
    """Run a step of setting up; on failure print one line and return 1."""
    try:
        return step(*args) or 0
    except (SetupError, OSError) as error:
        print("Setup failed: %s" % error, file=sys.stderr)
        return 1


def main(argv):
    """Run one verb; return its exit code."""
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(usage())
        return 0
    verb, args = argv[0], argv[1:]
    if verb == "lock":
        return guarded(lock)
    if verb not in VERBS:
        print("There is no verb %r.\n\n%s" % (verb, usage()), file=sys.stderr)
        return 2
    if verb == "clean":
        return clean()
    if guarded(setup, "test" if verb == "test" else "run"):
        return 1
    if verb == "test":
        return test(args)
    return course(verb, *args) if verb in FIRST_CLASS else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
