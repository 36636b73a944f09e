"""Whether the `input_examples` of a tool fit its `input_schema`.

The schema and its patterns come from outside: they are searched in bounded time (`patterns.py`), and a schema that
can't be judged so says nothing of its examples.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from course.api.patterns import TooComplex, finder, is_plain

__all__ = ["failing"]


def failing(examples: list[Any], schema: dict[str, Any]) -> Iterator[int]:
    """Yield the place of each example that does not fit."""
    from jsonschema.exceptions import SchemaError
    from referencing.exceptions import Unresolvable

    kind = _validator()
    try:
        kind.check_schema(schema)
        if _has_risky_names(schema):
            return
        judge = kind(schema)
        yield from (number for number, example in enumerate(examples) if not judge.is_valid(example))
    except (SchemaError, Unresolvable, RecursionError, re.error):
        return


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import extend

    def pattern(_: Any, wanted: str, value: Any, __: Any) -> Iterator[Any]:
        if isinstance(value, str) and not _found(wanted, value):
            yield ValidationError(wanted)

    return extend(Draft202012Validator, {"pattern": pattern})


def _found(pattern: str, text: str) -> bool:
    try:
        return finder(pattern)(text)
    except TooComplex:
        return True


def _has_risky_names(schema: Any) -> bool:
    """Tell whether names of properties are matched by a pattern that could take for ever."""
    todo = [schema]
    while todo:
        node = todo.pop()
        if isinstance(node, Mapping):
            names = node.get("patternProperties")
            if isinstance(names, Mapping) and not all(map(is_plain, names)):
                return True
            todo += node.values()
        elif isinstance(node, list):
            todo += node
    return False
