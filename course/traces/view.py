"""What a view of a trace shows: steps and blocks as plain, frozen data. Every view (widget, HTML, text) reads these."""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = ["LABELS", "Block", "Label", "Lane", "Mark", "Offered", "Step", "Timing"]

Label = Literal["Offer", "Ask", "Execute", "Return", "Continue"]
Lane = Literal["app", "claude", "tool"]
Json = Any

LABELS: tuple[Label, ...] = ("Offer", "Ask", "Execute", "Return", "Continue")


@dataclass(frozen=True)
class Block:
    """One content block.

    role: who wrote it (user, assistant, system, tool).  kind: its `type`, "?" when it has none.
    words: what it says.  raw: its exact JSON.  place: where it stands, e.g. ("messages", 2, "content", 0) or
    ("response", "content", 0).  badge: the pair it belongs to; same id, same number, from 1 on.
    pairing: "call" and "result" belong together; "unanswered" is a call that no result answers, "orphan" a result
    that answers no call.  echo: sent back unchanged from Claude's last answer.  notice: what is odd about it.
    """

    role: str
    kind: str
    words: str
    raw: Json
    place: tuple[str | int, ...] = ()
    id: str | None = None
    badge: int | None = None
    pairing: Literal["", "call", "result", "unanswered", "orphan"] = ""
    is_error: bool = False
    echo: bool = False
    notice: str = ""


@dataclass(frozen=True)
class Mark:
    """Something to notice about a step. `broken` carries the API's own message of the rule, `rule` its id."""

    kind: Literal["error", "parallel", "broken", "notice"]
    text: str
    rule: str = ""
    place: tuple[str | int, ...] = ()


@dataclass(frozen=True)
class Offered:
    """One tool of the request, numbered from 1; `chosen` when Claude's answer calls it."""

    number: int
    name: str
    description: str = ""
    kind: str = "custom"
    deferred: bool = False
    chosen: bool = False


@dataclass(frozen=True)
class Timing:
    """When one call ran, in seconds from the start of the trace."""

    name: str
    badge: int | None
    started: float
    ended: float


@dataclass(frozen=True)
class Step:
    """One arrow between the lanes.

    label: the subgoal.  sender, receiver: the lanes.  raw: exact JSON of what travelled (request body, answer, or
    executions).  added: the messages that are new since the last request.  tools: what was offered.
    tokens: input tokens of a request, output tokens of an answer; `counted` when the API's `usage` said so, else an
    estimate.  recorded: False for what can only be concluded, such as the execution behind a pasted result.
    """

    index: int
    label: Label
    sender: Lane
    receiver: Lane
    title: str
    words: str
    raw: Json
    blocks: tuple[Block, ...] = ()
    added: tuple[Json, ...] = ()
    tools: tuple[Offered, ...] = ()
    tokens: int = 0
    counted: bool = False
    marks: tuple[Mark, ...] = ()
    timing: tuple[Timing, ...] = ()
    exchange: int = 0
    status: int | None = None
    started: float = 0.0
    ended: float = 0.0
    recorded: bool = field(default=True)

    def as_dict(self) -> dict[str, Json]:
        """Return the step as JSON data, for a view that lives elsewhere."""
        return asdict(self)
