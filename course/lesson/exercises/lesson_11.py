"""The exercises of lesson 11, MCP."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from course.lesson.checks import first_broken, sorts
from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

NAME = re.compile(r"^[a-zA-Z0-9_-]{1,128}$")
WAYS = {
    "a ten-line conversion used by one agent": "tool",
    "a server that reads the files on this laptop": "stdio",
    "one server for forty colleagues, your own harness": "http",
    "a remote server, and no client code of your own": "connector",
}
HI = [{"role": "user", "content": "hi"}]


def all_pages(names: Sequence[str]) -> Finding:
    """All seven, each once."""
    if len(names) <= 3:
        return wrong("first_only")
    if len(set(names)) < len(names):
        return wrong("twice")
    return right() if sorted(names) == list("abcdefg") else wrong("missing", count=7 - len(names))


def _item(name: str) -> Any:
    return SimpleNamespace(name=name, description=f"About {name}.", input_schema={"type": "object"}, annotations=None)


def name_bridge(bridge: Callable[[Sequence[Any]], Any]) -> Finding:
    """Valid, distinct names that lead back, and definitions that the API takes."""
    items = [_item(name) for name in ("orders.cancel", "orders_cancel", "get.order", "crash")]
    definitions, back = bridge(items)
    if len(definitions) != len(items):
        return wrong("count", count=len(definitions))
    names = [definition["name"] for definition in definitions]
    if bad := next((name for name in names if not NAME.match(name)), None):
        return wrong("invalid", name=bad)
    if len(set(names)) < len(names):
        return wrong("collide")
    if refused := first_broken(HI, tools=definitions):
        return wrong("refused", rule=refused)
    led = [back.get(name) for name in names]
    return right() if led == [item.name for item in items] else wrong("not_back")


def carry_the_error(to_result: Callable[[str, Any], Any], good: Any, bad: Any) -> Finding:
    """Ids, words and the flag go over; a success carries no flag."""
    fine, failed = to_result("toolu_a", good), to_result("toolu_b", bad)
    if not isinstance(fine, Mapping) or not isinstance(failed, Mapping):
        return wrong("nothing")
    if (fine.get("tool_use_id"), failed.get("tool_use_id")) != ("toolu_a", "toolu_b"):
        return wrong("ids")
    if "chair" not in json.dumps(fine.get("content")):
        return wrong("good_lost")
    if fine.get("is_error"):
        return wrong("good_marked")
    if failed.get("is_error") is not True:
        return wrong("not_marked")
    if "Numbers look like" not in json.dumps(failed.get("content")):
        return wrong("words_lost")
    calls = [{"type": "tool_use", "id": f"toolu_{x}", "name": "get_order", "input": {}} for x in "ab"]
    history = [*HI, {"role": "assistant", "content": calls}, {"role": "user", "content": [fine, failed]}]
    refused = first_broken(history)
    return wrong("refused", rule=refused) if refused else right()


def own_server(offered: Sequence[Any], known: Any, unknown: Any) -> Finding:
    """One described tool with a text for the day, which answers, and fails on purpose and in words."""
    if [item.name for item in offered] != ["opening_hours"]:
        return wrong("name", names=", ".join(item.name for item in offered) or "none")
    (item,) = offered
    if len((item.description or "").split()) < 5:
        return wrong("description")
    if item.input_schema.get("properties", {}).get("day", {}).get("type") != "string":
        return wrong("parameter")
    said, failed = (" ".join(part.text for part in answer.content) for answer in (known, unknown))
    if known.is_error or "9 to 18" not in said:
        return wrong("no_hours", text=said)
    if not unknown.is_error:
        return wrong("not_failed", text=failed)
    own = failed.removeprefix("Error executing tool opening_hours").lstrip(": ")
    if not own:
        return wrong("masked")
    return right() if len(own.split()) >= 3 else wrong("few_words", text=own)


def promise_kept(keeps: Callable[[Any, Any], Any], schema: Any, data: Any) -> Finding:
    """True for the server's data, False for data of another shape."""
    if keeps(schema, data) is None:
        return wrong("nothing")
    if not keeps(schema, data):
        return wrong("good")
    if keeps(schema, {**data, "euros": "much"}):
        return wrong("type")
    return wrong("missing") if keeps(schema, {"order_id": "ORD-1"}) else right()


def trust_rule(needs: Callable[[str, Any, Any], Any]) -> Finding:
    """Asked unless trusted and read-only."""

    def item(hint: bool | None) -> Any:
        annotations = None if hint is None else SimpleNamespace(read_only_hint=hint)
        return SimpleNamespace(name="x", annotations=annotations)

    trusted = {"ours"}
    if needs("theirs", item(True), trusted) is None:
        return wrong("nothing")
    if not needs("theirs", item(True), trusted):
        return wrong("hint_believed")
    if not needs("ours", item(False), trusted):
        return wrong("write_unasked")
    silent = SimpleNamespace(name="x", annotations=SimpleNamespace(read_only_hint=None))
    if not needs("ours", item(None), trusted) or not needs("ours", silent, trusted):
        return wrong("no_annotations")
    return wrong("always_asks") if needs("ours", item(True), trusted) else right()


def one_tool_only(server: Mapping[str, Any], toolset: Mapping[str, Any]) -> Finding:
    """The API takes it, everything is off by default, and get_order is on."""
    if refused := first_broken(HI, tools=[toolset], mcp_servers=[server]):
        return wrong("refused", rule=refused)
    if toolset.get("default_config", {}).get("enabled") is not False:
        return wrong("default_on")
    on = [name for name, config in toolset.get("configs", {}).items() if config.get("enabled")]
    return right() if on == ["get_order"] else wrong("which", names=", ".join(on) or "none")


def config_puzzle(config: Mapping[str, Any]) -> Finding:
    """The tracker stays, its token comes from the environment, and the notes are gone."""
    text = json.dumps(config)
    servers = config.get("mcpServers", {})
    if "tracker" not in servers:
        return wrong("tracker_gone")
    if "sk-9f2e77" in text:
        return wrong("secret")
    variable = re.compile(r"\$\{TRACKER_TOKEN(:-[^}]*)?\}")
    if not variable.search(text):
        return wrong("no_variable")
    if not variable.search(json.dumps(servers["tracker"].get("headers"))):
        return wrong("no_header")
    if servers["tracker"].get("url") != "https://tracker.example.com/mcp":
        return wrong("url")
    if any("notes" in name for name in servers):
        return wrong("private")
    return wrong("path") if "/home/" in text else right()


EXERCISES = (
    Exercise("mcp-all-pages", "11", "mcp-moves", ("MCP-1", "MCP-2"), all_pages),
    Exercise("mcp-name-bridge", "11", "mcp-wire", ("MCP-2", "MCP-3"), name_bridge),
    Exercise("mcp-which-way", "11", "mcp-transports", ("MCP-9",), sorts(WAYS, "cases")),
    Exercise("mcp-carry-the-error", "11", "mcp-errors", ("MCP-4",), carry_the_error),
    Exercise("mcp-own-server", "11", "mcp-errors", ("MCP-3", "MCP-4"), own_server),
    Exercise("mcp-promise-kept", "11", "mcp-structured", ("MCP-5",), promise_kept),
    Exercise("mcp-trust-rule", "11", "mcp-hints", ("MCP-6",), trust_rule),
    Exercise("mcp-one-tool-only", "11", "mcp-connector", ("MCP-7",), one_tool_only),
    Exercise("mcp-config-puzzle", "11", "mcp-config", ("MCP-8",), config_puzzle),
)
