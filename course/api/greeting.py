"""What the headers of a request say: the rule they break, the API version, the betas."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from course.api.headers import betas, check_headers, version
from course.api.rules import Violation

__all__ = ["Greeting", "greeting"]

NAMES = ("x-api-key", "authorization", "anthropic-version", "anthropic-beta")


class Greeting(NamedTuple):
    """The headers of one request, read. `broken` is the first rule that they break."""

    broken: Violation | None
    version: str
    betas: frozenset[str]


def greeting(headers: Mapping[str, str]) -> Greeting:
    """Read `headers`; a client sends the same ones every time, so they are read once."""
    return _read(*map(headers.get, NAMES))


@lru_cache(256)
def _read(*values: str | None) -> Greeting:
    headers = {name: value for name, value in zip(NAMES, values, strict=True) if value is not None}
    return Greeting(check_headers(headers), version(headers), betas(headers))
