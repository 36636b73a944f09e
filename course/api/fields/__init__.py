"""Field errors: the shape of a request, in the API's order and words (see `shape.py`)."""

from course.api.fields.request import faults

__all__ = ["faults"]
