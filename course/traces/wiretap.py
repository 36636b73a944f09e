"""Watch an `anthropic` client through the SDK's own middleware: what goes over the wire is what is recorded.

Works for `messages.create` and `.stream`, for the beta resource and for the tool runner, sync and async. A streamed
answer is recorded when its stream has been read to the end or closed, put together from its events.
"""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Any

from course.traces.assemble import assemble

if TYPE_CHECKING:
    from course.traces.record import Recorder

__all__ = ["watched"]

MESSAGES = "/v1/messages"


def watched(client: Any, recorder: "Recorder") -> Any:
    """Return a copy of the client, or of a `messages` resource, that records into `recorder`."""
    if not hasattr(client, "with_middleware"):
        return watched(client._client, recorder).messages
    return client.with_middleware(_middleware(recorder))


def _middleware(recorder: "Recorder") -> Any:
    import anthropic

    class Watch(anthropic.Middleware):
        def handle(self, request: Any, call_next: Any) -> Any:
            if not _concerns(request):
                return call_next(request)
            exchange = recorder.sent(request.json)
            response = call_next(request)
            if request.stream and response.status_code == 200:
                _tee(response.http_response, lambda raw: recorder.answered(exchange, 200, assemble(raw)))
            else:
                recorder.answered(exchange, response.status_code, _json(response.http_response.read()))
            return response

        async def handle_async(self, request: Any, call_next: Any) -> Any:
            if not _concerns(request):
                return await call_next(request)
            exchange = recorder.sent(request.json)
            response = await call_next(request)
            if request.stream and response.status_code == 200:
                _atee(response.http_response, lambda raw: recorder.answered(exchange, 200, assemble(raw)))
            else:
                recorder.answered(exchange, response.status_code, _json(await response.http_response.aread()))
            return response

    return Watch()


def _concerns(request: Any) -> bool:
    path = str(request.url).partition("?")[0].rstrip("/")
    return path.endswith(MESSAGES) and isinstance(request.json, dict)


def _json(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return {"body": raw.decode("utf-8", "replace")}


def _tee(http: Any, done: Callable[[bytes], None]) -> None:
    """Hand every byte on as it comes; give all of them to `done` at the end, once."""
    source = http.stream

    class Tee(_base(source, "SyncByteStream")):  # type: ignore[misc]
        def __init__(self) -> None:
            self.pieces: list[bytes] = []

        def __iter__(self) -> Iterator[bytes]:
            for piece in source:
                self.pieces.append(piece)
                yield piece

        def close(self) -> None:
            source.close()
            done(b"".join(self.pieces))

    http.stream = Tee()


def _atee(http: Any, done: Callable[[bytes], None]) -> None:
    source = http.stream

    class Tee(_base(source, "AsyncByteStream")):  # type: ignore[misc]
        def __init__(self) -> None:
            self.pieces: list[bytes] = []

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in source:
                self.pieces.append(piece)
                yield piece

        async def aclose(self) -> None:
            await source.aclose()
            done(b"".join(self.pieces))

    http.stream = Tee()


def _base(source: Any, name: str) -> type:
    return next(kind for kind in type(source).__mro__ if kind.__name__ == name)
