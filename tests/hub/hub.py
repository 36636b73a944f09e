"""A JupyterHub in trial mode on free ports, spoken to through its API as a script would."""

import asyncio
import json
import os
import secrets
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "deploy" / "jupyterhub" / "jupyterhub_config.py"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Hub:
    """One hub with its proxy. `start` and `stop` may be called again: learners' servers stay in between."""

    def __init__(self, folder: Path, python: Path, proxy: Path) -> None:
        self.folder, self.python = folder, python
        self.base = f"http://127.0.0.1:{free_port()}"
        self.token = secrets.token_hex(16)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "PYTHON", "ANTHROPIC"))}
        self.env |= {
            "COURSE_HUB_TRIAL": "1",
            "COURSE_HUB_PASSWORD": "a shared password",
            "COURSE_HUB_HOMES": str(folder / "homes"),
            "COURSE_HUB_ADDRESS": self.base,
            "COURSE_HUB_TOKEN": self.token,
            "COURSE_HUB_PROXY": f"node {proxy / 'node_modules/configurable-http-proxy/bin/configurable-http-proxy'}",
            "CONFIGPROXY_AUTH_TOKEN": secrets.token_hex(16),
            "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        }
        self.env.pop("COURSE_HOME", None)

    def start(self) -> "Hub":
        ports = [f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{free_port()}"]
        ports.append(f"--JupyterHub.hub_port={free_port()}")
        command = [self.python, "-m", "jupyterhub", "-f", CONFIG, *ports]
        with (self.folder / "hub.log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, env=self.env, stdout=log, stderr=log)
        self.wait(lambda: self.get("/hub/api/")["version"], 90)
        return self

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)

    def call(self, path: str, method: str = "GET", body: Any = None) -> Any:
        """Return the JSON answer of the hub, or of a learner's server behind its proxy."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, data, {"Authorization": f"token {self.token}"}, method=method
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def get(self, path: str) -> Any:
        return self.call(path)

    def wait(self, ready: Any, seconds: float) -> Any:
        """Ask until there is an answer; the log's end is the message when none comes."""
        until = time.monotonic() + seconds
        while True:
            try:
                if found := ready():
                    return found
            except urllib.error.HTTPError as refused:
                refused.close()
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                pass
            if time.monotonic() > until or self.process.poll() is not None:
                raise AssertionError((self.folder / "hub.log").read_text()[-4000:])
            time.sleep(0.3)

    def seat(self, names: Sequence[str], seconds: float = 240) -> None:
        """Start the learners' servers, all at once, and wait until they run."""
        known = {user["name"] for user in self.get("/hub/api/users")}
        for name in names:
            if name not in known:
                self.call(f"/hub/api/users/{name}", "POST")
            self.call(f"/hub/api/users/{name}/server", "POST")
        for name in names:
            self.wait(lambda name=name: self.get(f"/hub/api/users/{name}")["servers"].get("", {}).get("ready"), seconds)

    def run(self, name: str, code: str) -> str:
        """Run code in a kernel of the learner's own; return what it printed. Raises AssertionError with a traceback."""
        kernel = self.call(f"/user/{name}/api/kernels", "POST", {"name": "python3"})["id"]
        return asyncio.run(self._executed(f"/user/{name}/api/kernels/{kernel}/channels", code))

    async def _executed(self, path: str, code: str) -> str:
        from tornado.httpclient import HTTPRequest
        from tornado.websocket import websocket_connect

        url = self.base.replace("http", "ws", 1) + path
        request = HTTPRequest(url, headers={"Authorization": f"token {self.token}"})
        channel = await websocket_connect(request)
        header = {"msg_id": "1", "msg_type": "execute_request", "session": "s", "username": "", "version": "5.4"}
        content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        await channel.write_message(json.dumps(message))
        printed: list[str] = []
        while True:
            told = json.loads(await asyncio.wait_for(channel.read_message(), 120))
            kind, content = told["msg_type"], told["content"]
            if kind == "stream":
                printed.append(content["text"])
            elif kind == "error":
                raise AssertionError("\n".join(content["traceback"]))
            elif (
                kind == "status" and content["execution_state"] == "idle" and told["parent_header"].get("msg_id") == "1"
            ):
                channel.close()
                while await channel.read_message() is not None:
                    pass
                return "".join(printed)

    def leave(self, names: Sequence[str]) -> None:
        """Stop the learners' servers."""
        for name in names:
            self.call(f"/hub/api/users/{name}/server", "DELETE")
        for name in names:
            self.wait(lambda name=name: not self.get(f"/hub/api/users/{name}")["servers"], 60)
