"""JSON Schema as the course checks it: Draft 2020-12, without ever fetching a `$ref`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from course.facts import say

__all__ = ["Fault", "SchemaProblem", "faults", "schema_problem"]


class SchemaProblem(Exception):
    """The schema itself can't be used: it is no schema, or refers to something outside."""


@dataclass(frozen=True)
class Fault:
    """Why an input is refused: the keyword of the schema, where in the input, and the validator's words."""

    keyword: str
    path: str
    message: str


def schema_problem(schema: Any) -> str:
    """Return what is wrong with a schema, "" when nothing is."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    if not isinstance(schema, Mapping):
        return say("quiz.grading.schema.object")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        where = ".".join(map(str, error.absolute_path))
        return f"{where}: {error.message}" if where else error.message
    return ""


def faults(schema: Any, input: Any) -> list[Fault]:
    """Return why `schema` refuses `input`, [] when it accepts it. Raises SchemaProblem for an unusable schema."""
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    if problem := schema_problem(schema):
        raise SchemaProblem(problem)
    validator = Draft202012Validator(schema, registry=Registry(), format_checker=Draft202012Validator.FORMAT_CHECKER)
    try:
        errors = sorted(validator.iter_errors(input), key=lambda error: list(map(str, error.absolute_path)))
    except Unresolvable as error:
        raise SchemaProblem(say("quiz.grading.schema.ref", ref=error.ref)) from None
    return [Fault(str(error.validator), ".".join(map(str, error.absolute_path)), error.message) for error in errors]
