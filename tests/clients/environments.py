"""Environments of their own for foreign clients, kept under `.course/clients` from run to run."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / ".course" / "clients"
SCRIPTS = Path(__file__).parent / "scripts"


class NotInstalled(Exception):
    """The packages of a client could not be installed here; the message is the installer's last line."""


def _run(command: list[Any], cwd: Path) -> None:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise NotInstalled((done.stderr or done.stdout).strip().splitlines()[-1:])


def _folder(kind: str, packages: tuple[str, ...]) -> tuple[Path, Path]:
    """Return the folder of these packages, and the stamp that says that they are in it."""
    name = hashlib.sha256(" ".join((kind, sys.version, *packages)).encode()).hexdigest()[:12]
    return HOME / name, HOME / name / "installed"


def python_with(*packages: str) -> Path:
    """Return a Python that has `packages`. Raises NotInstalled."""
    folder, stamp = _folder("python", packages)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not stamp.exists():
        shutil.rmtree(folder, ignore_errors=True)
        HOME.mkdir(parents=True, exist_ok=True)
        _run([sys.executable, "-m", "venv", *_without_pip(), folder], HOME)
        installer = [_uv(), "pip", "install", "--python", python] if _uv() else [python, "-m", "pip", "install", "-q"]
        _run([*installer, *packages], HOME)
        stamp.touch()
    return python


def _uv() -> str | None:
    ours = ROOT / ".uv" / ("Scripts/uv.exe" if os.name == "nt" else "bin/uv")
    return str(ours) if ours.exists() else shutil.which("uv")


def _without_pip() -> list[str]:
    return ["--without-pip"] if _uv() else []


def node_with(*packages: str) -> Path:
    """Return a folder whose Node scripts can import `packages`. Raises NotInstalled."""
    npm = shutil.which("npm")
    if npm is None:
        raise NotInstalled("npm is not installed")
    folder, stamp = _folder("node", packages)
    if not stamp.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _run([npm, "install", "--silent", *packages], folder)
        stamp.touch()
    return folder


def run_script(command: list[Any], url: str, cwd: Path) -> dict[str, Any]:
    """Run a client script against the server at `url`; return the JSON that it prints last."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("ANTHROPIC_", "PYTHON"))}
    env |= {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": url}
    command = [str(part) for part in command]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.strip().splitlines()[-1])
