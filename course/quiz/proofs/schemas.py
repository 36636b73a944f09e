"""Proofs that ask a JSON Schema validator (Draft 2020-12, nothing is fetched)."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.quiz.proofs.registry import Sheet, agrees, proof
from course.quiz.schema import faults

__all__ = ["schema_fits", "schema_says"]


@proof("schema_says")
def schema_says(sheet: Sheet, *, schema: Mapping[str, Any], input: Any) -> Any:
    """One schema, one input; claims are about {valid, keywords (that refuse it), paths (where)}."""
    found = faults(schema, input)
    observed = {
        "valid": not found,
        "keywords": sorted({fault.keyword for fault in found}),
        "paths": sorted({fault.path for fault in found}),
    }
    return sheet.pick(lambda claim: agrees(claim, observed), observed)


@proof("schema_fits")
def schema_fits(sheet: Sheet, *, accepts: Sequence[Any] = (), refuses: Sequence[Any] = ()) -> Any:
    """Each option's claim is a schema; the right one lets every accepted input through and turns the others away."""
    return sheet.pick(
        lambda schema: (
            not any(faults(schema, input) for input in accepts) and all(faults(schema, input) for input in refuses)
        )
    )
