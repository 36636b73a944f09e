"""What runs inside the process that `process` starts: limits first, then one function, then one line of result."""

import contextlib
import importlib
import io
import json
import sys
from typing import Any

__all__ = ["main"]


def _limit(seconds: int, megabytes: int) -> None:
    """Cap processor time, memory, file size and processes, where the system can."""
    try:
        import resource
    except ImportError:
        return
    size = megabytes * 1024 * 1024
    wanted = {
        "RLIMIT_CPU": (seconds, seconds + 1),
        "RLIMIT_AS": (size, size),
        "RLIMIT_FSIZE": (1_000_000, 1_000_000),
        "RLIMIT_CORE": (0, 0),
    }
    for name, pair in wanted.items():
        if hasattr(resource, name):
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(getattr(resource, name), pair)


def main(seconds: int, megabytes: int) -> None:
    """Read a job from standard input, run it, and print its nonce and result as one line."""
    job = json.loads(sys.stdin.buffer.read())
    _limit(seconds, megabytes)
    module, name = job["function"].split(":")
    result: dict[str, Any]
    out, sys.stdin = sys.stdout, io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            result = {"value": getattr(importlib.import_module(module), name)(*job["arguments"])}
        except BaseException as error:
            result = {"problem": f"{type(error).__name__}: {error}"}
    print(job["nonce"] + json.dumps(result, default=str), file=out, flush=True)
