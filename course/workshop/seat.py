"""A learner's place on a hub: their own notebooks in their own home, then the server that a hub expects.

A hub starts `python -m course.workshop.seat` as the learner. Notebooks that are missing are copied; a copy that the
learner did not edit follows a new release; an edited one stays as it is, whatever the release.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from course.authoring.guard import is_edited, load
from course.facts import say

__all__ = ["FOLDER", "command", "fill", "main"]

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "tool-use-course"
START = "00_start_here.ipynb"


def fill(home: Path, root: Path = ROOT) -> Iterator[tuple[Path, bool]]:
    """Bring `home`/tool-use-course/notebooks up to date; yield each file that was not, and whether it was written.

    False means that the learner edited it, and that it stays. Raises OSError when the home can't be written.
    """
    for source in sorted((root / "notebooks").rglob("*.ipynb")):
        if ".ipynb_checkpoints" in source.parts or ".mine-" in source.name:
            continue
        target = home / FOLDER / source.relative_to(root)
        if target.exists() and _release(target) == _release(source):
            continue
        if is_edited(target):
            yield target, False
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
        yield target, True


def _release(path: Path) -> str | None:
    """Return the digest that the build wrote into a notebook, None when there is none."""
    book = load(path)
    return book["metadata"].get("course", {}).get("built") if book else None


def command(home: Path, rest: Sequence[str] = ()) -> list[str]:
    """Return the command line of the learner's server: JupyterLab under a hub, nothing fetched."""
    return [
        sys.executable,
        "-m",
        "jupyterhub.singleuser",
        f"--ServerApp.root_dir={home / FOLDER}",
        "--LabApp.extension_manager=readonly",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.news_url=None",
        *rest,
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Fill the home of whoever runs this, and become their server."""
    rest = list(sys.argv[1:] if argv is None else argv)
    home = Path.home()
    for path, written in fill(home):
        if not written:
            print(say("seat.kept", path=path), file=sys.stderr)
    os.environ.setdefault("JUPYTERHUB_SINGLEUSER_APP", "jupyter_server.serverapp.ServerApp")
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    line = command(home, rest)
    os.execv(line[0], line)


if __name__ == "__main__":
    main()
