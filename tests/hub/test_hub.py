"""Two learners on a real JupyterHub: own notebooks, own history, and both survive a restart. Slow: `--clients`."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "clients")]

from environments import NotInstalled, node_with, python_with  # noqa: E402
from hub import ROOT, Hub  # noqa: E402

pytestmark = [pytest.mark.clients, pytest.mark.skipif(sys.platform == "win32", reason="JupyterHub needs Unix")]

LEARN = """
from course.lesson import *
from course.quiz.store import Store
store = Store()
store.append("predicted", key="k-{name}", data={{"lesson": "01", "question": "q", "prediction": "p"}})
print(store.path)
"""
LOOK = """
from course.quiz.store import Store
print([event.key for event in Store().events()])
"""
ASK = """
from course.lesson import *
print(ask("What is the weather in Oslo?", model=MODEL).stop_reason)
"""


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    try:
        python = python_with("-r", str(ROOT / "deploy/jupyterhub/requirements.txt"))
        proxy = node_with("configurable-http-proxy@5.3.0")
    except NotInstalled as why:
        pytest.skip(str(why))
    hub = Hub(tmp_path_factory.mktemp("hub"), python, proxy).start()
    hub.seat(["ada", "bo"])
    yield hub
    hub.leave(["ada", "bo"])
    hub.stop()


def notebook(hub, name):
    return hub.get(f"/user/{name}/api/contents/notebooks/01_six_steps.ipynb")


def test_a_lesson_runs_offline_in_a_learners_own_kernel(hub):
    assert "end_turn" in hub.run("ada", ASK)


def test_learners_have_histories_of_their_own(hub):
    paths = {name: hub.run(name, LEARN.format(name=name)).splitlines()[-1] for name in ("ada", "bo")}
    assert "/homes/ada/" in paths["ada"]
    assert "/homes/bo/" in paths["bo"]
    assert "k-bo" not in hub.run("ada", LOOK)


def test_edits_and_history_survive_a_restart_of_hub_and_servers(hub):
    hub.run("ada", LEARN.format(name="ada"))
    book = notebook(hub, "ada")
    book["content"]["cells"][0]["source"] = "My own notes."
    hub.call(
        "/user/ada/api/contents/notebooks/01_six_steps.ipynb", "PUT", {"type": "notebook", "content": book["content"]}
    )
    hub.stop()
    hub.start()
    assert hub.get("/hub/api/users/ada")["servers"][""]["ready"], "the hub finds the running server again"
    hub.leave(["ada", "bo"])
    hub.seat(["ada", "bo"])
    assert notebook(hub, "ada")["content"]["cells"][0]["source"] == "My own notes."
    assert notebook(hub, "bo")["content"]["cells"][0]["source"] != "My own notes."
    assert "k-ada" in hub.run("ada", LOOK)
