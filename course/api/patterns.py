"""Regular expressions from outside, searched in bounded time.

Python's engine backtracks: a pattern of 20 characters can keep it busy for years. It takes the patterns that can't do
that; the others go to an engine that is linear in the text (that of pydantic-core), which knows no lookaround and no
backreferences. Nothing here waits or starts a process.
"""

import re
import warnings
from collections.abc import Callable

from pydantic_core import SchemaError, SchemaValidator, core_schema

__all__ = ["TooComplex", "finder", "is_plain"]

# What can neither repeat nor branch: an escaped character, a class, the opening of a group.
PLAIN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?[:=!<a-zA-Z]*", re.DOTALL)
CHOICE = re.compile(r"[*+?|]|\{\d*,?\d*\}")
GROUP_AGAIN = re.compile(r"\)[*+{]")


class TooComplex(Exception):
    """A pattern that only a backtracking engine knows, with more than one place where it could go back."""


def is_plain(pattern: str) -> bool:
    """Tell whether `pattern` has at most one place where a backtracking engine could go back, and no repeated group."""
    bare = PLAIN.sub(".", pattern)
    return len(CHOICE.findall(bare)) <= 1 and not GROUP_AGAIN.search(bare)


def finder(pattern: str, *, any_case: bool = False) -> Callable[[str], bool]:
    """Return a function that tells whether `pattern` is found in a text.

    Raises re.error for what is no pattern of Python's, and TooComplex.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = re.compile(pattern, re.IGNORECASE if any_case else 0)
    if is_plain(pattern):
        return lambda text: compiled.search(text) is not None
    try:
        known = core_schema.str_schema(pattern=f"(?i){pattern}" if any_case else pattern, regex_engine="rust-regex")
        return SchemaValidator(known).isinstance_python
    except SchemaError:
        raise TooComplex(pattern) from None
