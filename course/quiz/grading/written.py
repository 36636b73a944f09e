"""Grade a written message, request or tool definition by the checks it must pass."""

import json
from collections.abc import Mapping
from typing import Any

from course.facts import say
from course.quiz.grading.accept import ACCEPT, Written, named
from course.quiz.grading.grade import Invalid, Marks, Part
from course.quiz.grading.strict_json import read_json
from course.quiz.items import in_language
from course.quiz.kinds import Mistake, RepairJson, WriteSchema
from course.quiz.offline import full_request

__all__ = ["mark", "remark", "written"]


def mark(item: RepairJson, response: Any, lang: str | None) -> Marks:
    """Score the share of checks that pass; the feedback names every check, failed ones first.

    Text that is no JSON, or JSON that is neither an object nor a list, can't be graded (invalid, not wrong).
    """
    answer = written(item, read_json(response))
    parts = []
    for entry in item.accept:
        name, arguments = named(entry)
        wrong = ACCEPT[name](answer, *arguments)
        parts.append(Part(role="check", ref=name, ok=not wrong, label=say(f"quiz.grading.check.{name}"), text=wrong))
    score = sum(bool(part.ok) for part in parts) / len(parts)
    return score, (*remark(item, response, lang), *sorted(parts, key=lambda part: bool(part.ok)))


def written(item: RepairJson, value: Any) -> Written:
    """Put the answer into the request it belongs to."""
    if not isinstance(value, dict | list):
        raise Invalid(say("quiz.grading.json.object"))
    given = item.given
    calls = tuple({"type": "tool_use", **call} for call in given.get("calls", ()))
    if item.write == "request":
        return Written(value, value if isinstance(value, dict) else {}, _last_calls(value), given)
    base = {name: part for name, part in given.items() if name not in ("calls", "failed")}
    if item.write == "definition":
        base["tools"] = [*base.get("tools", ()), value]
        return Written(value, full_request(base), calls, given)
    history = list(base.get("messages", [{"role": "user", "content": "Please help."}]))
    if calls:
        history.append({"role": "assistant", "content": list(calls)})
        base.setdefault("tools", sorted({call["name"] for call in calls}))
    history += value if isinstance(value, list) else [value]
    return Written(
        value, full_request({**base, "messages": history}), calls or _last_calls({"messages": history[:-1]}), given
    )


def _last_calls(request: Any) -> tuple[Mapping[str, Any], ...]:
    """Return the calls of the last assistant turn of a request."""
    messages = request.get("messages") if isinstance(request, dict) else None
    for message in reversed(messages if isinstance(messages, list) else []):
        if isinstance(message, dict) and message.get("role") == "assistant":
            content = message.get("content")
            blocks = content if isinstance(content, list) else []
            return tuple(
                block
                for block in blocks
                if isinstance(block, dict) and block.get("type") == "tool_use" and isinstance(block.get("id"), str)
            )
    return ()


def remark(item: RepairJson | WriteSchema, response: str, lang: str | None) -> tuple[Part, ...]:
    """Return what the author has to say about exactly this wrong answer, if it is a known one."""
    for mistake in item.mistakes:
        if _same(mistake, response):
            return (
                Part(role="chosen", ok=False, text=in_language(mistake.why, lang), misconception=mistake.misconception),
            )
    return ()


def _same(mistake: Mistake, response: str) -> bool:
    try:
        given = mistake.response
        return bool(json.loads(response) == (json.loads(given) if isinstance(given, str) else given))
    except ValueError:
        return False
