"""Speed of the lesson room and of its tests, measured in one run.

    python benchmarks/lessons.py [--rounds N] [--notebooks]

1. Processor time to import `course.lesson` in a fresh interpreter, as a ratio to importing `anthropic`; bar 0.25.
2. With --notebooks: wall time of nbval over all solved and all learner notebooks on two workers, less what kernels take
   to start alone (as many empty notebooks, measured the same way); bar 60 s. Takes minutes.

Rounds are interleaved; figures are the least of them, since other work on the machine only adds. Exit code 1 when a bar
is missed.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IMPORT_BAR = 0.25
NOTEBOOKS_BAR = 60.0
NBVAL = ["--nbval-current-env", "--nbval-cell-timeout=60", "--ignore=notebooks/recall", "--ignore-glob=*.mine-*"]
NBVAL += ["--nbval-sanitize-with=tests/nbval.cfg", "-p", "no:cacheprovider", "--dist", "loadscope", "-n", "2"]


def processor_time(code: str) -> float:
    """Return the user and system seconds that a fresh interpreter takes for `code`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def import_ratio(rounds: int) -> float:
    """Return import of `course.lesson` ÷ import of `anthropic`, both less an empty interpreter."""
    codes = {"empty": "pass", "lesson": "from course.lesson import *", "anthropic": "import anthropic"}
    least = dict.fromkeys(codes, float("inf"))
    for _ in range(rounds):
        for name, code in codes.items():
            least[name] = min(least[name], processor_time(code))
    lesson, sdk = least["lesson"] - least["empty"], least["anthropic"] - least["empty"]
    print(f"import course.lesson {lesson:.2f} s, import anthropic {sdk:.2f} s")
    return lesson / sdk


def nbval(arguments: list[str]) -> float:
    """Return the wall seconds of one nbval run. Raises CalledProcessError when a cell fails."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "COURSE_HOME": home, "PYTHONHASHSEED": "0"}
        started = time.monotonic()
        command = [sys.executable, "-m", "pytest", *NBVAL, *arguments]
        subprocess.run(command, check=True, cwd=ROOT, env=env, stdout=subprocess.DEVNULL)
        return time.monotonic() - started


def beyond_kernel_starts() -> float:
    """Return the seconds that all lessons take under nbval, less those of as many notebooks with nothing in them."""
    solved, open_ = (len(list((ROOT / name).glob("*.ipynb"))) for name in ("solutions", "notebooks"))
    cell = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": [], "source": "1"}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    book = json.dumps({"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})
    with tempfile.TemporaryDirectory() as folder:
        for number in range(max(solved, open_)):
            (Path(folder) / f"{number:02}.ipynb").write_text(book)
        starts = nbval(["--nbval-lax", folder])
    took = nbval(["--nbval", "solutions"]), nbval(["--nbval-lax", "notebooks"])
    print(f"solutions {took[0]:.0f} s, notebooks {took[1]:.0f} s, empty notebooks {starts:.0f} s each time")
    return sum(took) - 2 * starts


def main() -> int:
    """Measure, print, and return 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--notebooks", action="store_true")
    options = parser.parse_args()
    ratio = import_ratio(options.rounds)
    print(f"ratio {ratio:.3f} (bar {IMPORT_BAR})")
    missed = ratio > IMPORT_BAR
    if options.notebooks:
        seconds = beyond_kernel_starts()
        print(f"all lessons under nbval beyond kernel starts {seconds:.0f} s (bar {NOTEBOOKS_BAR:.0f})")
        missed |= seconds > NOTEBOOKS_BAR
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
