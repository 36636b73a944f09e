"""Speed of the improvising stand-in: one answer beside one JSON round trip of the same request, and by number of tools.

Run: `python -m benchmarks.mockmodel`. Ratios of medians within one run; nothing here is a measurement of Claude.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from course.mockmodel import Improviser, ModelRequest

ROUNDS = 7
SETS = ("wishes.yaml", "wishes_town.yaml")


def load() -> tuple[list[dict[str, Any]], list[str]]:
    """Return sixty tools and all wishes of the two large sets."""
    folder = Path(__file__).parent.parent / "tests" / "mockmodel"
    sets = [yaml.safe_load((folder / name).read_text(encoding="utf-8")) for name in SETS]
    return [tool for each in sets for tool in each["tools"]], [w["wish"] for each in sets for w in each["wishes"]]


def median(work: Callable[[], Any], count: int) -> float:
    """Return the median time of one of `count` items, in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) / count * 1000)
    return statistics.median(times)


def answers(tools: list[dict[str, Any]], wishes: list[str]) -> None:
    model = Improviser()
    for wish in wishes:
        messages = ({"role": "user", "content": [{"type": "text", "text": wish}]},)
        model.reply(ModelRequest("claude-haiku-5-5", messages, tuple(tools)))


def round_trips(tools: list[dict[str, Any]], wishes: list[str]) -> None:
    for wish in wishes:
        json.loads(json.dumps({"tools": tools, "messages": [{"role": "user", "content": wish}]}))


def main() -> int:
    tools, wishes = load()
    answers(tools, wishes[:4])
    floor = median(lambda: round_trips(tools, wishes), len(wishes))
    for count in (5, 30, 60):
        answers(tools[:count], wishes[:2])
        taken = median(lambda count=count: answers(tools[:count], wishes), len(wishes))
        print(f"{count:3} tools: {taken:.2f} ms an answer, {taken / floor:.1f} × the JSON round trip with 60 tools")
    return 0


if __name__ == "__main__":
    sys.exit(main())
