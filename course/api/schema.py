"""JSON Schema as the API takes it: what every `input_schema` must be."""

from typing import Any

from course.api.shape import Faults, fault

__all__ = ["faults"]


def faults(value: dict[str, Any]) -> Faults:
    """Return the faults of an `input_schema` whose type is "object"."""
    if any(word in value for word in ("oneOf", "allOf", "anyOf")):
        return fault("schema.root-union")
    return None
