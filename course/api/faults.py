"""Faults on demand: errors of the service, slow answers and broken connections, by count or schedule.

A schedule is a text, one step per request: `529:2,ok,429` refuses two requests as overloaded, lets one pass, and
refuses the next for its rate; after that everything passes. `*` as a count means for ever. Some faults take
seconds: `slow=2.5`.

    429 tokens 500 504 529 401 402 403 408 409 credit spend domains oauth     an error instead of an answer
    grammar complex mcp mcp-auth download filtered fast                       the same, for what only the service knows
    slow=SECONDS   the first byte comes late          drip=SECONDS   so long between the events of a stream
    cut            the connection breaks half-way     truncate       the answer ends half-way, as if it were whole
    overloaded     an error event in mid-stream

The request header `x-course-fault: 529:2` does the same for one request: with a count, for its first attempts
(counted by the `x-stainless-retry-count` that the SDKs send).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, repeat
from threading import Lock

from course.api.envelope import error, error_document
from course.api.stream import frame
from course.api.wire import Request, Response, Stream, StreamCut
from course.facts.loader import load
from course.facts.models import default_model
from course.facts.text import say

__all__ = ["HEADER", "Fault", "FaultError", "Faults", "disturb", "from_header", "kinds", "refusal"]

HEADER = "x-course-fault"
RETRY_COUNT = "x-stainless-retry-count"
FOR_EVER = 2**62
RETRY_AFTER_MS = 20


class FaultError(ValueError):
    """A schedule names no known fault, or a count or time that is no number; the message lists what there is."""


@dataclass(frozen=True)
class Fault:
    """One fault. `act`: "answer" is an error instead of an answer; the others change how a sound answer arrives."""

    name: str
    act: str = "answer"
    status: int = 200
    type: str = ""
    message: str = ""
    seconds: float = 0.0
    error_code: str = ""


@cache
def kinds() -> Mapping[str, Fault]:
    """Return every known fault by name (course/facts/faults.toml)."""
    return {name: Fault(name, **row) for name, row in load("faults")["fault"].items()}


def _steps(schedule: str) -> Iterator[tuple[Fault | None, int]]:
    for step in filter(None, (part.strip() for part in schedule.split(","))):
        what, _, times = step.partition(":")
        name, _, seconds = what.partition("=")
        if name != "ok" and name not in kinds():
            raise FaultError(say("api.faults.unknown", name=name, known=", ".join(kinds())))
        try:
            count = FOR_EVER if times == "*" else int(times or 1)
            fault = None if name == "ok" else kinds()[name]
            yield replace(fault, seconds=float(seconds)) if fault and seconds else fault, count
        except ValueError:
            raise FaultError(say("api.faults.step", step=step)) from None


class Faults:
    """A schedule being played: each request takes the next step."""

    def __init__(self, schedule: str = "") -> None:
        self.schedule = schedule
        self._steps: Iterator[Fault | None] = chain.from_iterable(
            repeat(fault, count) for fault, count in list(_steps(schedule))
        )
        self._lock = Lock()

    def next(self) -> Fault | None:
        """Return the fault of the next request; None: it passes."""
        with self._lock:
            return next(self._steps, None)


def from_header(headers: Mapping[str, str]) -> Fault | None:
    """Return the fault that a request asks for in its own header. Raises FaultError."""
    if HEADER not in headers:
        return None
    attempt = headers.get(RETRY_COUNT, "0")
    number = int(attempt) if attempt.isdecimal() else 0
    timed = ":" in headers[HEADER] or "," in headers[HEADER]
    for fault, count in _steps(headers[HEADER]):
        if not timed or number < count:
            return fault
        number -= count
    return None


def disturb(fault: Fault, request: Request, answer: Response | Stream, request_id: str) -> Response | Stream:
    """Return what arrives instead of the sound `answer`."""
    if fault.act == "break" and isinstance(answer, Response):
        return refusal(fault, request, request_id)
    chunks = list(answer.chunks) if isinstance(answer, Stream) else [(0.0, half) for half in _halves(answer.body)]
    return Stream(answer.status, answer.headers, _disturbed(fault, chunks))


def refusal(fault: Fault, request: Request, request_id: str) -> Response:
    """Return the error that comes instead of an answer; it asks for a retry after 20 ms where the API asks for one."""
    extra = {}
    if fault.status == 429:
        extra = {"retry-after": "1", "retry-after-ms": str(RETRY_AFTER_MS)}
    elif fault.status >= 500 or fault.status in (408, 409):
        extra = {"retry-after-ms": str(RETRY_AFTER_MS)}
    message = fault.message.replace("{model}", _model(request)) if "{model}" in fault.message else fault.message
    details = {"error_code": fault.error_code} if fault.error_code else None
    return error(fault.status, fault.type, message, request_id, details=details, extra=extra)


def _model(request: Request) -> str:
    try:
        return str(json.loads(request.body)["model"])
    except (ValueError, TypeError, LookupError, RecursionError):
        return default_model()


def _halves(body: bytes) -> tuple[bytes, bytes]:
    middle = len(body) // 2
    return body[:middle], body[middle:]


def _disturbed(fault: Fault, chunks: list[tuple[float, bytes]]) -> Iterator[tuple[float, bytes]]:
    half = chunks[: len(chunks) // 2]
    if fault.act == "slow":
        return chain([(fault.seconds, chunks[0][1])], chunks[1:])
    if fault.act == "drip":
        return ((fault.seconds, chunk) for _, chunk in chunks)
    if fault.act == "cut":
        return _cut_off(iter(half))
    if fault.act == "break":
        return chain(half, [(0.0, frame(error_document(fault.type, fault.message)))])
    return iter(half)


def _cut_off(chunks: Iterator[tuple[float, bytes]]) -> Iterator[tuple[float, bytes]]:
    yield from chunks
    raise StreamCut("peer closed connection without sending complete message body (incomplete chunked read)")
