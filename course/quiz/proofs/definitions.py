"""Proofs about tool definitions: what a function becomes, how many inputs a schema takes, what definitions cost."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.facts import model
from course.quiz.offline import outcome
from course.quiz.proofs.registry import Sheet, agrees, proof
from course.quiz.schema import faults

__all__ = ["definition_says", "fewest_made_required", "inputs_taken", "lab_ranks_styles", "overhead_adds_up"]


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


@proof("fewest_made_required")
def fewest_made_required(sheet: Sheet, *, tools: int, optional: int) -> int:
    """numeric: of `tools` strict tools with `optional` optional parameters each, how many parameters have to become
    required, at the least, before the API takes the request."""
    free = tools * optional
    for made in range(free + 1):
        left = free - made
        shares = [left // tools + (at < left % tools) for at in range(tools)]
        if outcome({"tools": [_strict(at, optional, share) for at, share in enumerate(shares)]})["status"] == 200:
            return made
    return -1


def _strict(number: int, parameters: int, optional: int) -> dict[str, Any]:
    names = [f"p{at}" for at in range(parameters)]
    return {
        "name": f"tool_{number}",
        "description": "One of several.",
        "strict": True,
        "input_schema": {
            "type": "object",
            "properties": {name: {"type": "string"} for name in names},
            "required": names[optional:],
            "additionalProperties": False,
        },
    }


@proof("overhead_adds_up")
def overhead_adds_up(sheet: Sheet, *, model_id: str, requests: Mapping[str, int], definitions: int) -> int:
    """numeric: tokens that tools bring, from the published overhead of a model: `requests` counts them by
    tool_choice ("" for requests without tools, which cost nothing), `definitions` is what the tools weigh."""
    row = model(model_id)
    return sum(n * (row.overhead[choice] + definitions) for choice, n in requests.items() if choice)


@proof("lab_ranks_styles")
def lab_ranks_styles(sheet: Sheet, *, tools: int, retriever: str = "words") -> Any:
    """Claims are lists of description styles (good, alike, word), best first, as the lesson's retriever ranks them."""
    from course.labs import overload

    right = {style: overload.curve(retriever, style, (tools,)).points[0].accuracy for style in ("good", "alike", "word")}
    ranked = sorted(right, key=lambda style: -right[style])
    return sheet.pick(lambda claim: claim == ranked, right)
