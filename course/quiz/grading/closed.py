"""Graders of the closed kinds: each takes an item and a response of the right shape, and gives score and feedback.

Partial credit (practice): select_n by decisions about each option, order by edit distance to the nearest valid
order, match by rows, spot_block half for the place and half for the rule, numeric estimates by ratio.
"""

import math
from collections.abc import Iterable
from typing import Any

from course.facts import say
from course.quiz.grading.grade import Invalid, Marks, Part
from course.quiz.grading.ordering import distance
from course.quiz.items import Option, in_language
from course.quiz.kinds import Match, Numeric, Open, Order, SelectN, Single, SpotBlock, block_count
from course.quiz.pairing import rule_in_words

__all__ = ["match", "numeric", "open_answer", "order", "select_n", "single", "spot_block"]

ESTIMATE_BANDS = ((1.10, 1.0), (1.25, 0.6), (1.50, 0.3))
LONGEST_NUMBER = 40


def _invalid(key: str, /, **values: Any) -> Invalid:
    return Invalid(say(f"quiz.grading.{key}", **values))


def _known(given: Iterable[Any], known: Iterable[str]) -> None:
    names = set(known)
    for id in given:
        if not isinstance(id, str) or id not in names:
            raise _invalid("unknown_id", id=id, known=", ".join(sorted(names)))


def _part(role: Any, option: Option, ok: bool | None, lang: str | None) -> Part:
    return Part(
        role=role,
        ref=option.id,
        ok=ok,
        label=in_language(option.text, lang),
        text=in_language(option.why, lang),
        misconception=option.misconception,
    )


def single(item: Single, response: Any, lang: str | None) -> Marks:
    """Grade one chosen option: 0 or 1."""
    if not isinstance(response, str):
        raise _invalid("shape.single")
    _known([response], (option.id for option in item.options))
    chosen = next(option for option in item.options if option.id == response)
    parts = [_part("chosen", chosen, chosen.correct, lang)]
    parts += [_part("key", option, True, lang) for option in item.options if option.correct and option is not chosen]
    return float(chosen.correct), tuple(parts)


def _ids(response: Any, shape: str) -> list[str]:
    if not isinstance(response, list | tuple):
        raise _invalid(shape)
    if len(set(map(str, response))) != len(response):
        raise _invalid("twice")
    return list(response)


def select_n(item: SelectN, response: Any, lang: str | None) -> Marks:
    """Grade `select_n` chosen options; another number of choices is invalid, not wrong."""
    chosen = _ids(response, "shape.select_n")
    _known(chosen, (option.id for option in item.options))
    if len(chosen) != item.select_n:
        raise _invalid("how_many", n=item.select_n, given=len(chosen))
    right = sum(option.correct == (option.id in chosen) for option in item.options)
    score = right / len(item.options)
    parts = [_part("chosen", option, option.correct, lang) for option in item.options if option.id in chosen]
    parts.sort(key=lambda part: bool(part.ok))
    parts += [
        _part("missed", option, False, lang).model_copy(update={"misconception": None})
        for option in item.options
        if option.correct and option.id not in chosen
    ]
    return (score if any(part.ok for part in parts) else 0.0), tuple(parts)


def order(item: Order, response: Any, lang: str | None) -> Marks:
    """Grade an order: 1 when it is valid, else (n - edit distance to the nearest valid order) / n."""
    given = _ids(response, "shape.order")
    steps = {step.id: step for step in item.options}
    _known(given, steps)
    before = item.before()
    lost = distance(given, before)
    score = max(0.0, (len(before) - lost) / len(before))
    parts: list[Part] = []
    seen: set[str] = set()
    for id in given:
        ok = id in before and before[id] <= seen
        seen.add(id)
        if not ok:
            parts.append(_part("chosen", steps[id], False, lang))
    parts += [_part("missed", steps[id], False, lang) for id in before if id not in seen]
    if parts:
        parts = [*parts[:1], *(part for part in parts[1:] if part.role == "missed"), *_whole_order(item, lang)]
    return score, tuple(parts)


def _whole_order(item: Order, lang: str | None) -> list[Part]:
    """Return the steps in one valid order, as parts of the key."""
    before = item.before()
    steps = sorted((step for step in item.options if step.correct), key=lambda step: len(before[step.id]))
    return [_part("key", step, True, lang) for step in steps]


