"""Misconceptions by how many people showed them, surest first; and gains, from variants and from votes.

Misconceptions come as bands of people, and only where that tells nothing about single answers (report_masks, rule 3).
Gains on variants are coarse on purpose, shares in steps of five points and pairs in bands, since the people of a pair
are a part of those who answered its first question.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from datetime import date
from random import Random

from course.facts.syllabus import misconceptions
from course.quiz.bank import Bank
from course.quiz.items import Item
from course.quiz.kinds import Single
from course.quiz.selection import misconceptions_of
from course.workshop.report_cohort import Cohort, Given
from course.workshop.report_items import First, ItemRow, masked_row, short
from course.workshop.report_masks import LEAST, LEAST_ITEM, Count, band, split, telling

__all__ = ["Gain", "Idea", "Vote", "Window", "gain", "idea_rows", "variant_pairs", "votes", "window"]

LEAST_PAIRS = 20
RESAMPLES = 400
STEP = 0.05


@dataclass(frozen=True)
class Idea:
    """One misconception. met: people who could have shown it; people: who did; sure: of these, who were sure."""

    id: str
    text: str
    met: int
    people: Count
    sure: Count


@dataclass(frozen=True)
class Vote:
    """A poll question: right answers in the first and in the second vote. gain: normalised, None where unknown."""

    item: str
    title: str
    first_people: int
    first: Count
    second_people: int
    second: Count

    @property
    def gain(self) -> float | None:
        """Of those who could gain, the share that did: (second - first) / (1 - first)."""
        before, after = self.first.low / self.first_people, self.second.low / self.second_people
        return (after - before) / (1 - before) if self.first.exact and self.second.exact and before < 1 else None


@dataclass(frozen=True)
class Gain:
    """Pairs of answers to two variants of one concept, first one, then the other; shares and difference rounded."""

    pairs: Count
    people: Count
    before: float
    after: float
    low: float
    high: float


def idea_rows(first: First, rows: Sequence[ItemRow], bank: Bank) -> tuple[list[Idea], int]:
    """Return the misconceptions that can be shown, most people first, and how many others were met."""
    showed: dict[str, dict[str, bool]] = {}
    met: dict[str, set[str]] = {}
    cells: dict[str, set[str]] = {}
    for (channel, id), answers in first.items():
        for name in misconceptions_of(bank.items[id]):
            met.setdefault(name, set()).update(who for who, given in answers.items() if given.exact)
            cells.setdefault(name, set()).update(_cells(channel, bank.items[id], name))
        for who, given in answers.items():
            for name in given.misconceptions:
                known = showed.setdefault(name, {})
                known[who] = known.get(who, False) or given.confidence == 3
    known_ideas = misconceptions()
    found = {
        name: Idea(
            name,
            short(known_ideas[name].text) if name in known_ideas else name,
            len(met[name]),
            _of(met[name], band(len(people))),
            _of(met[name], band(sure) if (sure := sum(people.values())) >= LEAST else Count(0, LEAST - 1)),
        )
        for name, people in showed.items()
        if len(people) >= LEAST
    }
    masked = (masked_row(bank.items[row.item], row, first[row.channel, row.item].values()) for row in rows)
    published = [row for row in masked if row]
    told = telling(published, {name: (idea.people, frozenset(cells[name])) for name, idea in found.items()})
    shown = [idea for name, idea in found.items() if name not in told]
    return sorted(shown, key=lambda idea: (-idea.people.low, -idea.sure.low, idea.id)), len(showed) - len(shown)


def _cells(channel: str, item: Item, idea: str) -> Iterable[str]:
    """Return the names of the cells that show an idea; other kinds than single have one that no row knows."""
    options = (
        [option.id for option in item.options if option.misconception == idea] if isinstance(item, Single) else "*"
    )
    return (f"{channel} {item.id} {option}" for option in options)


def _of(people: Sized, count: Count) -> Count:
    """Return a band that ends at the number of people there are."""
    return Count(count.low, min(count.high, len(people)))


def votes(cohort: Cohort, rows: Sequence[ItemRow]) -> list[Vote]:
    """Return a row for each poll question with enough people in both votes."""
    again: dict[str, dict[str, Given]] = {}
    for given in cohort.answers:
        if given.source == "poll" and given.try_number == 2 and given.exact:
            again.setdefault(given.item, {}).setdefault(given.who, given)
    found = []
    for row in rows:
        second = again.get(row.item, {}) if row.channel == "poll" else {}
        right = split(sum(given.right for given in second.values()), len(second))
        if right is not None:
            found.append(Vote(row.item, row.title, row.people, row.right, len(second), right))
    return found


Window = Callable[[Given], bool]


def window(given: str, *, until: bool) -> Window:
    """Return what belongs to a period: a day (up to it, or from it on), or an exam form. Raises ValueError for a day
    that is none."""
    if given[:1].isdigit():
        day = date.fromisoformat(given)
        return (lambda answer: answer.at.date() <= day) if until else (lambda answer: answer.at.date() >= day)
    return lambda answer: answer.form == given


def variant_pairs(
    answers: Iterable[Given], bank: Bank, before: Window, after: Window
) -> Mapping[str, list[tuple[bool, bool]]]:
    """Return, by person, whether the first question of a concept was right, and then another variant of it."""
    begun: dict[tuple[str, str], Given] = {}
    done: dict[tuple[str, str], tuple[bool, bool]] = {}
    for given in answers:
        mark = (given.who, bank.items[given.item].group)
        if mark not in begun:
            if before(given):
                begun[mark] = given
        elif mark not in done and given.item != begun[mark].item and after(given):
            done[mark] = (begun[mark].right, given.right)
    found: dict[str, list[tuple[bool, bool]]] = {}
    for (who, _), pair in sorted(done.items()):
        found.setdefault(who, []).append(pair)
    return found


def gain(pairs: Mapping[str, Sequence[tuple[bool, bool]]]) -> Gain | None:
    """Return the gain on variants; None where too few pairs or people carry it, or one person makes up half of it."""
    people = [list(found) for _, found in sorted(pairs.items())]
    total = sum(map(len, people))
    if total < LEAST_PAIRS or len(people) < LEAST_ITEM or 2 * max(map(len, people)) > total:
        return None
    draw, differences = Random(total), []
    for _ in range(RESAMPLES):
        differences.append(_difference(draw.choices(people, k=len(people))))
    differences.sort()
    before, after = (sum(pair[side] for found in people for pair in found) / total for side in (0, 1))
    low, high = differences[round(0.025 * RESAMPLES)], differences[round(0.975 * RESAMPLES) - 1]
    return Gain(band(total), band(len(people)), *(round(value / STEP) * STEP for value in (before, after, low, high)))


def _difference(people: Sequence[Sequence[tuple[bool, bool]]]) -> float:
    pairs = [pair for found in people for pair in found]
    return sum(after - before for before, after in pairs) / len(pairs)
