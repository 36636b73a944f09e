"""Rules that look at several items at once: references, near duplicates, one item that answers another."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations

from course.quiz.bank import Bank
from course.quiz.items import Item
from course.quiz.lint.finding import Hit
from course.quiz.lint.words import english, tokens, words

__all__ = ["bank_rules"]

SAME_ENOUGH = 0.8
COMMON = 16
HINGE_WORDS = 8


def bank_rules(bank: Bank) -> Iterator[tuple[Item, Hit]]:
    """Yield (item, broken rule) for everything that only shows beside the other items."""
    items = [item for item in bank if item.status != "retired"]
    for item in items:
        for field, names in (("variant_of", (item.variant_of,)), ("not_with", item.not_with)):
            for name in filter(None, names):
                if name not in bank.items:
                    yield item, ("E06d", (field,), {"name": name})
        if item.variant_of == item.id or item.id in item.not_with:
            yield item, ("E06e", ("variant_of" if item.variant_of == item.id else "not_with",), {})
    yield from _near_duplicates(items)
    yield from _hinges(items)


def _near_duplicates(items: list[Item]) -> Iterator[tuple[Item, Hit]]:
    """Compare stems and options by three-word shingles; only items that share a rare shingle are compared."""
    shingles = [_shingles(item) for item in items]
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, found in enumerate(shingles):
        for shingle in found:
            holders[shingle].append(place)
    pairs: Counter[tuple[int, int]] = Counter()
    for places in holders.values():
        if 1 < len(places) <= COMMON:
            pairs.update(combinations(places, 2))
    for (first, second), rare in sorted(pairs.items()):
        one, other = shingles[first], shingles[second]
        if 2 * rare < min(len(one), len(other)):
            continue
        share = len(one & other) / len(one | other)
        if share > SAME_ENOUGH:
            yield items[second], ("W17", ("stem",), {"other": items[first].id, "share": round(100 * share)})


def _shingles(item: Item) -> frozenset[tuple[str, ...]]:
    text = " ".join([english(item.stem), *(english(option.text) for option in getattr(item, "options", ()))])
    found = tokens(text)
    return frozenset(zip(found, found[1:], found[2:], strict=False))


def _hinges(items: list[Item]) -> Iterator[tuple[Item, Hit]]:
    """Find stems that contain (nearly) all words of another item's key: sitting one answers the other."""
    stems = [words(english(item.stem)) for item in items]
    holders: dict[str, set[int]] = defaultdict(set)
    for place, stem in enumerate(stems):
        for word in stem:
            holders[word].add(place)
    for place, item in enumerate(items):
        for option in getattr(item, "options", ()):
            key = words(english(option.text))
            if item.kind == "order" or not option.correct or len(key) < HINGE_WORDS:
                continue
            rarest = sorted(key, key=lambda word: len(holders.get(word, ())))
            for other in holders.get(rarest[0], set()) & holders.get(rarest[1], set()):
                if (
                    other != place
                    and items[other].id not in item.not_with
                    and len(key & stems[other]) >= 0.9 * len(key)
                ):
                    yield item, ("W23", ("options",), {"other": items[other].id})
