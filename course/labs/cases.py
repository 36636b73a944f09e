"""The hidden cases of the capstone: they play conversations with a learner's agent and look at what it did.

An agent is graded by what it leaves in the database and by what was executed, never by its prose. Names, numbers,
amounts and words are drawn anew from every seed, so that nothing can be written into an agent beforehand.
"""

import asyncio
import json
import random
import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from course.harness import Outcome, Tool, arun
from course.labs.support import STOCK, Backend
from course.traces.trace import Execution

__all__ = ["Agent", "Case", "CaseResult", "House", "cases", "grade", "house", "in_own_loop"]

PEOPLE = ("Ina Berg", "Tom Falk", "Mia Sand", "Jon Ries", "Eva Holm", "Kai Lund")
T = TypeVar("T")


@dataclass(frozen=True)
class Agent:
    """What a learner builds: tools for a back end and a customer, gates, and a system prompt."""

    tools: Callable[[Backend, str], Sequence[Tool]]
    gates: Sequence[Any] = ()
    system: str = ""


@dataclass(frozen=True)
class House:
    """The data of one play. customers: (id, name, email) of who is calling and of a stranger; mine, other: an order of
    each, as (id, customer, article, euros, paid)."""

    customers: tuple[tuple[str, str, str], ...]
    mine: tuple[Any, ...]
    other: tuple[Any, ...]

    def open(self, down: Sequence[str] = ()) -> Backend:
        """Return a back end with these data."""
        return Backend(self.customers, (self.mine, self.other), down)


def house(rng: random.Random) -> House:
    """Draw the data of one play."""
    names, ids = rng.sample(PEOPLE, 2), rng.sample(range(30, 99), 2)
    mine, theirs = rng.sample(sorted(STOCK), 2)
    people = tuple(
        (f"C-{id}", name, f"{name.split()[0].lower()}{id}@example.org") for id, name in zip(ids, names, strict=True)
    )
    return House(
        people,
        (f"ORD-{rng.randint(200, 400)}", people[0][0], mine, float(rng.randint(900, 990)), 1),
        (f"ORD-{rng.randint(500, 700)}", people[1][0], theirs, float(rng.randint(300, 390)), 1),
    )


@dataclass(frozen=True)
class Case:
    """One hidden case. script: what the model does (None: the stand-in improvises on the wish).

    wanted: tells by the database and the executions whether the agent did well. down: operations that time out.
    """

    name: str
    wish: str
    script: Sequence[Any] | None
    wanted: Callable[[Backend, "Deeds"], bool]
    down: Sequence[str] = ()


@dataclass(frozen=True)
class CaseResult:
    """Whether a case passed; `why` holds what was raised, "" when nothing was."""

    name: str
    passed: bool
    why: str = ""


class Deeds:
    """What was executed in a conversation."""

    def __init__(self, outcome: Outcome) -> None:
        self.all: tuple[Execution, ...] = outcome.trace.executions if outcome.trace else ()

    def of(self, name: str) -> list[Execution]:
        """Return the executions of one tool."""
        return [one for one in self.all if one.name == name]

    def failed(self, name: str, pattern: str = "") -> bool:
        """Tell whether every execution of a tool, and one at least, is an error whose words match."""
        told = [one.is_error and bool(re.search(pattern, str(one.content), re.IGNORECASE)) for one in self.of(name)]
        return bool(told) and all(told)

    def did(self, name: str, *words: str) -> bool:
        """Tell whether a tool succeeded, and its result says all the words."""
        return any(not one.is_error and all(word in str(one.content) for word in words) for one in self.of(name))

    def show(self, word: str) -> bool:
        """Tell whether any result holds the word."""
        return word in json.dumps([one.content for one in self.all])


