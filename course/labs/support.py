"""The back end of the capstone: customers, orders and refunds in SQLite, and a warehouse that speaks MCP.

Everything here is plain code below the boundary: it knows nothing of Claude.
"""

import json
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server import MCPServer

__all__ = ["STOCK", "Backend", "Failure", "warehouse"]

SCHEMA = """
CREATE TABLE customers (id TEXT PRIMARY KEY, name TEXT, email TEXT UNIQUE);
CREATE TABLE orders (id TEXT PRIMARY KEY, customer TEXT REFERENCES customers, article TEXT, euros REAL, paid INTEGER);
CREATE TABLE refunds (key TEXT PRIMARY KEY, order_id TEXT REFERENCES orders, euros REAL);
CREATE TABLE escalations (id INTEGER PRIMARY KEY, summary TEXT);
"""
CUSTOMERS = (("C-19", "Ann Lee", "ann@example.org"), ("C-20", "Bo Lind", "bo@example.org"))
ORDERS = (
    ("ORD-81", "C-19", "lamp", 49.0, 1),
    ("ORD-82", "C-19", "sofa", 480.0, 1),
    ("ORD-90", "C-20", "chair", 80.0, 1),
)
STOCK = {"lamp": 12, "sofa": 2, "chair": 7, "desk": 3, "kettle": 5}


class Failure(Exception):
    """The back end could not do it. category: one of the four kinds; retryable: try again."""

    def __init__(self, category: str, message: str, retryable: bool = False) -> None:
        super().__init__(message)
        self.category, self.message, self.retryable = category, message, retryable

    @classmethod
    def no_order(cls, order_id: str) -> "Failure":
        """Return the failure of an order that does not exist, or must look so."""
        return cls("validation", f"There is no order {order_id}. Numbers look like ORD-81.")

    def as_json(self) -> str:
        """Return the payload convention: errorCategory, isRetryable, message."""
        return json.dumps({"errorCategory": self.category, "isRetryable": self.retryable, "message": self.message})


class Backend:
    """The shop's systems for one conversation. `down`: names of operations whose service times out."""

    def __init__(
        self, customers: Sequence[Any] = CUSTOMERS, orders: Sequence[Any] = ORDERS, down: Sequence[str] = ()
    ) -> None:
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.executescript(SCHEMA)
        self._db.executemany("INSERT INTO customers VALUES (?, ?, ?)", customers)
        self._db.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?)", orders)
        self.down = set(down)

    def _up(self, operation: str) -> None:
        if operation in self.down:
            raise Failure("transient", f"{operation} timed out. Try again in a minute.", retryable=True)

    def customer(self, email: str) -> dict[str, Any]:
        """Return id and name of the customer with this address."""
        self._up("customer")
        row = self._db.execute("SELECT id, name FROM customers WHERE email = ?", (email,)).fetchone()
        if row is None:
            raise Failure("validation", f"No customer has the address {email}. Ask for the address used in the order.")
        return {"customer_id": row[0], "name": row[1]}

    def order(self, order_id: str) -> dict[str, Any]:
        """Return one order."""
        self._up("order")
        row = self._db.execute("SELECT customer, article, euros, paid FROM orders WHERE id = ?", (order_id,)).fetchone()
        if row is None:
            raise Failure.no_order(order_id)
        return {"order_id": order_id, "customer_id": row[0], "article": row[1], "euros": row[2], "paid": bool(row[3])}

    def refund(self, order_id: str, euros: float, key: str) -> dict[str, Any]:
        """Pay back once per key. The caller has checked who asks and how much may be paid."""
        self._up("refund")
        self.order(order_id)
        with self._db:
            self._db.execute("INSERT OR IGNORE INTO refunds VALUES (?, ?, ?)", (key, order_id, euros))
        return {"status": "success", "order_id": order_id, "euros": euros}

    def escalate(self, summary: str) -> dict[str, Any]:
        """Hand over to a person, with a summary."""
        self._up("escalate")
        with self._db:
            cursor = self._db.execute("INSERT INTO escalations (summary) VALUES (?)", (summary,))
        return {"status": "success", "ticket": f"T-{cursor.lastrowid}"}

    def refunds(self) -> list[tuple[str, float]]:
        """Return what was paid back: (order, euros)."""
        return self._db.execute("SELECT order_id, euros FROM refunds ORDER BY rowid").fetchall()

    def escalations(self) -> list[str]:
        """Return the summaries of what was handed over."""
        return [row[0] for row in self._db.execute("SELECT summary FROM escalations ORDER BY id")]

    def close(self) -> None:
        """Close the database."""
        self._db.close()


def warehouse() -> "MCPServer":
    """Return the warehouse's server: stock.count and stock.reserve, over what `STOCK` says."""
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    server = MCPServer("warehouse", instructions="What is in stock.", log_level="CRITICAL")

    def left(article: str) -> int:
        if article not in STOCK:
            raise ToolError(f"There is no article {article}. Articles: {', '.join(STOCK)}.")
        return STOCK[article]

    @server.tool(name="stock.count")
    def count(article: str) -> str:
        """Return how many pieces of an article, such as lamp, are in stock."""
        return f"{left(article)} in stock"

    @server.tool(name="stock.reserve")
    def reserve(article: str, pieces: int) -> str:
        """Reserve pieces of an article, such as lamp, until tomorrow."""
        if pieces > left(article):
            raise ToolError(f"Only {left(article)} pieces are left. Reserve fewer, or ask for the next delivery.")
        return f"{pieces} reserved"

    return server
