"""Rules about items that are graded by running: their checks and proofs exist, a solution is given."""

from collections.abc import Iterator

from course.quiz.grading.accept import ACCEPT, named
from course.quiz.items import Item
from course.quiz.kinds import FadedCode, Numeric, RepairJson, WriteSchema
from course.quiz.lint.finding import Hit
from course.quiz.proofs import proofs

__all__ = ["runnable_rules"]


def runnable_rules(item: Item) -> Iterator[Hit]:
    """Yield names that no check or proof has, and what a runnable item still lacks."""
    if item.proof and item.proof.name not in proofs():
        yield "E18", ("proof",), {"name": item.proof.name, "known": ", ".join(sorted(proofs()))}
    if isinstance(item, RepairJson):
        for place, entry in enumerate(item.accept):
            if (name := named(entry)[0]) not in ACCEPT:
                yield "E19", ("accept", place), {"name": name, "known": ", ".join(sorted(ACCEPT))}
    if isinstance(item, RepairJson | WriteSchema) and item.solution is None:
        yield "E20", ("solution",), {}
    if isinstance(item, RepairJson | WriteSchema | FadedCode) and not item.mistakes:
        yield "W25", ("mistakes",), {}
    if isinstance(item, Numeric) and not item.near:
        yield "W26", ("near",), {}
