"""Memory and start time of a JupyterHub with several learners, each with one kernel that has asked once.

    python benchmarks/hub.py 5 12

Every learner's server runs under one user here (trial mode). RSS counts shared pages again in each process, so the sum
is what a machine needs at most; USS, the pages nobody shares, is what one learner more costs at least.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "hub"), str(ROOT / "tests" / "clients")]

from environments import node_with, python_with  # noqa: E402
from hub import Hub  # noqa: E402

ASK = "from course.lesson import *\nprint(ask('What is the weather in Oslo?', model=MODEL).stop_reason)"
MIB = 1 << 20


def family(pid: int) -> list[int]:
    """Return a process and all its descendants (Linux)."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(") ", 1)[1].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, todo = [], [pid]
    while todo:
        found.append(one := todo.pop())
        todo += children.get(one, [])
    return found


def memory(pids: list[int]) -> tuple[float, float]:
    """Return RSS and USS in MiB, summed over processes."""
    rss = uss = 0
    for pid in pids:
        try:
            rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
        except OSError:
            continue
        sizes = {row.split(":")[0]: int(row.split()[1]) * 1024 for row in rows}
        rss += sizes["Rss"]
        uss += sizes["Private_Clean"] + sizes["Private_Dirty"]
    return rss / MIB, uss / MIB


def measure(hub: Hub, count: int) -> None:
    names = [f"learner{n:02}" for n in range(count)]
    empty = memory(family(hub.process.pid))
    started = time.monotonic()
    hub.seat(names)
    seated = time.monotonic() - started
    for name in names:
        hub.run(name, ASK)
    full = memory(family(hub.process.pid))
    each = [(b - a) / count for a, b in zip(empty, full, strict=True)]
    print(
        f"{count:3} learners: all seated after {seated:.0f} s; hub and proxy {empty[0]:.0f} MiB RSS; "
        f"a learner {each[0]:.0f} MiB RSS, {each[1]:.0f} MiB USS; "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        flush=True,
    )
    hub.leave(names)


if __name__ == "__main__":
    python = python_with("-r", str(ROOT / "deploy/jupyterhub/requirements.txt"))
    proxy = node_with("configurable-http-proxy@5.3.0")
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub(Path(folder), python, proxy).start()
        try:
            for argument in sys.argv[1:] or ["5", "12"]:
                measure(hub, int(argument))
        finally:
            hub.stop()
