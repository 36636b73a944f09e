"""Clocks and chance for tests."""

from datetime import UTC, datetime, timedelta

__all__ = ["START", "Clock"]

START = datetime(2026, 12, 1, 9, tzinfo=UTC)


class Clock:
    """A wall clock and a monotonic one that move only when told; `sleep` moves the wall clock alone."""

    def __init__(self) -> None:
        self.now, self.ticks = START, 0.0

    def __call__(self) -> datetime:
        return self.now

    def monotonic(self) -> float:
        return self.ticks

    def go(self, seconds: float = 0, **more: float) -> None:
        step = timedelta(seconds=seconds, **more)
        self.now += step
        self.ticks += step.total_seconds()

    def sleep(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
