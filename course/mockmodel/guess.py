"""What the stand-in makes up where the wish does not tell a value, visibly."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from course.mockmodel.freetext import rest_of
from course.mockmodel.offers import Offer, Param, typed
from course.mockmodel.plan import Step
from course.mockmodel.schema import sample
from course.mockmodel.words import data

__all__ = ["guess", "whole", "with_guesses"]

SPOKEN = frozenset(["content", "text", "query", "title"])  # roles of free text
EXAMPLE = re.compile(
    r"\b(?:e\.g\.|for example|such as|like"
    r"|example:)\s*[,:]?\s*[\"'`“]?(?P<it>[^\"'`”;()\n]{1,60}?)[\"'`”]?(?=[;()\n]|\.\s|\.$| or |$)",
    re.IGNORECASE,
)


def whole(step: Step) -> Step:
    """A call that repeats one of the history may lack what the schema requires: put it in."""
    lacking = tuple(param for param in step.offer.required if param.name not in step.input)
    return with_guesses(replace(step, filled=replace(step.filled, missing=lacking))) if lacking else step


def with_guesses(step: Step) -> Step:
    given = dict(step.input)
    sources = dict(step.filled.sources)
    for param in step.filled.missing:
        told = rest_of(step.part, (), step.offer.stems) if param.role in SPOKEN and not param.many else None
        given[param.name] = guess(param, step.offer, told)
        sources[param.name] = {"from": "guess", "text": ""}
    filled = replace(step.filled, sources=sources, missing=())
    return replace(step, state="call", input=given, filled=filled)


def guess(param: Param, offer: Offer, told: str | None = None) -> Any:
    """Make up a value: from the tool's own examples, its description's example, or the plainest for its role.

    told: words of the wish that may be meant, for a free text.
    """
    root = offer.definition["input_schema"]
    for example in offer.definition.get("input_examples") or ():
        if isinstance(example, Mapping) and param.name in example:
            return example[param.name]
    example = EXAMPLE.search(param.text)
    guesses = data()["guesses"]
    known = next((guesses[word] for word in param.name.lower().split("_") if word in guesses), guesses.get(param.role))
    hint = told or (example["it"].strip() if example is not None else known)
    made = sample(typed(param.schema, root), root, hint)
    items = param.schema.get("items")
    return [sample(typed(items, root), root, hint)] if made == [] and isinstance(items, Mapping) else made
