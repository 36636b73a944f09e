"""A trace: one JSON document of what went over the wire and what was executed.

Recorded from the harness, recorded from the SDK, or made from a pasted `messages` array.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Answer", "Exchange", "Execution", "Question", "Trace"]

Json = Any


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Answer(_Part):
    """The API's answer: HTTP status and body (a message, or an error envelope)."""

    status: int
    body: dict[str, Json]


class Exchange(_Part):
    """One request body and its answer (None while unknown, as in a pasted history). Times in seconds from the start."""

    request: dict[str, Json]
    response: Answer | None = None
    started: float = 0.0
    ended: float = 0.0


class Execution(_Part):
    """One tool call that the app answered, after exchange number `exchange` (zero-based) asked for it.

    ran: False when the app refused the call: no such tool, a wrong input, a gate.
    """

    exchange: int
    tool_use_id: str
    name: str
    input: dict[str, Json] = {}
    content: Json = None
    is_error: bool = False
    ran: bool = True
    started: float = 0.0
    ended: float = 0.0


class Question(_Part):
    """A prediction asked before step `step` (zero-based) is shown."""

    step: int
    id: str
    ask: str
    options: tuple[str, ...]
    answer: int
    why: str


class Trace(_Part):
    """The whole document. `source` tells where it came from; hand-broken ones say so on purpose.

    breaks: ids of the rules that its last request breaks on purpose, the one that the API reports first.
    """

    format: Literal["trace/1"] = "trace/1"
    id: str = "trace"
    title: str = ""
    objectives: tuple[str, ...] = ()
    notes: str = ""
    source: Literal["harness", "sdk", "messages", "hand-broken"] = "messages"
    exchanges: tuple[Exchange, ...] = ()
    executions: tuple[Execution, ...] = ()
    questions: tuple[Question, ...] = Field(default=())
    breaks: tuple[str, ...] = ()
