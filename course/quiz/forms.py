"""Assemble a form from the bank: blueprint and seed in, a fixed list of items with their option orders out.

No two items of a form ask the same concept (`variant_of`) or are named as enemies (`not_with`). Items the learner
has not met come first. The places of the keys are spread evenly and never run more than three alike, so that
"always the second" gains nothing, and a form on which a blind robot beats chance is drawn again. What can't be
filled is said, part by part; nothing is reused in silence.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from course.facts import say
from course.quiz.bank import Bank
from course.quiz.blueprint import Blueprint, Share
from course.quiz.errors import FormError
from course.quiz.items import Item, Record
from course.quiz.public import choice_order
from course.quiz.robots import questions, run_robots

__all__ = ["Entry", "Form", "Gap", "assemble", "gaps"]

TRIALS = 60
LONGEST_RUN = 3


class Entry(Record):
    """One question of a form: the item and version, the option ids in the order shown, its scenario and part."""

    item: str
    version: int
    order: tuple[str, ...]
    scenario: int | None
    part: str


class Form(Record):
    """A form as it is sat, JSON by `model_dump`. unseen: how many of its items the learner had never met."""

    blueprint: str
    seed: str
    bank: str
    minutes: int
    pauses: int
    entries: tuple[Entry, ...]
    unseen: int


class Gap(Record):
    """What the bank lacks for a form: in a part, or of a kind, so many are needed and there are so many concepts.

    drafts: how many more there would be if draft items counted.
    """

    part: str
    kind: str
    need: int
    have: int
    drafts: int

    def __str__(self) -> str:
        name = "kind" if not self.part else "domain" if self.part.endswith(".*") else "part"
        where = say(f"quiz.exam.gap.{name}", part=self.part.removesuffix(".*"), kind=self.kind)
        text = say("quiz.exam.gap.line", where=where, need=self.need, have=self.have)
        return f"{text} {say('quiz.exam.gap.drafts', drafts=self.drafts)}" if self.drafts else text


def gaps(plan: Blueprint, bank: Bank, mix: str | None = None) -> tuple[Gap, ...]:
    """Return what the bank lacks to fill the blueprint once; empty when every part and kind has enough concepts."""
    found, counts = [], plan.counts()
    ready, hoped = _pools(plan, bank), _pools(plan, bank, drafts=True)
    for part, need in zip(plan.parts, counts, strict=True):
        have, with_drafts = _concepts(ready[part]), _concepts(hoped[part])
        if have < need:
            found.append(Gap(part=part.name, kind="", need=need, have=have, drafts=with_drafts - have))
    several = plan.select_n_count(mix)
    for kind, need in (("single", plan.items - several), ("select_n", several)):
        have, with_drafts = (
            sum(
                min(count, _concepts(_of_kind(items, kind)))
                for count, items in zip(counts, pools.values(), strict=True)
            )
            for pools in (ready, hoped)
        )
        if have < need:
            found.append(Gap(part="", kind=kind, need=need, have=have, drafts=with_drafts - have))
    return tuple(found)


def assemble(
    plan: Blueprint,
    bank: Bank,
    seed: str | int,
    *,
    seen: Mapping[str, datetime] | None = None,
    mix: str | None = None,
    fresh: bool = True,
) -> Form:
    """Return the form of this blueprint, bank and seed.

    seen: item → last met; with `fresh` items never met come first, then those met longest ago. Without it the form
    depends on blueprint, bank and seed alone, so that two people can sit the same one. mix: single to select-n.
    Raises FormError, with everything that is missing, when the bank can't fill it.
    """
    met = seen or {}
    if missing := gaps(plan, bank, mix):
        raise FormError(_unfilled(plan, missing))
    fooled: set[str] = set()
    for trial in range(TRIALS):
        draft = _Draft(plan, bank, met if fresh else {}, random.Random(f"{plan.id}:{seed}:{trial}"))
        if not draft.fill(plan.select_n_count(mix)):
            continue
        entries = tuple(draft.entries(f"{seed}:{trial}"))
        if winners := _guessable(entries, bank):
            fooled |= winners
            continue
        return Form(
            blueprint=plan.id,
            seed=str(seed),
            bank=bank.digest,
            minutes=plan.minutes,
            pauses=plan.pauses,
            entries=entries,
            unseen=sum(entry.item not in met for entry in entries),
        )
    reason = "guessable" if fooled else "enemies"
    raise FormError(say(f"quiz.exam.{reason}", form=plan.id, trials=TRIALS, robots=", ".join(sorted(fooled))))


def _guessable(entries: Sequence[Entry], bank: Bank) -> set[str]:
    """Return the blind robots that do better on the form than chance allows."""
    orders = {entry.item: entry.order for entry in entries}
    found = questions([bank.item(entry.item) for entry in entries], orders)
    return {row.robot for row in run_robots(found) if row.fails}


def _unfilled(plan: Blueprint, missing: Iterable[Gap]) -> str:
    lines = "\n".join(f"- {gap}" for gap in missing)
    return f"{say('quiz.exam.cannot_fill', form=plan.id)}\n{lines}"


class _Draft:
    """One try at a form: what was chosen so far, and what that rules out."""

    def __init__(self, plan: Blueprint, bank: Bank, met: Mapping[str, datetime], rng: random.Random) -> None:
        self.plan, self.met, self.rng = plan, met, rng
        self.scenarios = rng.sample(plan.scenarios, plan.drawn) if plan.drawn else []
        self.pools = _pools(plan, bank, scenarios=self.scenarios)
        self.enemies: dict[str, set[str]] = {}
        for item in (item for pool in self.pools.values() for item in pool):
            for other in item.not_with:
                self.enemies.setdefault(other, set()).add(item.id)
        self.chosen: list[tuple[Item, Share]] = []
        self.taken: set[str] = set()
        self.banned: set[str] = set()
        self.framed: dict[int | None, int] = {}

    def fill(self, several: int) -> bool:
        """Choose every item; False when this try got stuck."""
        quotas = self._quotas(several)
        if quotas is None:
            return False
        cells = []
        for part, count, quota in zip(self.plan.parts, self.plan.counts(), quotas, strict=True):
            for kind, need in (("select_n", quota), ("single", count - quota)):
                pool = _of_kind(self.pools[part], kind)
                cells.append((_concepts(pool) - need, self.rng.random(), part, need, pool))
        cells.sort(key=lambda cell: cell[:2])
        return all(self._choose(part, need, pool) for *_, part, need, pool in cells)

    def _quotas(self, several: int) -> list[int] | None:
        """Return how many select-n items each part gets: in proportion, as far as its items allow."""
        counts = self.plan.counts()
        pools = [self.pools[part] for part in self.plan.parts]
        low = [max(0, n - _concepts(_of_kind(pool, "single"))) for n, pool in zip(counts, pools, strict=True)]
        high = [min(n, _concepts(_of_kind(pool, "select_n"))) for n, pool in zip(counts, pools, strict=True)]
        quotas = list(low)
        while sum(quotas) < several:
            open_parts = [index for index in range(len(quotas)) if quotas[index] < high[index]]
            if not open_parts:
                return None
            wanted = {i: counts[i] * several / self.plan.items - quotas[i] + self.rng.random() / 2 for i in open_parts}
            quotas[max(wanted, key=wanted.__getitem__)] += 1
        return quotas if sum(quotas) == several else None

    def _choose(self, part: Share, need: int, pool: Sequence[Item]) -> bool:
        for _ in range(need):
            free = [item for item in pool if item.group not in self.taken and item.id not in self.banned]
            if not free:
                return False
            item = min(free, key=self._rank)
            self.chosen.append((item, part))
            self.taken.add(item.group)
            self.banned |= {item.id, *item.not_with}
            self.banned |= self.enemies.get(item.id, set())
            self.framed[item.scenario] = self.framed.get(item.scenario, 0) + 1
        return True

    def _rank(self, item: Item) -> tuple[float, int, float]:
        met = self.met.get(item.id)
        return met.timestamp() if met else 0.0, self.framed.get(item.scenario, 0), self.rng.random()

    def entries(self, seed: str) -> Iterator[Entry]:
        """Put what was chosen in order, scenario by scenario where the form is framed, and fix the option orders."""
        self.rng.shuffle(self.chosen)
        if self.scenarios:
            self.chosen.sort(key=lambda pair: self.scenarios.index(pair[0].scenario or 0))
        orders = _orders([item for item, _ in self.chosen], f"{self.plan.id}:{seed}", self.rng)
        for (item, part), order in zip(self.chosen, orders, strict=True):
            yield Entry(item=item.id, version=item.version, order=order, scenario=item.scenario, part=part.name)


def _pools(
    plan: Blueprint, bank: Bank, *, scenarios: Collection[int] | None = None, drafts: bool = False
) -> dict[Share, list[Item]]:
    """Return, for each part, the items that may come in."""
    frame = plan.scenarios if scenarios is None else scenarios
    pools: dict[Share, list[Item]] = {part: [] for part in plan.parts}
    home: dict[str, Share | None] = {}
    for item in bank:
        if item.kind not in ("single", "select_n") or (plan.drawn and item.scenario not in frame):
            continue
        if item.exam_task not in home:
            home[item.exam_task] = next((part for part in plan.parts if part.holds(item.exam_task)), None)
        part = home[item.exam_task]
        if part and (plan.admits(item) or (drafts and item.status == "draft")):
            pools[part].append(item)
    return pools


def _of_kind(items: Iterable[Item], kind: str) -> list[Item]:
    return [item for item in items if item.kind == kind]


def _concepts(items: Iterable[Item]) -> int:
    return len({item.group for item in items})


def _orders(items: Sequence[Item], seed: str, rng: random.Random) -> list[tuple[str, ...]]:
    """Draw the option order of every item, with the keys of single-answer items spread evenly over the places."""
    places = _places([len(item.options) for item in items if _movable(item)], rng)  # type: ignore[attr-defined]
    orders = []
    for item in items:
        order = choice_order(item, seed)
        keys = {option.id for option in item.options if option.correct}  # type: ignore[attr-defined]
        if _movable(item):
            rest = [id for id in order if id not in keys]
            place = next(places)
            order = (*rest[:place], *keys, *rest[place:])
        elif item.shuffle:
            again = 0
            while set(order[: len(keys)]) == keys:
                again += 1
                order = choice_order(item, f"{seed}:{again}")
        orders.append(order)
    return orders


def _movable(item: Item) -> bool:
    return item.kind == "single" and item.shuffle


def _places(sizes: Sequence[int], rng: random.Random) -> Iterator[int]:
    """Yield a place for each key: every place about as often as the others, and no long runs."""
    decks: dict[int, list[int]] = {}
    for size in set(sizes):
        need = sizes.count(size)
        first = rng.sample(range(size), size)
        decks[size] = [first[number % size] for number in range(need)]
    while True:
        for deck in decks.values():
            rng.shuffle(deck)
        draws = {size: iter(deck) for size, deck in decks.items()}
        places = [next(draws[size]) for size in sizes]
        if all(len(list(run)) <= LONGEST_RUN for _, run in groupby(places)):
            return iter(places)
