"""Proofs that look a dated fact up."""

from typing import Any

from course.facts import load, model, say
from course.facts.models import default_model, forced_model
from course.quiz.proofs.registry import ProofFailure, Sheet, agrees, proof

__all__ = ["fact_is", "model_accepts"]


@proof("fact_is")
def fact_is(sheet: Sheet, *, fact: str) -> Any:
    """`fact` is a path into a fact file, such as "exam.pass_scaled"; claims are values. numeric: the value itself."""
    name, *path = fact.split(".")
    value: Any = load(name)
    for step in path:
        try:
            value = value[int(step) if isinstance(value, list) else step]
        except (KeyError, IndexError, ValueError):
            raise ProofFailure(say("quiz.lint.proof.no_fact", file=name, path=".".join(path))) from None
    return value if sheet.kind == "numeric" else sheet.pick(lambda claim: agrees(claim, value), value)


@proof("model_accepts")
def model_accepts(sheet: Sheet, *, model_id: str = "default") -> Any:
    """Claims are about the fields of one model's row (`forced`, `prefill`, `thinking`, …)."""
    row = model({"default": default_model(), "forced": forced_model()}.get(model_id, model_id))
    observed = {name: list(value) if isinstance(value, tuple) else value for name, value in vars(row).items()}
    return sheet.pick(lambda claim: agrees(claim, observed), observed)
