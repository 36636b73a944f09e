"""Programs by other people, each in an environment of its own under `.tmp/foreign`, made once and kept."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".tmp" / "foreign"


def foreign_python(package: str) -> Path:
    """The interpreter of an environment that holds one package, such as "anki==26.9.3"."""
    folder = HOME / package.replace("==", "-")
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install = [
            str(python),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-compile",
            "--disable-pip-version-check",
            package,
        ]
        subprocess.run(install, check=True, stderr=subprocess.PIPE)
        (folder / "ready").touch()
    return python


def foreign_node(*packages: str) -> Path:
    """A folder whose node_modules hold the packages, such as "gift-pegjs@1.0.2"."""
    if not shutil.which("npm"):
        pytest.skip("npm is not installed")
    folder = HOME / "node"
    wanted = folder / ("ready-" + "-".join(packages).replace("/", "+"))
    if not wanted.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text("{}") if not (folder / "package.json").exists() else None
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent", *packages], cwd=folder, check=True)
        wanted.touch()
    return folder


def run_json(command: list[str], **options: Any) -> Any:
    """Run a command that prints JSON as its last line."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **options)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.strip().splitlines()[-1])
