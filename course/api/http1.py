"""HTTP/1.1 without I/O: bytes of one connection become requests, answers become bytes.

As much of RFC 9112 as clients of an API use: bodies by length or in chunks, kept-alive connections, HTTP/1.0,
`Expect: 100-continue`. It exists for speed: a general server takes longer over a request than all the rules do.
"""

import time
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import NamedTuple

from course.api.headers import MAX_BYTES
from course.api.wire import Request, Response, Stream

__all__ = ["CONTINUE", "LAST_CHUNK", "Incoming", "Malformed", "Reader", "chunk", "head"]

HEAD_LIMIT = 64 * 1024
LINE_END = b"\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
LAST_CHUNK = b"0\r\n\r\n"
REASONS = {status.value: status.phrase for status in HTTPStatus} | {529: "Overloaded"}


Opened = tuple[str, str, dict[str, str], bool, bool]


class Malformed(Exception):
    """What arrived is no HTTP/1.1 request; nothing more can be read from the connection."""


class Incoming(NamedTuple):
    """One request, and how its client takes the answer. `chunks`: whether it understands a chunked body."""

    request: Request
    keep_alive: bool
    chunks: bool


class Reader:
    """Cuts what one connection sends into requests. Of a body it keeps one byte more than the API takes."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._open: Opened | None = None
        self._body = bytearray()
        self._left = 0
        self._chunked = False
        self._ends_chunk = False
        self.wants_continue = False

    def feed(self, data: bytes) -> None:
        """Take what has arrived."""
        self._buffer += data

    def next(self) -> Incoming | None:
        """Return the next whole request; None until more has arrived. Raises Malformed."""
        if self._open is None and not self._begin():
            return None
        if not (self._read_chunks() if self._chunked else self._read_length()):
            return None
        opened, self._open = self._open, None
        assert opened is not None
        method, target, headers, keep_alive, chunks = opened
        body = bytes(self._body)
        if body:
            self._body = bytearray()
        return Incoming(Request(method, target, headers, body), keep_alive, chunks)

    def _begin(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > HEAD_LIMIT:
                raise Malformed("the head of the request is too long")
            return False
        lines = self._buffer[:end].decode("latin-1").lstrip("\r\n").split("\r\n")
        del self._buffer[: end + 4]
        headers = _headers(lines[1:])
        self._open = _opened(lines[0], headers)
        self._chunked, self._left = _framing(headers)
        self.wants_continue = "expect" in headers and headers["expect"].lower() == "100-continue"
        return True

    def _read_length(self) -> bool:
        if self._left:
            self._keep(self._left)
        return not self._left

    def _read_chunks(self) -> bool:
        while True:
            if self._left:
                self._keep(self._left)
                if self._left:
                    return False
                self._ends_chunk = True
            if self._ends_chunk:
                if len(self._buffer) < len(LINE_END):
                    return False
                del self._buffer[: len(LINE_END)]
                self._ends_chunk = False
            end = self._buffer.find(LINE_END)
            if end < 0:
                return False
            size = _size(bytes(self._buffer[:end]))
            if size == 0:
                return self._read_trailers(end)
            del self._buffer[: end + 2]
            self._left = size

    def _read_trailers(self, start: int) -> bool:
        end = self._buffer.find(b"\r\n\r\n", start)
        if end < 0:
            return False
        del self._buffer[: end + 4]
        return True

    def _keep(self, count: int) -> None:
        piece = self._buffer[:count]
        del self._buffer[:count]
        self._left -= len(piece)
        self._body += piece[: MAX_BYTES + 1 - len(self._body)]


def _opened(line: str, headers: dict[str, str]) -> Opened:
    """Return (method, target, headers, whether the connection stays open, whether chunks are understood)."""
    parts = line.split(" ")
    if len(parts) != 3 or not parts[2].startswith("HTTP/1."):
        raise Malformed("the request line is not one of HTTP/1.1")
    method, target, version = parts
    if not target.startswith("/"):
        target = "/" + target.partition("://")[2].partition("/")[2]
    connection = headers.get("connection", "").lower()
    modern = version != "HTTP/1.0"
    keep_alive = "close" not in connection if modern else "keep-alive" in connection
    return method, target, headers, keep_alive, modern


def _headers(lines: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in map(_header, lines):
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


@lru_cache(1024)
def _header(line: str) -> tuple[str, str]:
    """Read one line; nearly all lines of a client are those of its request before."""
    name, colon, value = line.partition(":")
    if not colon or not name or name != name.strip():
        raise Malformed("a header line has no name")
    return name.lower(), value.strip()


def _framing(headers: dict[str, str]) -> tuple[bool, int]:
    """Return (chunked, length)."""
    coding, length = headers.get("transfer-encoding"), headers.get("content-length")
    if coding is not None:
        if length is not None or coding.lower() != "chunked":
            raise Malformed("the length of the body is not clear")
        return True, 0
    if length is not None and not (length.isascii() and length.isdigit()):
        raise Malformed("content-length is no number")
    return False, int(length or 0)


def _size(line: bytes) -> int:
    digits = line.partition(b";")[0].strip()
    if not digits or not all(digit in b"0123456789abcdefABCDEF" for digit in digits):
        raise Malformed("a chunk has no size")
    return int(digits, 16)


def head(answer: Response | Stream, incoming: Incoming) -> bytes:
    """Return the status line and the headers of an answer."""
    lines = [f"HTTP/1.1 {answer.status} {REASONS.get(answer.status, '')}", f"date: {_date(int(time.time()))}"]
    lines += [f"{name}: {value}" for name, value in answer.headers.items()]
    if isinstance(answer, Response):
        lines.append(f"content-length: {len(answer.body)}")
    elif incoming.chunks:
        lines.append("transfer-encoding: chunked")
    if not incoming.keep_alive:
        lines.append("connection: close")
    elif not incoming.chunks:
        lines.append("connection: keep-alive")
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


@lru_cache(2)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)


def chunk(piece: bytes, incoming: Incoming) -> bytes:
    """Return a piece of a stream as it stands on the wire."""
    return b"%x\r\n%b\r\n" % (len(piece), piece) if incoming.chunks else piece
