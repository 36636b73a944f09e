"""Show a question and its feedback as lines. Everything to choose from carries a number."""

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from course.cli.terminal import Terminal
from course.facts import say

__all__ = ["blocks_of", "feedback", "question", "targets_letters"]

Question = Mapping[str, Any]


def question(terminal: Terminal, item: Question) -> None:
    """Show stem, exhibits, and what the kind adds."""
    terminal.write(item["stem"])
    for exhibit in item["exhibits"]:
        terminal.write()
        if exhibit["title"]:
            terminal.write(exhibit["title"], style="strong")
        (terminal.write if exhibit["kind"] == "text" else terminal.code)(exhibit["body"])
    terminal.write()
    if "options" in item:
        _numbered(terminal, [option["text"] for option in item["options"]])
    if item["kind"] == "match":
        _match(terminal, item)
    elif item["kind"] == "spot_block":
        _trace(terminal, item["trace"])
        terminal.write()
        terminal.write(say("terminal.kind.rules"))
        _numbered(terminal, [rule["text"] for rule in item["rules"]])
    elif item["kind"] == "repair_json":
        if item["given"]:
            terminal.write(say("terminal.kind.given"))
            terminal.code(_json(item["given"]))
    elif item["kind"] == "write_schema" and item["tool"]:
        terminal.write(say("terminal.kind.tool"))
        terminal.code(_json(item["tool"]))
    elif item["kind"] == "faded_code":
        terminal.code(item["code"])
        _holes(terminal, item["holes"])
    if item.get("start"):
        terminal.write(say("terminal.kind.start"))
        terminal.code(item["start"])


def feedback(terminal: Terminal, told: Mapping[str, Any]) -> None:
    """Show the verdict, the reasons, where to read again, and when the concept comes back."""
    style = {"correct": "good", "incorrect": "bad"}.get(told["verdict"], "strong")
    mark = {"correct": "✓ ", "incorrect": "✗ "}.get(told["verdict"], "")
    terminal.write(mark + told["words"], style=style)
    for heading, group in groupby(told["parts"], key=lambda part: part["heading"]):
        _parts(terminal, heading, list(group))
    for name in ("explanation", "exam_says", "docs_say"):
        if told[name]:
            terminal.write()
            if name != "explanation":
                terminal.write(say(f"terminal.feedback.{name}"), style="strong")
            terminal.write(told[name])
    closing = [row["words"] for row in told["lessons"]]
    closing += [say("terminal.feedback.misconception", text=row["text"]) for row in told["misconceptions"]]
    closing += [line for line in (told["again"], told["notice"]) if line]
    if closing:
        terminal.write()
    for line in closing:
        terminal.write(line, indent="→ ", style="bad" if line == told["notice"] else "dim")


def _parts(terminal: Terminal, heading: str, parts: Sequence[Mapping[str, Any]]) -> None:
    """Show the parts under one heading; several get numbers, so that an order can be read off."""
    terminal.write()
    terminal.write(heading, style="strong")
    for number, part in enumerate(parts, 1):
        indent = "  " if len(parts) == 1 else f"{number:>3}) "
        if part["label"]:
            terminal.write(part["label"], indent=indent)
        if part["text"]:
            terminal.write(part["text"], indent=" " * len(indent) if part["label"] else indent)


def blocks_of(trace: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """Return the place (message, block) of every block of a conversation, in reading order."""
    return [(at, block) for at, message in enumerate(trace) for block in range(len(_content(message)))]


def targets_letters(item: Question) -> dict[str, str]:
    """Return the id of each target by the letter it is shown with."""
    return {chr(ord("a") + place): target["id"] for place, target in enumerate(item["targets"])}


def _numbered(terminal: Terminal, texts: Sequence[str]) -> None:
    for number, text in enumerate(texts, 1):
        terminal.write(text, indent=f"{number:>3}) ")


def _match(terminal: Terminal, item: Question) -> None:
    _numbered(terminal, [row["text"] for row in item["rows"]])
    terminal.write()
    for letter, target in zip(targets_letters(item), item["targets"], strict=True):
        terminal.write(target["text"], indent=f"  {letter}) ")


def _trace(terminal: Terminal, trace: Sequence[Mapping[str, Any]]) -> None:
    for at, message in enumerate(trace):
        terminal.write(say("terminal.kind.message", number=at, role=message.get("role", "?")), style="strong")
        for number, block in enumerate(_content(message)):
            place = f"{at}.{number})"
            terminal.write(_block(block), indent=f"{place:>7} ", hang=" " * 10)


def _content(message: Mapping[str, Any]) -> list[Any]:
    content = message.get("content")
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def _block(block: Any) -> str:
    """Return a block as its type and the rest of its fields as JSON."""
    if not isinstance(block, dict):
        return _json(block)
    kind, rest = block.get("type", "?"), {name: value for name, value in block.items() if name != "type"}
    if kind == "text" and set(rest) == {"text"}:
        return f"text {json.dumps(rest['text'], ensure_ascii=False)}"
    return f"{kind} {json.dumps(rest, ensure_ascii=False)}"


def _holes(terminal: Terminal, holes: Sequence[Mapping[str, Any]]) -> None:
    for hole in holes:
        if hole["choices"]:
            terminal.write(say("terminal.kind.hole", id=hole["id"]), style="strong")
            _numbered(terminal, hole["choices"])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
