"""Fakes and short forms for the tests of the API: stand-ins, requests and answers without a client."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from course.api import OfflineAPI, Request, Response, Stream
from course.mockmodel.model import ModelRequest, Reply

HEADERS = {"x-api-key": "k", "anthropic-version": "2023-06-01", "content-type": "application/json"}
WEATHER = {
    "name": "get_weather",
    "description": "Get the current weather in a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
HAIKU = "claude-haiku-4-5"
OPUS = "claude-opus-5-5"


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(name: str = "get_weather", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": arguments}


class Says:
    """A stand-in that writes the same blocks to every request, or what a function of the request gives."""

    name = "Says"

    def __init__(
        self, *blocks: dict[str, Any], write: Callable[[ModelRequest], Reply] | None = None, **rest: Any
    ) -> None:
        self._write = write or (lambda request: Reply(tuple(blocks), **rest))
        self.asked: list[ModelRequest] = []

    def reply(self, request: ModelRequest) -> Reply:
        self.asked.append(request)
        return self._write(request)


def body(*messages: Any, **fields: Any) -> dict[str, Any]:
    """Return a request body; a message that is a text is a user turn."""
    turns = [{"role": "user", "content": turn} if isinstance(turn, str) else turn for turn in messages or ("hello",)]
    return {"model": HAIKU, "max_tokens": 500, "messages": turns, **fields}


def post(api: OfflineAPI, sent: Any, path: str = "/v1/messages", **headers: str) -> Response | Stream:
    raw = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    return api.respond(Request("POST", path, {**HEADERS, **headers}, raw))


def get(api: OfflineAPI, path: str) -> Response:
    answer = api.respond(Request("GET", path, HEADERS))
    assert isinstance(answer, Response)
    return answer


def document(answer: Response | Stream) -> dict[str, Any]:
    """Return the JSON body of a whole answer."""
    assert isinstance(answer, Response)
    return json.loads(answer.body)


def message(api: OfflineAPI, sent: Mapping[str, Any], **headers: str) -> dict[str, Any]:
    """Send a body and return the message; the answer must be a 200."""
    answer = post(api, sent, **headers)
    assert answer.status == 200, document(answer)
    return document(answer)


def events(answer: Response | Stream) -> list[dict[str, Any]]:
    """Return the events of a stream, in order."""
    assert isinstance(answer, Stream)
    return parsed(b"".join(chunk for _, chunk in answer.chunks))


def parsed(raw: bytes) -> list[dict[str, Any]]:
    """Return the events in raw server-sent events; each frame's name must be its type."""
    found = []
    for frame in raw.decode().removesuffix("\n\n").split("\n\n"):
        name, data = frame.split("\n")
        event = json.loads(data.removeprefix("data: "))
        assert name == f"event: {event['type']}"
        found.append(event)
    return found
