"""Record a trace while it happens: from the harness, or from any code that uses the SDK."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from course.traces.plain import plain
from course.traces.trace import Answer, Exchange, Execution, Trace

__all__ = ["Recorder"]


class Recorder:
    """Collects exchanges and executions; `trace()` gives what happened so far. Times are seconds since it was made.

    The harness fills it by itself. For other code, `client = recorder.watch(client)` returns a client whose calls to
    the Messages API are recorded as they go over the wire (create, stream, the tool runner).
    """

    def __init__(self, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._origin = clock()
        self._exchanges: list[Exchange] = []
        self._executions: list[Execution] = []
        self._source: Any = "harness"

    def now(self) -> float:
        """Return the seconds since the recorder was made, to the microsecond."""
        return round(self._clock() - self._origin, 6)

    def sent(self, request: Mapping[str, Any]) -> int:
        """Note a request that goes out now; return its exchange number."""
        now = self.now()
        self._exchanges.append(Exchange(request=plain(request), started=now, ended=now))
        return len(self._exchanges) - 1

    def answered(self, exchange: int, status: int, body: Any) -> None:
        """Note the answer to exchange number `exchange`: a message, or an error envelope."""
        body = plain(body)
        answer = Answer(status=status, body=body if isinstance(body, dict) else {"body": body})
        self._exchanges[exchange] = self._exchanges[exchange].model_copy(
            update={"response": answer, "ended": self.now()}
        )

    def refused(self, exchange: int, error: Exception) -> None:
        """Note that the client raised; an API error (it has `status_code` and `body`) is the answer to the exchange."""
        status, body = getattr(error, "status_code", None), getattr(error, "body", None)
        if isinstance(status, int):
            self.answered(exchange, status, body)

    def executed(
        self,
        *,
        id: str,
        name: str,
        input: Any,
        content: Any,
        is_error: bool,
        ran: bool,
        started: float,
        ended: float,
    ) -> None:
        """Note one tool call that the app answered for the latest exchange; times as given by `now()`."""
        self._executions.append(
            Execution(
                exchange=max(0, len(self._exchanges) - 1),
                tool_use_id=id,
                name=name,
                input=plain(input) if isinstance(input, Mapping) else {},
                content=plain(content),
                is_error=is_error,
                ran=ran,
                started=started,
                ended=ended,
            )
        )

    def watch(self, client: Any) -> Any:
        """Return a copy of an `anthropic` client (or of its `messages` resource) whose calls are recorded here.

        Tool calls are run by code this recorder cannot see, so the trace takes their results from the next request.
        """
        from course.traces.wiretap import watched

        self._source = "sdk"
        return watched(client, self)

    def trace(self, **about: Any) -> Trace:
        """Return what happened so far; `about` sets id, title, objectives, notes…"""
        return Trace(
            **{"source": self._source, **about},
            exchanges=tuple(self._exchanges),
            executions=tuple(self._executions),
        )
