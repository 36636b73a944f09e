"""The ten kinds of items. Each class holds what its kind needs beyond `Item`, and refuses what can't be graded."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from course.quiz.items import Id, Item, Json, Option, Record, Text, unique_ids

__all__ = [
    "KINDS",
    "Case",
    "FadedCode",
    "Hole",
    "Match",
    "Mistake",
    "NearMiss",
    "Numeric",
    "Open",
    "Order",
    "Point",
    "RepairJson",
    "Row",
    "Sample",
    "SelectN",
    "Single",
    "SpotBlock",
    "Step",
    "Target",
    "WriteSchema",
]

HOLE = re.compile(r"<<([a-z0-9][a-z0-9_-]*)>>")


def _fault(code: str, message: str, /, **values: Any) -> PydanticCustomError:
    return PydanticCustomError(code, message, values)  # type: ignore[arg-type]


class Single(Item):
    """One right option. Response: the id of an option."""

    kind: Literal["single"]
    options: tuple[Option, ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _one_key(self) -> "Single":
        unique_ids(self.options, "options")
        if (keys := sum(option.correct for option in self.options)) != 1:
            raise _fault("one_key", "exactly one option must be `correct: true`, there are {keys}", keys=keys)
        return self


class SelectN(Item):
    """Exactly `select_n` right options. Response: a list of that many option ids, in any order."""

    kind: Literal["select_n"]
    select_n: int = Field(ge=2)
    options: tuple[Option, ...] = Field(min_length=4)

    @model_validator(mode="after")
    def _n_keys(self) -> "SelectN":
        unique_ids(self.options, "options")
        if (keys := sum(option.correct for option in self.options)) != self.select_n:
            raise _fault(
                "n_keys", "select_n is {n}, but {keys} options are `correct: true`", n=self.select_n, keys=keys
            )
        return self


class Step(Option):
    """One step to put in its place. `after` names steps that must come earlier; `correct: false` belongs nowhere."""

    correct: bool = True
    after: tuple[str, ...] = ()


class Order(Item):
    """Steps to put in order. Response: a list of step ids.

    Where no step has `after`, the order of the file is the only valid one; otherwise every order that keeps
    all `after` is. Steps with `correct: false` must be left out.
    """

    kind: Literal["order"]
    options: tuple[Step, ...] = Field(min_length=3, max_length=12)

    def before(self) -> Mapping[str, frozenset[str]]:
        """Return, for each step that belongs, the steps that must come directly or indirectly before it."""
        steps = [step for step in self.options if step.correct]
        if not any(step.after for step in steps):
            ids = [step.id for step in steps]
            return {id: frozenset(ids[:place]) for place, id in enumerate(ids)}
        direct = {step.id: set(step.after) for step in steps}
        closed: dict[str, frozenset[str]] = {}
        while ready := [id for id, needs in direct.items() if id not in closed and needs <= closed.keys()]:
            for id in ready:
                closed[id] = frozenset(direct[id]).union(*(closed[need] for need in direct[id]))
        return closed

    @model_validator(mode="after")
    def _sortable(self) -> "Order":
        unique_ids(self.options, "steps")
        belongs = {step.id for step in self.options if step.correct}
        for step in self.options:
            if unknown := set(step.after) - belongs:
                raise _fault(
                    "after",
                    "step `{id}` comes after {unknown}, which is no step that belongs",
                    id=step.id,
                    unknown=", ".join(sorted(unknown)),
                )
        if len(belongs) < 2:
            raise _fault("few_steps", "at least two steps must belong to the order")
        if stuck := belongs - self.before().keys():
            raise _fault("cycle", "the steps {ids} wait for each other", ids=", ".join(sorted(stuck)))
        return self


class Row(Record):
    """One thing to match: `answer` is the id of its target."""

    id: Id
    text: Text
    answer: str
    why: Text
    misconception: str | None = None
    claim: Json = None


class Target(Record):
    """Something a row may be matched with; a target may serve several rows, or none."""

    id: Id
    text: Text
    claim: Json = None


class Match(Item):
    """Rows to match with targets. Response: a mapping from row id to target id."""

    kind: Literal["match"]
    rows: tuple[Row, ...] = Field(min_length=2)
    targets: tuple[Target, ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _known_targets(self) -> "Match":
        unique_ids(self.rows, "rows")
        unique_ids(self.targets, "targets")
        known = {target.id for target in self.targets}
        for row in self.rows:
            if row.answer not in known:
                raise _fault(
                    "target", "row `{id}` has the answer `{answer}`, which is no target", id=row.id, answer=row.answer
                )
        return self


class Broken(Record):
    """Where a trace is broken (zero-based message and block; several where either counts), and by which rule."""

    places: tuple[tuple[int, int], ...] = Field(min_length=1)
    rule: str


class SpotBlock(Item):
    """Find the broken block of a conversation, and name the rule. Response: {"place": [message, block], "rule": id}.

    trace: a `messages` array that breaks exactly one rule of the API. rules: ids to choose from (default: the
    pairing rules). request: what else the request carried (tools, tool_choice), where it matters.
    """

    kind: Literal["spot_block"]
    trace: tuple[dict[str, Json], ...] = Field(min_length=2)
    answer: Broken
    rules: tuple[str, ...] = ()
    request: dict[str, Json] = Field(default={})

    @model_validator(mode="after")
    def _places_exist(self) -> "SpotBlock":
        for message, block in self.answer.places:
            if not 0 <= message < len(self.trace) or not 0 <= block < block_count(self.trace[message]):
                raise _fault(
                    "place",
                    "the trace has no message {message} with a block {block} (both count from 0)",
                    message=message,
                    block=block,
                )
        if self.rules and self.answer.rule not in self.rules:
            raise _fault("rule", "the answer `{rule}` is not among `rules`", rule=self.answer.rule)
        return self


def block_count(message: Mapping[str, Any]) -> int:
    """Return how many blocks a message has; a plain string is one."""
    content = message.get("content")
    return len(content) if isinstance(content, list) else 1


class Mistake(Record):
    """A wrong answer people give: which accept check refuses it first, and what to tell them."""

    response: Json
    fails: str
    why: Text
    misconception: str | None = None


Check = str | Annotated[dict[str, Json], Field(min_length=1, max_length=1)]
"""A check by name, or `name: argument`."""


class RepairJson(Item):
    """JSON to write or mend, graded by running it. Response: the JSON as text.

    given: what is known; `calls` is a list of tool_use blocks (without `type`) that wait for results, `messages`,
    `tools`, `tool_choice` … are parts of the request. write: what the answer is: the next message, a whole
    request, or a tool definition. accept: names of checks, in the order in which they are reported.
    start: text the editor begins with. solution: an answer that passes every check.
    """

    kind: Literal["repair_json"]
    given: dict[str, Json] = Field(default={})
    write: Literal["message", "request", "definition"] = "message"
    accept: tuple[Check, ...] = Field(min_length=1)
    start: str = ""
    solution: Json = None
    mistakes: tuple[Mistake, ...] = ()


class Sample(Record):
    """An input for a schema, and why it must pass or be refused."""

    input: Json
    why: Text


class WriteSchema(Item):
    """Write the input_schema of a described tool. Response: the JSON Schema as text.

    accepts and refuses: inputs the schema must let through or turn away. strict: the API's strict subset holds too.
    """

    kind: Literal["write_schema"]
    tool: dict[str, Json] = Field(default={})
    accepts: tuple[Sample, ...] = Field(min_length=1)
    refuses: tuple[Sample, ...] = Field(min_length=1)
    start: str = ""
    solution: Json = None
    mistakes: tuple[Mistake, ...] = ()


class Hole(Record):
    """One gap in the code: `solution` is code that fills it; `choices` are offered where the gap is not free text."""

    id: Id
    solution: str
    why: Text
    choices: tuple[str, ...] = ()


class Case(Record):
    """One run of the filled code against scripted replies.

    replies: what Claude answers, turn by turn: a list of content blocks, or {blocks, stop_reason}.
    results: tool name → what the tool returns; {"raises": "text"} makes it fail.
    expect: what must be observed: `returns`, `requests` (how many were sent), `executed` (tool names in order),
    `refused` (False: the API turned nothing away), `accept` (named checks on the last request).
    """

    name: Text
    question: str = "Please help."
    replies: tuple[Json, ...] = Field(min_length=1)
    results: dict[str, Json] = Field(default={})
    expect: dict[str, Json] = Field(min_length=1)
    why: Text


class FadedCode(Item):
    """A function with holes, written `<<id>>`, graded by what it does. Response: a mapping from hole id to code.

    The code defines `run(client, tools, call, question)`: `client.messages.create` is the offline API, `tools` the
    definitions, `call(name, input)` executes a tool. The function returns the final text.
    """

    kind: Literal["faded_code"]
    code: str
    holes: tuple[Hole, ...] = Field(min_length=1)
    tools: tuple[dict[str, Json], ...] = ()
    cases: tuple[Case, ...] = Field(min_length=1)
    mistakes: tuple[Mistake, ...] = ()

    @model_validator(mode="after")
    def _holes_are_marked(self) -> "FadedCode":
        unique_ids(self.holes, "holes")
        marked, named = set(HOLE.findall(self.code)), {hole.id for hole in self.holes}
        if marked != named:
            raise _fault(
                "holes",
                "the code marks the holes {marked}, `holes` names {named}",
                marked=", ".join(sorted(marked)) or "none",
                named=", ".join(sorted(named)),
            )
        return self

    def filled(self, fills: Mapping[str, str]) -> str:
        """Return the code with every hole replaced by its fill."""
        return HOLE.sub(lambda hole: fills.get(hole[1], hole[0]), self.code)


class NearMiss(Record):
    """A wrong number people give, and what it tells."""

    value: float
    why: Text
    misconception: str | None = None


class Numeric(Item):
    """A number. Response: a number, or a text that reads as one.

    tolerance: how far off still counts, in the unit of the answer. estimate: graded by ratio instead: within 10 %
    full, 25 % and 50 % partial credit.
    """

    kind: Literal["numeric"]
    answer: float
    tolerance: float = Field(default=0.0, ge=0)
    unit: Text | None = None
    estimate: bool = False
    near: tuple[NearMiss, ...] = ()
    why: Text


class Point(Record):
    """One point of a rubric."""

    id: Id
    text: Text
    points: int = Field(default=1, ge=1)


class Open(Item):
    """A free answer, marked by its writer against a rubric; never in a score.

    Response: {"text": the answer, "points": [ids of the rubric points it makes]}.
    """

    kind: Literal["open"]
    rubric: tuple[Point, ...] = Field(min_length=1)
    model_answer: Text

    @model_validator(mode="after")
    def _points(self) -> "Open":
        unique_ids(self.rubric, "rubric points")
        return self


KINDS: Mapping[str, type[Item]] = MappingProxyType(
    {
        "single": Single,
        "select_n": SelectN,
        "order": Order,
        "match": Match,
        "spot_block": SpotBlock,
        "repair_json": RepairJson,
        "write_schema": WriteSchema,
        "faded_code": FadedCode,
        "numeric": Numeric,
        "open": Open,
    }
)
