"""From the SDK's objects to the JSON that went over the wire."""

from collections.abc import Mapping
from typing import Any

from course.facts import say
from course.traces.encoding import Unreadable
from course.traces.reader import DEPTH

__all__ = ["plain"]

PARSED_ONLY = ("parsed_output",)


def plain(value: Any, depth: int = 0) -> Any:
    """Return `value` as dicts, lists and scalars; SDK and pydantic objects give the fields the API sent, no more.

    Raises Unreadable for what is nested as no conversation is, or holds itself.
    """
    if depth > DEPTH:
        raise Unreadable(say("traces.unreadable.deep", depth=DEPTH))
    if isinstance(value, Mapping):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value]
    if callable(dump := getattr(value, "model_dump", None)):
        fields = dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
        return plain({key: item for key, item in fields.items() if key not in PARSED_ONLY}, depth)
    return value
