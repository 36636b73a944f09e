"""Serving a room: the listening socket, the addresses to tell, and uvicorn around the site.

An interrupt ends it tidily: pages are let go, and the room remembers that it was stopped on purpose.
"""

import contextlib
import ipaddress
import socket
from collections.abc import Callable

import uvicorn

from course.workshop.desk import Desk
from course.workshop.site import Site, application

__all__ = ["ANYWHERE", "is_loopback", "own_address", "serve"]

ANYWHERE = ("0.0.0.0", "::", "")


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def own_address(host: str) -> str:
    """Return what to type to reach a server bound to `host`: for "all addresses", this machine's in the network."""
    if host not in ANYWHERE:
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address for examples (RFC 5737); a datagram socket sends nothing yet
        return str(probe.getsockname()[0])
    return socket.gethostname()


class _Server(uvicorn.Server):
    """uvicorn that lets the pages go before it waits for them to have gone."""

    def __init__(self, config: uvicorn.Config, desk: Desk, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.desk, self.ready = desk, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.desk.close()
        await super().shutdown(sockets)


def serve(site: Site, listener: socket.socket, *, host: str, ready: Callable[[], None] = lambda: None) -> None:
    """Serve on `listener` until interrupted or terminated; `ready` is called once pages can come."""
    names = frozenset({"localhost", host.lower(), socket.gethostname().lower()} - set(ANYWHERE))
    app = application(site, names=names, loopback=is_loopback(host))
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=1500,
        timeout_graceful_shutdown=3,
    )
    with contextlib.suppress(KeyboardInterrupt):
        _Server(config, site.desk, ready).run(sockets=[listener])
