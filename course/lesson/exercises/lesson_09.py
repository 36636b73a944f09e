"""The exercises of lesson 09, tool search and programmatic calling."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course.lesson.checks import first_broken, sorts
from course.lesson.exercise import Exercise, Finding, right, wrong
from course.traces.plain import plain

__all__ = ["EXERCISES"]

ALWAYS = {"orders_get", "customers_find"}
BOOKING = {"travel_book_flight", "travel_book_hotel"}
HI = [{"role": "user", "content": "hi"}]
USES = {
    "five MCP servers, 55,000 tokens of definitions": True,
    "six tools, all used in each conversation": False,
    "200 internal tools, each asked for now and then": True,
    "four tools with one parameter each": False,
}
FITS = {
    "add up 50 reports, only the sum matters": True,
    "one weather look-up": False,
    "filter 10,000 log lines for five": True,
    "a tool that must be strict": False,
}


def some_in_sight(offer: Sequence[Mapping[str, Any]]) -> Finding:
    """The search and the two are in sight, everything else is deferred, and the API takes it."""
    tools = plain(list(offer))
    if refused := first_broken(HI, tools=tools):
        return wrong("refused", rule=refused)
    if not any(str(tool.get("type", "")).startswith("tool_search_tool") for tool in tools):
        return wrong("no_search")
    shown = {tool["name"] for tool in tools if "input_schema" in tool and not tool.get("defer_loading")}
    if hidden := sorted(ALWAYS - shown):
        return wrong("hidden", name=hidden[0])
    if extra := sorted(shown - ALWAYS):
        return wrong("extra", count=len(extra), name=extra[0])
    return right() if len(tools) > 100 else wrong("lost", count=len(tools))


def _offered() -> list[dict[str, Any]]:
    """The tools of the lesson's request: the search, and the catalogue deferred."""
    from course.labs.catalogue import tools

    search = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}
    return [search, *({**tool.definition(), "defer_loading": True} for tool in tools())]


def answer_the_call(wish: str, found: Any, reply: Any) -> Finding:
    """One result for the client call and none for the search."""
    blocks = plain(reply).get("content")
    results = [block for block in blocks if isinstance(block, Mapping) and block.get("type") == "tool_result"]
    if any(str(result.get("tool_use_id")).startswith("srvtoolu_") for result in results):
        return wrong("search_answered")
    history = [
        {"role": "user", "content": wish},
        {"role": "assistant", "content": plain(found)["content"]},
        plain(reply),
    ]
    if refused := first_broken(history, tools=_offered()):
        return wrong("refused", rule=refused)
    return right() if "daejeon" in str(results[0].get("content")).lower() else wrong("no_place")


def own_pattern(mine: str) -> Finding:
    """The pattern, run by the API's own search over the whole catalogue, finds the two and nothing else."""
    from course.api.search import search
    from course.labs.catalogue import tools

    answer = search("tool_search_tool_regex", {"pattern": mine, "limit": 200}, [tool.definition() for tool in tools()])
    if "error_message" in answer:
        return wrong("broken", error=answer["error_message"])
    found = {reference["tool_name"] for reference in answer["tool_references"]}
    if missing := sorted(BOOKING - found):
        return wrong("missing", name=missing[0])
    extra = sorted(found - BOOKING)
    return wrong("extra", name=extra[0], count=len(extra)) if extra else right()


def own_search(find: Callable[[str], Any]) -> Finding:
    """References only, at most three, to tools that exist, and accepted by the API."""
    from course.labs.catalogue import tools

    every = [tool.definition() for tool in tools()]
    names = {tool["name"] for tool in every}
    content = plain(find("voucher"))
    if not content:
        return wrong("nothing")
    if not all(isinstance(block, Mapping) for block in content):
        return wrong("no_blocks")
    if any(block.get("type") != "tool_reference" for block in content):
        return wrong("mixed")
    if unknown := [block.get("tool_name") for block in content if block.get("tool_name") not in names]:
        return wrong("unknown", name=unknown[0])
    if "orders_apply_voucher" not in {block["tool_name"] for block in content}:
        return wrong("missed")
    if len(find("a")) > 3:
        return wrong("many", count=len(find("a")))
    finder = {"name": "find_tools", "description": "Finds tools.", "input_schema": {"type": "object"}}
    history = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "find_tools", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": content}]},
    ]
    refused = first_broken(history, tools=[finder, *({**tool, "defer_loading": True} for tool in every)])
    return wrong("refused", rule=refused) if refused else right()


def clear_old(edit: Mapping[str, Any]) -> Finding:
    """Trigger, keep and exclusion as asked."""
    if edit.get("trigger") != {"type": "input_tokens", "value": 50000}:
        return wrong("trigger")
    if edit.get("keep") != {"type": "tool_uses", "value": 5}:
        return wrong("keep")
    return right() if list(edit.get("exclude_tools", ())) == ["customers_find"] else wrong("exclude")


EXERCISES = (
    Exercise("find-some-in-sight", "09", "find-defer", ("SRCH-1",), some_in_sight),
    Exercise("find-answer-the-call", "09", "find-flow", ("SRCH-3",), answer_the_call),
    Exercise("find-pattern", "09", "find-variants", ("SRCH-2",), own_pattern),
    Exercise("find-use-it", "09", "find-when", ("SRCH-4", "SRCH-5"), sorts(USES, "cases")),
    Exercise("find-own-search", "09", "find-own", ("SRCH-6",), own_search),
    Exercise("find-from-code", "09", "find-code", ("SRCH-7",), sorts(FITS, "tasks")),
    Exercise("find-clear-old", "09", "find-clear", ("SRCH-8",), clear_old),
)
