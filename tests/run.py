"""Run everything that must pass, stage by stage, and say at the end what did.

`python tests/run.py` runs all stages; with arguments it runs pytest with those arguments only. The stage with foreign
clients installs each in an environment of its own (about two minutes the first time); without a network, npm or curl it
says which it left out. `--clients` adds the slower stage with foreign readers of exports.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTEST = [sys.executable, "-m", "pytest"]
NBVAL = ["--nbval-current-env", "--nbval-cell-timeout=60", "--nbval-sanitize-with=tests/nbval.cfg"]
NBVAL += [
    "--ignore=notebooks/recall",
    "--ignore-glob=*.mine-*",
    "-p",
    "no:cacheprovider",
    "--dist",
    "loadscope",
    "-n",
    "2",
]
COURSE = [sys.executable, "-m", "course"]

CHECKED = ["course", "tests", "lessons", "benchmarks", "deploy", "start.py"]

STAGES = [
    ("style", [sys.executable, "-m", "ruff", "check", *CHECKED]),
    ("types", [sys.executable, "-m", "mypy", "course"]),
    ("tests", [*PYTEST, "-n", "2", "-m", "not clients and not browser"]),
    ("browser", [*PYTEST, "-n", "2", "--dist", "loadfile", "tests/browser", "-m", "browser"]),
    ("foreign clients of the API", [*PYTEST, "tests/clients", "-m", "clients", "-rs"]),
    ("built files are fresh", [*COURSE, "build", "--check"]),
    ("question bank", [*COURSE, "lint"]),
    ("coverage of the syllabus", [*COURSE, "coverage"]),
    ("solved notebooks, strictly", [*PYTEST, "--nbval", *NBVAL, "solutions"]),
    ("learner notebooks run", [*PYTEST, "--nbval-lax", *NBVAL, "notebooks"]),
]
CLIENTS = ("foreign readers too", [*PYTEST, "tests", "-m", "clients", "-rs", "--ignore=tests/clients"])


def main(args: list[str]) -> int:
    """Run the stages; return 0 when all passed."""
    stages = [*STAGES, CLIENTS] if "--clients" in args else STAGES
    args = [arg for arg in args if arg != "--clients"]
    env = dict(os.environ, PYTHONHASHSEED="0", JUPYTER_PREFER_ENV_PATH="1")
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "COURSE_LIVE", "COURSE_LANG"):
        env.pop(name, None)
    with tempfile.TemporaryDirectory() as home:
        return stages_pass(args, stages, env | {"COURSE_HOME": home})


def stages_pass(args: list[str], stages: list[tuple[str, list[str]]], env: dict[str, str]) -> int:
    """Run the stages, or pytest with `args`, in an environment without a key and with a history of its own."""
    if args:
        return subprocess.call([*PYTEST, *args], cwd=ROOT, env=env)
    results = []
    for name, command in stages:
        print(f"\n=== {name}", flush=True)
        started = time.monotonic()
        code = subprocess.call(command, cwd=ROOT, env=env)
        if code and name == "browser":
            print("\nA real browser can be late: what failed is run once more.", flush=True)
            code = subprocess.call([*command, "--last-failed", "--last-failed-no-failures", "none"], cwd=ROOT, env=env)
            name += ", what failed run twice"
        results.append((name, code, time.monotonic() - started))
    print()
    for name, code, seconds in results:
        print(f"{'ok    ' if code == 0 else 'FAILED'}  {name} ({seconds:.0f} s)")
    failed = sum(code != 0 for _, code, _ in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
