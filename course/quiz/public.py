"""What a view may carry before an answer is given: the question, and nothing that tells its key.

The order of options is drawn once, from a seed, and stored with the attempt; a view that is opened again gets the
same order. On a learner's own disk the key is not secret (it lies in the bank); this only keeps it out of the page,
the messages, the saved notebook and the paper.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from course.quiz.items import Item, in_language
from course.quiz.kinds import FadedCode, Match, Numeric, Order, RepairJson, SelectN, Single, SpotBlock, WriteSchema
from course.quiz.pairing import PAIRING_RULES, rule_in_words

__all__ = ["choice_order", "public"]


def choice_order(item: Item, seed: int | str) -> tuple[str, ...]:
    """Return the ids of what is shuffled (options, steps, targets or rules), in the order drawn from `seed`.

    An item with `shuffle: false` keeps the order of its file. Steps never come in an order that is already valid.
    """
    ids = list(_order_of_file(item))
    draw = random.Random(f"{seed}:{item.id}")
    if item.shuffle or isinstance(item, Order):
        draw.shuffle(ids)
    while isinstance(item, Order) and _is_valid(item, ids):
        draw.shuffle(ids)
    return tuple(ids)


def public(
    item: Item, order: Sequence[str] | None = None, *, lang: str | None = None, render: Callable[[str], str] = str
) -> dict[str, Any]:
    """Return the question as JSON data without its key: no `correct`, reasons, claims, answers or solutions.

    order: ids as `choice_order` drew them (default: the order of the file). render: turns an author's Markdown into
    what the view shows (`markdown.html`, `markdown.plain`); it is applied to texts, not to JSON, code or logs.
    """

    def words(text: Any) -> str:
        return render(in_language(text, lang))

    def listed(things: Iterable[Any]) -> list[dict[str, str]]:
        return [{"id": thing.id, "text": words(thing.text)} for thing in things]

    view: dict[str, Any] = {
        "id": item.id,
        "version": item.version,
        "kind": item.kind,
        "stem": words(item.stem),
        "scenario": item.scenario,
        "difficulty": item.difficulty,
        "hints": len(item.hints),
        "est_seconds": item.est_seconds,
        "exhibits": [
            {
                "kind": exhibit.kind,
                "title": words(exhibit.title) if exhibit.title else "",
                "body": in_language(exhibit.body, lang),
            }
            for exhibit in item.exhibits
        ],
    }
    places = {id: place for place, id in enumerate(order if order is not None else _order_of_file(item))}
    choices = sorted(_choices(item), key=lambda choice: places.get(choice.id, len(places)))
    match item:
        case Single() | Order():
            view["options"] = listed(choices)
        case SelectN():
            view["options"] = listed(choices)
            view["select_n"] = item.select_n
        case Match():
            view["rows"] = listed(item.rows)
            view["targets"] = listed(choices)
        case SpotBlock():
            view["trace"] = [dict(message) for message in item.trace]
            view["rules"] = [{"id": id, "text": rule_in_words(id, lang)} for id in places]
        case RepairJson():
            view |= {"given": item.given, "write": item.write, "start": item.start}
        case WriteSchema():
            view |= {"tool": item.tool, "start": item.start}
        case FadedCode():
            view["code"] = item.code
            view["holes"] = [{"id": hole.id, "choices": sorted(hole.choices)} for hole in item.holes]
        case Numeric():
            view["unit"] = words(item.unit) if item.unit else ""
    return view


def _order_of_file(item: Item) -> tuple[str, ...]:
    if isinstance(item, SpotBlock):
        return item.rules or PAIRING_RULES
    return tuple(choice.id for choice in _choices(item))


def _choices(item: Item) -> tuple[Any, ...]:
    return tuple(getattr(item, "targets", ()) or getattr(item, "options", ()))


def _is_valid(item: Order, ids: Sequence[str]) -> bool:
    before, seen = item.before(), set[str]()
    for id in ids:
        if id in before and not before[id] <= seen:
            return False
        seen.add(id)
    return True
