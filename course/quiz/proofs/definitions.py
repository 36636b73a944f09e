"""Proofs about tool definitions: what a function becomes, how many inputs a schema takes, what definitions cost."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from course.facts import model
from course.quiz.proofs.registry import Sheet, agrees, proof
from course.quiz.schema import faults

if TYPE_CHECKING:
    from course.labs.catalogue import Style

__all__ = ["definition_says", "inputs_taken", "lab_ranks", "overhead_adds_up"]


@proof("definition_says")
def definition_says(sheet: Sheet, *, source: str) -> Any:
    """`source` is one function; claims are about the definition it becomes: a part of its JSON.

    Beside the definition's own fields: description (a text claims that the words are in it) and undescribed (names).
    """
    from course.harness import tool

    names: dict[str, Any] = {}
    exec(source, names)
    function = next(thing for name, thing in names.items() if callable(thing) and not name.startswith("_"))
    made = tool(function).definition()
    properties = made["input_schema"].get("properties", {})
    observed = {
        **made,
        "text": made["description"],
        "undescribed": [name for name, part in properties.items() if not part.get("description")],
    }
    return sheet.pick(lambda claim: agrees(claim, observed), observed)


@proof("inputs_taken")
def inputs_taken(sheet: Sheet, *, schema: Mapping[str, Any], inputs: Sequence[Any]) -> int:
    """numeric: how many of the inputs the schema lets through."""
    return sum(not faults(schema, input) for input in inputs)


@proof("overhead_adds_up")
def overhead_adds_up(sheet: Sheet, *, model_id: str, requests: Mapping[str, int], definitions: int) -> int:
    """numeric: tokens that tools bring, from the published overhead of a model: `requests` counts them by
    tool_choice ("" for requests without tools, which cost nothing), `definitions` is what the tools weigh."""
    row = model(model_id)
    return sum(n * (row.overhead[choice] + definitions) for choice, n in requests.items() if choice)


@proof("lab_ranks")
def lab_ranks(sheet: Sheet, *, setups: Mapping[str, Mapping[str, Any]], retriever: str = "words") -> Any:
    """Claims are lists of set-ups, most right choices first, as the retriever of lesson 08 ranks them.

    setups: name → {tools: 60, style: good, alike or word}, or {scoped: true} for the tools of the right service.
    """
    from course.labs import overload

    def share(style: "Style" = "good", tools: int = 120, scoped: bool = False) -> float:
        point = overload.scoped(retriever) if scoped else overload.curve(retriever, style, (tools,)).points[0]
        return point.accuracy

    shares = {name: share(**setup) for name, setup in setups.items()}
    ranked = sorted(shares, key=lambda name: -shares[name])
    return sheet.pick(lambda claim: claim == ranked, shares)
