"""Speed of the request rules: the time for a history beside that of reading its JSON, and how it grows.

    python benchmarks/rules.py [--rounds N]

The floor is `json.loads` of the same body, which every server must do first. Times are the best of all rounds, growth
is the median over rounds (10,000 messages beside ten times 1,000). The garbage collector rests, as it does in the API
while a large request is answered. Exit code 1 when a bar is missed.
"""

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from course.api.check import violations
from course.facts import default_model

TOOL = {
    "name": "get_weather",
    "description": "Get the current weather in a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def history(length: int) -> dict[str, Any]:
    """Return a sound request of about `length` messages: every question answered through a tool."""
    turns: list[dict[str, Any]] = []
    for number in range(length // 4):
        id = f"toolu_{number}"
        call = {"type": "tool_use", "id": id, "name": "get_weather", "input": {"city": "Paris"}}
        turns += [
            {"role": "user", "content": "What is the weather in Paris?"},
            {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, call]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "18 degrees"}]},
            {"role": "assistant", "content": "It is 18 degrees."},
        ]
    turns.append({"role": "user", "content": "And tomorrow?"})
    return {"model": default_model(), "max_tokens": 1000, "messages": turns, "tools": [TOOL]}


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    rounds = parser.parse_args().rounds
    bodies = {length: history(length) for length in (200, 1000, 10_000)}
    raw = json.dumps(bodies[200])
    assert next(violations(bodies[200]), None) is None
    spent: dict[str, list[float]] = {"floor": [], "200": [], "growth": []}
    gc.disable()
    for _ in range(rounds):
        spent["floor"].append(seconds(lambda: json.loads(raw)))
        spent["200"].append(seconds(lambda: next(violations(bodies[200]), None)))
        ten = sum(seconds(lambda: next(violations(bodies[1000]), None)) for _ in range(10))
        spent["growth"].append(10 * seconds(lambda: next(violations(bodies[10_000]), None)) / ten)
    gc.enable()
    growth, least = statistics.median(spent["growth"]), min(spent["200"])
    print(f"200 messages: {least * 1000:.2f} ms, {least / min(spent['floor']):.1f} × json.loads of the same body")
    print(f"10,000 ÷ 1,000 messages: {growth:.1f}   bar ≤ 12   {'ok' if growth <= 12 else 'MISSED'}")
    return int(growth > 12)


if __name__ == "__main__":
    sys.exit(main())
