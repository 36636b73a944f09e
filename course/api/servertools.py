"""Server tools in the conversation: each use with its result, callers that exist, a container where code waits.

Sources: Claude API docs, stop reasons and programmatic tool calling, snapshot of 2026-09-26; reports in `rules.toml`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from course.api.context import Context
from course.api.conversation import Turn
from course.api.rules import Violation
from course.api.tools import runs_code

__all__ = ["check"]

SEARCH = "tool_search_tool"


def check(ctx: Context) -> Iterator[Violation]:
    """Yield the broken rules of server tools, turn by turn."""
    if any([kind == "server_tool_use" or _is_result(kind) for kind in ctx.kinds]):
        yield from _uses(ctx)
    if "web_search_tool_result" in ctx.kinds:
        yield from _encrypted(ctx)
    if ctx.called:
        yield from _callers(ctx)
        yield from _results_of_code(ctx)
    if ctx.kinds or ctx.called:
        yield from _waiting_code(ctx)


def result_type(name: Any) -> str:
    """Return the type of the result block of the server tool `name`."""
    stem = SEARCH if type(name) is str and name.startswith(SEARCH) else name
    return f"{stem}_tool_result" if stem != SEARCH else f"{SEARCH}_result"


def _is_result(kind: Any) -> bool:
    return type(kind) is str and kind.endswith("_tool_result") and kind not in ("tool_result", "mcp_tool_result")


def _only_results(turn: Turn) -> bool:
    return bool(turn.blocks) and all(block.get("type") == "tool_result" for block in turn.blocks)


def _uses(ctx: Context) -> Iterator[Violation]:
    open_uses: dict[str, tuple[int, int, Any]] = {}
    known: set[str] = set()
    last = len(ctx.turns) - 1
    for number, turn in enumerate(ctx.turns):
        if turn.role != "assistant":
            continue
        for index, block in enumerate(turn.blocks):
            kind = block.get("type")
            if kind == "server_tool_use" and type(id := block.get("id")) is str:
                known.add(id)
                open_uses[id] = (number, index, block.get("name"))
            elif _is_result(kind) and type(id := block.get("tool_use_id")) is str:
                if id not in known:
                    values = {"index": number, "content_index": index, "type": kind, "id": id}
                    yield from ctx.breaks("server.unexpected-result", turn.place(index), **values)
                open_uses.pop(id, None)
        later = ctx.turns[number + 1] if number < last else None
        if later is not None and open_uses and not _only_results(later):
            yield from _unresolved(ctx, open_uses)
            open_uses = {}
    for id, (number, index, name) in open_uses.items():
        if type(name) is str and not _provided(ctx, name):
            values = {"index": number, "tool": name, "id": id, "result": result_type(name)}
            yield from ctx.breaks("server.no-tool", ctx.turns[number].place(index), **values)


def _encrypted(ctx: Context) -> Iterator[Violation]:
    """What a search found comes back sealed. A seal can't be checked from outside; an empty one is none."""
    for number, index, block in ctx.blocks("web_search_tool_result"):
        found = block.get("content")
        if type(found) is list and any(type(part) is dict and part.get("encrypted_content") == "" for part in found):
            place = ctx.turns[number].place(index)
            yield from ctx.breaks("server.encrypted-content", place, index=number, content_index=index)


def _unresolved(ctx: Context, uses: Mapping[str, tuple[int, int, Any]]) -> Iterator[Violation]:
    for id, (number, index, name) in uses.items():
        values = {"index": number, "tool": name, "id": id, "result": result_type(name)}
        yield from ctx.breaks("server.missing-result", ctx.turns[number].place(index), **values)


def _provided(ctx: Context, name: str) -> bool:
    if name in ctx.tool_names:
        return True
    # Code execution is there for more than one tool: the bash and editor tools, and searches that filter by code.
    return name.endswith("code_execution") and runs_code(ctx)


def _callers(ctx: Context) -> Iterator[Violation]:
    runs = {block.get("id"): number for number, _, block in reversed(list(ctx.blocks("server_tool_use")))}
    for number, index in ctx.called:
        block = ctx.turns[number].blocks[index]
        caller = block["caller"]
        if type(caller) is not dict or caller.get("type") == "direct":
            continue
        source = caller.get("tool_id")
        if type(source) is str and runs.get(source, len(ctx.turns)) > number:
            place = ctx.turns[number].place(index)
            yield from ctx.breaks("caller.no-source", place, tool_id=source, id=block.get("id"))


def _results_of_code(ctx: Context) -> Iterator[Violation]:
    """Code that waits for a result takes text alone."""
    by_code = {
        block.get("id")
        for block in (ctx.turns[number].blocks[index] for number, index in ctx.called)
        if type(caller := block["caller"]) is dict and caller.get("type") != "direct"
    }
    for number, index, block in ctx.blocks("tool_result"):
        content = block.get("content")
        if block.get("tool_use_id") not in by_code or type(content) is not list:
            continue
        if any(type(part) is dict and part.get("type") != "text" for part in content):
            place = ctx.turns[number].place(index)
            yield from ctx.breaks("result.code-text-only", place, index=number, content_index=index)


def _waiting_code(ctx: Context) -> Iterator[Violation]:
    """Code that waits for results needs the container it runs in."""
    turns = ctx.turns
    if ctx.body.get("container") is not None or len(turns) < 2 or turns[-1].role != "user":
        return
    asked, answered = turns[-2], turns[-1]
    if asked.role != "assistant" or not _only_results(answered):
        return
    results = {block.get("tool_use_id") for block in asked.blocks if _is_result(block.get("type"))}
    waits = any(
        block.get("type") == "server_tool_use"
        and block.get("name") == "code_execution"
        and block.get("id") not in results
        for block in asked.blocks
    )
    called = any(
        block.get("type") == "tool_use"
        and type(caller := block.get("caller")) is dict
        and str(caller.get("type")).startswith("code_execution")
        for block in asked.blocks
    )
    if called or (waits and any(block.get("type") == "tool_use" for block in asked.blocks)):
        yield from ctx.breaks("container.required", ("container",))
