"""A browser for the tests of the views: bare pages, and one JupyterLab for all tests of a run.

Chromium is /usr/bin/chromium, or `CHROME`. Without it the tests fail and say what to do; COURSE_SKIP_BROWSER=1 skips
them.
"""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CHROME = os.environ.get("CHROME", "/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
TODO = (
    f"No browser at {CHROME}. Install Chromium (Debian, Ubuntu: apt-get install chromium), or set CHROME to one, "
    "or set COURSE_SKIP_BROWSER=1 to leave the browser tests out."
)
SETTINGS = """
c = get_config()
c.ServerApp.ip = "127.0.0.1"
c.ServerApp.port = {port}
c.ServerApp.port_retries = 0
c.ServerApp.allow_root = True
c.ServerApp.open_browser = False
c.ServerApp.root_dir = {root!r}
c.IdentityProvider.token = ""
c.ServerApp.password = ""
c.ServerApp.disable_check_xsrf = True
c.LabApp.expose_app_in_browser = True
c.JupyterNotebookApp.expose_app_in_browser = True
c.LabApp.extension_manager = "readonly"
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.workspaces_dir = {workspaces!r}
c.LabApp.user_settings_dir = {settings!r}
c.ServerApp.jpserver_extensions = {{"jupyterlab": True, "notebook": True, "jupyter_lsp": False}}
"""

sys.path[:0] = [str(HERE), str(HERE.parent / "widgets")]

import books  # noqa: E402
from pages import Bare, Lab  # noqa: E402


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The browser, with a Korean font beside those of the system."""
    if os.environ.get("COURSE_SKIP_BROWSER") == "1":
        pytest.skip("COURSE_SKIP_BROWSER=1")
    if not Path(CHROME).exists():
        pytest.fail(TODO)
    from playwright.sync_api import sync_playwright

    fonts = tmp_path_factory.mktemp("fonts") / "fonts.conf"
    korean = next(Path(path) / "pylopdf_fonts_ko" for path in sys.path if (Path(path) / "pylopdf_fonts_ko").is_dir())
    fonts.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        f'<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>{korean}</dir></fontconfig>'
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROME, args=FLAGS, env={**os.environ, "FONTCONFIG_FILE": str(fonts)}
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A JupyterLab on loopback: its address, and the folder it serves."""
    tmp = tmp_path_factory.mktemp("lab")
    root = tmp / "root"
    books.write(root)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = tmp / "config.py"
    config.write_text(
        SETTINGS.format(port=port, root=str(root), workspaces=str(tmp / "workspaces"), settings=str(tmp / "settings"))
    )
    quiet = tmp / "settings/@jupyterlab/apputils-extension"
    quiet.mkdir(parents=True)
    (quiet / "notification.jupyterlab-settings").write_text('{"fetchNews":"false","checkForUpdates":false}')
    env = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(tmp / "c"),
        "JUPYTER_DATA_DIR": str(tmp / "d"),
        "JUPYTER_RUNTIME_DIR": str(tmp / "r"),
        "COURSE_HOME": str(tmp / "home"),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(HERE.parent / "widgets")]),
    }
    log = tmp / "lab.log"
    with log.open("w") as out:
        command = [sys.executable, "-m", "jupyterlab", f"--config={config}"]
        process = subprocess.Popen(command, env=env, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        url = f"http://127.0.0.1:{port}"
        _await(url, process, log)
        yield url, root
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(900):
        if process.poll() is not None:
            raise RuntimeError(log.read_text()[-3000:])
        try:
            with urllib.request.urlopen(f"{url}/api/status", timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not answer: {log.read_text()[-3000:]}")


@pytest.fixture
def bare(chromium: Any) -> Iterator[Any]:
    """A function that opens a blank page; at the end, no page may have asked for anything or complained."""
    opened: list[Bare] = []

    def open_page(**options: Any) -> Bare:
        opened.append(Bare(chromium, **options))
        return opened[-1]

    yield open_page
    for page in opened:
        page.close()
    assert [page.external for page in opened if page.external] == []
    assert [page.errors for page in opened if page.errors] == []


@pytest.fixture(scope="session")
def lab(chromium: Any, server: tuple[str, Path]) -> Iterator[Lab]:
    """JupyterLab in a page of its own."""
    url, root = server
    page = Lab(chromium, url, root)
    yield page
    page.close()
