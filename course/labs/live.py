"""Run the overload lab on a model through the Messages API: on a subset, with the cost said before."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from course.api.tokens import factor, overhead, weigh, weigh_tools
from course.facts.models import model as facts_of
from course.labs.catalogue import LabTool, Style, Wish, tools, wishes

__all__ = ["Choice", "Plan", "choose", "plan", "share"]

ANSWER_TOKENS = 150
MAX_TOKENS = 400


@dataclass(frozen=True)
class Plan:
    """What a live run would send. Tokens and USD are estimates; usd is None where no price is known."""

    model: str
    style: Style
    size: int
    asked: tuple[Wish, ...]
    input_tokens: int
    output_tokens: int
    usd: float | None


@dataclass(frozen=True)
class Choice:
    """One wish, the tools that were offered, and the name of the first tool called (None: no call)."""

    wish: Wish
    offered: tuple[str, ...]
    chosen: str | None

    @property
    def right(self) -> bool:
        """Whether the tool that serves the wish was called first."""
        return self.chosen == self.wish.tool


def _offer(wish: Wish, size: int, seed: int) -> tuple[LabTool, ...]:
    """Return `size` tools in a random order, the right one among them."""
    rng = random.Random(f"{seed}/{size}/{wish.text}")
    right = next(tool for tool in tools() if tool.name == wish.tool)
    offered = [right, *rng.sample([tool for tool in tools() if tool is not right], size - 1)]
    rng.shuffle(offered)
    return tuple(offered)


def plan(model: str, size: int, *, count: int = 20, style: Style = "good", seed: int = 1) -> Plan:
    """Return the plan for asking `model` `count` held-back wishes with `size` tools each."""
    asked = tuple(random.Random(seed).sample(wishes(held=True), count))
    facts = facts_of(model)
    weight = sum(
        weigh_tools([tool.definition(style) for tool in _offer(wish, size, seed)]) + weigh(wish.text) for wish in asked
    )
    sent = round(weight * factor(facts)) + count * overhead(facts, "auto")
    written = count * ANSWER_TOKENS
    prices = facts.prices
    usd = (sent * prices["input"] + written * prices["output"]) / 1e6 if prices else None
    return Plan(model, style, size, asked, sent, written, usd)


def choose(client: Any, what: Plan, *, seed: int = 1) -> Iterator[Choice]:
    """Carry out a plan, one request a wish, and yield each choice as it comes."""
    for wish in what.asked:
        offered = _offer(wish, what.size, seed)
        message = client.messages.create(
            model=what.model,
            max_tokens=MAX_TOKENS,
            tools=[tool.definition(what.style) for tool in offered],
            messages=[{"role": "user", "content": wish.text}],
        )
        called = next((block.name for block in message.content if block.type == "tool_use"), None)
        yield Choice(wish, tuple(tool.name for tool in offered), called)


def share(choices: Sequence[Choice]) -> float:
    """Return the share of right choices, 0…1."""
    return sum(choice.right for choice in choices) / len(choices)
