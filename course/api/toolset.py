"""Which tools the model sees at this point of a conversation, and which only a search can bring in."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["Toolset", "toolset"]

Tool = Mapping[str, Any]


class Toolset(NamedTuple):
    """seen: definitions in the prompt. hidden: deferred ones not referenced yet. catalogue: every deferred one."""

    seen: tuple[Tool, ...]
    hidden: tuple[Tool, ...] = ()
    catalogue: tuple[Tool, ...] = ()


def toolset(tools: Sequence[Tool], messages: Sequence[Mapping[str, Any]]) -> Toolset:
    """Sort `tools` by what the conversation has referenced, added and removed so far."""
    catalogue = tuple([tool for tool in tools if tool.get("defer_loading")])
    if not catalogue and not any([message["role"] == "system" for message in messages]):
        return Toolset(tuple(tools))
    known = {tool["name"]: tool for tool in tools if "name" in tool}
    loaded = {name for name, tool in known.items() if not tool.get("defer_loading")}
    for change, name, definition in _changes(messages):
        if definition is not None:
            known[name] = definition
        (loaded.discard if change == "tool_removal" else loaded.add)(name)
    nameless = [tool for tool in tools if "name" not in tool and not tool.get("defer_loading")]
    return Toolset(
        tuple([tool for name, tool in known.items() if name in loaded] + nameless),
        tuple(tool for tool in catalogue if tool.get("name") not in loaded),
        catalogue,
    )


def _changes(messages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, Tool | None]]:
    """Yield (kind, tool name, inline definition) in the order of the conversation."""
    for message in messages:
        for block in message["content"] if isinstance(message["content"], list) else ():
            yield from _changes_of(block)


def _changes_of(block: Mapping[str, Any]) -> Iterator[tuple[str, str, Tool | None]]:
    kind, content = block.get("type"), block.get("content")
    if kind in ("tool_addition", "tool_removal"):
        tool = block.get("tool") or {}
        definition = tool.get("definition")
        name = (definition or tool).get("name")
        if isinstance(name, str):
            yield kind, name, definition
    elif kind == "tool_search_tool_result" and isinstance(content, Mapping):
        yield from _references(content.get("tool_references"))
    elif kind == "tool_result":
        yield from _references(content)


def _references(found: Any) -> Iterator[tuple[str, str, Tool | None]]:
    """Yield what a list refers to; the results of server tools are opaque to the rules and may hold anything."""
    for reference in found if isinstance(found, list) else ():
        if isinstance(reference, Mapping) and reference.get("type") == "tool_reference":
            name = reference.get("tool_name")
            if isinstance(name, str):
                yield "tool_reference", name, None
