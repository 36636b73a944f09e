"""The exercises of lesson 10, client, server and other people's tools."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from course.lesson.checks import first_broken, history_of, sorts
from course.lesson.exercise import Exercise, Finding, right, wrong
from course.traces.plain import plain

__all__ = ["EXERCISES"]

WHAT_NOW = re.compile(
    r"\b(again|retry|retries|retrying|later|once more|another|minutes?|wait|tell|inform|ask|instead|check|use)\b"
)
RUNS = {
    "your own get_order": "client",
    "bash_20250124": "client",
    "web_search_20250305": "server",
    "tool_search_tool_bm25_20251119": "server",
    "memory_20250818": "client",
}
FIRST = {
    "find everybody who calls rounded()": "grep",
    "list all test files": "glob",
    "understand src/orders.py as a whole": "read",
    "change one unique line": "edit",
    "find where the text 'connection refused' is printed": "grep",
}


def go_on(messages: Any, paused: Any) -> Finding:
    """The history ends in the paused turn, whole and unchanged, and nothing follows it."""
    turns = history_of(messages)
    if not turns or turns[-1]["role"] != "assistant":
        return wrong("words_after" if turns and turns[-1]["role"] == "user" and len(turns) > 1 else "no_turn")
    if _given(turns[-1]["content"]) != _given(paused.content):
        return wrong("changed")
    if len(turns) != 2 or turns[0]["role"] != "user":
        return wrong("question")
    web = {"type": "web_search_20250305", "name": "web_search"}
    refused = first_broken(turns, tools=[web])
    return wrong("refused", rule=refused) if refused else right()


def _given(content: Any) -> Any:
    """Return content as plain data, without the fields that say nothing (as `model_dump` writes them)."""

    def said(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: said(item) for key, item in value.items() if item is not None}
        return [said(item) for item in value] if isinstance(value, list) else value

    return said(plain(content))


def to_claude(translate: Callable[[Mapping[str, Any]], Any]) -> Finding:
    """The block has the call's id, its name and its arguments as an object; broken JSON raises."""
    item = {"type": "function_call", "call_id": "call_9", "name": "seats", "arguments": '{"flight": "KE901"}'}
    block = translate(item)
    if not isinstance(block, Mapping):
        return wrong("no_block")
    if block.get("type") != "tool_use":
        return wrong("type", kind=block.get("type"))
    if block.get("id") != "call_9":
        return wrong("id")
    if isinstance(block.get("input"), str):
        return wrong("string")
    if block.get("input") != {"flight": "KE901"} or block.get("name") != "seats":
        return wrong("content")
    try:
        translate({**item, "arguments": '{"flight": '})
    except ValueError:
        return right()
    return wrong("swallowed")


def useful_failure(spoken: Any) -> Finding:
    """A sentence of one's own, without the host, that says what to do."""
    words = str(spoken)
    if "An error occurred while running the tool" in words:
        return wrong("default")
    if "db-7" in words:
        return wrong("secret")
    if len(words.split()) < 5:
        return wrong("short")
    return right() if WHAT_NOW.search(words.lower()) else wrong("what_now")


def one_edit(place: Any) -> Finding:
    """TIMEOUT of src/dates.py is 30, and nothing else has changed."""
    from course.labs.workspace import FILES

    wanted = FILES["src/dates.py"].replace("TIMEOUT = 5", "TIMEOUT = 30")
    if place.files == FILES:
        return wrong("nothing")
    if "RETRIES = 30" in place.files["src/dates.py"]:
        return wrong("retries")
    if place.files["src/dates.py"] != wanted:
        return wrong("other", text=json.dumps(place.files["src/dates.py"][:40]))
    others = [path for path, text in FILES.items() if path != "src/dates.py" and place.files.get(path) != text]
    return wrong("elsewhere", path=others[0]) if others else right()


EXERCISES = (
    Exercise("whose-code", "10", "whose-axis", ("ECO-1",), sorts(RUNS, "tools")),
    Exercise("whose-go-on", "10", "whose-server", ("ECO-2",), go_on),
    Exercise("whose-to-claude", "10", "whose-openai", ("ECO-3",), to_claude),
    Exercise("whose-useful-failure", "10", "whose-agents", ("ECO-4",), useful_failure),
    Exercise("whose-first-tool", "10", "whose-builtin", ("ECO-5",), sorts(FIRST, "tasks")),
    Exercise("whose-one-edit", "10", "whose-builtin", ("ECO-5",), one_edit),
)
