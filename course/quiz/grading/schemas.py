"""Grade a written JSON Schema by the inputs it lets through and turns away."""

from typing import Any

from course.facts import say
from course.quiz.grading.grade import Marks, Part
from course.quiz.grading.process import run_apart
from course.quiz.grading.strict_json import read_json
from course.quiz.grading.written import remark
from course.quiz.items import in_language
from course.quiz.kinds import WriteSchema
from course.quiz.offline import broken_rules, full_request
from course.quiz.schema import SchemaProblem, faults, schema_problem

__all__ = ["mark", "verdicts"]


def mark(item: WriteSchema, response: Any, lang: str | None) -> Marks:
    """Score (share of accepted inputs let through) × (share of refused inputs turned away).

    0 where it is no schema, or the API would not take it as an input_schema. Nothing is fetched for a `$ref`.
    """
    schema = read_json(response)
    problem = schema_problem(schema) or _api_problem(item, schema)
    if problem:
        return 0.0, (
            *remark(item, response, lang),
            Part(role="check", ref="api_accepts", ok=False, label=say("quiz.grading.check.api_accepts"), text=problem),
        )
    accepts, refuses = ([sample.input for sample in samples] for samples in (item.accepts, item.refuses))
    found = _verdicts(schema, [*accepts, *refuses])
    if isinstance(found, str):
        return 0.0, (Part(role="check", ref="usable", ok=False, label=say("quiz.grading.check.usable"), text=found),)
    parts = []
    for place, (sample, refusal) in enumerate(zip([*item.accepts, *item.refuses], found, strict=True)):
        group = "accepts" if place < len(accepts) else "refuses"
        ok = (not refusal) == (group == "accepts")
        parts.append(
            Part(
                role="check",
                ref=group,
                ok=ok,
                label=say(f"quiz.grading.schema.{group}", input=sample.input),
                text=" ".join(filter(None, (in_language(sample.why, lang), "" if ok else refusal))),
            )
        )
    shares = [
        sum(bool(part.ok) for part in parts if part.ref == group) / len(samples)
        for group, samples in (("accepts", accepts), ("refuses", refuses))
    ]
    return shares[0] * shares[1], (*remark(item, response, lang), *sorted(parts, key=lambda part: bool(part.ok)))


def _api_problem(item: WriteSchema, schema: Any) -> str:
    tool = {"name": "tool", **item.tool, "input_schema": schema}
    broken = broken_rules(full_request({"tools": [tool]}))
    return say("quiz.grading.accept.api_accepts", message=broken[0].message) if broken else ""


def verdicts(schema: Any, inputs: list[Any]) -> list[str]:
    """Return, for each input, why the schema refuses it; "" when it accepts it."""
    return ["; ".join(fault.message for fault in faults(schema, input)[:2]) for input in inputs]


def _verdicts(schema: Any, inputs: list[Any]) -> list[str] | str:
    """Validate here, or in a process with a time limit where a pattern might run for ever."""
    try:
        if "pattern" not in str(schema):
            return verdicts(schema, inputs)
        done = run_apart("course.quiz.grading.schemas:verdicts", schema, inputs, seconds=2)
        return done.value if done.ok else done.problem
    except SchemaProblem as problem:
        return str(problem)
