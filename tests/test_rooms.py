"""The nevers of docs/architecture.md hold."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COURSE = ROOT / "course"
FILES = sorted(COURSE.rglob("*.py"))
ROOMS = {
    "facts": 0, "api": 1, "mockmodel": 1, "harness": 2, "traces": 2, "quiz": 3, "labs": 3,
    "widgets": 4, "lesson": 5, "authoring": 6, "workshop": 6, "cli": 7, "__main__": 7, "__init__": 0,
}  # fmt: skip
HTTP = {"httpx", "httpx2", "requests", "aiohttp", "urllib3", "http.client", "urllib.request"}
ADAPTERS = {"api/transport.py", "api/server.py"}
MODEL_ID = re.compile(r"claude-(opus|sonnet|haiku|fable|mythos)-\d")


def name(path: Path) -> str:
    return path.relative_to(COURSE).as_posix()


def room(path: Path) -> str:
    parts = path.relative_to(COURSE).parts
    return parts[0] if len(parts) > 1 else path.stem


def imports(path: Path) -> set[str]:
    """Return every module a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)} uses a relative import"
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names if node.module == "course"}
    return found


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_room_imports_only_rooms_below_it_or_its_own_level(path):
    own = ROOMS[room(path)]
    for module in imports(path):
        if module.startswith("course."):
            other = module.split(".")[1]
            assert ROOMS.get(other, 0) <= own, f"{name(path)} (room {own}) imports {module} (room {ROOMS.get(other)})"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_only_the_two_adapters_name_an_http_library(path):
    named = {module for module in imports(path) if module in HTTP or module.split(".")[0] in HTTP}
    assert name(path) in ADAPTERS or not named, f"{name(path)} imports {sorted(named)}"


@pytest.mark.parametrize("path", [p for p in FILES if room(p) == "harness"], ids=name)
def test_the_harness_is_handed_a_client_and_knows_no_offline_api(path):
    assert not [m for m in imports(path) if m.startswith(("course.api", "course.mockmodel"))]


@pytest.mark.parametrize(
    "path", [p for p in FILES if ROOMS[room(p)] < ROOMS["lesson"] and room(p) != "widgets"], ids=name
)
def test_nothing_below_the_lesson_room_imports_ipython(path):
    assert not [m for m in imports(path) if m.split(".")[0] == "IPython"]


@pytest.mark.parametrize("path", [p for p in FILES if room(p) == "quiz"], ids=name)
def test_the_quiz_knows_no_widget_and_no_terminal(path):
    terminal = {"rich", "prompt_toolkit", "typer", "questionary", "anywidget", "ipywidgets"}
    assert not {m.split(".")[0] for m in imports(path)} & terminal


@pytest.mark.parametrize("path", [p for p in FILES if room(p) != "facts"], ids=name)
def test_model_ids_live_in_the_facts_only(path):
    assert not MODEL_ID.search(path.read_text(encoding="utf-8"))


OUR_SCRIPTS = sorted(path for path in COURSE.rglob("*.js") if path.parent.name != "reveal")


@pytest.mark.parametrize("path", OUR_SCRIPTS, ids=name)
def test_a_view_fetches_nothing(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"https?://|^\s*import\b|\bimport\(", text, re.MULTILINE)
    assert "innerHTML" not in text
