"""Make a sound copy of a broken body, where that needs no judgement.

Each rule that can be mended has one function in `fields`, `turns` or `frame`, and those of calls and results are mended
together in `pairing`; what has none needs a person and is left. Every action is told in words. Rules are asked again
after each round, because one mend may uncover another fault.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from course.traces.mend.fields import FIELDS
from course.traces.mend.frame import FRAME
from course.traces.mend.pairing import mend_pairing
from course.traces.mend.patient import Mending, Patient
from course.traces.mend.turns import TURNS
from course.traces.rules import broken_rules

if TYPE_CHECKING:
    from course.api.rules import Violation

__all__ = ["MENDED_RULES", "Mended", "mend"]

ROUNDS = 12
PAIRING = (
    "pairing.missing-result",
    "pairing.unexpected-result",
    "pairing.duplicate-result",
    "pairing.duplicate-id",
    "role.tool-result",
    "role.assistant-only",
    "role.thinking",
)
MENDS: dict[str, Mending] = {**FIELDS, **TURNS, **FRAME}
MENDED_RULES = frozenset((*MENDS, *PAIRING))
"""Rules that can be mended without a person, as far as the values at hand allow it."""


@dataclass(frozen=True)
class Mended:
    """The mended body, what was done in words, and the rules it still breaks."""

    body: dict[str, Any]
    actions: tuple[str, ...]
    left: "tuple[Violation, ...]"


def mend(body: Mapping[str, Any], *, version: str, betas: Sequence[str] = ()) -> Mended:
    """Return a copy of `body` with every fault mended that can be mended mechanically."""
    patient = Patient(copy.deepcopy(dict(body)))
    found = broken_rules(patient.body, version=version, betas=betas)
    for _ in range(ROUNDS):
        before = len(patient.actions)
        _treat(patient, found)
        if len(patient.actions) == before:
            break
        found = broken_rules(patient.body, version=version, betas=betas)
    return Mended(patient.body, tuple(patient.actions), tuple(found))


def _treat(patient: Patient, found: "Sequence[Violation]") -> None:
    """Mend what can be mended of the faults found, the pairing last."""
    for broken in found:
        if mending := MENDS.get(broken.rule):
            mending(patient, broken)
    patient.remove()
    messages = patient.body.get("messages")
    if isinstance(messages, list) and any(map(_concerns_pairing, found)):
        patient.body["messages"], done = mend_pairing(messages)
        patient.actions += done


def _concerns_pairing(broken: "Violation") -> bool:
    lost_id = broken.rule == "field.required" and broken.place[-1] in ("tool_use_id", "id")
    return broken.rule in PAIRING or lost_id
