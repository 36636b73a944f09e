"""From a trace to what the page gets: plain data, every step of it, and never the answer of a prediction.

A panel is `{"title", "about", "steps", "asks"}`. `panel` never raises: a part that cannot be read is shown as it is.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from course.facts import say
from course.traces import Block, Step, steps

__all__ = ["keys", "panel", "questions", "raw_json"]

Json = Any


def panel(trace: Json) -> dict[str, Json]:
    """Return what one trace shows.

    trace: a Trace, its document, a request body, a `messages` array, or an Outcome of the harness.
    """
    source = traced(trace)
    found = steps(source)
    about = _fields(source)
    alone = about.get("type") == "message"
    title = about.get("title") or (say("widgets.message") if alone else about.get("id"))
    return {
        "title": str(title or say("widgets.untitled")),
        "about": str(about.get("notes") or ""),
        "steps": [_step(step) for step in found],
        "asks": [
            {"step": q["step"], "id": q["id"], "ask": q["ask"], "options": list(map(str, q["options"]))}
            for q in questions(source)
            if q["step"] < len(found)
        ],
    }


def traced(value: Json) -> Json:
    """Return the trace that an Outcome carries, and anything else as it is."""
    inner = getattr(value, "trace", None)
    return value if inner is None or isinstance(value, Mapping) else inner


def questions(trace: Json) -> list[Mapping[str, Json]]:
    """Return the predictions a trace asks for, those that are whole."""
    asked = _fields(trace).get("questions") or []
    return [
        q
        for q in (asked if isinstance(asked, list | tuple) else [])
        if isinstance(q, Mapping)
        and all(isinstance(q.get(key), str) for key in ("id", "ask"))
        and all(isinstance(q.get(key), int) and q[key] >= 0 for key in ("step", "answer"))
        and isinstance(q.get("options"), list | tuple)
        and q["answer"] < len(q["options"])
    ]


def keys(trace: Json) -> dict[str, dict[str, Json]]:
    """Return what only Python knows of each prediction: `{id: {"answer": number, "text", "why"}}`."""
    return {
        q["id"]: {"answer": q["answer"], "text": str(q["options"][q["answer"]]), "why": str(q.get("why") or "")}
        for q in questions(traced(trace))
    }


def raw_json(value: Json) -> str:
    """Return a value as indented JSON, every character of a language as itself."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def _fields(trace: Json) -> Mapping[str, Json]:
    if isinstance(trace, BaseModel):
        return trace.model_dump()
    return trace if isinstance(trace, Mapping) else {}


def _step(step: Step) -> dict[str, Json]:
    raw = raw_json(step.raw)
    broken = [mark.place for mark in step.marks if mark.kind == "broken" and mark.place]
    return {
        "label": step.label,
        "sender": step.sender,
        "receiver": step.receiver,
        "title": step.title,
        "words": step.words,
        "raw": raw,
        "travels": _travels(step),
        "fresh": _fresh_lines(step),
        "caption": _caption(step),
        "blocks": [_block(block, any(_within(place, block.place) for place in broken)) for block in step.blocks],
        "tools": [
            {
                "number": tool.number,
                "name": tool.name,
                "description": tool.description,
                "deferred": tool.deferred,
                "chosen": tool.chosen,
            }
            for tool in step.tools
        ],
        "tokens": step.tokens,
        "counted": step.counted,
        "marks": [{"kind": mark.kind, "text": mark.text} for mark in step.marks],
        "timing": [{"name": t.name, "badge": t.badge, "started": t.started, "ended": t.ended} for t in step.timing],
    }


def _block(block: Block, broken: bool) -> dict[str, Json]:
    return {
        "role": block.role,
        "kind": block.kind,
        "words": block.words,
        "id": block.id,
        "badge": block.badge,
        "pairing": block.pairing,
        "is_error": block.is_error,
        "echo": block.echo,
        "notice": block.notice,
        "broken": broken,
    }


def _within(place: tuple[str | int, ...], block: tuple[str | int, ...]) -> bool:
    return bool(block) and place[: len(block)] == block


def _caption(step: Step) -> str:
    """Say what the blocks are: new in this request, or all there is."""
    count, name = (len(step.added), "added") if step.added else (len(step.blocks), "blocks")
    return say(f"widgets.caption.{name}_{'one' if count == 1 else 'many'}", count=count)


def _travels(step: Step) -> str:
    if step.sender == "claude":
        return "answer"
    if step.receiver == "tool":
        return "executions"
    return "request" if isinstance(step.raw, Mapping) else "history"


def _fresh_lines(step: Step) -> list[int] | None:
    """Return from which line to which line (end excluded) of the raw JSON the added messages stand."""
    messages = step.raw.get("messages") if isinstance(step.raw, Mapping) else None
    if not isinstance(messages, list) or not 0 < len(step.added) < len(messages):
        return None
    lines = [raw_json(message).count("\n") + 1 for message in messages]
    start = raw_json(step.raw).split("\n").index('  "messages": [') + 1
    kept = sum(lines[: len(messages) - len(step.added)])
    return [start + kept, start + sum(lines)]
