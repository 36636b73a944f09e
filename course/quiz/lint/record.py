"""Rules about the record of an item: what it names must exist, and facts need a source with a date."""

from collections.abc import Iterator
from datetime import date

from course.facts.syllabus import misconceptions, objectives, tasks
from course.quiz.items import Item
from course.quiz.kinds import Order
from course.quiz.lint.finding import Hit

__all__ = ["record_rules"]

STALE_AFTER_DAYS = 180


def record_rules(item: Item, today: date) -> Iterator[Hit]:
    """Yield every broken rule about objectives, tasks, misconceptions, sources and shuffling."""
    known = objectives()
    for place, name in enumerate(item.objectives):
        if name not in known:
            yield "E06", ("objectives", place), {"name": name}
    if item.exam_task != "beyond" and item.exam_task not in tasks():
        yield "E06b", ("exam_task",), {"name": item.exam_task}
    for path, name in _named_misconceptions(item):
        if name not in misconceptions():
            yield "E06c", path, {"name": name}
    if not item.sources:
        yield "E05", ("sources",), {}
    for place, source in enumerate(item.sources):
        if source.checked_on > today:
            yield "E05b", ("sources", place, "checked_on"), {"date": source.checked_on}
        elif (today - source.checked_on).days > STALE_AFTER_DAYS:
            yield "W21", ("sources", place, "checked_on"), {"date": source.checked_on, "days": STALE_AFTER_DAYS}
    if not item.shuffle and not isinstance(item, Order):
        yield "E17", ("shuffle",), {}


def _named_misconceptions(item: Item) -> Iterator[tuple[tuple[object, ...], str]]:
    for field in ("options", "rows", "near", "mistakes"):
        for place, thing in enumerate(getattr(item, field, ())):
            if thing.misconception:
                yield (field, place, "misconception"), thing.misconception
