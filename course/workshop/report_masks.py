"""Published counts of people: never between one and four, and never to be worked out from others.

Rules, in the order in which they apply to a question of `LEAST_ITEM` people or more:
1. Right and wrong are shown as they are when both are at least five. Else only "fewer than five" of the smaller side is
   shown, none included, so the figure stands for five possible ones.
2. Wrong options are shown in bands (none, 1-4, 5-9, 10-14 …), and only where rule 1 shows right and wrong as they are.
   Since their total is then known, bands can still give a count away (13 = 5-9 and 1-4 makes 9 and 4). `bands` works
   out what the total allows for each option, and shows no bands at all where that is a single count of 1 to 4. Where
   fewer than five are right, only the option most people chose is named.
3. Everything else is computed from figures as published, as ranges where they are ranges. What is computed from
   published figures tells nothing new.
"""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["LEAST", "LEAST_ITEM", "Count", "band", "bands", "leader", "split"]

LEAST = 5
"""Fewer people than this are never told apart."""
LEAST_ITEM = 10
"""Fewer people than this carry no figures on a question."""


@dataclass(frozen=True)
class Count:
    """A count as published: exact where both ends are the same."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """True when it is one number."""
        return self.low == self.high

    def __add__(self, other: "Count") -> "Count":
        return Count(self.low + other.low, self.high + other.high)

    def taken_from(self, total: int) -> "Count":
        """Return the rest of a total."""
        return Count(total - self.high, total - self.low)


def split(right: int, total: int) -> Count | None:
    """Return the count of right answers as published, None where fewer than `LEAST_ITEM` carry it."""
    if total < LEAST_ITEM:
        return None
    if total - right < LEAST:
        return Count(total - LEAST + 1, total)
    if right < LEAST:
        return Count(0, LEAST - 1)
    return Count(right, right)


def band(count: int) -> Count:
    """Return the band of a count: none, 1-4, 5-9, 10-14 …"""
    if count == 0:
        return Count(0, 0)
    low = count // LEAST * LEAST
    return Count(max(low, 1), low + LEAST - 1)


def bands(right: Count, wrong: Sequence[int], total: int) -> tuple[Count, ...] | None:
    """Return the bands of the wrong options, None where they are not shown (rule 2)."""
    if not right.exact:
        return None
    shown, rest = tuple(band(count) for count in wrong), total - right.high
    for cell in shown:
        low = max(cell.low, rest - sum(other.high for other in shown) + cell.high)
        high = min(cell.high, rest - sum(other.low for other in shown) + cell.low)
        if low == high and 0 < low < LEAST:
            return None
    return shown


def leader(right: Count, wrong: Sequence[int]) -> int | None:
    """Return the place of the wrong option most people chose (the first of equals), None where bands tell it."""
    return None if right.high >= LEAST else max(range(len(wrong)), key=lambda place: (wrong[place], -place))
