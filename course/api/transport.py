"""The offline Messages API handed to the real SDK as its transport: no socket, no thread.

The SDK is imported when a client is made, not before: it takes seconds. Its HTTP library is found through its own
client class (httpx2 since SDK 1.0, httpx before), because it has changed once already.
"""

import importlib
import time
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from course.api.offline import OfflineAPI
from course.api.wire import Request, Response, Stream, StreamCut

if TYPE_CHECKING:
    import anthropic

__all__ = ["async_client", "client", "http_library", "transport"]

KEY = "offline"
BASE_URL = "http://offline.invalid"


def client(api: OfflineAPI, **options: Any) -> "anthropic.Anthropic":
    """Return an `anthropic.Anthropic` that talks to `api`; `options` go to its constructor."""
    import anthropic

    http = anthropic.DefaultHttpxClient(transport=transport(api))
    return anthropic.Anthropic(**{"api_key": KEY, "base_url": BASE_URL, "http_client": http, **options})


def async_client(api: OfflineAPI, **options: Any) -> "anthropic.AsyncAnthropic":
    """Return an `anthropic.AsyncAnthropic` that talks to `api`."""
    import anthropic

    http = anthropic.DefaultAsyncHttpxClient(transport=transport(api))
    return anthropic.AsyncAnthropic(**{"api_key": KEY, "base_url": BASE_URL, "http_client": http, **options})


def transport(api: OfflineAPI) -> Any:
    """Return a transport, sync and async in one, for the HTTP library of the installed SDK."""
    library = http_library()

    class Pieces(library.SyncByteStream, library.AsyncByteStream):  # type: ignore[name-defined,misc]
        def __init__(self, answer: Stream) -> None:
            self._chunks = answer.chunks

        def __iter__(self) -> Iterator[bytes]:
            try:
                for wait, chunk in self._chunks:
                    if wait:
                        time.sleep(wait)
                    yield chunk
            except StreamCut as cut:
                raise library.RemoteProtocolError(str(cut)) from None

        async def __aiter__(self) -> AsyncIterator[bytes]:
            try:
                for wait, chunk in self._chunks:
                    if wait:
                        await _sleep(wait)
                    yield chunk
            except StreamCut as cut:
                raise library.RemoteProtocolError(str(cut)) from None

    class OfflineTransport(library.BaseTransport, library.AsyncBaseTransport):  # type: ignore[name-defined,misc]
        def handle_request(self, request: Any) -> Any:
            return answer(request, request.read())

        async def handle_async_request(self, request: Any) -> Any:
            return answer(request, await request.aread())

    def answer(request: Any, body: bytes) -> Any:
        got = api.respond(Request(request.method, request.url.raw_path.decode("ascii"), _headers(request), body))
        if isinstance(got, Response):
            return library.Response(got.status, headers=dict(got.headers), content=got.body)
        return library.Response(got.status, headers=dict(got.headers), stream=Pieces(got))

    return OfflineTransport()


def http_library() -> Any:
    import anthropic

    http_client = next(kind for kind in anthropic.DefaultHttpxClient.__mro__ if kind.__name__ == "Client")
    return importlib.import_module(http_client.__module__.partition(".")[0])


def _headers(request: Any) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in request.headers.raw}


async def _sleep(seconds: float) -> None:
    import anyio

    await anyio.sleep(seconds)
