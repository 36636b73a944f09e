"""What a poll asks, and what it found out: choosing items, and the results as JSON lines.

Results are a result file as `course.quiz.handin` writes it, by "poll" and of no single learner: for each person,
question and try a line with the vote that stood at the close. With a class key the file is signed.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from course.facts.text import say
from course.quiz.bank import Bank
from course.quiz.events import Event, iso
from course.quiz.grading import grade
from course.quiz.handin import Line, text_of
from course.quiz.items import Item, in_language
from course.quiz.public import choice_order
from course.quiz.selection import Selection, misconceptions_of
from course.workshop.room import LETTERS, PollError, Question, replay

__all__ = ["KINDS", "export", "ids_in", "items_named", "items_of_lesson", "questions", "results"]

KINDS = ("single", "select_n")
"""What a room can vote on. Orders, matches, numbers and written answers make no bars."""
LONGEST_STEM = 420
LONGEST_OPTION = 170
LONGEST_EXHIBIT = 900


def ids_in(text: str) -> list[str]:
    """Return the ids in a list: separated by commas, blanks or lines; a line from # on is a remark."""
    lines = (line.partition("#")[0] for line in text.splitlines())
    return [id for line in lines for id in line.replace(",", " ").split()]


def items_named(bank: Bank, ids: Sequence[str]) -> tuple[Item, ...]:
    """Return these items. Raises PollError for an unknown id, a kind without bars, or one named twice."""
    if unknown := [id for id in ids if id not in bank.items]:
        raise PollError(say("workshop.choose.unknown", ids=", ".join(unknown)))
    if len(set(ids)) < len(ids):
        raise PollError(say("workshop.choose.twice"))
    items = tuple(bank.items[id] for id in ids)
    if other := [f"{item.id} ({item.kind})" for item in items if not _votable(item)]:
        raise PollError(say("workshop.choose.kind", ids=", ".join(other)))
    if not items:
        raise PollError(say("workshop.choose.nothing"))
    return items


def items_of_lesson(bank: Bank, lesson: str, count: int) -> tuple[Item, ...]:
    """Return up to `count` items of a lesson that suit a room: short enough to project, wrong for a known reason.

    One a concept; another objective each time, as long as there are some. Raises PollError when there are none.
    """
    of_lesson = Selection(lesson=lesson)
    fit = [item for item in bank if of_lesson.matches(item) and _fits_a_room(item)]
    fit.sort(key=lambda item: (item.status != "reviewed", item.kind != "single", -len(misconceptions_of(item))))
    chosen: list[Item] = []
    for fresh_only in (True, False):
        for item in fit:
            groups = {other.group for other in chosen}
            fresh = not {id for other in chosen for id in other.objectives} & set(item.objectives)
            if len(chosen) < count and item.group not in groups and (fresh or not fresh_only):
                chosen.append(item)
    if not chosen:
        raise PollError(say("workshop.choose.none_of_lesson", lesson=lesson.zfill(2)))
    return tuple(chosen)


def _votable(item: Item) -> bool:
    return item.kind in KINDS and len(item.options) <= len(LETTERS)  # type: ignore[attr-defined]


def _fits_a_room(item: Item) -> bool:
    return (
        _votable(item)
        and bool(misconceptions_of(item))
        and len(item.text("stem")) <= LONGEST_STEM
        and sum(len(in_language(exhibit.body)) for exhibit in item.exhibits) <= LONGEST_EXHIBIT
        and all(len(in_language(option.text)) <= LONGEST_OPTION for option in item.options)  # type: ignore[attr-defined]
    )


def questions(items: Iterable[Item], draw: random.Random) -> tuple[Question, ...]:
    """Return the items as a room sees them: the order of options is drawn once, and the same for everybody."""
    seed = draw.getrandbits(64)
    return tuple(Question(item, choice_order(item, seed)) for item in items)


def results(events: Sequence[Event], bank: Bank) -> Iterator[Line]:
    """Return the lines of the results of one room: by question, then first and second vote."""
    room = replay(events, bank)
    for place, question in enumerate(room.questions):
        for attempt in (1, 2):
            for person, cast in room.votes_of(attempt, place).items():
                yield Line(
                    learner=room.people[person].name,
                    item=question.item.id,
                    version=question.item.version,
                    try_number=attempt,
                    response=cast.response,
                    score=grade(question.item, cast.response).score,
                    confidence=cast.confidence,
                    at=iso(cast.at),
                    source="poll",
                )


def export(events: Sequence[Event], bank: Bank, *, made: datetime, key: bytes | None = None) -> tuple[str, int]:
    """Return the result file of one room, signed where a class key is given, and the number of its votes."""
    lines = list(results(events, bank))
    return text_of(lines, made=made, by="poll", bank=bank.digest, key=key), len(lines)
