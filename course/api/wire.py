"""What goes into the offline Messages API and what comes out, as plain data: no sockets, no HTTP library."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

__all__ = ["Request", "Response", "Stream", "StreamCut"]


@dataclass(frozen=True)
class Request:
    """One HTTP request. Header names are lower case; `path` has no host, and may carry a query string."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True)
class Response:
    """One whole answer. Header names are lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Stream:
    """An answer that arrives in pieces.

    `chunks` yields (seconds to wait before it, bytes); an adapter sleeps, then sends. A `StreamCut` raised by
    `chunks` means: drop the connection here.
    """

    status: int
    headers: Mapping[str, str]
    chunks: Iterator[tuple[float, bytes]]


class StreamCut(Exception):
    """The connection is to be dropped in the middle of a stream (an injected fault)."""
