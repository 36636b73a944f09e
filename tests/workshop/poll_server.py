"""A real poll server in a process of its own, and people who talk to it over HTTP."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from poll_desk import bank_with, poll_item

from course.quiz.bank import Bank

__all__ = ["BANK", "Seat", "Server", "join", "serving", "teacher"]

ROOT = Path(__file__).parents[2]
BANK = bank_with(poll_item("q1"), poll_item("q2", (1, 3)))
CODE = """
import sys
from pathlib import Path
from course.quiz import bank
bank.QUIZZES = Path(sys.argv[1])
from course.cli import main
raise SystemExit(main(["workshop", *sys.argv[2:]]))
"""


@dataclass(frozen=True)
class Server:
    """A running server: what it printed, and its process."""

    said: str
    process: subprocess.Popen

    @property
    def url(self) -> str:
        return re.search(r"Join +(\S+)", self.said)[1]

    @property
    def code(self) -> str:
        return re.search(r"Room code +(\S+)", self.said)[1]

    @property
    def teacher(self) -> str:
        return re.search(r"Teacher +(\S+)", self.said)[1]

    @property
    def projector(self) -> str:
        return re.search(r"Projector +(\S+)", self.said)[1]

    def memory(self) -> float:
        """Return the resident memory in MiB (Linux)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def kill(self) -> None:
        """End the process at once, as a crash would."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> str:
        """Press Ctrl-C; return what is said last."""
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=20)
        return said


@contextmanager
def serving(home: Path, *args: str, bank: Bank = BANK) -> Iterator[Server]:
    """Run `course workshop` with `args` and its data in `home` while the block runs."""
    quizzes = home / "quizzes"
    quizzes.mkdir(parents=True, exist_ok=True)
    rows = [item.model_dump(mode="json", by_alias=True, exclude_unset=True) for item in bank]
    (quizzes / "bank.yaml").write_text(json.dumps(rows), encoding="utf-8")
    command = [sys.executable, "-c", CODE, str(quizzes), *args]
    environ = {**os.environ, "COURSE_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environ, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    said = ""
    try:
        while "Ctrl-C" not in said and (line := process.stdout.readline()):
            said += line
        yield Server(said, process)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@dataclass
class Seat:
    """A participant: a client with the cookie of the seat, and the newest state of the page."""

    client: httpx.AsyncClient
    name: str
    state: dict[str, Any]
    seen: dict[str, float]

    async def vote(self, letters: Sequence[str], submission: str, **more: Any) -> httpx.Response:
        """Send a vote for the phase this page shows."""
        body = {"letters": list(letters), "step": self.state["step"], "submission": submission} | more
        return await self.client.post("/vote", json=body)

    async def until(self, phase: str) -> None:
        """Wait until this page shows a phase."""
        for _ in range(1000):
            if self.state.get("phase") == phase:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"{self.name} never saw {phase}: {self.state}")


@asynccontextmanager
async def join(server: Server, name: str, cookies: Any = None) -> AsyncIterator[Seat]:
    """Come in (or come back, with the cookies of before), and follow the page's states while the block runs."""
    async with httpx.AsyncClient(
        base_url=server.url, cookies=cookies, timeout=30, trust_env=False, verify=False
    ) as client:
        seat = Seat(client, name, {}, {})
        if cookies is None:
            answer = await client.post("/join", json={"code": server.code, "name": name})
            answer.raise_for_status()
            seat.name = answer.json()["name"]
        task = asyncio.create_task(_follow(seat))
        try:
            yield seat
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _follow(seat: Seat) -> None:
    """Do what a browser's EventSource does: read states, and connect again when the connection ends."""
    while True:
        try:
            async with seat.client.stream("GET", "/events/participant") as answer:
                async for line in answer.aiter_lines():
                    if line.startswith("data: "):
                        seat.state = json.loads(line[6:])
                        seat.seen.setdefault(f"{seat.state['step']} {seat.state['phase']}", time.monotonic())
        except httpx.HTTPError:
            await asyncio.sleep(0.1)


@asynccontextmanager
async def teacher(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """A client that has handed in the teacher's token."""
    async with httpx.AsyncClient(base_url=server.url, timeout=30, trust_env=False, verify=False) as client:
        answer = await client.post("/login", json={"token": server.teacher.partition("#")[2]})
        answer.raise_for_status()
        yield client
