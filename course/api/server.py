"""The offline Messages API behind a port on loopback, on asyncio."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from typing import cast

from course.api.envelope import error
from course.api.http1 import CONTINUE, LAST_CHUNK, Incoming, Malformed, Reader, chunk, head
from course.api.offline import OfflineAPI
from course.api.wire import Request, Response, Stream, StreamCut

__all__ = ["PortTaken", "bind", "serve", "serving"]

BACKLOG = 2048
log = logging.getLogger(__name__)


class PortTaken(Exception):
    """Another program listens on the port, or the address is not one of this machine; the message names it."""


class _Connection(asyncio.Protocol):
    """One client. Requests are answered one after the other, in the order in which they came."""

    def __init__(self, api: OfflineAPI, connections: set["_Connection"]) -> None:
        self._api = api
        self._connections = connections
        self._reader = Reader()
        self._stream: asyncio.Task[None] | None = None
        self._writable = asyncio.Event()
        self._writable.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._connections.add(self)

    def connection_lost(self, _: Exception | None) -> None:
        self._connections.discard(self)
        if self._stream:
            self._stream.cancel()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def close(self) -> None:
        """Drop the client, whatever it is waiting for."""
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        if self._stream is None:
            self._answer_all()

    def _answer_all(self) -> None:
        """Answer what has arrived whole, until a stream takes over."""
        try:
            while self._stream is None and not self._transport.is_closing() and (incoming := self._reader.next()):
                self._answer(incoming)
        except Malformed as wrong:
            refusal = error(400, "invalid_request_error", str(wrong), "")
            self._write(refusal, Incoming(Request("", ""), keep_alive=False, chunks=True))
            return
        if self._reader.wants_continue and self._stream is None:
            self._reader.wants_continue = False
            self._transport.write(CONTINUE)

    def _answer(self, incoming: Incoming) -> None:
        self._reader.wants_continue = False
        try:
            answer = self._api.respond(incoming.request)
        except Exception:
            log.exception("the offline API failed on a request")
            answer = error(500, "api_error", "Internal server error", "")
        if isinstance(answer, Response):
            self._write(answer, incoming)
        else:
            self._stream = asyncio.get_running_loop().create_task(self._send(answer, incoming))

    def _write(self, answer: Response, incoming: Incoming) -> None:
        body = b"" if incoming.request.method == "HEAD" else answer.body
        self._transport.write(head(answer, incoming) + body)
        if not incoming.keep_alive:
            self._transport.close()

    async def _send(self, answer: Stream, incoming: Incoming) -> None:
        """Send a stream: what need not wait goes out together. A cut leaves it without its end."""
        ready = [head(answer, incoming)]
        try:
            for wait, piece in answer.chunks:
                if wait:
                    await self._flush(ready)
                    await asyncio.sleep(wait)
                ready.append(chunk(piece, incoming))
        except StreamCut:
            await self._flush(ready)
            self._transport.close()
            return
        if incoming.chunks:
            ready.append(LAST_CHUNK)
        await self._flush(ready)
        self._stream = None
        if not (incoming.keep_alive and incoming.chunks):
            self._transport.close()
        else:
            self._answer_all()

    async def _flush(self, ready: list[bytes]) -> None:
        await self._writable.wait()
        self._transport.write(b"".join(ready))
        ready.clear()


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


async def _run(api: OfflineAPI, listener: socket.socket, ready: Callable[[asyncio.Event], None]) -> None:
    """Serve until the event that `ready` was given is set."""
    stop = asyncio.Event()
    connections: set[_Connection] = set()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(api, connections), sock=listener, backlog=BACKLOG)
    ready(stop)
    await stop.wait()
    server.close()
    for connection in list(connections):
        connection.close()


def serve(api: OfflineAPI, listener: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Serve on `listener` until interrupted or terminated; `ready` is called once answers can come."""

    def started(stop: asyncio.Event) -> None:
        with contextlib.suppress(NotImplementedError):  # Windows: an interrupt ends asyncio.run
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, stop.set)
        ready()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run(api, listener, started))


@contextlib.contextmanager
def serving(api: OfflineAPI, port: int = 0) -> Iterator[str]:
    """Serve on loopback in a thread while the block runs; gives the base URL."""
    listener = bind("127.0.0.1", port)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    started = threading.Event()
    stops: list[Callable[[], object]] = []

    def ready(stop: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        stops.append(lambda: loop.call_soon_threadsafe(stop.set))
        started.set()

    thread = threading.Thread(target=lambda: asyncio.run(_run(api, listener, ready)), name="offline-api", daemon=True)
    thread.start()
    started.wait()
    try:
        yield url
    finally:
        stops[0]()
        thread.join()
        listener.close()
