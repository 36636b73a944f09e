"""Put a request to the offline Messages API and look at what comes of it, without the SDK and without a socket.

Used by proofs and by the graders that run an answer. A request may be short: `messages` may be one user text, a
tool may be its name alone, `model` may be "default" or "forced", and what is missing is filled in.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from course.facts import default_model, forced_model, say

if TYPE_CHECKING:
    from course.mockmodel import MockModel

__all__ = ["API_VERSION", "Client", "RequestRefused", "broken_rules", "full_request", "outcome", "scripted"]

API_VERSION = "2026-10-21"
MAX_TOKENS = 1024
MODELS = {"default": default_model, "forced": forced_model}


def full_request(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return `request` with everything a request needs; fields that are there stay as they are."""
    messages = request.get("messages", "Please help.")
    full = {
        "model": default_model(),
        "max_tokens": MAX_TOKENS,
        **request,
        "messages": [{"role": "user", "content": messages}] if isinstance(messages, str) else messages,
    }
    if full["model"] in MODELS:
        full["model"] = MODELS[full["model"]]()
    if "tools" in full and isinstance(full["tools"], list):
        full["tools"] = [_tool(tool) if isinstance(tool, str) else tool for tool in full["tools"]]
    return full


def _tool(name: str) -> dict[str, Any]:
    return {"name": name, "description": f"{name.replace('_', ' ').capitalize()}.", "input_schema": {"type": "object"}}


def broken_rules(body: Mapping[str, Any], *, version: str = API_VERSION, betas: Iterable[str] = ()) -> tuple[Any, ...]:
    """Return every violation of a whole request body, in the order in which the API would report them."""
    from course.api.check import violations

    return tuple(violations(dict(body), version=version, betas=frozenset(betas)))


def outcome(
    request: Mapping[str, Any], *, replies: Sequence[Any] = (), version: str = API_VERSION, betas: Iterable[str] = ()
) -> dict[str, Any]:
    """Send one request; return what was observed, as plain data.

    status · type and message (of an error) · rule and place (of the first broken rule), rules (all of them) ·
    stop_reason · blocks (their types) · calls (tool names, in order) · inputs (of the calls) · text.
    replies: what a scripted model answers; without it the improviser does.
    """
    body = full_request(request)
    broken = broken_rules(body, version=version, betas=betas)
    status, answer = _respond(body, replies, version, betas)
    error = answer.get("error") or {}
    blocks = answer.get("content") or []
    calls = [block for block in blocks if block["type"] == "tool_use"]
    return {
        "status": status,
        "type": error.get("type"),
        "message": error.get("message", ""),
        "rule": broken[0].rule if broken else None,
        "place": list(broken[0].place) if broken else None,
        "rules": [violation.rule for violation in broken],
        "stop_reason": answer.get("stop_reason"),
        "blocks": [block["type"] for block in blocks],
        "calls": [block["name"] for block in calls],
        "inputs": [block["input"] for block in calls],
        "text": " ".join(block["text"] for block in blocks if block["type"] == "text"),
    }


def _respond(
    body: Mapping[str, Any], replies: Sequence[Any], version: str, betas: Iterable[str]
) -> tuple[int, dict[str, Any]]:
    from course.api import OfflineAPI
    from course.mockmodel import Improviser

    return _post(OfflineAPI(scripted(replies) if replies else Improviser()), body, version, betas)


def scripted(replies: Sequence[Any]) -> "MockModel":
    """Return the stand-in that plays `replies`: a text, a block, blocks, or {blocks, stop_reason} each."""
    from course.mockmodel import Reply, Scripted

    return Scripted(
        [
            Reply(tuple(reply["blocks"]), reply.get("stop_reason"))
            if isinstance(reply, Mapping) and "blocks" in reply
            else reply
            for reply in replies
        ]
    )


def _post(api: Any, body: Mapping[str, Any], version: str, betas: Iterable[str]) -> tuple[int, dict[str, Any]]:
    from course.api.wire import Request

    headers = {"anthropic-version": version, "x-api-key": "offline", "content-type": "application/json"}
    if betas := ",".join(betas):
        headers["anthropic-beta"] = betas
    response = api.respond(Request("POST", "/v1/messages", headers, json.dumps(dict(body)).encode()))
    return response.status, json.loads(response.body)


class RequestRefused(Exception):
    """The API answered with an error; `status`, `body` and `message` are the answer's."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status = self.status_code = status
        self.body = body
        self.message = str(body.get("error", {}).get("message", ""))
        super().__init__(f"Error code: {status} - {self.message}")


class Client:
    """A stand-in for `anthropic.Anthropic` where importing the SDK would cost seconds: `messages.create(**body)`.

    The answer has the SDK's attributes (`.stop_reason`, `.content[0].type`).
    requests: every body that was sent; refused: the messages of all errors.
    """

    def __init__(self, api: Any, *, version: str = API_VERSION, most: int = 100) -> None:
        self.api, self.version, self.most = api, version, most
        self.requests: list[dict[str, Any]] = []
        self.refused: list[str] = []
        self.calls: list[dict[str, Any]] = []

    @property
    def messages(self) -> "Client":
        """The resource that `create` belongs to."""
        return self

    def create(self, **body: Any) -> Any:
        """Send one request. Raises RequestRefused where the SDK would raise an APIStatusError.

        `calls` holds the tool_use blocks of the last answer that had any. After `most` requests: RuntimeError.
        """
        if len(self.requests) >= self.most:
            raise RuntimeError(say("quiz.grading.code.endless", most=self.most))
        sent = json.loads(json.dumps(body, default=_plain))
        self.requests.append(sent)
        status, answer = _post(self.api, sent, self.version, ())
        if status != 200:
            refused = RequestRefused(status, answer)
            self.refused.append(refused.message)
            raise refused
        self.calls = [block for block in answer["content"] if block["type"] == "tool_use"] or self.calls
        return _Object(answer)


class _Object:
    """JSON data with attributes, as the SDK's models have them; objects inside `input` stay plain."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        for name, value in data.items():
            setattr(self, name, value if name == "input" else _wrap(value))

    def model_dump(self, **_: Any) -> dict[str, Any]:
        """Return the data the object was made from."""
        return dict(self._data)

    to_dict = model_dump

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._data!r})"


def _wrap(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _Object(value)
    return [_wrap(member) for member in value] if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    if isinstance(value, _Object):
        return value.model_dump()
    if hasattr(value, "definition"):
        return value.definition()
    raise TypeError(f"{type(value).__name__} is not JSON")
