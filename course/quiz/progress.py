"""Where a learner stands: computed from the events each time, so a corrected question corrects it all.

JSON all through (`as_json`); tallies are {right, total, low, high}, with low and high None where there are too few
answers for an interval.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from course.facts import load, say
from course.facts.syllabus import misconceptions, objectives, tasks
from course.quiz.attempts import started_exams
from course.quiz.bank import Bank
from course.quiz.events import Event
from course.quiz.forms import Form
from course.quiz.history import OF_ANSWERS, Answer, answers, flagged
from course.quiz.schedule import Card, cards, exam_date
from course.quiz.scores import Estimate, Readiness, Sitting, Tally, estimate, facts_are_stale, readiness, tally, wilson
from course.quiz.store import Store

__all__ = ["CONFIDENCE_MARKS", "Group", "Progress", "caveats", "progress", "sittings"]

CONFIDENCE_MARKS: Mapping[int, tuple[int, int]] = {1: (1, 0), 2: (2, -2), 3: (3, -6)}
"""Marks for right and wrong by confidence: it pays to say 2 from 67 % on, and 3 from 80 % on. Never in a score."""


@dataclass(frozen=True)
class Group:
    """One row: an objective, exam task, domain, lesson or level of confidence, and how it went."""

    id: str
    title: str
    tally: Tally


@dataclass(frozen=True)
class Progress:
    """Everything the views show. Tallies by objective, task and lesson count the newest answer to each item.

    weeks: (Monday, tally of all answers of that week). calibration: by confidence, of all answers that gave one.
    confidence_marks: the sum of CONFIDENCE_MARKS. sure_but_wrong: items answered wrongly at confidence 3, newest last.
    misconceptions: (id, text, times met), most met first. cards: the schedule. corrected: answers re-graded.
    notes: (item, newest note).
    """

    on: date
    exam_date: date | None
    answered: int
    items_met: int
    items: int
    practice: Tally
    lessons: tuple[Group, ...]
    objectives: tuple[Group, ...]
    tasks: tuple[Group, ...]
    misconceptions: tuple[tuple[str, str, int], ...]
    calibration: tuple[Group, ...]
    confidence_marks: int
    sure_but_wrong: tuple[str, ...]
    weeks: tuple[tuple[date, Tally], ...]
    sittings: tuple[Sitting, ...]
    estimate: Estimate | None
    readiness: Readiness
    cards: tuple[Card, ...]
    due: int
    next_due: date | None
    flagged: tuple[str, ...]
    notes: tuple[tuple[str, str], ...]
    exercises: Tally
    predictions: int
    corrected: int

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        return {name: _plain(value) for name, value in vars(self).items()}


def progress(store: Store, bank: Bank, now: datetime | None = None) -> Progress:
    """Return where the learner stands now."""
    now = now or store.clock()
    given = [answer for answer in answers(store.events(OF_ANSWERS)) if answer.verdict is not None]
    counted = [answer for answer in given if answer.counts]
    newest = {answer.item: answer for answer in counted if answer.item in bank.items}
    sat = sittings(store, bank)
    until = exam_date(store)
    known = cards(given, lambda id: _group(bank, id), exam_date=until, today=now.date())
    sure = dict.fromkeys(answer.item for answer in counted if answer.confidence == 3 and not answer.right)
    later = [card.due.date() for card in known.values() if not card.is_due(now)]
    long_sat = [sitting for sitting in sat if sitting.counts]
    return Progress(
        on=now.date(),
        exam_date=until,
        answered=len(given),
        items_met=len({answer.item for answer in given} & bank.items.keys()),
        items=sum(item.status != "retired" for item in bank),
        practice=tally(answer.right for answer in counted if answer.mode == "practice"),
        lessons=_grouped(newest, lambda id: _lessons(bank, id), {}),
        objectives=_grouped(
            newest, lambda id: bank.items[id].objectives, {id: row.title for id, row in objectives().items()}
        ),
        tasks=_grouped(
            newest, lambda id: (bank.items[id].exam_task,), {number: row.title for number, row in tasks().items()}
        ),
        misconceptions=_met_misconceptions(given),
        calibration=_calibration(counted),
        confidence_marks=sum(CONFIDENCE_MARKS[a.confidence][0 if a.right else 1] for a in counted if a.confidence),
        sure_but_wrong=tuple(id for id in sure if id in newest and not newest[id].right),
        weeks=_weeks(counted),
        sittings=tuple(sat),
        estimate=estimate(sum((sitting.tally for sitting in long_sat[-2:]), Tally())) if long_sat else None,
        readiness=readiness(sat),
        cards=tuple(sorted(known.values(), key=lambda card: card.due)),
        due=sum(card.is_due(now) for card in known.values()),
        next_due=min(later, default=None),
        flagged=tuple(id for id in flagged(store.events("flagged")) if id in bank.items),
        notes=tuple({event.item or "": event.data["text"] for event in store.events("noted")}.items()),
        exercises=_exercises(store.events("exercise_checked")),
        predictions=len({event.data["question"] for event in store.events("predicted")}),
        corrected=sum(answer.was is not None and answer.was != answer.score for answer in given),
    )


def sittings(store: Store, bank: Bank) -> list[Sitting]:
    """Return the finished exams, oldest first. A blank counts as missed; an item that left the bank does not count."""
    found = []
    ends = {event.attempt: event for event in store.events("attempt_finished")}
    for started in started_exams(store, finished=True):
        form = Form.model_validate(started.data["form"])
        right = {answer.item for answer in answers(store.events(OF_ANSWERS, attempt=started.attempt)) if answer.right}
        entries = [entry for entry in form.entries if entry.item in bank.items]
        domains: dict[int, Tally] = {}
        for entry in entries:
            number = _domain(bank.item(entry.item).exam_task)
            domains[number] = domains.get(number, Tally()) + Tally(int(entry.item in right), 1)
        found.append(
            Sitting(
                attempt=started.attempt or "",
                form=form.blueprint,
                on=ends[started.attempt].at.date(),
                tally=tally(entry.item in right for entry in entries),
                unseen=form.unseen / len(form.entries),
                domains=dict(sorted(domains.items())),
                pauses=len(store.events("attempt_paused", attempt=started.attempt)),
            )
        )
    return found


def caveats(today: date) -> tuple[str, ...]:
    """Return what must stand beside every estimate: the note on live difficulty, and a word when facts are old."""
    exam = load("exam")
    notes = [say("quiz.scores.live")]
    if facts_are_stale(today):
        notes.append(say("quiz.scores.stale", checked=exam["checked_on"], days=exam["stale_after_days"]))
    return tuple(notes)


def _domain(task: str) -> int:
    return int(task[0]) if task[0].isdigit() else 0


def _group(bank: Bank, id: str) -> str:
    item = bank.items.get(id)
    return item.group if item else id


def _lessons(bank: Bank, id: str) -> Iterable[str]:
    known = objectives()
    return {known[name].lesson for name in bank.items[id].objectives if name in known}


def _grouped(
    newest: Mapping[str, Answer], groups_of: Callable[[str], Iterable[str]], titles: Mapping[str, str]
) -> tuple[Group, ...]:
    found: dict[str, Tally] = {}
    for id, answer in newest.items():
        for name in groups_of(id):
            found[name] = found.get(name, Tally()) + Tally(int(answer.right), 1)
    order = {name: place for place, name in enumerate(titles)}
    names = sorted(found, key=lambda name: (order.get(name, len(order)), name))
    return tuple(Group(name, titles.get(name, name), found[name]) for name in names)


def _met_misconceptions(given: Sequence[Answer]) -> tuple[tuple[str, str, int], ...]:
    times: dict[str, int] = {}
    for answer in given:
        for id in answer.misconceptions:
            times[id] = times.get(id, 0) + 1
    known = misconceptions()
    rows = [(id, known[id].text, count) for id, count in times.items() if id in known]
    return tuple(sorted(rows, key=lambda row: (-row[2], row[0])))


def _calibration(counted: Sequence[Answer]) -> tuple[Group, ...]:
    rows = []
    for level in CONFIDENCE_MARKS:
        marks = [answer.right for answer in counted if answer.confidence == level]
        if marks:
            rows.append(Group(str(level), say(f"quiz.practice.confidence.{level}"), tally(marks)))
    return tuple(rows)


def _weeks(counted: Sequence[Answer]) -> tuple[tuple[date, Tally], ...]:
    found: dict[date, Tally] = {}
    for answer in counted:
        monday = answer.at.date() - timedelta(days=answer.at.weekday())
        found[monday] = found.get(monday, Tally()) + Tally(int(answer.right), 1)
    return tuple(sorted(found.items()))


def _exercises(events: Sequence[Event]) -> Tally:
    passed: dict[str, bool] = {}
    for event in events:
        name = event.data["exercise"]
        passed[name] = passed.get(name, False) or event.data["passed"]
    return tally(passed.values())


def _plain(value: Any) -> Any:
    if isinstance(value, Tally):
        low, high = wilson(value.right, value.total) if value.interval else (None, None)
        return {"right": value.right, "total": value.total, "low": low, "high": high}
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(part) for name, part in vars(value).items()}
    return value
