"""The offline Messages API: one request in, one answer out, no I/O."""

import gc
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any
from urllib.parse import unquote
from zlib import crc32

from course.api import explain, faults, turn
from course.api.cache import PromptCache
from course.api.catalogue import CatalogueProblem, listing, model_info, served_id
from course.api.check import Hooks, violations
from course.api.envelope import edge_error, error, headers, ok
from course.api.faults import FaultError, Faults
from course.api.greeting import Greeting, greeting
from course.api.headers import check_body, check_depth
from course.api.ids import Ids
from course.api.memory import Memory
from course.api.message import message
from course.api.rules import Violation, rules, violation
from course.api.signature import Judge, Signer
from course.api.stream import frames
from course.api.threads import BETA, ThreadProblem, Threads
from course.api.turn import Asked
from course.api.usage import usage
from course.api.wire import Request, Response, Stream
from course.facts.models import default_model, models
from course.facts.text import say
from course.mockmodel.model import MockModel

__all__ = ["OfflineAPI"]

EXPLAIN = "/_course/explain/"
ROUTES = {"/v1/messages": "POST", "/v1/messages/count_tokens": "POST", "/v1/models": "GET"}
ONE_MODEL = "/v1/models/"
LIMITS = {"requests": 4000, "tokens": 500_000, "input-tokens": 400_000, "output-tokens": 100_000}
UNUSED = {f"anthropic-ratelimit-{name}-{part}": str(LIMITS[name]) for name in LIMITS for part in ("limit", "remaining")}
RESETS = [f"anthropic-ratelimit-{name}-reset" for name in LIMITS]
CONTAINER_SECONDS = 300
LARGE = 256 * 1024
Answer = Response | Stream
Body = dict[str, Any]


