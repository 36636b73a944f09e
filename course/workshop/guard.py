"""What every request of the poll's site passes: host, origin, size, pace; and the headers every answer carries.

The site speaks plain HTTP in a room, so it trusts nothing it need not: a name that is not ours is refused (DNS
rebinding), a request from another site's page is refused (CSRF, beside SameSite cookies and a JSON body), and no
page may load, run or frame anything from elsewhere.
"""

import ipaddress
import json
import time
from collections import deque
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from course.facts.text import say

__all__ = ["HEADERS", "BadBody", "Guard", "Limit", "json_body", "same_site", "trusted"]

HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
)
LARGEST_BODY = 4096


class BadBody(Exception):
    """A body that is too large, or no JSON object."""


def trusted(host: str, names: frozenset[str], *, loopback: bool) -> bool:
    """Tell whether a Host header may be answered: an address in numbers can't be rebound, a name must be ours."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
        urlsplit(f"//{host}").port  # noqa: B018
    except ValueError:
        return False
    if name.lower() in names:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or not loopback


def same_site(headers: Headers) -> bool:
    """Tell whether a request that changes something comes from one of our own pages, or from no page at all."""
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc == headers.get("host", "")
    return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")


class Guard:
    """ASGI middleware. names: host names that are ours. loopback: only this machine may ask."""

    def __init__(self, app: ASGIApp, *, names: frozenset[str], loopback: bool) -> None:
        self.app, self.names, self.loopback = app, names, loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on and add the headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refused = self._refusal(scope["method"], Headers(scope=scope))
        await (refused or self.app)(scope, receive, guarded)

    def _refusal(self, method: str, headers: Headers) -> JSONResponse | None:
        if not trusted(headers.get("host", ""), self.names, loopback=self.loopback):
            return _refuse(421, "host")
        if method not in ("GET", "HEAD"):
            if not same_site(headers):
                return _refuse(403, "origin")
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return _refuse(415, "body")
        return None


def _refuse(status: int, reason: str) -> JSONResponse:
    return JSONResponse({"reason": reason, "message": say(f"workshop.refused.{reason}")}, status)


async def json_body(request: Request) -> dict[str, Any]:
    """Return the body as a JSON object of texts that UTF-8 can hold, so no half surrogates. Raises BadBody."""
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > LARGEST_BODY:
            raise BadBody
    try:
        value = json.loads(found)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise BadBody from None
    if not isinstance(value, dict):
        raise BadBody
    return value


class Limit:
    """So many times in so many seconds, for each key. `monotonic` gives seconds."""

    def __init__(self, times: int, seconds: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.times, self.seconds, self._monotonic = times, seconds, monotonic
        self._seen: dict[str, deque[float]] = {}

    def spent(self, key: str) -> bool:
        """Return True when the key has used up its times; asking does not count."""
        seen = self._seen.get(key)
        while seen and seen[0] <= self._monotonic() - self.seconds:
            seen.popleft()
        if not seen:
            self._seen.pop(key, None)
            return False
        return len(seen) >= self.times

    def count(self, key: str) -> None:
        """Count one time now."""
        if len(self._seen) > 4096:
            for other in list(self._seen):
                self.spent(other)
        self._seen.setdefault(key, deque(maxlen=self.times)).append(self._monotonic())
