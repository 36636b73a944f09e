"""A hundred people in one poll, on loopback: lost votes, the time to the reveal on the last page, the server's memory.

    python benchmarks/poll.py [--voters N]

The server runs as a process of its own, with a room file on the disk. Everybody joins, follows the states, votes and
changes the vote once, all at the same time; then the teacher reveals. Bars: no vote lost, the reveal on every page
within 1 s of the teacher's request, the server at most 150 MiB. Exit code 1 when a bar is missed.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "workshop"))

from poll_server import BANK, Server, join, serving, teacher

from course.quiz.store import Store
from course.workshop.room import replay
from course.workshop.rooms import newest

LOST, LATEST, MEMORY = 0, 1.0, 150.0


async def play(server: Server, voters: int) -> dict[str, float]:
    """Play one question with so many people; return what was measured, in seconds and MiB."""
    async with AsyncExitStack() as stack:
        head = await stack.enter_async_context(teacher(server))
        seats = [await stack.enter_async_context(join(server, f"voter {n}")) for n in range(voters)]
        found = {}
        for step, phase in enumerate(("vote1", "closed", "reveal")):
            pressed = time.monotonic()
            await head.post("/move", json={"action": "reveal" if phase == "reveal" else "next", "step": step})
            await asyncio.gather(*(seat.until(phase) for seat in seats))
            found[phase] = max(seat.seen[f"{step + 1} {phase}"] - pressed for seat in seats)
            if phase == "vote1":
                began = time.monotonic()
                for letters in ("abcd", "bcda"):
                    sent = [seat.vote(letters[n % 4], f"{letters}-{n:08}") for n, seat in enumerate(seats)]
                    answers = await asyncio.gather(*sent)
                    assert all(answer.status_code == 200 for answer in answers)
                found["votes"] = time.monotonic() - began
        found["memory"] = server.memory()
        return found


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--voters", type=int, default=100)
    voters = parser.parse_args().voters
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with serving(home, "--items", "q1,q2", "--port", "0") as server:
            found = asyncio.run(play(server, voters))
            server.stop()
        with Store(newest(home).path) as store:
            room = replay(store.events(), BANK)
    kept = {room.people[id].name: room.questions[0].letters(vote.response) for id, vote in room.votes_of(1, 0).items()}
    lost = sum(kept.get(f"voter {n}") != ["bcda"[n % 4]] for n in range(voters))
    print(f"{voters} voters, {2 * voters} votes stored in {found['votes']:.2f} s")
    print(f"lost votes             {lost:8}        (bar {LOST})")
    print(f"last page to see reveal{found['reveal']:8.2f} s      (bar {LATEST} s)")
    print(f"memory of the server   {found['memory']:8.1f} MiB    (bar {MEMORY:.0f} MiB)")
    return int(lost > LOST or found["reveal"] > LATEST or found["memory"] > MEMORY)


if __name__ == "__main__":
    raise SystemExit(main())
