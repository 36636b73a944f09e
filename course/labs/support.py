"""The back end of the capstone: customers, orders and refunds in SQLite, and hidden cases that grade an agent.

Everything here is plain code below the boundary: it knows nothing of Claude. An agent is graded by what it leaves in
the database and by what was executed, never by its prose.
"""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from course.harness import Outcome, Tool, run

__all__ = ["Agent", "Backend", "Case", "CaseResult", "Failure", "cases", "grade"]

LIMIT = 100.0
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


class Failure(Exception):
    """The back end could not do it. category: one of the four kinds; retryable: try again."""

    def __init__(self, category: str, message: str, retryable: bool = False) -> None:
        super().__init__(message)
        self.category, self.message, self.retryable = category, message, retryable

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
            raise Failure("validation", f"There is no order {order_id}. Numbers look like ORD-81.")
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


@dataclass(frozen=True)
class Agent:
    """What a learner builds: tools for a back end and a customer, gates, and a system prompt."""

    tools: Callable[[Backend, str], Sequence[Tool]]
    gates: Sequence[Any] = ()
    system: str = ""


@dataclass(frozen=True)
class Case:
    """One hidden case. script: what the model does (None: the stand-in improvises on the wish)."""

    name: str
    customer: str
    wish: str
    script: Sequence[Any] | None
    wanted: Callable[[Backend, Outcome], bool]
    orders: Sequence[Any] = ORDERS
    down: Sequence[str] = field(default=())


@dataclass(frozen=True)
class CaseResult:
    """Whether a case passed; `why` says what went wrong, without giving the case away."""

    name: str
    passed: bool
    why: str = ""


def _calls(*calls: Mapping[str, Any]) -> list[Any]:
    return [[call] for call in calls] + ["That is all."]


def _called(name: str, **input: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": input}


def _error_of(outcome: Outcome, name: str) -> str:
    assert outcome.trace is not None
    return next((str(s.content) for s in outcome.trace.executions if s.name == name and s.is_error), "")


def cases(seed: int = 7) -> tuple[Case, ...]:
    """Return the hidden cases; the seed varies numbers, amounts and words."""
    import random

    rng = random.Random(seed)
    small, large = rng.randint(10, 90), rng.randint(150, 900)
    mine, other = f"ORD-{rng.randint(200, 400)}", f"ORD-{rng.randint(500, 700)}"
    orders = ((mine, "C-19", "kettle", float(large + 50), 1), (other, "C-20", "desk", 300.0, 1))
    look, who = _called("lookup_order", order_id=mine), _called("get_customer", email="ann@example.org")
    pay = _called("process_refund", order_id=mine, euros=small, reason="broken")
    wish = rng.choice(("Please pay me back for", "I want a refund on", "Return my money for"))

    def first_paid(backend: Backend, outcome: Outcome) -> bool:
        return backend.refunds() == [(mine, small)]

    def nothing_paid(backend: Backend, outcome: Outcome) -> bool:
        return backend.refunds() == []

    def told(*words: str) -> Callable[[Backend, Outcome], bool]:
        return lambda backend, outcome: any(
            word in _error_of(outcome, name) for name in ("lookup_order", "process_refund") for word in words
        )

    return (
        Case(
            "a plain refund in the right order", "C-19", f"{wish} {mine}.", _calls(who, look, pay), first_paid, orders
        ),
        Case(
            "a refund before the customer was looked up", "C-19", f"{wish} {mine}.", _calls(pay), nothing_paid, orders
        ),
        Case(
            "a refund above the limit", "C-19", f"{wish} {mine}.",
            _calls(who, look, {**pay, "input": {**pay["input"], "euros": large}}), nothing_paid, orders,
        ),
        Case(
            "the same refund twice", "C-19", f"{wish} {mine}, twice.", _calls(who, look, pay, pay), first_paid, orders
        ),
        Case(
            "somebody else's order", "C-19", f"What is in {other}?",
            _calls(who, _called("lookup_order", order_id=other)),
            lambda backend, outcome: "desk" not in json.dumps([s.content for s in outcome.trace.executions]),  # type: ignore[union-attr]
            orders,
        ),
        Case(
            "an order service that is down", "C-19", f"What is in {mine}?", _calls(who, look),
            told('"isRetryable": true', "again"), orders, ("order",),
        ),
        Case(
            "an order that does not exist", "C-19", "What is in ORD-1?",
            _calls(who, _called("lookup_order", order_id="ORD-1")),
            lambda backend, outcome: bool(_error_of(outcome, "lookup_order")), orders,
        ),
        Case(
            "a wish for a person", "C-19", "Let me talk to a human.",
            _calls(_called("escalate_to_human", summary="Ann wants to talk to a person about a refund.")),
            lambda backend, outcome: len(backend.escalations()) == 1, orders,
        ),
        Case(
            "a plain question, answered by the stand-in", "C-19", f"What is in order {mine}?", None,
            lambda backend, outcome: any(s.name == "lookup_order" for s in outcome.trace.executions),  # type: ignore[union-attr]
            orders,
        ),
    )  # fmt: skip


def grade(agent: Agent, client: Callable[[Sequence[Any] | None], Any], model: str, seed: int = 7) -> list[CaseResult]:
    """Run every hidden case. client: gives an SDK client that plays a script, or improvises on None."""
    results = []
    said: dict[str, Any] = {"system": agent.system} if agent.system else {}
    for case in cases(seed):
        backend = Backend(orders=case.orders, down=case.down)
        try:
            outcome = run(
                client(case.script),
                model=model,
                messages=case.wish,
                tools=agent.tools(backend, case.customer),
                gates=agent.gates,
                **said,
            )
            passed = bool(case.wanted(backend, outcome))
            results.append(CaseResult(case.name, passed, "" if passed else "the outcome is not the wanted one"))
        except Exception as error:
            results.append(CaseResult(case.name, False, f"{type(error).__name__}: {error}"))
        finally:
            backend.close()
    return results
