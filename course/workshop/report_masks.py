"""Published counts of people: never between one and four, and never to be worked out from others.

Rules, in the order in which they apply to a question of `LEAST_ITEM` people or more:
1. Right and wrong are shown as they are when both are at least five. Else only "fewer than five" of the smaller side is
   shown, none included, so the figure stands for five possible ones.
2. Wrong options are shown in bands (none, 1-4, 5-9, 10-14 …), and only where rule 1 shows right and wrong as they are.
   Since their total is then known, bands can still give a count away (13 = 5-9 and 1-4 makes 9 and 4). `bands` works
   out what the total allows for each option, and shows no bands at all where that is a single count of 1 to 4. Where
   fewer than five are right, only the option most people chose is named.
3. Misconceptions are shown as bands of people, five or more. `telling` plays a reader who combines them with every
   question's row, its total and its bands; where that would leave a single count of 1 to 4, the band is not shown.
4. Everything else is computed from figures as published, as ranges where they are ranges. What is computed from
   published figures tells nothing new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["BANDED", "LEAST", "LEAST_ITEM", "Count", "Row", "band", "bands", "leader", "split", "telling"]

LEAST = 5
"""Fewer people than this are never told apart."""
LEAST_ITEM = 10
"""Fewer people than this carry no figures on a question."""

BANDED = 3
"""Wrong options a question must have for bands. With two, or five and more, a refusal could mean one table only."""
ROUNDS = 1000
"""How often every range is narrowed at most; they settle after a few rounds."""


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
        if _small(low, high):
            return None
    return shown


def leader(right: Count, wrong: Sequence[int]) -> int | None:
    """Return the place of the wrong option most people chose (the first of equals), None where bands tell it."""
    return None if right.high >= LEAST else max(range(len(wrong)), key=lambda place: (wrong[place], -place))


@dataclass(frozen=True)
class Row:
    """A question's row as published. cells: the names of its wrong options; bands, leader: None where not shown.

    refused: bands are not shown because they would give a count away.
    """

    total: int
    right: Count
    cells: tuple[str, ...]
    bands: tuple[Count, ...] | None
    leader: str | None = None
    refused: bool = False


def telling(rows: Sequence[Row], ideas: Mapping[str, tuple[Count, frozenset[str]]]) -> set[str]:
    """Return the ideas (band of people, the cells that show it) whose bands would give a small count away.

    A refusal of bands says that a small count could be worked out, so there no idea may narrow anything at all.
    """
    left = dict(ideas)
    while told := {name for row in _pinned(rows, left) for name, (_, cells) in left.items() if cells & set(row.cells)}:
        left = {name: idea for name, idea in left.items() if name not in told}
    return set(ideas) - set(left)


def _pinned(rows: Sequence[Row], ideas: Mapping[str, tuple[Count, frozenset[str]]]) -> list[Row]:
    """Return the rows in which a reader who narrows every range as far as it goes learns too much (see `telling`)."""
    wrong = [row.right.taken_from(row.total) for row in rows]
    ranges = {
        cell: [shown.low, shown.high]
        for row, rest in zip(rows, wrong, strict=True)
        for cell, shown in zip(row.cells, row.bands or (Count(0, rest.high),) * len(row.cells), strict=True)
    }
    sides = [[rest.low, rest.high] for rest in wrong]
    for _ in range(ROUNDS):
        if not _narrowed(rows, sides, ranges, ideas):
            break
    return [
        row
        for row, side in zip(rows, sides, strict=True)
        if any(_small(*found) for found in (side, [row.total - side[1], row.total - side[0]]))
        or any(_small(*ranges[cell]) for cell in row.cells)
        or (row.refused and any(ranges[cell] != [0, row.total - row.right.low] for cell in row.cells))
    ]


def _narrowed(
    rows: Sequence[Row],
    sides: Sequence[list[int]],
    ranges: Mapping[str, list[int]],
    ideas: Mapping[str, tuple[Count, frozenset[str]]],
) -> bool:
    """Narrow every range once; return whether anything changed."""
    before = [tuple(found) for found in (*sides, *ranges.values())]
    for people, cells in ideas.values():
        known = [ranges[cell] for cell in sorted(cells) if cell in ranges]
        most = sum(found[1] for found in known)
        for found in known:
            if len(known) == len(cells):
                found[0] = max(found[0], people.low - most + found[1])
    for row, side in zip(rows, sides, strict=True):
        for people, cells in ideas.values():  # nobody chooses two options of one question
            shows = [ranges[cell] for cell in row.cells if cell in cells]
            least = sum(found[0] for found in shows)
            for found in shows:
                found[1] = min(found[1], people.high - least + found[0])
            if shows:
                side[1] = min(side[1], people.high + sum(ranges[cell][1] for cell in row.cells if cell not in cells))
        options = [ranges[cell] for cell in row.cells]
        if row.leader:
            for found in options:
                found[1] = min(found[1], ranges[row.leader][1])
        low, high = sum(found[0] for found in options), sum(found[1] for found in options)
        side[0], side[1] = max(side[0], low), min(side[1], high)
        for found in options:
            found[0] = max(found[0], side[0] - high + found[1])
            found[1] = min(found[1], side[1] - low + found[0])
    return before != [tuple(found) for found in (*sides, *ranges.values())]


def _small(low: int, high: int) -> bool:
    return low == high and 0 < low < LEAST
