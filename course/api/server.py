"""The offline Messages API behind a port: a thin ASGI application, and uvicorn to run it on loopback."""

import asyncio
import contextlib
import os
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import uvicorn

from course.api.headers import MAX_BYTES
from course.api.offline import OfflineAPI
from course.api.wire import Request, Response, Stream, StreamCut

__all__ = ["PortTaken", "app", "bind", "serve", "serving"]

BACKLOG = 2048
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class PortTaken(Exception):
    """Another program listens on the port; the message names it."""


def app(api: OfflineAPI) -> Callable[[dict[str, Any], Receive, Send], Awaitable[None]]:
    """Return `api` as an ASGI application. No framework: one endpoint answers every path."""

    async def endpoint(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        answer = api.respond(_request(scope, await _body(receive)))
        await send({"type": "http.response.start", "status": answer.status, "headers": _pairs(answer)})
        if isinstance(answer, Response):
            await send({"type": "http.response.body", "body": answer.body})
        else:
            await _pieces(answer, send)

    return endpoint


async def _body(receive: Receive) -> bytes:
    """Read the body to its end, but keep no more than one byte over the limit: enough for the API to refuse it."""
    pieces: list[bytes] = []
    kept = 0
    while True:
        event = await receive()
        piece = event.get("body", b"")[: MAX_BYTES + 1 - kept]
        pieces.append(piece)
        kept += len(piece)
        if not event.get("more_body"):
            return b"".join(pieces) if len(pieces) > 1 else piece


def _request(scope: dict[str, Any], body: bytes) -> Request:
    names = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    query = scope["query_string"].decode("latin-1")
    path = scope["raw_path"].decode("latin-1") if scope.get("raw_path") else scope["path"]
    return Request(scope["method"], f"{path}?{query}" if query else path, names, body)


def _pairs(answer: Response | Stream) -> list[tuple[bytes, bytes]]:
    pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers.items()]
    if isinstance(answer, Response):
        pairs.append((b"content-length", b"%d" % len(answer.body)))
    return pairs


async def _pieces(answer: Stream, send: Send) -> None:
    """Send chunk by chunk. A cut leaves the body without its end, so uvicorn drops the connection."""
    with contextlib.suppress(StreamCut):
        for wait, chunk in answer.chunks:
            if wait:
                await asyncio.sleep(wait)
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes a free one. Raises PortTaken."""
    with contextlib.ExitStack() as unless_it_works:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            listener = socket.socket(family, kind, protocol)  # with its protocol named, asyncio turns Nagle's delay off
            unless_it_works.callback(listener.close)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, os.name == "posix")
            listener.bind(address)
            listener.listen(BACKLOG)
        except OSError as trouble:
            raise PortTaken(f"{host}:{port} ({trouble.strerror})") from trouble
        unless_it_works.pop_all()
        return listener


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def _server(api: OfflineAPI, ready: Callable[[], None]) -> _Server:
    config = uvicorn.Config(
        app(api),
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
    )
    return _Server(config, ready)


def serve(api: OfflineAPI, listener: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Serve on `listener` until interrupted; `ready` is called once answers can come."""
    _server(api, ready).run(sockets=[listener])


@contextlib.contextmanager
def serving(api: OfflineAPI, port: int = 0) -> Iterator[str]:
    """Serve on loopback in a thread while the block runs; gives the base URL."""
    listener = bind("127.0.0.1", port)
    started = threading.Event()
    server = _server(api, started.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    started.wait()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
