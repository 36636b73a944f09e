"""Speed of the doctor and of the step view, as ratios measured in one run: both are to be linear in the conversation.

    python benchmarks/doctor.py [--rounds N]

A conversation of 10,000 messages ÷ one of 1,000, sound and with every result broken; bar 12. Rounds are interleaved;
figures are the least of them, since other work on the machine only adds. Exit code 1 when the bar is missed.
"""

import argparse
import gc
import json
import time
from collections.abc import Callable
from typing import Any

from course.facts import default_model
from course.traces import diagnose, steps

SMALL, LARGE, BAR = 1_000, 10_000, 12.0


def conversation(messages: int, *, broken: bool) -> dict[str, Any]:
    """Return a request of so many messages; broken: every result names an id that no call has."""
    history: list[dict[str, Any]] = [{"role": "user", "content": "Count."}]
    for number in range((messages - 1) // 2):
        called = {"type": "tool_use", "id": f"toolu_{number}", "name": "count", "input": {"number": number}}
        answered = f"toolu_{number}{'x' if broken else ''}"
        result = {"type": "tool_result", "tool_use_id": answered, "content": str(number)}
        history += [{"role": "assistant", "content": [called]}, {"role": "user", "content": [result]}]
    return {"model": default_model(), "max_tokens": 100, "messages": history}


def seconds(work: Callable[[], Any]) -> float:
    """Return the processor time that `work` takes, without the garbage collector, as `timeit` measures."""
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        work()
        return time.process_time() - started
    finally:
        gc.enable()


def main() -> int:
    """Measure, print, and compare with the bar."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    missed = 0
    for broken in (False, True):
        bodies = {size: conversation(size, broken=broken) for size in (SMALL, LARGE)}
        texts = {size: json.dumps(body)[:-9] for size, body in bodies.items()}
        jobs: dict[str, Callable[[int], Any]] = {
            "diagnose": lambda size, bodies=bodies: diagnose(bodies[size]),
            "steps": lambda size, bodies=bodies: steps(bodies[size]),
            "read a cut log": lambda size, texts=texts: diagnose(f"sent {texts[size]}", fix=False),
        }
        for name, job in jobs.items():
            least = dict.fromkeys((SMALL, LARGE), float("inf"))
            for _ in range(rounds):
                for size in least:
                    least[size] = min(least[size], seconds(lambda job=job, size=size: job(size)))
            ratio = least[LARGE] / least[SMALL]
            missed += ratio > BAR
            state = "broken" if broken else "sound"
            print(f"{name}, {state}: {least[SMALL]:.2f} s and {least[LARGE]:.2f} s, ratio {ratio:.1f} (bar {BAR:.0f})")
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
