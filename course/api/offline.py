"""The offline Messages API: one request in, one answer out, no I/O."""

import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote, urlsplit
from zlib import crc32

from course.api import explain, faults, turn
from course.api.cache import Caching, PromptCache, asks_for_caching
from course.api.catalogue import CatalogueProblem, listing, model_info
from course.api.check import Hooks, violations
from course.api.conversation import merge
from course.api.envelope import error, headers, ok
from course.api.faults import FaultError, Faults
from course.api.headers import betas, check_body, check_headers, version
from course.api.ids import Ids
from course.api.memory import Memory
from course.api.message import message
from course.api.rules import Violation
from course.api.signature import Signer
from course.api.stream import frames
from course.api.threads import BETA, ThreadProblem, Threads
from course.api.tokens import count
from course.api.usage import usage
from course.api.wire import Request, Response, Stream
from course.facts.models import models
from course.mockmodel.model import MockModel, MockModelError

__all__ = ["OfflineAPI"]

EXPLAIN = "/_course/explain/"
LIMITS = {"requests": 4000, "tokens": 500_000, "input-tokens": 400_000, "output-tokens": 100_000}
CONTAINER_TOOLS = ("code_execution", "bash_code_execution", "text_editor_code_execution")
Answer = Response | Stream


class OfflineAPI:
    """The Messages API with a mock model behind it.

    clock: seconds since the epoch, for cache lifetimes and headers. ids: the source of identifiers; a fresh one of
    the same seed makes a rerun byte-identical. key: "any" takes every key, another value only itself. faults: a
    schedule (`Faults`) or its text. remember: how many threads and explanations are kept.
    """

    def __init__(
        self,
        model: MockModel,
        *,
        clock: Callable[[], float] = time.time,
        ids: Ids | None = None,
        key: str = "any",
        faults: Faults | str = "",
        secret: str = "offline",
        remember: int = 1000,
    ) -> None:
        self.model = model
        self.faults = Faults(faults) if isinstance(faults, str) else faults
        self._clock = clock
        self._ids = ids or Ids()
        self._key = key
        self._signer = Signer(secret)
        self._threads = Threads(remember)
        self._cache = PromptCache(clock)
        self._explanations: Memory[str, dict[str, Any]] = Memory(remember)

    def explain(self, request_id: str) -> dict[str, Any] | None:
        """Return why the answer to `request_id` is what it is; None when it is not, or no longer, known."""
        return self._explanations.get(request_id)

    def respond(self, request: Request) -> Answer:
        """Answer one request. What the stand-in raises is an `api_error` answer that asks for no retry."""
        parts = urlsplit(request.path)
        path = unquote(parts.path)
        if path.startswith(EXPLAIN):
            return self._explained(path.removeprefix(EXPLAIN))
        request_id = self._ids.new("req")
        try:
            fault = faults.from_header(request.headers) or self.faults.next()
        except FaultError as wrong:
            return error(400, "invalid_request_error", f"{faults.HEADER}: {wrong}", request_id)
        if fault and fault.act in ("answer", "drop"):
            self._explanations.put(request_id, explain.of_fault(fault.name))
            return faults.apply(fault, None, request_id)
        answer = self._routed(request, path, parts.query, request_id)
        return faults.apply(fault, answer, request_id) if fault and answer.status == 200 else answer

    def _routed(self, request: Request, path: str, query: str, request_id: str) -> Answer:
        routes = {"/v1/messages": "POST", "/v1/messages/count_tokens": "POST", "/v1/models": "GET"}
        one_model = path.startswith("/v1/models/")
        method = "GET" if one_model else routes.get(path)
        if method is None:
            return error(404, "not_found_error", "Not Found", request_id)
        if request.method != method:
            return error(405, "invalid_request_error", "Method Not Allowed", request_id, extra={"allow": method})
        if found := check_headers(request.headers):
            return self._refused(found, request_id)
        if one_model:
            return self._one_model(path.removeprefix("/v1/models/"), request_id)
        if path == "/v1/models":
            return self._all_models(query, request_id)
        return self._posted(request, path, request_id)

    def _posted(self, request: Request, path: str, request_id: str) -> Answer:
        body, found = check_body(request.body)
        if found:
            return self._refused(found, request_id)
        allowed = betas(request.headers)
        try:
            whole = self._threads.whole(body) if BETA in allowed and isinstance(body, dict) else body
        except ThreadProblem as problem:
            return error(problem.status, _kind(problem.status), problem.message, request_id, details=problem.details)
        hooks = Hooks()
        found = next(violations(whole, version=version(request.headers), betas=allowed, hooks=hooks), None)
        if found:
            return self._refused(found, request_id)
        if path.endswith("count_tokens"):
            return ok({"input_tokens": self._count(whole)}, request_id)
        try:
            return self._message(whole, request, request_id)
        except MockModelError as trouble:
            return error(500, "api_error", f"{self.model.name}: {trouble}", request_id, retry=False)

    def _message(self, body: dict[str, Any], request: Request, request_id: str) -> Answer:
        model = models().get(body["model"])
        asked, offered = turn.model_request(body, merge(body["messages"]), model)
        written, rounds = turn.ask(self.model, asked, offered, model, self._ids)
        turn.sign(written, asked, model, self._signer)
        caching = self._cache.account(body, model) if model and asks_for_caching(request.body) else Caching()
        counts = usage(
            self._count(body),
            written.output_tokens,
            written.thinking_tokens,
            caching,
            written.blocks,
            body.get("inference_geo"),
        )
        document = message(
            self._ids.new("msg"),
            body["model"],
            written.blocks,
            stop_reason=written.stop_reason,
            stop_sequence=written.stop_sequence,
            stop_details=written.stop_details,
            usage=counts,
            container=self._container(body, written.blocks),
        )
        self._threads.keep(body, document)
        self._explanations.put(request_id, explain.of_answer(self.model.name, document, rounds, written.notes))
        limits = self._limits()
        if not body.get("stream"):
            return ok(document, request_id, limits)
        pieces = frames(document, seed=crc32(document["id"].encode()), cut=written.cut)
        return Stream(200, {**headers(request_id, "text/event-stream; charset=utf-8"), **limits}, _at_once(pieces))

    def _count(self, body: Mapping[str, Any]) -> int:
        tools = body.get("tools") or []
        asked, offered = turn.model_request(
            {"max_tokens": 0, **body}, merge(body["messages"]), models().get(body["model"])
        )
        return count(
            models().get(body["model"]),
            messages=asked.messages,
            system=body.get("system"),
            tools=offered.seen,
            choice=asked.tool_choice["type"],
            any_tools=bool(tools),
        )

    def _container(self, body: Mapping[str, Any], blocks: list[dict[str, Any]]) -> dict[str, Any] | None:
        if not any(b["type"] == "server_tool_use" and b["name"] in CONTAINER_TOOLS for b in blocks):
            return None
        given = body.get("container")
        id = given if isinstance(given, str) else (given or {}).get("id")
        return {"id": id or self._ids.new("container"), "expires_at": self._moment(300)}

    def _moment(self, ahead: float = 0) -> str:
        moment = datetime.fromtimestamp(self._clock(), UTC) + timedelta(seconds=ahead)
        return moment.isoformat(timespec="seconds").replace("+00:00", "Z")

    def _limits(self) -> dict[str, str]:
        """The rate-limit headers. Nothing is limited here, so nothing is ever used up."""
        reset = self._moment()
        found: dict[str, str] = {}
        for name, limit in LIMITS.items():
            start = f"anthropic-ratelimit-{name}"
            found |= {f"{start}-limit": str(limit), f"{start}-remaining": str(limit), f"{start}-reset": reset}
        return found

    def _refused(self, found: Violation, request_id: str) -> Response:
        self._explanations.put(request_id, explain.of_refusal(found))
        return error(found.status, found.error_type, found.message, request_id, details=found.details)

    def _all_models(self, query: str, request_id: str) -> Response:
        try:
            return ok(listing(query), request_id)
        except CatalogueProblem as problem:
            return error(400, "invalid_request_error", str(problem), request_id)

    def _one_model(self, id: str, request_id: str) -> Response:
        found = models().get(id)
        return ok(model_info(found), request_id) if found else error(404, "not_found_error", f"model: {id}", request_id)

    def _explained(self, request_id: str) -> Response:
        found = self.explain(request_id)
        return (
            ok(found, request_id) if found else error(404, "not_found_error", f"nothing is known of {request_id}", "")
        )


def _kind(status: int) -> str:
    return "not_found_error" if status == 404 else "invalid_request_error"


def _at_once(pieces: Iterator[bytes]) -> Iterator[tuple[float, bytes]]:
    return ((0.0, piece) for piece in pieces)
