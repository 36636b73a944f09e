"""What the checks behind the field errors read: one request body, read once, with the model it names."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
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


@dataclass(frozen=True)
class Context:
    """One request. `families` are its betas without their dates; `model` is None when no model has the name."""

    body: Mapping[str, Any]
    version: str
    betas: frozenset[str]
    families: frozenset[str]
    model: Model | None
    hooks: Hooks = field(default_factory=Hooks)
    counting: bool = False

    @cached_property
    def messages(self) -> list[Any]:
        """The messages as sent; empty when they are no list."""
        found = self.body.get("messages")
        return found if type(found) is list else []

    @cached_property
    def turns(self) -> list[Turn]:
        """The messages after merging."""
        return merge(self.messages)

    @cached_property
    def _survey(self) -> tuple[dict[str, list[Where]], list[Where], list[Where]]:
        """One pass over the blocks: where those of the rarer types stand, the calls with a caller, the marked blocks.

        Texts, calls and results with a plain string are most of a conversation and are left out.
        """
        kinds: dict[str, list[Where]] = {}
        called: list[Where] = []
        marked: list[Where] = []
        for number, turn in enumerate(self.turns):
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
                elif kind != "text" and type(kind) is str:
                    kinds.setdefault(kind, []).append((number, index))
                if "cache_control" in block:
                    marked.append((number, index))
        return kinds, called, marked

    @property
    def kinds(self) -> Mapping[str, list[Where]]:
        """Where the blocks of the rarer types stand, as (turn, block) after merging; results: those with parts."""
        return self._survey[0]

    @property
    def called(self) -> list[Where]:
        """Where the calls stand that name their caller."""
        return self._survey[1]

    @property
    def marked(self) -> list[Where]:
        """Where the blocks stand that have `cache_control`, or parts that may have it."""
        return self._survey[2]

    def blocks(self, *kinds: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Yield (turn, block, the block) of the blocks of these rarer types, in the order in which they stand."""
        for number, index in sorted(place for kind in kinds for place in self.kinds.get(kind, ())):
            yield number, index, self.turns[number].blocks[index]

    @cached_property
    def tools(self) -> list[tuple[int, dict[str, Any]]]:
        """The tool definitions that are objects, each with its index."""
        found = self.body.get("tools")
        return [(i, tool) for i, tool in enumerate(found) if type(tool) is dict] if type(found) is list else []

    @cached_property
    def tool_names(self) -> frozenset[str]:
        """The names of all tools."""
        return frozenset(name for _, tool in self.tools if type(name := tool.get("name")) is str)

    def breaks(self, rule: str, place: Place = (), **values: object) -> Iterator[Violation]:
        """Yield the violation of the row `rule`, where it holds for this API version and this model."""
        row = rules()[rule]
        if self.version in row.versions and (
            not row.models or (self.model is not None and PREDICATES[row.models](self.model))
        ):
            yield violation(rule, place, **values)
