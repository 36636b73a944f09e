"""Time from typing `course quiz` to the first question, beyond Python's own start.

    python benchmarks/quiz_start.py [--rounds N]

Processor seconds of whole processes, the best of N rounds, since the machine may be shared. Beside it the floor that
can't be saved: importing pydantic, which every question is a model of. Bar: 0.5 s beyond Python's own start, with the
parsed bank kept from an earlier start. The first start of all, which has to read the YAML, is shown too.
Exit code 1 when the bar is missed.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

BAR = 0.5


def seconds(code: str, home: str) -> float:
    """Return the processor seconds of one process that runs `code` and gets no input."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environ = {**os.environ, "COURSE_HOME": home}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    assert "quiz" not in code or b"Question 1" in done.stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=8)
    rounds = parser.parse_args().rounds
    quiz = "from course.cli import main; main(['quiz'])"
    with tempfile.TemporaryDirectory() as home:
        python = min(seconds("pass", home) for _ in range(rounds))
        pydantic = min(seconds("import pydantic.main", home) for _ in range(rounds)) - python
        first = []
        for _ in range(rounds):
            (Path(home) / "bank.json").unlink(missing_ok=True)
            first.append(seconds(quiz, home) - python)
        again = min(seconds(quiz, home) for _ in range(rounds)) - python
    print(f"Python's own start      {python:6.3f} s")
    print(f"import pydantic         {pydantic:6.3f} s more")
    print(f"course quiz             {again:6.3f} s more  ({again / pydantic:.1f} x pydantic; bar {BAR} s)")
    print(f"course quiz, first time {min(first):6.3f} s more")
    return int(again > BAR)


if __name__ == "__main__":
    raise SystemExit(main())
