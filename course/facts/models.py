"""The models the API serves, and what each accepts (`models.toml`, checked on the date it carries)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from types import MappingProxyType
from typing import Any

from course.facts.loader import FactError, load

__all__ = ["Model", "default_model", "forced_model", "model", "models"]


@dataclass(frozen=True)
class Model:
    """One model. Token counts are whole tokens; prices are USD per million tokens.

    forced: accepts `tool_choice` any and tool. prefill: accepts a last assistant turn to continue.
    sampling: "both" (temperature with top_p), "either" (one of them), "fixed" (temperature 1 alone).
    system_turns: accepts role system in the middle of messages. turn_changes: these may change tools and effort.
    fast_mode: takes `speed`.
    client_tools: versions of Anthropic's client tools taken.
    tool_search: takes the tool search tools. structured: takes strict tools and a format of the answer.
    image_bytes: most bytes of one picture, as base64. first_user: the first message must be the user's.
    window_sum: input and `max_tokens` together must fit the context.
    thinking: accepted values of `thinking.type`; thinking_default: "on" or "off" without that field.
    thinking_display: "summarized" or "omitted" without `thinking.display`. thinking_bound: a thinking block is refused
    outside the conversation it was written in. programmatic: code that runs may call the request's tools.
    overhead: tokens the API adds for tool use, by `auto` and `any`; empty where none is published.
    traits: how the stand-in imitates documented tendencies (`missing`: ask or guess; `preamble`).
    """

    id: str
    name: str
    released: str
    status: str
    context: int
    max_output: int
    forced: bool
    prefill: bool
    thinking: tuple[str, ...]
    thinking_default: str
    effort: tuple[str, ...]
    default_effort: str
    min_cacheable: int
    sampling: str = "both"
    system_turns: bool = False
    turn_changes: bool = True
    fast_mode: bool = False
    client_tools: tuple[str, ...] = ()
    tool_search: bool = True
    structured: bool = True
    image_bytes: int = 10_485_760
    first_user: bool = False
    window_sum: bool = False
    thinking_display: str = "summarized"
    thinking_bound: bool = False
    programmatic: bool = True
    aliases: tuple[str, ...] = ()
    overhead: Mapping[str, int] = field(default_factory=dict)
    prices: Mapping[str, float] = field(default_factory=dict)
    traits: Mapping[str, object] = field(default_factory=dict)

    @property
    def served_id(self) -> str:
        """The id that answers and refusals carry: before Claude 4.6 the one with a date, whichever was asked for."""
        return (*self.aliases, self.id)[0]


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    return MappingProxyType(value) if isinstance(value, dict) else value


@cache
def models() -> Mapping[str, Model]:
    """Return every model by id and by alias, newest first. Raises FactError when a row has an unknown key."""
    known = {f.name for f in fields(Model)}
    table: dict[str, Model] = {}
    for row in load("models")["model"]:
        if unknown := set(row) - known:
            raise FactError(f"models.toml, {row.get('id')}: unknown keys {sorted(unknown)}")
        entry = Model(**{key: _frozen(value) for key, value in row.items()})
        table.update({name: entry for name in (entry.id, *entry.aliases)})
    return MappingProxyType(table)


def model(id: str) -> Model:
    """Return the model `id` (or alias). Raises FactError when there is none."""
    try:
        return models()[id]
    except KeyError:
        raise FactError(f"models.toml has no model {id!r}") from None


def default_model() -> str:
    """Return the id the course uses where nothing special is needed."""
    return str(load("models")["default"])


def forced_model() -> str:
    """Return the id the course uses where a lesson forces a tool (the newest models refuse that)."""
    return str(load("models")["forced_default"])
