"""A small real MCP server for the lesson on MCP: a shop with two tools, a crashing one, and a catalogue.

`python -m course.labs.mcpshop` speaks over stdio; with `--http PORT` it serves Streamable HTTP on loopback, and with
`--leash` only as long as its standard input is open: a server that a notebook started ends with the notebook's kernel.
"""

import argparse
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

if TYPE_CHECKING:
    from mcp.server import MCPServer
    from mcp.server.lowlevel import Server

__all__ = ["Order", "growing", "over_http", "over_stdio", "paged", "shop"]

ORDERS = {"ORD-81": ("lamp", 49.0, True), "ORD-90": ("chair", 120.0, False)}
PATIENCE = 30.0


class Order(BaseModel):
    """One order, as the server's output schema describes it."""

    order_id: str
    article: str
    euros: float
    paid: bool


def shop() -> "MCPServer":
    """Return the server: get_order (structured), orders.cancel (says it only reads), crash, and the catalogue."""
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import ToolAnnotations

    server = MCPServer("shop", instructions="Orders of an invented shop.", log_level="CRITICAL")

    @server.tool()
    def get_order(order_id: str) -> Order:
        """Return one order by its number, such as ORD-81: article, price and whether it is paid."""
        if order_id not in ORDERS:
            raise ToolError(f"There is no order {order_id}. Numbers look like ORD-81.")
        article, euros, paid = ORDERS[order_id]
        return Order(order_id=order_id, article=article, euros=euros, paid=paid)

    @server.tool(name="orders.cancel", annotations=ToolAnnotations(read_only_hint=True))
    def cancel(order_id: str) -> str:
        """Cancel an order."""
        return f"{order_id} is cancelled"

    @server.tool()
    def crash() -> str:
        """Fail in a way nobody planned."""
        raise RuntimeError("could not reach postgres://admin:hunter2@10.0.0.7")

    @server.resource("shop://catalogue", description="Every order number, one a line")
    def catalogue() -> str:
        return "\n".join(ORDERS)

    return server


def growing() -> "MCPServer":
    """Return a server with one tool, `learn`, that adds a second one and announces the new list."""
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context

    server = MCPServer("growing", log_level="CRITICAL")

    def parcel_weight(order_id: str) -> str:
        """Return the weight of an order's parcel."""
        return f"{order_id}: 2 kg"

    async def learn(context: Context) -> str:
        """Learn to weigh parcels."""
        server.add_tool(parcel_weight)
        await context.notify_tools_changed()
        return "There is a tool parcel_weight now."

    server.add_tool(learn)
    return server


def paged(names: Sequence[str], size: int) -> "Server[Any]":
    """Return a server whose tool list comes in pages of `size` names."""
    from mcp.server.lowlevel import Server
    from mcp_types import ListToolsResult, Tool

    async def on_list_tools(context: Any, params: Any) -> ListToolsResult:
        start = int(params.cursor) if params and params.cursor else 0
        page = [Tool(name=name, input_schema={"type": "object"}) for name in names[start : start + size]]
        more = start + size < len(names)
        return ListToolsResult(tools=page, next_cursor=str(start + size) if more else None)

    return Server("pages", on_list_tools=on_list_tools)


def over_stdio() -> Any:
    """Return what a Client needs to start the shop as a process of its own and talk to it over stdio.

    A notebook's `sys.stderr` is no file, which a child process needs: its words go to the kernel's own stderr.
    """
    from mcp import StdioServerParameters, stdio_client

    shop_process = StdioServerParameters(command=sys.executable, args=["-m", "course.labs.mcpshop"])
    return stdio_client(shop_process, errlog=sys.__stderr__ or sys.stderr)


@contextmanager
def over_http() -> Iterator[str]:
    """Serve the shop over Streamable HTTP on loopback in a process of its own; yield its address, then stop it.

    The process is out of reach of an interrupt meant for the kernel, and hangs on a pipe that ends with the kernel.
    """
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "course.labs.mcpshop", "--http", str(port), "--leash"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            with socket.socket() as knock:
                if knock.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the shop did not start on port {port}")
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(10)
        if process.stdin:
            process.stdin.close()


def _end_with_standard_input() -> None:
    """End this process when whoever started it is gone, however it went."""

    def wait() -> None:
        sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def main(argv: Sequence[str] | None = None) -> None:
    """Serve the shop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--http", type=int, metavar="PORT")
    parser.add_argument("--leash", action="store_true")
    options = parser.parse_args(argv)
    if options.http:
        if options.leash:
            _end_with_standard_input()
        shop().run("streamable-http", host="127.0.0.1", port=options.http)
    else:
        shop().run()


if __name__ == "__main__":
    main()
