"""The files for hubs and hosted editors name what exists here."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SEAT = "course.workshop.seat"


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def test_every_hub_starts_the_same_seat_on_the_same_notebook():
    values = yaml.safe_load(text("deploy/z2jh/values.yaml"))
    assert values["singleuser"]["cmd"] == ["python", "-m", SEAT]
    assert (ROOT / values["singleuser"]["defaultUrl"].removeprefix("/lab/tree/")).is_file()
    for path in ("deploy/jupyterhub/jupyterhub_config.py", "deploy/tljh/course.py"):
        assert f'"-m", "{SEAT}"' in text(path)
        assert values["singleuser"]["defaultUrl"] in text(path)


def test_the_hub_installs_the_courses_own_pins():
    rows = text("deploy/jupyterhub/requirements.txt").splitlines()
    assert "-r ../../requirements.txt" in rows


def test_the_hub_configuration_is_python():
    for path in (DEPLOY / "jupyterhub" / "jupyterhub_config.py", DEPLOY / "tljh" / "course.py"):
        compile(path.read_text(encoding="utf-8"), str(path), "exec")


def test_the_install_script_is_sound_shell():
    done = subprocess.run(
        ["bash", "-n", str(DEPLOY / "tljh" / "install.sh")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_dev_container_forwards_the_port_that_make_lab_takes_first():
    from course.cli.lab import FIRST_PORT

    container = json.loads(text(".devcontainer/devcontainer.json"))
    assert container["forwardPorts"] == [FIRST_PORT]
    assert container["postCreateCommand"] == "make setup"


def test_binder_finds_one_recipe_only():
    assert (ROOT / "environment.yml").is_file()
    assert not (ROOT / "binder").exists()
    assert not (ROOT / ".binder").exists()


@pytest.mark.parametrize("path", ["deploy/README.md"])
def test_the_page_links_to_files_that_exist(path):
    for link in re.findall(r"\]\(([^)#]+)\)", text(path)):
        assert ((ROOT / path).parent / link).exists(), link
