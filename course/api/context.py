"""What the checks behind the field errors read: one request body, read once, with the model it names."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from course.api.conversation import Turn, merge
from course.api.predicates import PREDICATES
from course.api.rules import Place, Violation, rules, violation
from course.facts.models import Model

__all__ = ["Context", "Hooks", "Where"]

Where = tuple[int, int]


@dataclass(frozen=True)
class Hooks:
    """What a check needs to know from outside.

    estimate: tokens of a body's prompt. signature_ok: whether the signature of a thinking block is genuine; None:
    unknown. In place of False it may say why: "edited", "moved" (another conversation) or "invalid".
    """

    estimate: Callable[[Any], int] | None = None
    signature_ok: Callable[[Mapping[str, Any]], bool | str | None] | None = None


class Context:
    """One request. `families` are its betas without their dates; `model` is None when no model has the name.

    messages: as sent; empty when they are no list. turns: the messages after merging. tools: the definitions that
    are objects, each with its index. tool_names: the names of all tools; tool_words: the fields that any of them has.
    kinds: where the blocks of the rarer types stand, as (turn, block) after merging. called: where the calls stand
    that name their caller. marked: where the blocks stand that have `cache_control`, or parts that may have it. cited:
    where the texts stand that have `citations`. system_turns: the indices of the messages of that role, as sent.

    Texts, calls and results with a plain string are most of a conversation and are left out of `kinds`.
    """

    __slots__ = ("betas", "body", "called", "cited", "counting", "families", "hooks", "kinds", "marked", "messages",
                 "model", "system_turns", "tool_names", "tool_words", "tools", "turns", "version")  # fmt: skip

    def __init__(
        self,
        body: Mapping[str, Any],
        version: str,
        betas: frozenset[str],
        families: frozenset[str],
        model: Model | None,
        hooks: Hooks,
        counting: bool = False,
    ) -> None:
        self.body = body
        self.version = version
        self.betas = betas
        self.families = families
        self.model = model
        self.hooks = hooks
        self.counting = counting
        messages, tools = body.get("messages"), body.get("tools")
        self.messages: list[Any] = messages if type(messages) is list else []
        self.turns: list[Turn] = merge(self.messages)
        self.tools: list[tuple[int, dict[str, Any]]] = (
            [(i, tool) for i, tool in enumerate(tools) if type(tool) is dict] if type(tools) is list else []
        )
        self.tool_names = {name for _, tool in self.tools if type(name := tool.get("name")) is str}
        self.tool_words: set[str] = set().union(*[tool for _, tool in self.tools])
        self.kinds: dict[str, list[Where]] = {}
        self.called: list[Where] = []
        self.marked: list[Where] = []
        self.cited: list[Where] = []
        self.system_turns: list[int] = []
        self._survey()

    def _survey(self) -> None:
        """Look at every block once."""
        kinds, called, marked, cited = self.kinds, self.called, self.marked, self.cited
        for number, turn in enumerate(self.turns):
            if turn.role == "system":
                self.system_turns += [turn.message, *[part.message for part in turn.more or ()]]
            for index, block in enumerate(turn.blocks):
                kind = block.get("type")
                if kind == "tool_use":
                    if "caller" in block:
                        called.append((number, index))
                elif kind == "tool_result":
                    if turn.role != "user" or type(block.get("content")) is list:
                        kinds.setdefault(kind, []).append((number, index))
                        marked.append((number, index))
                        continue
                elif kind == "text":
                    if "citations" in block:
                        cited.append((number, index))
                elif type(kind) is str:
                    kinds.setdefault(kind, []).append((number, index))
                if "cache_control" in block:
                    marked.append((number, index))

    def blocks(self, *kinds: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Yield (turn, block, the block) of the blocks of these rarer types, in the order in which they stand."""
        if self.kinds:
            for number, index in sorted([place for kind in kinds for place in self.kinds.get(kind, ())]):
                yield number, index, self.turns[number].blocks[index]

    def breaks(self, rule: str, place: Place = (), **values: object) -> Iterator[Violation]:
        """Yield the violation of the row `rule`, where it holds for this API version and this model."""
        row = rules()[rule]
        if self.version in row.versions and (
            not row.models or (self.model is not None and PREDICATES[row.models](self.model))
        ):
            yield violation(rule, place, **values)
