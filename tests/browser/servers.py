"""A JupyterLab on loopback for the browser tests and the benchmark: nothing of the user's configuration, no network."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import books

__all__ = ["CHROME", "FLAGS", "jupyterlab"]

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


@contextmanager
def jupyterlab(tmp: Path) -> Iterator[tuple[str, Path]]:
    """Start JupyterLab with all its files under `tmp`; give its address and the folder it serves."""
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
        try:
            url = f"http://127.0.0.1:{port}"
            _await(url, process, log)
            yield url, root
        finally:
            _stop(process)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Interrupt twice: the second time it does not ask."""
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
