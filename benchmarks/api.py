"""Speed of the offline Messages API, as ratios to a floor or a peer measured in the same run.

    python benchmarks/api.py [--calls N] [--rounds N]

Floors and peers: the SDK over a transport that returns canned bytes; a request of 1,000 messages; aimock from npm
(left out, with a note, where npm or its registry is not at hand). Rounds are interleaved, figures are medians.
Exit code 1 when a bar is missed.

The bar beside aimock was set with ApacheBench, which speaks HTTP/1.0 with `Connection: keep-alive`; aimock closes such
a connection after each answer. HTTP/1.1, where it does not, is measured too.
"""

import argparse
import json
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from course.api import OfflineAPI, Request, Response
from course.api.server import bind
from course.api.transport import client, http_library
from course.facts import default_model
from course.mockmodel.model import ModelRequest, Reply

TOOL = {
    "name": "get_weather",
    "description": "Get the current weather in a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
QUESTION = {"role": "user", "content": "What is the weather in Paris?"}
HEADERS = {"authorization": "Bearer k", "anthropic-version": "2026-10-21", "content-type": "application/json"}
AIMOCK = "@copilotkit/aimock"
AIMOCK_FIXTURE = {
    "fixtures": [
        {
            "match": {"userMessage": "weather"},
            "response": {"toolCalls": [{"name": "get_weather", "arguments": '{"city": "Paris"}'}]},
        }
    ]
}


class OneCall:
    """A stand-in that always makes the same call: what is measured is the API, not the model."""

    name = "OneCall"

    def reply(self, request: ModelRequest) -> Reply:
        return Reply(({"type": "tool_use", "name": "get_weather", "input": {"city": "Paris"}},))


def request(messages: list[dict[str, Any]]) -> dict[str, Any]:
    return {"model": default_model(), "max_tokens": 1000, "messages": messages, "tools": [TOOL]}


def conversation(length: int) -> list[dict[str, Any]]:
    """Return a sound tool conversation of `length` messages (odd)."""
    turns: list[dict[str, Any]] = [QUESTION]
    for number in range(length // 2):
        call = {"type": "tool_use", "id": f"toolu_{number}", "name": "get_weather", "input": {"city": "Paris"}}
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": "sunny, 22 degrees"}
        turns += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    return turns


def null_client(answer: Response) -> Any:
    """Return an SDK client over a transport that returns `answer`, whatever is asked."""
    import anthropic

    library = http_library()
    top = dict(answer.headers)
    transport = library.MockTransport(lambda _: library.Response(200, headers=top, content=answer.body))
    return anthropic.Anthropic(api_key="k", http_client=anthropic.DefaultHttpxClient(transport=transport))


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """Run this API as a process of its own; give its URL and process id."""
    code = (
        "import sys; sys.path.insert(0, 'benchmarks'); from api import OneCall, OfflineAPI;"
        "from course.api.server import bind, serve; s = bind('127.0.0.1', 0);"
        "serve(OfflineAPI(OneCall()), s, lambda: print(s.getsockname()[1], flush=True))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}", process.pid
        finally:
            process.terminate()


@contextmanager
def aimock(folder: Path) -> Iterator[str | None]:
    """Run aimock from npm in `folder`; give its URL, or None where that is not possible."""
    npm = shutil.which("npm")
    if npm is None or subprocess.run([npm, "install", "--silent", AIMOCK], cwd=folder, capture_output=True).returncode:
        yield None
        return
    fixture, port = folder / "fixture.json", free_port()
    fixture.write_text(json.dumps(AIMOCK_FIXTURE))
    program = folder / "node_modules" / ".bin" / "llmock"
    command = [program, "--fixtures", fixture, "--port", str(port), "--log-level", "silent"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process:
        try:
            yield f"http://127.0.0.1:{port}" if _answers(f"http://127.0.0.1:{port}") else None
        finally:
            process.terminate()


def free_port() -> int:
    with bind("127.0.0.1", 0) as listener:
        return int(listener.getsockname()[1])


def _answers(url: str) -> bool:
    for _ in range(100):
        try:
            requests_per_second(url, 1)
            return True
        except OSError:
            time.sleep(0.1)
    return False


class Line:
    """A client of as little cost as possible: one kept-alive connection, opened again when the server closes it."""

    def __init__(self, url: str, version: str) -> None:
        place = urlsplit(url)
        body = json.dumps(request([QUESTION])).encode()
        top = {**HEADERS, "host": place.netloc, "connection": "keep-alive", "content-length": str(len(body))}
        lines = [f"POST /v1/messages HTTP/{version}", *(f"{name}: {value}" for name, value in top.items()), "", ""]
        self._sent = "\r\n".join(lines).encode() + body
        self._place = (str(place.hostname), int(place.port or 80))
        self._socket: socket.socket | None = None

    def call(self) -> None:
        """Send the request and read the answer to its end."""
        if self._socket is None:
            self._socket = socket.create_connection(self._place, timeout=30)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(self._sent)
        got = b""
        while not _whole(got):
            piece = self._socket.recv(65536)
            if not piece:
                self.close()
                break
            got += piece
        assert got.startswith(b"HTTP/1.1 200"), got[:200]

    def close(self) -> None:
        if self._socket:
            self._socket.close()
            self._socket = None


def _whole(got: bytes) -> bool:
    """Tell whether an answer on a kept-alive connection is there to its end."""
    head, end, body = got.partition(b"\r\n\r\n")
    head = head.lower()
    if not end or b"connection: close" in head:
        return False
    if b"content-length: " in head:
        return len(body) >= int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
    return b"chunked" in head and body.endswith(b"0\r\n\r\n")


def requests_per_second(url: str, calls: int, workers: int = 1, version: str = "1.1") -> float:
    """Return how many requests a server answers, without the SDK in the way."""

    def work() -> None:
        line = Line(url, version)
        for _ in range(calls):
            line.call()
        line.close()

    with ThreadPoolExecutor(workers) as pool:
        start = time.perf_counter()
        for done in [pool.submit(work) for _ in range(workers)]:
            done.result()
        return calls * workers / (time.perf_counter() - start)


def timed(action: Callable[[], Any], calls: int) -> list[float]:
    """Return the seconds each of `calls` calls took."""
    spent = []
    for _ in range(calls):
        start = time.perf_counter()
        action()
        spent.append(time.perf_counter() - start)
    return spent


def memory(process: int) -> float:
    """Return the resident memory of a process in MiB (Linux)."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


class Report:
    """Prints a line per figure and remembers whether a bar was missed."""

    def __init__(self) -> None:
        self.missed = False

    def line(self, what: str, figure: float, bar: str, fine: bool) -> None:
        self.missed |= not fine
        print(f"{what:<58} {figure:8.2f}   bar {bar:<8} {'ok' if fine else 'MISSED'}")


def sdk_ratios(report: Report, url: str, calls: int, rounds: int) -> None:
    import anthropic

    api = OfflineAPI(OneCall())
    canned = api.respond(Request("POST", "/v1/messages", HEADERS, json.dumps(request([QUESTION])).encode()))
    assert isinstance(canned, Response)
    subjects = {
        "null": null_client(canned),
        "in process": client(api),
        "loopback": anthropic.Anthropic(api_key="k", base_url=url),
    }
    spent: dict[str, list[float]] = {name: [] for name in subjects}
    for turn in range(calls * (rounds + 1)):
        # Call by call in turn: what else the machine does strikes all of them alike.
        for name, subject in subjects.items():
            times = timed(lambda subject=subject: subject.messages.create(**request([QUESTION])), 1)
            if turn >= calls:
                spent[name] += times
    median = {name: statistics.median(times) * 1000 for name, times in spent.items()}
    print(", ".join(f"{name} {value:.2f} ms" for name, value in median.items()), "(p50 of an SDK call)")
    inside, over = median["in process"] / median["null"], median["loopback"] / median["null"]
    report.line("SDK call: in process ÷ null transport", inside, "≤ 1.25", inside <= 1.25)
    report.line("SDK call: loopback ÷ null transport", over, "≤ 2.2", over <= 2.2)


def growth(report: Report) -> None:
    api = OfflineAPI(OneCall())
    asked = {
        size: Request("POST", "/v1/messages", HEADERS, json.dumps(request(conversation(size))).encode())
        for size in (201, 1001, 10_001)
    }
    spent: dict[int, list[float]] = {size: [] for size in asked}
    for _ in range(9):
        for size, one in asked.items():
            spent[size] += timed(lambda one=one: api.respond(one), 1)
    median = {size: statistics.median(times) * 1000 for size, times in spent.items()}
    print(", ".join(f"{size} messages {value:.1f} ms" for size, value in median.items()))
    ratio = median[10_001] / median[1001]
    report.line("10,000 messages ÷ 1,000 messages", ratio, "≤ 12", ratio <= 12)


def server_only(report: Report, url: str, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder, aimock(Path(folder)) as peer:
        if peer is None:
            print(f"{AIMOCK} could not be installed here: its comparison is left out")
            return
        for version, workers in (("1.0", 1), ("1.0", 8), ("1.1", 1), ("1.1", 8)):
            ours, theirs = [], []
            for _ in range(rounds):
                ours.append(requests_per_second(url, 200, workers, version))
                theirs.append(requests_per_second(peer, 200, workers, version))
            mine, other = statistics.median(ours), statistics.median(theirs)
            what = f"server only, HTTP/{version}, {workers} connection(s)"
            print(f"{what}: {mine:.0f} requests/s, aimock {other:.0f}")
            report.line(f"{what}: ours ÷ aimock", mine / other, "≥ 1.5", mine / other >= 1.5)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    report = Report()
    with ExitStack() as stack:
        url, process = stack.enter_context(served())
        sdk_ratios(report, url, options.calls, options.rounds)
        growth(report)
        server_only(report, url, options.rounds)
        used = memory(process)
        report.line("resident memory of the server, MiB", used, "≤ 60", used <= 60)
    return int(report.missed)


if __name__ == "__main__":
    sys.exit(main())
