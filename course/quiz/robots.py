"""Blind robots: readers who know nothing of the subject. Each must stay near chance on a sound bank.

A robot sees the options of single and select_n items, in the order of the file (or of a form), and picks by one
surface feature; equal options are told apart by a hash of their texts. Chance is 1/4 for four options, 1/10 for two of
five; a robot fails a set at the smallest number of hits that chance reaches with a probability of at most 1 % (for 60
items with four options that is 24). The bound needs 20 items; below, it is shown and not enforced.
"""

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from course.quiz.items import Item
from course.quiz.kinds import SelectN, Single
from course.quiz.lint.words import ABSOLUTES, HEDGES, count, english, sentences, tokens, words

__all__ = ["BAND", "LEAST", "ROBOTS", "Question", "Row", "chance_bound", "questions", "run_robots", "shares"]

LEAST = 20
BAND = (0.15, 0.35)
RISK = 0.01


@dataclass(frozen=True)
class Question:
    """What a robot gets: texts only. `key` (places of the right options) is for the referee."""

    id: str
    group: str
    stem: str
    options: tuple[str, ...]
    key: frozenset[int]

    @property
    def chance(self) -> float:
        """The probability that blind picking hits the whole key."""
        return 1 / math.comb(len(self.options), len(self.key))


@dataclass(frozen=True)
class Row:
    """One robot on one set of items. fails: at or above the bound, where the set is large enough to judge."""

    robot: str
    hits: int
    items: int
    expected: float
    bound: int
    fails: bool


def questions(items: Iterable[Item], orders: Mapping[str, Sequence[str]] | None = None) -> list[Question]:
    """Return what robots see of the closed items; `orders` gives the option order of an assembled form."""
    found = []
    for item in items:
        if not isinstance(item, Single | SelectN) or item.status == "retired":
            continue
        options = list(item.options)
        if orders and item.id in orders:
            place = {id: at for at, id in enumerate(orders[item.id])}
            options.sort(key=lambda option: place.get(option.id, len(place)))
        key = frozenset(at for at, option in enumerate(options) if option.correct)
        texts = tuple(english(option.text) for option in options)
        found.append(Question(item.id, item.group, english(item.stem), texts, key))
    return found


Score = Callable[[Question, int], float]
CODE_TICKS, DIGITS = re.compile("`"), re.compile(r"\d")


def _shared_with_others(question: Question, at: int) -> float:
    mine = words(question.options[at])
    others = [words(text) for place, text in enumerate(question.options) if place != at]
    return sum(len(mine & other) / (len(mine | other) or 1) for other in others)


def _repeated_sentences(question: Question, at: int) -> float:
    def pieces(text: str) -> set[str]:
        found = tokens(text)
        return {" ".join(found[start : start + 4]) for start in range(len(found) - 3)} | set(sentences(text))

    mine = pieces(question.options[at])
    return sum(len(mine & pieces(text)) for place, text in enumerate(question.options) if place != at)


def _second_longest(question: Question, at: int) -> float:
    lengths = sorted((len(text) for text in question.options), reverse=True)
    return -abs(len(question.options[at]) - lengths[min(1, len(lengths) - 1)])


def _position(wanted: int) -> Score:
    return lambda question, at: -((at - wanted) % len(question.options))


ROBOTS: Mapping[str, Score] = MappingProxyType(
    {
        "longest": lambda question, at: len(question.options[at]),
        "shortest": lambda question, at: -len(question.options[at]),
        "second_longest": _second_longest,
        "first": _position(0),
        "second": _position(1),
        "third": _position(2),
        "fourth": _position(3),
        "stem_words": lambda question, at: len(words(question.options[at]) & words(question.stem)),
        "fewest_stem_words": lambda question, at: -len(words(question.options[at]) & words(question.stem)),
        "most_alike": _shared_with_others,
        "least_alike": lambda question, at: -_shared_with_others(question, at),
        "no_absolutes": lambda question, at: -count(ABSOLUTES, question.options[at]),
        "most_absolutes": lambda question, at: count(ABSOLUTES, question.options[at]),
        "most_hedged": lambda question, at: count(HEDGES, question.options[at]),
        "most_code": lambda question, at: len(CODE_TICKS.findall(question.options[at])),
        "least_code": lambda question, at: -len(CODE_TICKS.findall(question.options[at])),
        "most_digits": lambda question, at: len(DIGITS.findall(question.options[at])),
        "repeated_sentence": _repeated_sentences,
    }
)


def _pick(question: Question, score: Score) -> frozenset[int]:
    def rank(at: int) -> tuple[float, str]:
        return score(question, at), hashlib.md5(question.options[at].encode(), usedforsecurity=False).hexdigest()

    best = sorted(range(len(question.options)), key=rank, reverse=True)
    return frozenset(best[: len(question.key)])


@lru_cache(maxsize=2_000)
def _bound(chances: tuple[tuple[float, int], ...]) -> int:
    import numpy as np

    spread = np.ones(1)
    for chance, times in chances:
        for _ in range(times):
            spread = np.convolve(spread, (1 - chance, chance))
    tail = np.cumsum(spread[::-1])[::-1]
    return int(np.argmax(tail <= RISK)) if (tail <= RISK).any() else len(spread)


def chance_bound(found: Sequence[Question]) -> int:
    """Return the smallest number of hits that blind chance reaches with a probability of at most 1 %."""
    chances: dict[float, int] = {}
    for question in found:
        chances[question.chance] = chances.get(question.chance, 0) + 1
    return _bound(tuple(sorted(chances.items())))


def run_robots(found: Sequence[Question], picks: Mapping[str, Sequence[frozenset[int]]] | None = None) -> list[Row]:
    """Let every robot answer every question. picks: the answers of robots that look at more than one item."""
    bound, expected = chance_bound(found), sum(question.chance for question in found)
    made = {name: [_pick(question, score) for question in found] for name, score in ROBOTS.items()}
    rows = []
    for name, answers in {**made, **(picks or {})}.items():
        hits = sum(answer == question.key for answer, question in zip(answers, found, strict=True))
        rows.append(Row(name, hits, len(found), expected, bound, hits >= bound and len(found) >= LEAST))
    return rows


def shares(found: Sequence[Question]) -> dict[str, float]:
    """Return how often the key is the longest, and the shortest, option of the four-option single items."""
    singles = [question for question in found if len(question.key) == 1]
    if not singles:
        return {}
    return {
        name: sum(_pick(question, ROBOTS[name]) == question.key for question in singles) / len(singles)
        for name in ("longest", "shortest")
    }
