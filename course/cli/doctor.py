"""`course doctor`: check this installation and say what to do about each thing that fails.

Imports only the standard library, so that it also runs where packages are missing.
"""

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from course.cli.lab import FIRST_PORT, free_port, port_is_free
from course.cli.started import as_started
from course.facts.text import say

__all__ = ["Check", "checks", "run"]

ROOT = Path(__file__).resolve().parents[2]
LEAST = (3, 11)
EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "anywidget")
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(?:\s*;\s*([^\\]+?))?\s*\\?$")


@dataclass(frozen=True)
class Check:
    """One line of the table: what was checked, whether it passed, what was found, and what to do if it failed."""

    name: str
    passed: bool
    found: str
    advice: str = ""


def _check(name: str, passed: bool, found: str, **values: object) -> Check:
    advice = "" if passed else say(f"cli.doctor.advice.{name}", **values)
    return Check(say(f"cli.doctor.names.{name}"), passed, found, advice)


def python() -> Check:
    """Check the version of the Python that runs."""
    found = ".".join(map(str, sys.version_info[:3]))
    return _check("python", sys.version_info[:2] >= LEAST, found)


def _pins(lock: Path) -> Iterator[tuple[str, str]]:
    """Yield (name, version) of every pin of the lock that holds on this machine."""
    from packaging.markers import Marker

    for line in lock.read_text(encoding="utf-8").splitlines():
        if (match := PIN.match(line)) and (not match[3] or Marker(match[3]).evaluate()):
            yield match[1], match[2]


def packages() -> Check:
    """Check that every package of the lock is installed in its version."""
    try:
        pins = list(_pins(ROOT / "requirements.lock"))
    except ImportError:
        return _check("packages", False, say("cli.doctor.found.no_packaging"))
    except OSError as error:
        return _check("packages", False, str(error))
    wrong = []
    for name, version in pins:
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            found = "-"
        if found != version:
            wrong.append(f"{name} {found} ≠ {version}")
    if not wrong:
        return _check("packages", True, say("cli.doctor.found.packages", count=len(pins)))
    more = f" (+{len(wrong) - 3})" if len(wrong) > 3 else ""
    return _check("packages", False, ", ".join(wrong[:3]) + more)


def port(wanted: int | None) -> Check:
    """Check that JupyterLab finds a free port: `wanted`, or one near the usual one."""
    if wanted is not None:
        return _check("port", port_is_free(wanted), str(wanted), next=free_port(wanted + 1))
    found = free_port()
    return _check("port", found is not None, str(found or "-"), next=FIRST_PORT)


def kernel() -> Check:
    """Check that the kernel the notebooks ask for is this environment's Python."""
    path = Path(sys.prefix) / "share" / "jupyter" / "kernels" / "python3" / "kernel.json"
    try:
        argv = json.loads(path.read_text(encoding="utf-8"))["argv"]
        import ipykernel
    except (OSError, ValueError, KeyError, ImportError) as error:
        return _check("kernel", False, f"{type(error).__name__}: {error}")
    own = argv[0] in ("python", "python3") or Path(argv[0]).resolve() == Path(sys.executable).resolve()
    return _check("kernel", own, f"ipykernel {ipykernel.__version__}")


def widgets() -> Check:
    """Check that JupyterLab has the two front-end extensions the widgets need."""
    base = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
    missing = [name for name in EXTENSIONS if not (base / name / "package.json").is_file()]
    return _check("widgets", not missing, ", ".join(missing) or ", ".join(EXTENSIONS))


def home() -> Check:
    """Check that the folder which keeps answers and progress can be written to."""
    try:
        from course.quiz.storefile import default_path

        folder = default_path().parent
    except ImportError as error:
        return _check("home", False, f"{type(error).__name__}: {error}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        return _check("home", False, f"{folder}: {error.strerror}")
    return _check("home", True, str(folder))


def notebooks() -> Check:
    """Check that the lessons are there; copies that `reset` kept are not counted."""
    count = sum(".mine-" not in path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    return _check("notebooks", count > 0, say("cli.doctor.found.notebooks", count=count))


def live() -> Check:
    """Say whether live mode is on; offline, the default, always passes."""
    on = os.environ.get("COURSE_LIVE", "") not in ("", "0")
    key = bool(os.environ.get("ANTHROPIC_API_KEY"))
    mode = "live" if on else "offline"
    return _check("live", not on or key, say(f"cli.doctor.found.{mode}"))


def checks(wanted_port: int | None = None) -> list[Check]:
    """Run every check, in the order of the table. A check that breaks is a check that failed."""
    parts: tuple[Callable[[], Check], ...] = (
        python,
        packages,
        lambda: port(wanted_port),
        kernel,
        widgets,
        home,
        notebooks,
        live,
    )
    return [part() for part in parts]


def run(args: Sequence[str]) -> int:
    """Print the table (`--json` for machines); return 0 when everything passed, else 1."""
    parser = argparse.ArgumentParser(prog="course doctor", description=say("cli.verbs.doctor"))
    parser.add_argument("--port", type=int, help=say("cli.lab.port"))
    parser.add_argument("--json", action="store_true", help=say("cli.doctor.json"))
    options = parser.parse_args(args)
    results = checks(options.port)
    if options.json:
        print(json.dumps([asdict(result) for result in results], ensure_ascii=False, indent=1))
    else:
        width = max(len(result.name) for result in results)
        for result in results:
            verdict = say("cli.doctor.pass") if result.passed else say("cli.doctor.fail")
            print(f"{verdict:<4}  {result.name:<{width}}  {result.found}")
            if result.advice:
                print(f"{'':<4}  {'':<{width}}  → {as_started(result.advice)}")
        failed = sum(not result.passed for result in results)
        print("\n" + (say("cli.doctor.some_failed", count=failed) if failed else say("cli.doctor.all_passed")))
    return 0 if all(result.passed for result in results) else 1
