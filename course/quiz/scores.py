"""What a number of right answers is worth: intervals, the scaled band, the chance of passing, readiness.

A practice score is an estimate. Anthropic's curve from right answers to the scale of 100 to 1000 is unpublished; two
public guesses put the pass mark of 720 at 42 or 44 of 60 (facts/exam.toml, with date and source), so every scaled
figure is a band between the two. Formulas: Wilson's score interval; beta-binomial prediction from a flat prior.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import ceil, exp, lgamma, sqrt
from types import MappingProxyType

from course.facts import load, say

__all__ = [
    "ENOUGH_FOR_INTERVAL",
    "ENOUGH_FOR_SCALE",
    "Estimate",
    "Readiness",
    "Sitting",
    "Tally",
    "estimate",
    "facts_are_stale",
    "pass_chance",
    "readiness",
    "scaled",
    "tally",
    "wilson",
]

ENOUGH_FOR_INTERVAL = 8
"""Below this many answers a share says more about luck than about knowledge: counts only."""
ENOUGH_FOR_SCALE = 20
"""Below this many answers there is no scaled figure and no chance of passing."""
READY_FORMS = 2
READY_ITEMS = 30
READY_UNSEEN = 0.9
READY_LOWER = 0.70
READY_DOMAIN = 0.60


@dataclass(frozen=True)
class Tally:
    """How many of how many answers were right."""

    right: int = 0
    total: int = 0

    @property
    def share(self) -> float:
        """Right answers as a share, 0 where nothing was asked."""
        return self.right / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % Wilson interval of the share; None where there are too few answers to say."""
        return wilson(self.right, self.total) if self.total >= ENOUGH_FOR_INTERVAL else None

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.right + other.right, self.total + other.total)


def tally(marks: Iterable[bool]) -> Tally:
    """Count marks."""
    marks = list(marks)
    return Tally(sum(marks), len(marks))


def wilson(right: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's score interval of a share (z = 1.96: 95 %)."""
    if total == 0:
        return 0.0, 1.0
    share, z2 = right / total, z * z
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = z / (1 + z2 / total) * sqrt(share * (1 - share) / total + z2 / (4 * total * total))
    return max(0.0, middle - half), min(1.0, middle + half)


def scaled(share: float, pass_share: float) -> int:
    """Return a share of right answers on the exam's scale, in straight lines through the pass mark."""
    exam = load("exam")
    low, cut, high = exam["scale_min"], exam["pass_scaled"], exam["scale_max"]
    if share < pass_share:
        return round(low + (cut - low) * share / pass_share)
    return round(cut + (high - cut) * (share - pass_share) / (1 - pass_share))


def pass_chance(right: int, total: int, need: int, items: int) -> float:
    """Return the chance of at least `need` right answers of `items` new ones, after `right` of `total`.

    Beta-binomial with a flat prior: it knows only the count, not whether the new items are harder.
    """
    a, b = right + 1, total - right + 1

    def log_beta(x: float, y: float) -> float:
        return lgamma(x) + lgamma(y) - lgamma(x + y)

    def log_choose(k: int) -> float:
        return lgamma(items + 1) - lgamma(k + 1) - lgamma(items - k + 1)

    terms = (exp(log_choose(k) + log_beta(k + a, items - k + b) - log_beta(a, b)) for k in range(need, items + 1))
    return min(1.0, sum(terms))


@dataclass(frozen=True)
class Estimate:
    """What a tally says about the exam; each pair reaches from the stricter guess to the milder one.

    band: the scaled figure of exactly this share. span: of the share's 95 % interval. chance: of passing a whole
    exam of such questions. None where there are too few answers. needs: right answers of `total` that would pass.
    """

    tally: Tally
    needs: tuple[int, int]
    band: tuple[int, int] | None = None
    span: tuple[int, int] | None = None
    chance: tuple[float, float] | None = None


def estimate(result: Tally) -> Estimate:
    """Return the estimate for a tally; counts only where there are too few answers."""
    exam = load("exam")
    items, (mild, strict) = exam["items"], sorted(exam["pass_guesses"])
    needs = (ceil(strict / items * result.total - 1e-9), ceil(mild / items * result.total - 1e-9))
    if result.total < ENOUGH_FOR_SCALE:
        return Estimate(result, needs)
    low, high = wilson(result.right, result.total)
    return Estimate(
        result,
        needs,
        band=(scaled(result.share, strict / items), scaled(result.share, mild / items)),
        span=(scaled(low, strict / items), scaled(high, mild / items)),
        chance=(
            pass_chance(result.right, result.total, strict, items),
            pass_chance(result.right, result.total, mild, items),
        ),
    )


@dataclass(frozen=True)
class Sitting:
    """One finished form. unseen: share of its items never met before; domains: tally by domain number."""

    attempt: str
    form: str
    on: date
    tally: Tally
    unseen: float
    domains: Mapping[int, Tally] = field(default_factory=lambda: MappingProxyType({}))
    pauses: int = 0

    @property
    def counts(self) -> bool:
        """True when it may speak for readiness: long enough, and unseen."""
        return self.tally.total >= READY_ITEMS and self.unseen >= READY_UNSEEN


@dataclass(frozen=True)
class Readiness:
    """ready, and why (not): whole sentences. judged: False while too little was sat to say either."""

    ready: bool
    reasons: tuple[str, ...]
    judged: bool = True

    @property
    def words(self) -> str:
        """The verdict as one sentence."""
        return say(f"quiz.scores.ready.{('yes' if self.ready else 'no') if self.judged else 'unjudged'}")


def readiness(sittings: Sequence[Sitting]) -> Readiness:
    """Judge the last two unseen forms: their pooled interval must lie above 70 %, and no domain below 60 %."""
    unseen = [sitting for sitting in sittings if sitting.counts][-READY_FORMS:]
    if len(unseen) < READY_FORMS:
        text = say("quiz.scores.ready.forms", have=len(unseen), need=READY_FORMS, items=READY_ITEMS)
        return Readiness(False, (text,), judged=False)
    pooled = sum((sitting.tally for sitting in unseen), Tally())
    low, high = wilson(pooled.right, pooled.total)
    values = {"right": pooled.right, "total": pooled.total, "low": f"{low:.0%}", "high": f"{high:.0%}"}
    reasons = [say("quiz.scores.ready.pooled", **values)]
    ready = low >= READY_LOWER
    if not ready:
        reasons.append(say("quiz.scores.ready.low", bound=f"{READY_LOWER:.0%}"))
    domains: dict[int, Tally] = {}
    for sitting in unseen:
        for number, part in sitting.domains.items():
            domains[number] = domains.get(number, Tally()) + part
    for number, part in sorted(domains.items()):
        if part.interval and part.share < READY_DOMAIN:
            ready = False
            values = {"number": number, "right": part.right, "total": part.total, "bound": f"{READY_DOMAIN:.0%}"}
            reasons.append(say("quiz.scores.ready.domain", **values))
    missing = {row["number"] for row in load("exam")["domain"]} - set(domains)
    if missing:
        numbers = ", ".join(map(str, sorted(missing)))
        reasons.append(say("quiz.scores.ready.missing", numbers=numbers))
    return Readiness(ready, tuple(reasons))


def facts_are_stale(today: date) -> bool:
    """Return True when the exam facts are older than the days they claim to hold."""
    exam = load("exam")
    return (today - exam["checked_on"]).days > exam["stale_after_days"]
