"""The offline Messages API: one request in, one answer out, no I/O."""

import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

from course.api.envelope import error, headers, ok
from course.api.ids import Ids
from course.api.message import message
from course.api.stream import frames
from course.api.tokens import estimate
from course.api.wire import Request, Response, Stream
from course.mockmodel.model import MockModel, ModelRequest

__all__ = ["OfflineAPI"]


class OfflineAPI:
    """The Messages API with a mock model behind it."""

    def __init__(
        self, model: MockModel, *, clock: Callable[[], float] = time.time, ids: Ids | None = None, key: str = "any"
    ) -> None:
        self.model = model
        self._clock = clock
        self._ids = ids or Ids()
        self._key = key

    def respond(self, request: Request) -> Response | Stream:
        """Answer one request. Never raises: what goes wrong inside is an `api_error` answer."""
        request_id = self._ids.new("req")
        path = unquote(urlsplit(request.path).path)
        if path != "/v1/messages":
            return error(404, "not_found_error", "Not Found", request_id)
        body = json.loads(request.body)
        return self._message(body, request_id)

    def _message(self, body: dict[str, Any], request_id: str) -> Response | Stream:
        messages = tuple(
            {**turn, "content": [{"type": "text", "text": turn["content"]}]}
            if isinstance(turn["content"], str)
            else turn
            for turn in body["messages"]
        )
        tools = tuple(body.get("tools", ()))
        asked = ModelRequest(
            model=body["model"],
            messages=messages,
            tools=tools,
            tool_choice=body.get("tool_choice") or {"type": "auto" if tools else "none"},
            max_tokens=body["max_tokens"],
            body=body,
        )
        reply = self.model.reply(asked)
        blocks = [self._complete(dict(block)) for block in reply.blocks]
        called = any(block["type"] == "tool_use" for block in blocks)
        usage = {"input_tokens": estimate(body), "output_tokens": max(1, estimate(blocks))}
        document = message(
            self._ids.new("msg"),
            body["model"],
            blocks,
            stop_reason=reply.stop_reason or ("tool_use" if called else "end_turn"),
            stop_sequence=reply.stop_sequence,
            stop_details=reply.stop_details,
            usage=usage,
        )
        if body.get("stream"):
            chunks = ((0.0, chunk) for chunk in frames(document))
            return Stream(200, headers(request_id, "text/event-stream; charset=utf-8"), chunks)
        return ok(document, request_id)

    def _complete(self, block: dict[str, Any]) -> dict[str, Any]:
        if block["type"] == "tool_use":
            return {**block, "id": block.get("id") or self._ids.new("toolu"), "caller": {"type": "direct"}}
        return block
