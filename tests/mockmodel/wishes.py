"""Play a set of wishes against a mock model and judge tool, arguments and number of calls."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from course.mockmodel import MockModel, ModelRequest

HERE = Path(__file__).parent
MODEL = "claude-haiku-5-5"
MOST_TURNS = 8


@dataclass(frozen=True)
class Verdict:
    """How one wish went. said: what came in each reply."""

    id: int
    tool: bool
    arguments: bool
    count: bool
    said: tuple[Any, ...]


def load(name: str) -> dict[str, Any]:
    """Return a set of wishes with its tools."""
    return yaml.safe_load((HERE / name).read_text(encoding="utf-8"))


def play(model: MockModel, wish: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Run the loop for one wish; return, per reply, its list of (name, input), or its text."""
    messages: list[dict[str, Any]] = [_said(wish["wish"])]
    results = {k: list(v) if isinstance(v, list) else [v] for k, v in wish.get("results", {}).items()}
    later = [wish["then"]["wish"]] if "then" in wish else []
    replies: list[Any] = []
    for turn in range(MOST_TURNS):
        reply = model.reply(ModelRequest(wish.get("model", MODEL), tuple(messages), tuple(tools)))
        blocks = [
            {**block, "id": f"toolu_{turn}_{n}"} if block["type"] == "tool_use" else block
            for n, block in enumerate(reply.blocks)
        ]
        calls = [block for block in blocks if block["type"] == "tool_use"]
        messages.append({"role": "assistant", "content": blocks})
        if calls:
            replies.append([(call["name"], call["input"]) for call in calls])
            messages.append({"role": "user", "content": [_result(call, results) for call in calls]})
            continue
        replies.append("".join(block.get("text", "") for block in blocks))
        if not later:
            break
        messages.append(_said(later.pop()))
    return replies


def _said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def _result(call: Mapping[str, Any], results: dict[str, list[Any]]) -> dict[str, Any]:
    told = results.get(call["name"], ["done"])
    given = told.pop(0) if len(told) > 1 else told[0]
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": call["id"]}
    if isinstance(given, Mapping) and "error" in given:
        return {**block, "content": given["error"], "is_error": True}
    return {**block, "content": given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)}


def judge(wish: Mapping[str, Any], said: Sequence[Any]) -> Verdict:
    """Compare replies with the expected steps."""
    steps = [*wish["steps"], *wish.get("then", {}).get("steps", ())]
    wanted = [[next(iter(call.items())) for call in step] if isinstance(step, list) else step for step in steps]
    names = lambda rows: sorted({name for row in rows if isinstance(row, list) for name, _ in row})  # noqa: E731
    counts = lambda rows: [len(row) if isinstance(row, list) else 0 for row in rows]  # noqa: E731
    tool = names(wanted) == names(said)
    count = counts(wanted) == counts(said)
    if count and isinstance(steps[-1], str) and steps[-1] == "ask":
        tool = tool and "?" in said[-1]
    arguments = (
        tool
        and count
        and all(
            _same_calls(row, got, wish.get("may", ()))
            for row, got in zip(wanted, said, strict=True)
            if isinstance(row, list)
        )
    )
    return Verdict(wish["id"], tool, arguments, count, tuple(said))


def _same_calls(wanted: Sequence[Any], got: Sequence[Any], may: Sequence[str]) -> bool:
    left = list(got)
    for name, arguments in wanted:
        found = next((call for call in left if call[0] == name and _same(arguments, call[1], may)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _same(wanted: Mapping[str, Any], got: Mapping[str, Any], may: Sequence[str]) -> bool:
    if set(got) - set(wanted) - set(may) or set(wanted) - set(got) - set(may):
        return False
    return all(name not in got or _equal(value, got[name]) for name, value in wanted.items())


def _equal(wanted: Any, got: Any) -> bool:
    if isinstance(wanted, Mapping):
        if wanted.get("any"):
            return got not in (None, "")
        if "contains" in wanted:
            return _fold(wanted["contains"]) in _fold(got)
        return any(_equal(option, got) for option in wanted["one_of"])
    return wanted == got if not isinstance(wanted, str) else _fold(wanted) == _fold(got)


def _fold(value: Any) -> str:
    return " ".join(str(value).casefold().split())


def share(verdicts: Iterable[Verdict]) -> dict[str, float]:
    """Return the share of wishes with the right tool, arguments and number of calls."""
    rows = list(verdicts)
    return {what: sum(getattr(row, what) for row in rows) / len(rows) for what in ("tool", "arguments", "count")}
