"""Run a notebook in a kernel of its own, and keep only outputs that every later run repeats.

Taken out: timing, widget views and their state (the script-free HTML beside them stays), run-time ids. Refused:
errors the author did not announce, warnings on stderr, memory addresses and paths of this machine.
Kept from the last build: outputs of cells tagged `nbval-ignore-output`, and pictures whose text and numbers
are unchanged (a picture's pixels depend on the machine; the numbers behind it do not).
"""

import copy
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from course.authoring.errors import ExecutionFailed
from course.facts import say

__all__ = ["execute", "keep_pictures", "settle"]

VARIES = "nbval-ignore-output"
VIEWS = ("application/vnd.jupyter.widget-view+json", "application/vnd.jupyter.widget-state+json")
PICTURE = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=]+")
ANSI = re.compile(r"\x1b\[[0-9;]*m")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
SECRETS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "COURSE_LIVE", "COURSE_LANG")


def execute(book: Mapping[str, Any], folder: Path, *, language: str = "en", timeout: int = 120) -> dict[str, Any]:
    """Run `book` with `folder` as working directory and return it with settled outputs. Raises ExecutionFailed."""
    import nbformat
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    node = nbformat.from_dict(copy.deepcopy(dict(book)))
    with tempfile.TemporaryDirectory() as home:
        client = _client(node, folder, home, timeout)
        try:
            client.execute(env=_environment(home, language))
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            raise ExecutionFailed(_told(node, error)) from None
    done = _plain(node)
    for cell in done["cells"]:
        if cell["cell_type"] == "code":
            settle(cell, _label(book), (str(folder), home, sys.prefix, str(Path.home())))
    done["metadata"] = copy.deepcopy(dict(book["metadata"]))
    return done


def _client(node: Any, folder: Path, home: str, timeout: int) -> Any:
    from nbclient import NotebookClient
    from traitlets.config import Config

    private = os.name != "nt"  # sockets in a folder of our own instead of TCP ports
    channel = {"transport": "ipc", "connection_file": str(Path(home) / "kernel.json")}
    return NotebookClient(
        node,
        config=Config({"AsyncKernelManager": channel} if private else {}),
        timeout=timeout,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
    )


def _told(node: Any, error: Exception) -> str:
    """Return which cell failed, and how, without the traceback of the machinery around it."""
    raised = [
        (cell["id"], f"{output['ename']}: {output['evalue']}")
        for cell in node["cells"]
        for output in cell.get("outputs", ())
        if output["output_type"] == "error" and "raises-exception" not in cell["metadata"].get("tags", ())
    ]
    cell, text = raised[-1] if raised else ("–", str(error))
    return say("authoring.run.failed", lesson=_label(node), cell=cell, error=ANSI.sub("", text)[:1500])


def _environment(home: str, language: str) -> dict[str, str]:
    env = {key: value for key, value in os.environ.items() if key not in SECRETS}
    return env | {"COURSE_HOME": home, "COURSE_LANG": language, "PYTHONHASHSEED": "0", "COLUMNS": "100"}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def settle(cell: dict[str, Any], lesson: str, places: tuple[str, ...] = ()) -> None:
    """Strip from one executed cell what differs between runs. Raises ExecutionFailed for what cannot be stripped."""
    cell["metadata"].pop("execution", None)
    for output in cell["outputs"]:
        for view in VIEWS:
            output.get("data", {}).pop(view, None)
        output.pop("transient", None)
    cell["outputs"] = [out for out in cell["outputs"] if "data" not in out or out["data"]]
    tags = cell["metadata"].get("tags", ())
    for text in _texts(cell["outputs"]):
        if found := ADDRESS.search(PICTURE.sub("", text)):
            raise ExecutionFailed(say("authoring.run.address", lesson=lesson, cell=cell["id"], found=found.group()))
        if found_place := next((place for place in places if len(place) > 1 and place in text), None):
            raise ExecutionFailed(say("authoring.run.path", lesson=lesson, cell=cell["id"], found=found_place))
    for output in cell["outputs"]:
        if output.get("name") == "stderr" and "raises-exception" not in tags:
            text = "".join(output["text"])[:500]
            raise ExecutionFailed(say("authoring.run.stderr", lesson=lesson, cell=cell["id"], text=text))


def _texts(outputs: list[dict[str, Any]]) -> list[str]:
    found: list[str] = []
    for output in outputs:
        parts = [output.get("text", ""), *output.get("data", {}).values(), *output.get("traceback", ())]
        found += ["".join(part) if isinstance(part, list) else part for part in parts if isinstance(part, (str, list))]
    return found


def keep_pictures(new: dict[str, Any], old: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return `new` with the old outputs of unchanged cells whose outputs may vary, or differ in pixels only."""
    before = {cell["id"]: cell for cell in (old or {}).get("cells", ()) if cell["cell_type"] == "code"}
    for cell in new["cells"]:
        last = before.get(cell["id"])
        if cell["cell_type"] != "code" or last is None or "".join(last["source"]) != "".join(cell["source"]):
            continue
        if VARIES in cell["metadata"].get("tags", ()) or _masked(last["outputs"]) == _masked(cell["outputs"]):
            cell["outputs"] = last["outputs"]
    return new


def _masked(value: Any) -> Any:
    """Return outputs with pixels taken out and texts joined, to compare the numbers behind pictures."""
    if isinstance(value, Mapping):
        return {k: "" if k == "image/png" else _masked(v) for k, v in value.items()}
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = "".join(value)
    if isinstance(value, list):
        return [_masked(item) for item in value]
    return PICTURE.sub("", value) if isinstance(value, str) else value


def _label(book: Mapping[str, Any]) -> str:
    return str(book["metadata"].get("course", {}).get("lesson", "?"))
