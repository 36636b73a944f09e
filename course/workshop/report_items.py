"""What first answers say about questions: shares, options, discrimination, and which to teach again.

Two channels are kept apart, since their answers have nothing in common that could be subtracted: "own" (practice,
lessons, exams) and "poll" (the first vote). In the own channel a first answer is one before which the learner had
never met the question (try 1). Only answers to the bank's own version of a question count here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from course.quiz.bank import Bank
from course.quiz.grading import is_blank
from course.quiz.items import Item, in_language
from course.quiz.kinds import Single
from course.quiz.markdown import plain
from course.quiz.scores import wilson
from course.workshop.report_cohort import Cohort, Given
from course.workshop.report_masks import BANDED, Count, Row, bands, split
from course.workshop.report_masks import leader as leading

__all__ = [
    "BLANK",
    "DEAD",
    "LEAST_DISCRIMINATION",
    "RETEACH",
    "Choice",
    "Discrimination",
    "ItemRow",
    "first_answers",
    "interval",
    "item_rows",
    "masked_row",
    "short",
]

LEAST_DISCRIMINATION = 30
"""Fewer people than this say nothing about whether a question tells strong from weak."""
LEAST_REST = 5
"""Other questions a person must have answered for a rest score."""
RETEACH = 0.70
"""A question is to be taught again when its whole interval lies below this share."""
DEAD = 0.05
"""An option that fewer than this share chose distracts nobody."""
WEAK = 0.1
"""A question whose discrimination surely lies below this tells nothing."""
RESAMPLES = 400
BLANK = "(blank)"

First = Mapping[tuple[str, str], Mapping[str, Given]]
"""(channel, item) → person → first answer."""


@dataclass(frozen=True)
class Choice:
    """One wrong option: how many chose it, and whether it is dead: "nobody", "few" (under 5 %) or "" (it is not)."""

    id: str
    text: str
    people: Count
    dead: str


@dataclass(frozen=True)
class Discrimination:
    """Correlation of being right with the share right elsewhere, and its 95 % interval by resampling people."""

    r: float
    low: float
    high: float

    @property
    def weak(self) -> bool:
        """True when the question surely tells nothing."""
        return self.high < WEAK


@dataclass(frozen=True)
class ItemRow:
    """One question in one channel. right: of `people`; low, high: 95 % interval of the share, ranges included.

    choices: the wrong options, None where they are not shown; leader: the one most people chose (id, text), where
    fewer than five were right.
    """

    item: str
    channel: str
    title: str
    objective: str
    people: int
    right: Count
    low: float
    high: float
    choices: tuple[Choice, ...] | None
    leader: tuple[str, str] | None
    discrimination: Discrimination | None

    @property
    def reteach(self) -> bool:
        """True when even the upper end of the interval is below `RETEACH`."""
        return self.high < RETEACH


def first_answers(cohort: Cohort) -> dict[tuple[str, str], dict[str, Given]]:
    """Return the first answers, of all versions of a question."""
    found: dict[tuple[str, str], dict[str, Given]] = {}
    for given in cohort.answers:
        if given.try_number == 1:
            channel = "poll" if given.source == "poll" else "own"
            found.setdefault((channel, given.item), {}).setdefault(given.who, given)
    return found


def interval(right: Count, total: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share; of a range, from the lower end's to the upper end's."""
    return wilson(right.low, total)[0], wilson(right.high, total)[1]


