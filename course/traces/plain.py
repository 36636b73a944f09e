"""From the SDK's objects to the JSON that went over the wire."""

from collections.abc import Mapping
from typing import Any

__all__ = ["plain"]

PARSED_ONLY = ("parsed_output",)


def plain(value: Any) -> Any:
    """Return `value` as dicts, lists and scalars; SDK and pydantic objects give the fields the API sent, no more."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if callable(dump := getattr(value, "model_dump", None)):
        fields = dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
        return plain({key: item for key, item in fields.items() if key not in PARSED_ONLY})
    return value
