"""How far a given order is from the nearest valid one."""

from collections.abc import Mapping, Sequence

__all__ = ["distance"]


def distance(given: Sequence[str], before: Mapping[str, frozenset[str]]) -> int:
    """Return how many steps must be moved, added or taken out to make `given` a valid order.

    before: step → the steps that must come earlier, transitively closed. Steps that `before` lacks belong nowhere.
    A set of steps can keep its given order exactly when no two of them contradict `before`, so the steps to move are
    the smallest set that touches every contradicting pair (a vertex cover; at most 12 steps, so branching is exact).
    """
    placed = [step for step in given if step in before]
    conflicts = [(a, b) for at, a in enumerate(placed) for b in placed[at + 1 :] if b in before[a]]
    strangers, missing = len(given) - len(placed), len(before) - len(placed)
    return strangers + missing + _cover(frozenset(conflicts), {})


def _cover(conflicts: frozenset[tuple[str, str]], known: dict[frozenset[tuple[str, str]], int]) -> int:
    if not conflicts:
        return 0
    if conflicts not in known:
        known[conflicts] = 1 + min(
            _cover(frozenset(pair for pair in conflicts if step not in pair), known) for step in min(conflicts)
        )
    return known[conflicts]
