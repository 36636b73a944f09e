"""Run a function in a process of its own, with limits on time and memory.

This is no sandbox: the code runs as the user, and may read and write what the user may. Where `bwrap` is installed
and works, it also loses the network and everything but a read-only view of the disk.
"""

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from course.facts import say

__all__ = ["Done", "is_sandboxed", "run_apart"]

ROOT = Path(__file__).resolve().parents[3]
SECONDS, MEGABYTES, LONGEST_OUTPUT = 3, 1024, 400_000
CHILD = (
    "import sys; sys.path.insert(0, {root!r}); from course.quiz.grading.child import main; main({seconds}, {megabytes})"
)


@dataclass(frozen=True)
class Done:
    """What came of it: the value, or the problem in words."""

    value: Any = None
    problem: str = ""

    @property
    def ok(self) -> bool:
        """True when there is a value."""
        return not self.problem


def run_apart(function: str, *arguments: Any, seconds: int = SECONDS, megabytes: int = MEGABYTES) -> Done:
    """Call "module:function" with JSON arguments; never raises for what the code inside does."""
    nonce = secrets.token_hex(8)
    code = CHILD.format(root=str(ROOT), seconds=seconds, megabytes=megabytes)
    command = [*_cage(), sys.executable, "-I", "-c", code]
    job = json.dumps({"nonce": nonce, "function": function, "arguments": arguments})
    with tempfile.TemporaryFile() as out:
        try:
            child = subprocess.run(
                command,
                input=job.encode(),
                stdout=out,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                timeout=2 * seconds + 10,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Done(problem=say("quiz.grading.run.slow", seconds=seconds))
        out.seek(0)
        text = out.read(LONGEST_OUTPUT + 1)
    if len(text) > LONGEST_OUTPUT:
        return Done(problem=say("quiz.grading.run.much"))
    return _read(text.decode("utf-8", "replace"), nonce, child.returncode, seconds)


def _read(text: str, nonce: str, code: int, seconds: int) -> Done:
    for line in reversed(text.splitlines()):
        if line.startswith(nonce):
            done = json.loads(line.removeprefix(nonce))
            return Done(done.get("value"), done.get("problem", ""))
    if code < 0 or code in (124, 137, 152):
        return Done(problem=say("quiz.grading.run.slow", seconds=seconds))
    return Done(problem=say("quiz.grading.run.gone", code=code))


def _environment() -> dict[str, str]:
    keep = ("PATH", "SYSTEMROOT", "COURSE_LANG", "LANG", "LC_ALL", "TEMP", "TMP")
    return {name: os.environ[name] for name in keep if name in os.environ}


def is_sandboxed() -> bool:
    """Tell whether the code is also cut off from network and disk."""
    return bool(_cage())


@cache
def _cage() -> Sequence[str]:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return ()
    cage = (
        bwrap,
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--tmpfs",
        "/tmp",
    )
    try:
        works = subprocess.run([*cage, sys.executable, "-I", "-c", ""], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return cage if works.returncode == 0 else ()
