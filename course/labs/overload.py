"""Measure how often a retriever picks the right tool, against the number of tools offered.

A stand-in for tool choice, not Claude. Scores do not depend on what else is offered, so accuracy must fall as tools
are added: the fall itself proves nothing about Claude. What can be learned is how descriptions, look-alike siblings,
scoping and search change it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import TYPE_CHECKING

from course.api.tokens import weigh_tools
from course.labs.catalogue import LabTool, Style, Wish, services, tools, wishes
from course.labs.chart import Chart, lines
from course.labs.retrievers import RETRIEVERS

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "SIZES",
    "Curve",
    "Point",
    "by_services",
    "curve",
    "hierarchy",
    "picture",
    "scoped",
    "scores",
    "search_first",
]

SIZES = (5, 10, 20, 30, 40, 60, 80, 100, 120)
RESAMPLES = 1000


@dataclass(frozen=True)
class Point:
    """One measurement. n: tools offered; accuracy 0…1 with its 95 % interval over wishes; tokens: an estimate."""

    n: int
    accuracy: float
    low: float
    high: float
    tokens: int


@dataclass(frozen=True)
class Curve:
    """Measurements under one label, e.g. "meaning, good descriptions"."""

    label: str
    points: tuple[Point, ...]


def document(tool: LabTool, style: Style, description: str | None = None) -> str:
    """Return what a retriever reads of a tool: name, description, and in the good style its parameters."""
    text = description if description is not None else tool.descriptions[style]
    params = " ".join(f"{name} {about}" for name, about in tool.params.items()) if style == "good" else ""
    return f"{tool.name} {text} {params}".strip()


def scores(
    retriever: str, style: Style = "good", asked: Sequence[Wish] | None = None, mended: Mapping[str, str] | None = None
) -> "np.ndarray":
    """Return the matrix of scores, shape (wishes, tools). mended: own descriptions by tool name."""
    asked = wishes(held=True) if asked is None else asked
    texts = [document(tool, style, (mended or {}).get(tool.name)) for tool in tools()]
    return RETRIEVERS[retriever]([wish.text for wish in asked], texts)


def _right(asked: Sequence[Wish]) -> "np.ndarray":
    import numpy as np

    column = {tool.name: index for index, tool in enumerate(tools())}
    return np.array([column[wish.tool] for wish in asked])


def _rivals(matrix: "np.ndarray", right: "np.ndarray", allowed: "np.ndarray | None" = None) -> list[tuple[int, int]]:
    """Return for each wish how many allowed tools score above the right one, and how many tie with it."""
    import numpy as np

    rows = np.arange(len(right))
    own = matrix[rows, right][:, None]
    offered = np.ones(matrix.shape, dtype=bool) if allowed is None else allowed.copy()
    offered[rows, right] = False
    above, tied = ((matrix > own) & offered).sum(axis=1), ((matrix == own) & offered).sum(axis=1)
    return list(zip(above.tolist(), tied.tolist(), strict=True))


@cache
def _first(above: int, tied: int, total: int, n: int) -> float:
    """Return the chance that the right tool is chosen among n: the others are drawn at random from total - 1.

    No tool above may be drawn; among j tied ones that are, the choice is even.
    """
    others, drawn = total - 1 - above - tied, n - 1
    ways = sum(comb(tied, j) * comb(others, drawn - j) / (j + 1) for j in range(min(tied, drawn) + 1))
    return ways / comb(total - 1, drawn)


def _among(above: int, tied: int, top: int) -> float:
    """Return the chance that the right tool is among the best `top` when ties are put in random order."""
    return min(1.0, max(0.0, (top - above) / (tied + 1)))


def _point(n: int, chances: Sequence[float], tokens: float, seed: int) -> Point:
    import numpy as np

    hits = np.array(chances)
    rng = np.random.default_rng(seed)
    means = hits[rng.integers(0, len(hits), (RESAMPLES, len(hits)))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return Point(n, round(float(hits.mean()), 4), round(float(low), 4), round(float(high), 4), round(tokens))


def _mean_tokens(style: Style, chosen: Sequence[LabTool] | None = None) -> float:
    counts = [weigh_tools([tool.definition(style)]) for tool in (tools() if chosen is None else chosen)]
    return sum(counts) / len(counts)


def curve(
    retriever: str,
    style: Style = "good",
    sizes: Sequence[int] = SIZES,
    *,
    mended: Mapping[str, str] | None = None,
    asked: Sequence[Wish] | None = None,
    label: str | None = None,
    seed: int = 1,
) -> Curve:
    """Return accuracy and definition tokens for each number of tools, the right one always among them.

    The other tools are a random draw; the mean over all draws is computed exactly, the interval by resampling wishes.
    """
    asked = wishes(held=True) if asked is None else asked
    rivals = _rivals(scores(retriever, style, asked, mended), _right(asked))
    each = _mean_tokens(style)
    points = [_point(n, [_first(*pair, len(tools()), n) for pair in rivals], n * each, seed) for n in sizes]
    return Curve(label or f"{retriever}, {style}", tuple(points))


def by_services(retriever: str, style: Style = "good", *, seed: int = 1) -> Curve:
    """Return accuracy as whole services are added, the wish's own first: the first point is scoping to one service."""
    import numpy as np

    asked = wishes(held=True)
    matrix, right = scores(retriever, style), _right(asked)
    home = np.array([services().index(tool.service) for tool in tools()])
    own = home[right]
    points = []
    for count in range(1, len(services()) + 1):
        # The wish's own service, then the next ones around the circle: every service is a neighbour equally often.
        allowed = ((home[None, :] - own[:, None]) % len(services())) < count
        hits = [_among(*pair, 1) for pair in _rivals(matrix, right, allowed)]
        size = 10 * count
        points.append(_point(size, hits, size * _mean_tokens(style), seed))
    return Curve(f"{retriever}, {style}, service by service", tuple(points))


def scoped(retriever: str, style: Style = "good", *, seed: int = 1) -> Point:
    """Return the point for subagents: each sees the ten tools of its own service (the hand-over is taken as right)."""
    return by_services(retriever, style, seed=seed).points[0]


def hierarchy(retriever: str, style: Style = "good", *, seed: int = 1) -> Point:
    """Return the point for choosing a service first (by all its tools' texts), then a tool within it."""
    import numpy as np

    asked = wishes(held=True)
    groups = [" ".join(document(t, style) for t in tools() if t.service == name) for name in services()]
    chosen = np.argmax(RETRIEVERS[retriever]([wish.text for wish in asked], groups), axis=1)
    home = np.array([services().index(tool.service) for tool in tools()])
    right = _right(asked)
    same = home[None, :] == home[right][:, None]
    inside = [_among(*pair, 1) for pair in _rivals(scores(retriever, style), right, same)]
    reached = (chosen == home[right]).tolist()
    return _point(
        10, [chance * hit for chance, hit in zip(inside, reached, strict=True)], 10 * _mean_tokens(style), seed
    )


def search_first(retriever: str, style: Style = "good", found: int = 5, *, seed: int = 1) -> Point:
    """Return how often the right tool is among the `found` that a search over all 120 brings in."""
    rivals = _rivals(scores(retriever, style), _right(wishes(held=True)))
    return _point(found, [_among(*pair, found) for pair in rivals], found * _mean_tokens(style), seed)


def picture(title: str, *curves: Curve) -> Chart:
    """Draw curves of the same sizes with their bands, and the same numbers as a table."""
    sizes = [point.n for point in curves[0].points]
    shares = {curve.label: [point.accuracy for point in curve.points] for curve in curves}
    bands = {
        curve.label: ([point.low for point in curve.points], [point.high for point in curve.points]) for curve in curves
    }
    ends = "; ".join(f"{label}: {values[0]:.2f} falling to {values[-1]:.2f}" for label, values in shares.items())
    words = {"x_label": "tools", "y_label": "right choices", "alt": f"Lines. {ends}."}
    return lines(title, sizes, shares, bands=bands, **words)
