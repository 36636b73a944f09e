"""Message threads: conversations held for a client, so that a turn sends only what is new (beta of 2026-08-12).

`{"type": "create"}` keeps the conversation under the id of the answer; `{"type": "continue", "previous_message_id":
…}` goes on from there, once, with the system prompt and the tools it was created with. Names and meanings of the
errors are those of SDK 2.15 (2026-11); their wording is ours, but for that about markers (a report of 2026-09-30).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from course.api.memory import Memory

__all__ = ["BETA", "ThreadProblem", "Threads"]

BETA = "message-threads-2026-08-12"
UNSUPPORTED = ("cache_control", "context_management", "fallbacks", "thinking")
KEPT = ("system", "tools")
MOST_MARKED = 3

Body = dict[str, Any]


@dataclass(frozen=True)
class ThreadProblem(Exception):
    """A request that cannot be threaded: `code` is the `error_code` a client branches on."""

    code: str
    message: str
    status: int = 400
    unsupported: tuple[str, ...] = ()

    @property
    def type(self) -> str:
        """The error type that goes with the status."""
        return "not_found_error" if self.status == 404 else "invalid_request_error"

    @property
    def details(self) -> dict[str, Any]:
        """What stands under `error.details`."""
        return {"error_code": self.code, **({"unsupported": list(self.unsupported)} if self.unsupported else {})}


def _listed(value: Any) -> list[Any]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _marked(body: Body) -> int:
    """Return how many blocks and tools of `body` have `cache_control`."""
    inside = [block for message in _listed(body.get("messages")) for block in _listed(message.get("content"))]
    blocks = [*_listed(body.get("tools")), *_listed(body.get("system")), *inside]
    return sum(block.get("cache_control") is not None for block in blocks)


@dataclass
class _Thread:
    messages: list[Mapping[str, Any]]
    fields: Mapping[str, Any]
    continued: bool = False


class Threads:
    """The conversations held, the last `limit` of them."""

    def __init__(self, limit: int = 1000) -> None:
        self._threads: Memory[str, _Thread] = Memory(limit)

    def whole(self, body: Body) -> Body:
        """Return `body` with the history, system and tools of the thread it continues. Raises ThreadProblem."""
        thread = body.get("thread")
        if not isinstance(thread, dict):
            return body
        if unsupported := tuple(name for name in UNSUPPORTED if body.get(name) is not None):
            fields = ", ".join(f"`{name}`" for name in unsupported)
            raise ThreadProblem(
                "thread_unsupported_request",
                f"thread: not supported together with {fields}. Send the full conversation without `thread`.",
                unsupported=unsupported,
            )
        if (marked := _marked(body)) > MOST_MARKED:
            raise ThreadProblem(
                "thread_unsupported_request",
                f"thread: a maximum of {MOST_MARKED} blocks with cache_control may be provided when thread is set -- "
                "the fourth marker slot is reserved for the marker the server places on the conversation's last "
                f"cache-eligible block. Found {marked}.",
                unsupported=("cache_control",),
            )
        if thread.get("type") != "continue" or not isinstance(body.get("messages"), list):
            return body
        return self._continued(body, str(thread.get("previous_message_id")))

    def _continued(self, body: Body, previous: str) -> Body:
        held = self._threads.get(previous)
        if held is None:
            raise ThreadProblem(
                "thread_not_found",
                f"thread.previous_message_id: no Thread state was found for {previous}. Replay the full conversation "
                'with `thread: {"type": "create"}`.',
                status=404,
            )
        if held.continued:
            raise ThreadProblem(
                "thread_already_continued",
                f"thread.previous_message_id: {previous} has already been continued. Continue from the most recent "
                "response of the Thread.",
            )
        if changed := [name for name in KEPT if name in body and body[name] != held.fields.get(name)]:
            fields = ", ".join(f"`{name}`" for name in changed)
            raise ThreadProblem(
                "thread_fingerprint_mismatch",
                f"thread: {fields} must stay the same across the turns of a Thread. Leave it out, or replay the full "
                'conversation with `thread: {"type": "create"}`.',
            )
        return {**body, **held.fields, "messages": [*held.messages, *body["messages"]]}

    def keep(self, body: Body, message: Mapping[str, Any]) -> None:
        """Hold the conversation `body` (whole) with its answer, under the id of the answer."""
        thread = body.get("thread")
        if not isinstance(thread, dict) or message["stop_reason"] == "refusal":
            return
        if thread["type"] == "continue" and (held := self._threads.get(thread["previous_message_id"])):
            held.continued = True
        turn = {"role": "assistant", "content": message["content"]}
        fields = {name: body[name] for name in KEPT if name in body}
        self._threads.put(message["id"], _Thread([*body["messages"], turn], fields))