def match(item: Match, response: Any, lang: str | None) -> Marks:
    """Grade row by row; a row left out is a missed one."""
    if not isinstance(response, dict):
        raise _invalid("shape.match")
    _known(response, (row.id for row in item.rows))
    targets = {target.id: in_language(target.text, lang) for target in item.targets}
    _known((target for target in response.values() if target), targets)
    label = say("quiz.grading.row")
    parts = []
    for row in item.rows:
        given = response.get(row.id)
        ok = given == row.answer
        parts.append(
            Part(
                role="chosen" if given else "missed",
                ref=row.id,
                ok=ok,
                label=label.format(row=in_language(row.text, lang), target=targets[row.answer]),
                text=in_language(row.why, lang),
                misconception=None if ok or not given else row.misconception,
            )
        )
    parts.sort(key=lambda part: bool(part.ok))
    return sum(bool(part.ok) for part in parts) / len(item.rows), tuple(parts)


def spot_block(item: SpotBlock, response: Any, lang: str | None) -> Marks:
    """Grade a place and a rule: half each."""
    if not isinstance(response, dict) or not set(response) <= {"place", "rule"}:
        raise _invalid("shape.spot_block")
    place, rule = response.get("place") or (), response.get("rule")
    if not _is_place(item, place):
        raise _invalid("place")
    if not isinstance(rule, str) or not rule:
        raise _invalid("rule")
    message, block = item.answer.places[0]
    found, named = tuple(place) in item.answer.places, rule == item.answer.rule
    parts = (
        Part(
            role="chosen",
            ref="place",
            ok=found,
            label=say("quiz.grading.place_label", message=message, block=block),
            text=say("quiz.grading.place_right" if found else "quiz.grading.place_wrong", message=message, block=block),
        ),
        Part(
            role="chosen",
            ref="rule",
            ok=named,
            label=rule_in_words(item.answer.rule, lang),
            text=say(
                "quiz.grading.rule_right" if named else "quiz.grading.rule_wrong",
                rule=rule_in_words(item.answer.rule, lang),
            ),
        ),
    )
    return (found + named) / 2, parts


def _is_place(item: SpotBlock, place: Any) -> bool:
    if not isinstance(place, list | tuple) or len(place) != 2 or not all(type(number) is int for number in place):
        return False
    message, block = place
    return 0 <= message < len(item.trace) and 0 <= block < block_count(item.trace[message])


def numeric(item: Numeric, response: Any, lang: str | None) -> Marks:
    """Grade a number: within the tolerance, or (estimates) by ratio; a known near miss is named."""
    value = _number(response)
    if item.estimate:
        score = _band(value, item.answer)
    else:
        score = float(abs(value - item.answer) <= item.tolerance + 1e-9 * abs(item.answer))
    parts = []
    for miss in item.near:
        if score < 1 and math.isclose(value, miss.value, rel_tol=1e-9):
            parts.append(
                Part(
                    role="chosen",
                    ok=False,
                    label=f"{value:g}",
                    text=in_language(miss.why, lang),
                    misconception=miss.misconception,
                )
            )
    if not parts:
        parts.append(Part(role="chosen", ok=score == 1, label=f"{value:g}"))
    unit = f" {in_language(item.unit, lang)}" if item.unit else ""
    parts.append(Part(role="key", ok=True, label=f"{item.answer:g}{unit}", text=in_language(item.why, lang)))
    return score, tuple(parts)


def _number(response: Any) -> float:
    value = response
    if isinstance(value, str) and len(value) <= LONGEST_NUMBER:
        try:
            value = float(value.strip().replace(",", "").replace("\u00a0", "").replace(" ", ""))
        except ValueError:
            raise _invalid("shape.numeric") from None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _invalid("shape.numeric")
    return float(value)


def _band(value: float, answer: float) -> float:
    if value <= 0 or answer <= 0:
        return float(value == answer)
    ratio = math.exp(abs(math.log(value / answer)))
    return next((score for limit, score in ESTIMATE_BANDS if ratio <= limit + 1e-9), 0.0)


def open_answer(item: Open, response: Any, lang: str | None) -> Marks:
    """Add up the rubric points that the writer claims; the answer itself is not judged."""
    if not isinstance(response, dict) or not set(response) <= {"text", "points"}:
        raise _invalid("shape.open")
    claimed = response.get("points")
    if not isinstance(claimed, list | tuple):
        raise _invalid("mark_yourself")
    _known(claimed, (point.id for point in item.rubric))
    total = sum(point.points for point in item.rubric)
    parts = [
        Part(role="check", ref=point.id, ok=point.id in claimed, label=in_language(point.text, lang))
        for point in item.rubric
    ]
    parts.append(Part(role="key", ok=True, text=in_language(item.model_answer, lang)))
    return sum(point.points for point in item.rubric if point.id in claimed) / total, tuple(parts)
