"""A robot that reads the whole bank: naive Bayes over words and word pairs, trained on other items' keys."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from course.quiz.lint.words import tokens
from course.quiz.robots import Question

__all__ = ["cross_validated"]

FOLDS = 10


def cross_validated(found: Sequence[Question], *, seed: int = 1) -> list[frozenset[int]]:
    """Return its pick for every question, each made by a model that never saw that question or a variant of it."""
    import numpy as np

    groups = sorted({question.group for question in found})
    random.Random(seed).shuffle(groups)
    fold_of = {group: at % FOLDS for at, group in enumerate(groups)}
    vocabulary: dict[str, int] = {}
    bags = [[_bag(text, vocabulary) for text in question.options] for question in found]
    counts = np.zeros((FOLDS, 2, len(vocabulary)))
    for question, options in zip(found, bags, strict=True):
        for at, bag in enumerate(options):
            for word, times in bag.items():
                counts[fold_of[question.group], int(at in question.key), word] += times
    total = counts.sum(axis=0)
    weights = [_weights(total - counts[fold]) for fold in range(FOLDS)]
    return [
        _pick(question, options, weights[fold_of[question.group]])
        for question, options in zip(found, bags, strict=True)
    ]


def _bag(text: str, vocabulary: dict[str, int]) -> Counter[int]:
    found = tokens(text)
    features = [*found, *(" ".join(pair) for pair in pairwise(found))]
    return Counter(vocabulary.setdefault(feature, len(vocabulary)) for feature in features)


def _weights(counts):  # type: ignore[no-untyped-def]
    """Return log P(word | key) - log P(word | distractor), smoothed by one."""
    import numpy as np

    smooth = counts + 1.0
    share = np.log(smooth) - np.log(smooth.sum(axis=1, keepdims=True))
    return share[1] - share[0]


def _pick(question: Question, options: Sequence[Counter[int]], weights) -> frozenset[int]:  # type: ignore[no-untyped-def]
    def score(at: int) -> float:
        bag = options[at]
        return sum(weights[word] * times for word, times in bag.items()) / (sum(bag.values()) or 1)

    best = sorted(range(len(options)), key=score, reverse=True)
    return frozenset(best[: len(question.key)])