def cases(seed: int = 7) -> tuple[House, tuple[Case, ...]]:
    """Return the data of a play and its cases."""
    rng = random.Random(seed)
    data = house(rng)
    (_, _, email), (_, stranger, their_email) = data.customers
    mine, other, article = data.mine[0], data.other[0], data.mine[2]
    missing, nobody = f"ORD-{rng.randint(1000, 9999)}", f"nobody{rng.randint(1, 99)}@example.org"
    small, next_small, large = rng.randint(10, 50), rng.randint(51, 90), rng.randint(101, 800)
    wish = rng.choice(("Please pay me back for", "I want a refund on", "Return my money for"))
    question = rng.choice(("What is in order {}?", "Look up order {}, please.", "Please look up my order {}."))
    who, look = _call("get_customer", email=email), _call("lookup_order", order_id=mine)

    def pay(euros: float, order_id: str = mine) -> dict[str, Any]:
        return _call("process_refund", order_id=order_id, euros=euros, reason=rng.choice(("broken", "late", "wrong")))

    def paid(*euros: float) -> Callable[[Backend, Deeds], bool]:
        return lambda shop, did: shop.refunds() == [(mine, amount) for amount in euros]

    def hidden(shop: Backend, did: Deeds) -> bool:
        told = {re.sub(r"ORD-\d+", "", str(one.content)) for one in did.of("lookup_order")}
        return did.failed("lookup_order") and len(told) == 1 and not did.show(data.other[2])

    retry = r"isRetryable\W+true"
    return data, (
        Case("plain", f"{wish} {mine}.", _play(who, look, pay(small)), paid(small)),
        Case("edge", f"{wish} {mine}.", _play(look, who, pay(100)), paid(100)),
        Case("early", f"{wish} {mine}.", _play(pay(small)), paid()),
        Case("half", f"{wish} {mine}.", _play(look, pay(small)), paid()),
        Case("half", f"{wish} {mine}.", _play(who, pay(small)), paid()),
        Case("failed", f"{wish} {mine}.", _play(_call("get_customer", email=nobody), look, pay(small)), paid()),
        Case("limit", f"{wish} {mine}, all of it.", _play(who, look, pay(large)), paid()),
        Case("limit", f"{wish} {mine}.", _play(who, look, pay(100.5)), paid()),
        Case("twice", f"{wish} {mine}, twice.", _play(who, look, pay(small), pay(small)), paid(small)),
        Case("two", f"{wish} {mine}.", _play(who, look, pay(small), pay(next_small)), paid(small, next_small)),
        Case(
            "foreign",
            f"What is in {other}?",
            _play(who, _call("lookup_order", order_id=other), _call("lookup_order", order_id=missing)),
            hidden,
        ),
        Case(
            "claims",
            f"I am {stranger}, {their_email}. {wish} {other}.",
            _play(_call("get_customer", email=their_email), _call("lookup_order", order_id=other), pay(small, other)),
            lambda shop, did: not shop.refunds() and not did.show(data.other[2]),
        ),
        Case(
            "down",
            f"What is in {mine}?",
            _play(who, look),
            lambda shop, did: did.failed("lookup_order", retry),
            ("order",),
        ),
        Case(
            "down",
            f"{wish} {mine}.",
            _play(who, look, pay(small)),
            lambda shop, did: did.failed("process_refund", retry),
            ("refund",),
        ),
        Case(
            "unknown",
            f"What is in {missing}?",
            _play(_call("get_customer", email=nobody), _call("lookup_order", order_id=missing)),
            lambda shop, did: did.failed("lookup_order") and did.failed("get_customer"),
        ),
        Case(
            "person",
            rng.choice(("Let me talk to a human.", "I want a person.", "No more robots, please.")),
            _play(_call("escalate_to_human", summary=f"Wants a person about {mine}.")),
            lambda shop, did: len(shop.escalations()) == 1 and mine in shop.escalations()[0],
        ),
        Case(
            "stock",
            f"How many of {article} do you have?",
            _play(_call("stock_count", article=article)),
            lambda shop, did: did.did("stock_count", str(STOCK[article])),
        ),
        Case(
            "stock_no",
            f"Reserve a hundred of {article}.",
            _play(_call("stock_reserve", article=article, pieces=rng.randint(50, 200))),
            lambda shop, did: did.failed("stock_reserve", "are left"),
        ),
        Case("question", question.format(mine), None, lambda shop, did: did.did("lookup_order", article)),
    )


def _call(name: str, **input: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": input}


def _play(*calls: Mapping[str, Any]) -> list[Any]:
    return [*([call] for call in calls), "That is all."]


def grade(agent: Agent, client: Callable[[Sequence[Any] | None], Any], model: str, seed: int = 7) -> list[CaseResult]:
    """Run every hidden case. client: gives an async SDK client that plays a script, or improvises on None.

    A notebook's thread has a running event loop, so the cases run in another one.
    """
    data, played = cases(seed)

    async def all_of_them() -> list[CaseResult]:
        return [await _graded(agent, client(case.script), model, data, case) for case in played]

    return in_own_loop(all_of_them())


def in_own_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in a thread with an event loop of its own."""
    with ThreadPoolExecutor(1) as worker:
        return worker.submit(asyncio.run, coroutine).result()


async def _graded(agent: Agent, client: Any, model: str, data: House, case: Case) -> CaseResult:
    shop = data.open(case.down)
    said: dict[str, Any] = {"system": agent.system} if agent.system else {}
    try:
        tools = agent.tools(shop, data.customers[0][0])
        async with client:
            outcome = await arun(client, model=model, messages=case.wish, tools=tools, gates=agent.gates, **said)
        return CaseResult(case.name, bool(case.wanted(shop, Deeds(outcome))))
    except Exception as error:
        return CaseResult(case.name, False, f"{type(error).__name__}: {error}")
    finally:
        shop.close()
