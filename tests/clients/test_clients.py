"""Foreign clients over loopback, unmodified, each in an environment of its own. Slow: a stage of `tests/run.py`."""

import json
import shutil
import subprocess

import pytest
from environments import SCRIPTS, NotInstalled, node_with, python_with, run_script

from course.api import OfflineAPI
from course.api.server import serving
from course.mockmodel.model import Reply

pytestmark = pytest.mark.clients

MODEL = "claude-haiku-4-5"
LOOP = "It is sunny."


class Weatherman:
    """Asks for the weather of Oslo, and reports what it is told."""

    name = "Weatherman"

    def reply(self, request):
        if request.messages[-1]["content"][-1]["type"] == "tool_result":
            return Reply(({"type": "text", "text": LOOP},))
        words = {"type": "text", "text": "Let me look."}
        if not request.tools:
            return Reply((words,))
        return Reply((words, {"type": "tool_use", "name": "get_weather", "input": {"city": "Oslo"}}))


@pytest.fixture(scope="module")
def url():
    with serving(OfflineAPI(Weatherman())) as base:
        yield base


def installed(make, *packages):
    try:
        return make(*packages)
    except NotInstalled as why:
        pytest.skip(f"{', '.join(packages)}: {why}")


@pytest.mark.parametrize("version", ["anthropic==0.125.0", "anthropic==1.17.0", "anthropic>=2.14"])
def test_the_python_sdk(url, version):
    python = installed(python_with, version)
    told = run_script([python, SCRIPTS / "sdk_of_one_version.py", MODEL], url, SCRIPTS)
    assert told["call"] == told["streamed"] == {"city": "Oslo"}
    assert told["words"] == "Let me look."
    assert told["loop"] == LOOP
    assert told["events"][0] == "message_start"
    assert told["events"][-1] == "message_stop"
    assert told["error"].startswith("messages.1: `tool_use` ids were found without `tool_result` blocks")
    assert told["request_id"].startswith("req_")
    assert told["retried"] == "tool_use"
    assert told["limited"] == 429
    assert told["tokens"] > 0


def test_langchain(url):
    python = installed(python_with, "langchain==1.5.2", "langchain-anthropic==1.7.10")
    told = run_script([python, SCRIPTS / "langchain_agent.py", MODEL], url, SCRIPTS)
    assert told["call"] == told["streamed"] == {"city": "Oslo"}
    assert told["loop"] == LOOP
    assert told["error"] == "model: claude-nobody"
    assert told["retried"] == "end_turn"


def test_pydantic_ai(url):
    python = installed(python_with, "pydantic-ai-slim[anthropic]==2.68.0")
    told = run_script([python, SCRIPTS / "pydantic_ai_agent.py", MODEL], url, SCRIPTS)
    assert told["loop"] == told["streamed"] == told["retried"] == LOOP
    assert told["error"] == "model: claude-nobody"


def test_the_typescript_sdk(url):
    folder = installed(node_with, "@anthropic-ai/sdk@1.15.0")
    shutil.copy(SCRIPTS / "typescript.mjs", folder)
    told = run_script(["node", "typescript.mjs", MODEL], url, folder)
    assert told["call"] == told["streamed"] == {"city": "Oslo"}
    assert told["loop"] == LOOP
    assert told["events"][-1] == "message_stop"
    assert told["error"].startswith("messages.1: `tool_use` ids were found without `tool_result` blocks")
    assert (told["status"], told["bad_request"]) == (400, True)
    assert told["retried"] == "tool_use"
    assert told["cut"]


def test_curl(url):
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")

    def curl(body, *options):
        top = ["-H", "x-api-key: k", "-H", "anthropic-version: 2023-06-01", "-H", "content-type: application/json"]
        command = ["curl", "-sS", f"{url}/v1/messages", *top, "-d", json.dumps(body), *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    ask = {"model": MODEL, "max_tokens": 100, "messages": [{"role": "user", "content": "hello"}]}
    assert json.loads(curl(ask).stdout)["content"] == [{"type": "text", "text": "Let me look."}]
    assert "event: message_stop" in curl({**ask, "stream": True}).stdout
    assert json.loads(curl({**ask, "max_tokens": -1}).stdout)["type"] == "error"
    assert "HTTP/1.1 529" in curl(ask, "-i", "-H", "x-course-fault: 529").stdout
    assert curl({**ask, "stream": True}, "-H", "x-course-fault: cut").returncode != 0