def short(text: str, most: int = 160) -> str:
    """Return an author's text in one line, without what is invisible; cut where it is long."""
    line = " ".join(plain(text).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def item_rows(first: First, bank: Bank) -> list[ItemRow]:
    """Return a row for each question that enough people answered."""
    rows = []
    for (channel, id), answers in sorted(first.items()):
        item, exact = bank.items[id], {who: given for who, given in answers.items() if given.exact}
        right = split(sum(given.right for given in exact.values()), len(exact))
        if right is None:
            continue
        low, high = interval(right, len(exact))
        choices, most = _options(item, exact.values(), right)
        rows.append(
            ItemRow(
                item=id,
                channel=channel,
                title=short(item.text("stem")),
                objective=item.objectives[0],
                people=len(exact),
                right=right,
                low=low,
                high=high,
                choices=choices,
                leader=most,
                discrimination=_discrimination(channel, id, exact, first) if right.exact else None,
            )
        )
    return rows


def masked_row(item: Item, row: ItemRow, answers: Iterable[Given]) -> Row | None:
    """Return a question's row as `telling` wants it, None for kinds whose options are not counted.

    Where nobody left it blank, a reader may know that, too (a poll and practice have no blanks).
    """
    if not isinstance(item, Single):
        return None
    blanks = (BLANK,) if any(is_blank(given.response) for given in answers if given.exact) else ()
    cells = tuple(f"{row.channel} {item.id} {id}" for id in (*_wrong(item), *blanks))
    shown = None if row.choices is None else tuple(choice.people for choice in row.choices[: len(cells)])
    leader = f"{row.channel} {item.id} {row.leader[0]}" if row.leader else None
    refused = row.right.exact and shown is None and len(_wrong(item)) == BANDED
    return Row(row.people, row.right, cells, shown, leader, refused)


def _wrong(item: Single) -> dict[str, str]:
    return {option.id: short(in_language(option.text), 100) for option in item.options if not option.correct}


def _options(
    item: Item, answers: Iterable[Given], right: Count
) -> tuple[tuple[Choice, ...] | None, tuple[str, str] | None]:
    if not isinstance(item, Single):
        return None, None
    texts = {**_wrong(item), BLANK: ""}
    chosen = [BLANK if is_blank(given.response) else given.response for given in answers]
    counts, total = [chosen.count(id) for id in texts], len(chosen)
    if (most := leading(right, counts)) is not None:
        return None, list(texts.items())[most]
    if len(_wrong(item)) != BANDED or (shown := bands(right, counts, total)) is None:
        return None, None
    return tuple(
        Choice(id, text, count, _dead(id, count, total)) for (id, text), count in zip(texts.items(), shown, strict=True)
    ), None


def _dead(id: str, count: Count, total: int) -> str:
    if id == BLANK:
        return ""
    return "nobody" if count.high == 0 else "few" if count.high < DEAD * total else ""


def _discrimination(channel: str, id: str, answers: Mapping[str, Given], first: First) -> Discrimination | None:
    """Return the corrected item-rest correlation, None where too few people answered enough other questions."""
    others: dict[str, list[bool]] = {who: [] for who in answers}
    for (where, other), found in first.items():
        if where == channel and other != id:
            for who in answers.keys() & found.keys():
                others[who].append(found[who].right)
    known = sorted(who for who, marks in others.items() if len(marks) >= LEAST_REST)
    if len(known) < LEAST_DISCRIMINATION:
        return None
    import numpy as np

    pairs = np.array([(answers[who].right, sum(others[who]) / len(others[who])) for who in known], dtype=float)
    draw = np.random.default_rng(crc32(f"{channel} {id}".encode()))
    picks = draw.integers(0, len(known), size=(RESAMPLES, len(known)))
    drawn = [r for pick in picks if (r := _correlation(pairs[pick])) is not None]
    r = _correlation(pairs)
    if r is None or len(drawn) < RESAMPLES // 2:
        return None
    low, high = np.percentile(np.array(drawn), (2.5, 97.5))
    return Discrimination(r, float(low), float(high))


def _correlation(pairs: Any) -> float | None:
    """Return Pearson's r of two columns, None where one of them never changes."""
    left, right = (pairs - pairs.mean(axis=0)).T
    scale = float((left @ left) * (right @ right))
    return float(left @ right) / scale**0.5 if scale > 1e-12 else None
