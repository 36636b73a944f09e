"""An answer that is JSON by a schema (`output_config.format`), filled from the wish and the results."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from course.mockmodel.fill import Context, fill
from course.mockmodel.offers import Offer, params_of, typed
from course.mockmodel.schema import conform, sample
from course.mockmodel.wish import part_of, read_wish
from course.mockmodel.words import data

__all__ = ["structured"]


def structured(schema: Mapping[str, Any], wish: str, context: Context, today: date) -> str:
    """Return JSON text that the schema accepts; what neither wish nor results tell is made up by the schema."""
    read = read_wish(wish.replace('"', " "), today)
    root = typed(schema, schema)
    if root.get("type") != "object":
        return json.dumps(sample(root, schema), ensure_ascii=False)
    params = params_of(root, schema)
    offer = Offer("answer", "", {"input_schema": schema}, {}, {}, (), (), params, frozenset(), False)
    filled = fill(offer, part_of(read, 0, len(read.text)), context)
    told: dict[str, Any] = {}
    for param in params:
        fact = context.facts.find(param)
        value = conform(fact.value, param.schema, schema) if fact is not None else filled.input.get(param.name)
        if value is None:
            value = filled.input.get(param.name)
        if value is None and param.required:
            value = sample(param.schema, schema, data()["guesses"].get(param.role))
        if value is not None:
            told[param.name] = value
    return json.dumps(told, ensure_ascii=False)
