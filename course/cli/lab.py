"""`course lab`: open the course in JupyterLab."""

import argparse
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from course.cli.started import as_started
from course.facts.text import say

__all__ = ["command", "free_port", "port_is_free", "run"]

ROOT = Path(__file__).resolve().parents[2]
START = "notebooks/00_start_here.ipynb"
FIRST_PORT = 8888
PORTS_TRIED = 50


def port_is_free(port: int) -> bool:
    """Return whether a server on this machine could listen on `port` now."""
    with socket.socket() as probe:
        if os.name != "nt":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port(first: int = FIRST_PORT, tries: int = PORTS_TRIED) -> int | None:
    """Return the first free port from `first` on, or None when none of `tries` is free."""
    return next((port for port in range(first, first + tries) if port_is_free(port)), None)


def command(
    port: int, *, browser: bool, root: Path = ROOT, as_root: bool = False, rest: Sequence[str] = ()
) -> list[str]:
    """Return the command line that starts JupyterLab on the start notebook: loopback only, nothing fetched.

    Of its log only warnings are shown, and the link; one Ctrl-C ends it, without a question.
    """
    options = [
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{START}",
        "--LabApp.extension_manager=readonly",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.news_url=None",
        "--ServerApp.log_level=WARN",
        "--LabApp.log_level=WARN",
        "--ServerApp.answer_yes=True",
    ]
    options += [] if browser else ["--no-browser"]
    options += ["--allow-root"] if as_root else []
    return [sys.executable, "-m", "jupyterlab", *options, *rest]


def run(args: Sequence[str]) -> int:
    """Start JupyterLab and wait for it; unknown options are handed on to it."""
    parser = argparse.ArgumentParser(prog="course lab", description=say("cli.verbs.lab"))
    parser.add_argument("--port", type=int, help=say("cli.lab.port"))
    parser.add_argument("--no-browser", action="store_true", help=say("cli.lab.no_browser"))
    options, rest = parser.parse_known_args(args)
    if not (ROOT / START).is_file():
        print(as_started(say("cli.lab.no_notebooks", path=START)), file=sys.stderr)
        return 1
    if options.port is not None and not port_is_free(options.port):
        print(say("cli.lab.port_taken", port=options.port, next=free_port(options.port + 1)), file=sys.stderr)
        return 1
    port = options.port if options.port is not None else free_port()
    if port is None:
        print(say("cli.lab.no_port", first=FIRST_PORT, last=FIRST_PORT + PORTS_TRIED - 1), file=sys.stderr)
        return 1
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    opening = "opening_quietly" if options.no_browser else "opening"
    print(say(f"cli.lab.{opening}", port=port), flush=True)
    env = dict(os.environ, JUPYTER_PREFER_ENV_PATH="1")
    process = subprocess.Popen(
        command(port, browser=not options.no_browser, as_root=as_root, rest=rest), cwd=ROOT, env=env
    )
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue
