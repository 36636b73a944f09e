"""What each export format can't carry, item by item: nothing is dropped or changed in silence."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from course.facts import say
from course.quiz.items import Item
from course.quiz.kinds import FadedCode, Numeric, Open, Order, RepairJson, SpotBlock, WriteSchema

__all__ = ["FORMATS", "Loss", "loss_report", "losses"]

FORMATS = ("anki", "moodle", "gift", "qti21", "qti30", "csv", "pdf")
RUN = (RepairJson, WriteSchema, FadedCode)


@dataclass(frozen=True)
class Loss:
    """One thing that a format changes about an item; `reason` is a key of the strings `quiz.export.loss`."""

    item: str
    kind: str
    reason: str


def losses(item: Item, format: str) -> Iterator[Loss]:
    """Yield what `format` changes about `item`."""
    for reason in _reasons(item, format):
        yield Loss(item.id, item.kind, reason)


def _reasons(item: Item, format: str) -> Iterator[str]:
    if format in ("anki", "csv", "pdf"):
        if isinstance(item, RUN):
            yield "not_run"
        elif format == "csv":
            yield "read_only"
        if item.hints:
            yield "hints"
        return
    if isinstance(item, RUN):
        yield "essay"
    if isinstance(item, Open):
        yield "teacher"
    if isinstance(item, SpotBlock):
        yield "rule_only"
    if isinstance(item, Order):
        yield from _order(item, format)
    if isinstance(item, Numeric) and item.estimate:
        yield "estimate"
    if item.hints and format != "moodle":
        yield "hints"


def _order(item: Order, format: str) -> Iterator[str]:
    if format == "gift":
        yield "as_match"
    if any(step.after for step in item.options):
        yield "one_order"
    if not all(step.correct for step in item.options):
        yield "no_strangers"


def loss_report(found: Iterable[Loss]) -> list[str]:
    """Return one line for each kind and reason, with the number of items."""
    counts = Counter((loss.kind, loss.reason) for loss in found)
    return [
        say("quiz.export.loss_line", kind=say(f"quiz.kinds.name.{kind}"), n=n, what=say(f"quiz.export.loss.{reason}"))
        for (kind, reason), n in sorted(counts.items())
    ]
