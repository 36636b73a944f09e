"""The table of proofs by name, and what a proof gets to see of an item."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from course.facts import say
from course.quiz.items import Item, in_language

__all__ = ["Choice", "ProofFailure", "Sheet", "agrees", "proof", "proofs", "sheet"]

Proof = Callable[..., Any]
TABLE: dict[str, Proof] = {}
SUBSTRING_FIELDS = frozenset({"message", "text"})


class ProofFailure(Exception):
    """A proof could not come to an answer; the message says what was observed."""


@dataclass(frozen=True)
class Choice:
    """An option, step, row or target without its key. `claim` is what its text says, as data."""

    id: str
    text: str
    claim: Any


@dataclass(frozen=True)
class Sheet:
    """An item as a proof sees it: no `correct`, no reasons, no answer.

    choices: options, steps or targets; rows: the rows of a match.
    """

    id: str
    kind: str
    stem: str
    choices: tuple[Choice, ...] = ()
    rows: tuple[Choice, ...] = ()

    def pick(self, holds: Callable[[Any], bool], observed: Any = None) -> Any:
        """Return the response made of the choices whose claim holds: an id for single, ids for select_n.

        observed: what was seen, for the message of a failure.

        Raises ProofFailure when a choice has no claim, or when none or (for single) several hold.
        """
        if silent := [choice.id for choice in self.choices if choice.claim is None]:
            raise ProofFailure(say("quiz.lint.proof.no_claim", ids=", ".join(silent)))
        right = [choice.id for choice in self.choices if holds(choice.claim)]
        if self.kind == "single":
            if len(right) != 1:
                raise ProofFailure(
                    say("quiz.lint.proof.not_one", n=len(right), ids=", ".join(right) or "–", observed=observed)
                )
            return right[0]
        return right


def sheet(item: Item) -> Sheet:
    """Return what a proof may see of `item`."""

    def blind(things: Any) -> tuple[Choice, ...]:
        return tuple(Choice(thing.id, in_language(thing.text, "en"), thing.claim) for thing in things)

    choices = getattr(item, "options", ()) or getattr(item, "targets", ())
    return Sheet(item.id, item.kind, in_language(item.stem, "en"), blind(choices), blind(getattr(item, "rows", ())))


def proof(name: str) -> Callable[[Proof], Proof]:
    """Register the function below as the proof `name`."""

    def register(function: Proof) -> Proof:
        if name in TABLE:
            raise ProofFailure(say("quiz.lint.proof.twice", name=name))
        TABLE[name] = function
        return function

    return register


@cache
def proofs() -> Mapping[str, Proof]:
    """Return every proof by name; the modules of this package are imported on the first call."""
    from course.quiz import proofs as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return MappingProxyType(TABLE)


def agrees(claim: Any, outcome: Any, field: str = "") -> bool:
    """Tell whether an outcome is as claimed.

    A mapping claims only the fields it names. A list claims exactly its members. A text under `message` or `text`
    claims that the words occur; anything else must be equal.
    """
    if isinstance(claim, Mapping) and isinstance(outcome, Mapping):
        return all(name in outcome and agrees(value, outcome[name], name) for name, value in claim.items())
    if isinstance(claim, list) and isinstance(outcome, list | tuple):
        return len(claim) == len(outcome) and all(map(agrees, claim, outcome))
    if isinstance(claim, str) and isinstance(outcome, str) and field in SUBSTRING_FIELDS:
        return claim in outcome
    return type(claim) is type(outcome) and bool(claim == outcome)