class OfflineAPI:
    """The Messages API with a mock model behind it.

    clock: seconds since the epoch, for cache lifetimes and headers. ids: the source of identifiers; a fresh one of
    the same seed makes a rerun byte-identical. key: "any" takes every key, another value only itself. faults: a
    schedule (`Faults`) or its text, and may be set later too. rules: False answers whatever has messages, for
    generated client tests that send placeholders. secret: of the signatures of thinking blocks. remember: how many
    threads and explanations are kept.
    """

    def __init__(
        self,
        model: MockModel,
        *,
        clock: Callable[[], float] = time.time,
        ids: Ids | None = None,
        key: str = "any",
        faults: Faults | str = "",
        rules: bool = True,
        secret: str = "offline",
        remember: int = 1000,
    ) -> None:
        self.model = model
        self.faults = Faults(faults) if isinstance(faults, str) else faults
        self._clock = clock
        self._ids = ids or Ids()
        self._key = key
        self._rules = rules
        self._signer = Signer(secret)
        self._threads = Threads(remember)
        self._cache = PromptCache(clock)
        self._explanations: Memory[str, Mapping[str, Any]] = Memory(remember)

    def explain(self, request_id: str) -> Mapping[str, Any] | None:
        """Return why the answer to `request_id` is what it is; None when it is not, or no longer, known."""
        return self._explanations.get(request_id)

    def respond(self, request: Request) -> Answer:
        """Answer one request. What the stand-in raises becomes an `api_error` that asks for no retry."""
        path, _, query = request.path.partition("?")
        path = unquote(path)
        request_id = self._ids.new("req")
        if path.startswith(EXPLAIN):
            return self._explained(path.removeprefix(EXPLAIN), request_id)
        try:
            fault = faults.from_header(request.headers) or self.faults.next()
        except FaultError as wrong:
            return error(400, "invalid_request_error", f"{faults.HEADER}: {wrong}", request_id)
        if fault and fault.act == "answer":
            self._explanations.put(request_id, explain.of_fault(fault.name))
            return faults.refusal(fault, request, request_id)
        if len(request.body) > LARGE:
            with _collector_paused():
                answer = self._routed(request, path, query, request_id)
        else:
            answer = self._routed(request, path, query, request_id)
        return faults.disturb(fault, request, answer, request_id) if fault and answer.status == 200 else answer

    def _routed(self, request: Request, path: str, query: str, request_id: str) -> Answer:
        method = "GET" if path.startswith(ONE_MODEL) else ROUTES.get(path)
        if method is None:
            return error(404, "not_found_error", "Not Found", request_id)
        if request.method != method:
            return error(405, "invalid_request_error", "Method Not Allowed", request_id, extra={"allow": method})
        said = greeting(request.headers)
        if self._rules and (found := said.broken or self._wrong_key(request.headers)):
            return self._refused(found, request_id)
        if method == "GET":
            return self._models(path, query, request_id)
        body, found = check_body(request.body)
        if found:
            return self._refused(found, request_id)
        counting = path != "/v1/messages"
        if not self._rules:
            return self._unchecked(body, counting, request_id)
        try:
            return self._checked(said, body, counting, request_id)
        except RecursionError:
            return self._refused(check_depth(request.body), request_id)

    def _wrong_key(self, given: Mapping[str, str]) -> Violation | None:
        if self._key == "any" or self._key in (given.get("x-api-key"), given.get("authorization", "")[7:]):
            return None
        return violation("auth.invalid-key" if "x-api-key" in given else "auth.invalid-bearer", ("x-api-key",))

    def _checked(self, said: Greeting, body: Any, counting: bool, request_id: str) -> Answer:
        try:
            body = self._threads.whole(body) if BETA in said.betas and isinstance(body, dict) else body
        except ThreadProblem as problem:
            self._explanations.put(request_id, explain.of_thread(problem.code, problem.message))
            return error(problem.status, problem.type, problem.message, request_id, details=problem.details)
        understood = turn.Lazily(body)
        hooks = Hooks(estimate=lambda _: understood.asked.tokens, signature_ok=Judge(body, self._signer))
        broken = violations(body, version=said.version, betas=said.betas, hooks=hooks, counting=counting)
        if found := next(broken, None):
            return self._refused(found, request_id)
        return self._answered(body, understood.asked, counting, request_id)

    def _unchecked(self, body: Any, counting: bool, request_id: str) -> Answer:
        try:
            return self._answered(body, turn.asked(body), counting, request_id)
        except (LookupError, TypeError, AttributeError, ValueError) as trouble:
            said = say("api.serve.nonsense", trouble=f"{type(trouble).__name__}: {trouble}")
            return error(400, "invalid_request_error", said, request_id)

    def _answered(self, body: Body, asked: Asked, counting: bool, request_id: str) -> Answer:
        if counting:
            before = {"original_input_tokens": asked.unedited.tokens} if asked.unedited else None
            return ok({"input_tokens": asked.tokens} | ({"context_management": before} if before else {}), request_id)
        try:
            written, rounds = turn.write(self.model, asked, self._ids, self._signer)
        except RecursionError:
            raise
        except Exception as trouble:
            return self._failed(trouble, request_id)
        counts = usage(
            asked.tokens,
            written.output_tokens,
            written.thinking_tokens,
            self._cache.account(body, asked.model),
            written.blocks,
            body.get("inference_geo"),
            body.get("speed"),
        )
        document = message(
            self._ids.new("msg"),
            served_id(body["model"]),
            written.blocks,
            stop_reason=written.stop_reason,
            stop_sequence=written.stop_sequence,
            stop_details=written.stop_details,
            usage=counts,
            container=self._container(body) if turn.runs_code(written.blocks) else None,
            edits=asked.edits,
        )
        self._threads.keep(body, document)
        self._explanations.put(request_id, explain.of_answer(self.model.name, document, rounds, written.notes))
        if not body.get("stream"):
            return ok(document, request_id, self._limits())
        pieces = frames(document, seed=crc32(document["id"].encode()), cut=written.cut)
        top = {**headers(request_id, "text/event-stream; charset=utf-8"), "cache-control": "no-cache", **self._limits()}
        return Stream(200, top, _at_once(pieces))

    def _failed(self, trouble: Exception, request_id: str) -> Response:
        """Report what the stand-in raised, an ended script for one."""
        said = f"{self.model.name}: {type(trouble).__name__}: {trouble}"
        self._explanations.put(request_id, explain.of_failure(said, traceback.format_exception(trouble)))
        return error(500, "api_error", said, request_id, retry=False)

    def _container(self, body: Body) -> dict[str, Any]:
        given = body.get("container")
        id = given if isinstance(given, str) else (given or {}).get("id")
        return {"id": id or self._ids.new("container"), "expires_at": self._moment(CONTAINER_SECONDS)}

    def _moment(self, ahead: float = 0) -> str:
        return _timestamp(int(self._clock() + ahead))

    def _limits(self) -> Mapping[str, str]:
        """Return the rate-limit headers. Nothing is limited here, so nothing is ever used up."""
        return _unused(int(self._clock()))

    def _refused(self, found: Violation, request_id: str) -> Response:
        self._explanations.put(request_id, explain.of_refusal(found))
        if rules()[found.rule].envelope == "edge":
            return edge_error(found.status, found.error_type, found.message, request_id)
        return error(found.status, found.error_type, found.message, request_id, details=found.details)

    def _models(self, path: str, query: str, request_id: str) -> Response:
        if path.startswith(ONE_MODEL):
            id = path.removeprefix(ONE_MODEL)
            if known := models().get(id if self._rules else default_model()):
                return ok(model_info(known), request_id)
            return error(404, "not_found_error", f"model: {id}", request_id)
        try:
            return ok(listing(query if self._rules else ""), request_id)
        except CatalogueProblem as problem:
            return error(400, "invalid_request_error", str(problem), request_id)

    def _explained(self, wanted: str, request_id: str) -> Response:
        if found := self.explain(wanted):
            return ok(found, request_id)
        return error(404, "not_found_error", f"request: {wanted}", request_id)


@lru_cache(8)
def _unused(second: int) -> Mapping[str, str]:
    return {**UNUSED, **dict.fromkeys(RESETS, _timestamp(second))}


@lru_cache(8)
def _timestamp(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the garbage collector from walking a large request again and again while it grows: time stays linear."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _at_once(pieces: Iterator[bytes]) -> Iterator[tuple[float, bytes]]:
    return ((0.0, piece) for piece in pieces)
