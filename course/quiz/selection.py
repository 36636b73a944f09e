"""Which items to practise next, and why each of them now."""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from course.facts import say
from course.facts.syllabus import misconceptions, objectives, tasks
from course.quiz.bank import Bank
from course.quiz.errors import QuizError
from course.quiz.history import Answer
from course.quiz.items import Item
from course.quiz.schedule import Card, cards

__all__ = ["Pick", "Selection", "due_groups", "misconceptions_of", "pick"]

FIRST_LESSON = "01"
BEGUN = 10
"""Questions answered until a history is that of no beginner any more."""
FIRST_STEPS = 5
"""Questions of a lesson that are answered before hard ones come as likely as easy ones."""
HARDNESS = ("easy", "exam", "hard")


@dataclass(frozen=True)
class Selection:
    """What to practise: a lesson ("02"), objective ("BLK-2"), exam task ("2.1"), misconception id, kind, item ids.

    Several together narrow; `due` leaves out what is not due. Nothing at all: what is due first, then what is new.
    Raises QuizError for a name that does not exist.
    """

    lesson: str | None = None
    objective: str | None = None
    task: str | None = None
    misconception: str | None = None
    kind: str | None = None
    items: tuple[str, ...] = ()
    due: bool = False

    def __post_init__(self) -> None:
        if self.lesson is not None:
            object.__setattr__(self, "lesson", self.lesson.zfill(2))
        known: dict[str, Callable[[], Iterable[str]]] = {
            "lesson": lambda: {row.lesson for row in objectives().values()},
            "objective": objectives,
            "task": lambda: [*tasks(), "beyond"],
            "misconception": misconceptions,
        }
        for name, values in known.items():
            given = getattr(self, name)
            if given is not None and given not in values():
                raise QuizError(say(f"quiz.practice.unknown.{name}", given=given, known=", ".join(sorted(values()))))

    def matches(self, item: Item) -> bool:
        """True when the item belongs to the selection (whether it is due is another matter)."""
        return (
            item.status != "retired"
            and (self.lesson is None or self.lesson in _lessons(item))
            and (self.objective is None or self.objective in item.objectives)
            and (self.task is None or self.task == item.exam_task)
            and (self.misconception is None or self.misconception in misconceptions_of(item))
            and (self.kind is None or self.kind == item.kind)
            and (not self.items or item.id in self.items)
        )

    @property
    def open(self) -> bool:
        """True when nothing was asked for that says what the questions are about."""
        return not (self.lesson or self.objective or self.task or self.misconception or self.items)

    def as_json(self) -> dict[str, Any]:
        """Return what was asked for, without what was left open."""
        return {name: value for name, value in vars(self).items() if value}


def _lessons(item: Item) -> set[str]:
    known = objectives()
    return {known[id].lesson for id in item.objectives if id in known}


def misconceptions_of(item: Item) -> frozenset[str]:
    """Return the ids of the misconceptions that the item's wrong answers stand for."""
    things = (thing for field in ("options", "rows", "mistakes", "near") for thing in getattr(item, field, ()))
    return frozenset(filter(None, (thing.misconception for thing in things)))


@dataclass(frozen=True)
class Pick:
    """An item to ask, and why now, in words."""

    item: str
    why: str


def due_groups(known: Mapping[str, Card], now: datetime) -> list[Card]:
    """Return the cards that are due, the longest overdue first."""
    return sorted((card for card in known.values() if card.is_due(now)), key=lambda card: card.due)


def pick(
    bank: Bank,
    answers: Iterable[Answer],
    selection: Selection,
    *,
    rng: random.Random,
    now: datetime,
    count: int,
    exam_date: date | None = None,
    begun: Collection[str] = (),
) -> list[Pick]:
    """Return up to `count` items, no two of one group: due ones first, then new ones, then the longest not seen.

    Of a group's variants the one not met yet comes first, else the one met longest ago. With `due`, only due ones.
    New ones begin easy in a lesson of which little was answered. Where the selection is open they come from the
    lessons in `begun` first; a beginner who has begun none starts with the first lesson.
    """
    groups: dict[str, list[Item]] = {}
    for item in bank:
        if selection.matches(item):
            groups.setdefault(item.group, []).append(item)
    known = cards(answers, lambda id: _group(bank, id), exam_date=exam_date, today=now.date())
    due = [card.group for card in due_groups(known, now) if card.group in groups]
    new = [group for group in groups if group not in known]
    later = sorted((group for group in groups if group in known and group not in due), key=lambda id: known[id].due)
    near = set(begun) or ({FIRST_LESSON} if len(known) < BEGUN else set())
    rng.shuffle(new)
    new.sort(key=_steps(groups, known, near if selection.open else set(), bank.items.get))
    chosen = due if selection.due else [*due, *new, *later]
    return [_pick(groups[group], known.get(group), rng, now) for group in chosen[:count]]


def _steps(
    groups: Mapping[str, list[Item]],
    known: Mapping[str, Card],
    near: Collection[str],
    item_of: Callable[[str], Item | None],
) -> Callable[[str], tuple[bool, int]]:
    """Make the order in which new groups come: near lessons first, and easy ones first where a lesson is new."""
    met = Counter(
        lesson for card in known.values() if (item := item_of(next(iter(card.items)))) for lesson in _lessons(item)
    )

    def step(group: str) -> tuple[bool, int]:
        lessons = set().union(*map(_lessons, groups[group]))
        gentle = all(met[lesson] < FIRST_STEPS for lesson in lessons)
        far = bool(near) and not lessons & set(near)
        return far, min(map(_hardness, groups[group])) if gentle else 0

    return step


def _hardness(item: Item) -> int:
    return HARDNESS.index(item.difficulty)


def _group(bank: Bank, id: str) -> str:
    item = bank.items.get(id)
    return item.group if item else id


def _pick(variants: list[Item], card: Card | None, rng: random.Random, now: datetime) -> Pick:
    if card is None:
        easiest = min(map(_hardness, variants))
        return Pick(
            rng.choice([item for item in variants if _hardness(item) == easiest]).id, say("quiz.practice.why.new")
        )
    unmet = [item for item in variants if item.id not in card.items]
    item = rng.choice(unmet) if unmet else min(variants, key=lambda item: card.items[item.id])
    values = {"last": f"{card.last:%Y-%m-%d}", "due": f"{card.due:%Y-%m-%d}"}
    reason = "early" if not card.is_due(now) else "due_right" if card.last_right else "due_wrong"
    why = say(f"quiz.practice.why.{reason}", **values)
    return Pick(item.id, f"{why} {say('quiz.practice.why.variant')}" if unmet else why)
