"""Read an answer of any kind from typed lines, and turn it into the response that the grader takes.

A line that is a command (a letter the view knows, or a word) is handed back as a Command. Anything that can't be read
as an answer raises NotAnAnswer, whose message says how to answer.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.cli.quizview.show import blocks_of, targets_letters
from course.cli.terminal import Terminal
from course.facts import say

__all__ = ["Command", "NotAnAnswer", "points", "response"]

LARGEST = 1_000_000
WRITTEN = ("repair_json", "write_schema")


@dataclass(frozen=True)
class Command:
    """A typed command and what follows it."""

    name: str
    rest: str = ""


class NotAnAnswer(Exception):
    """The line is no answer to this question; the message says what one looks like."""


def response(terminal: Terminal, item: Mapping[str, Any], commands: Collection[str], prompt: str) -> Any:
    """Ask until a line is read, and return a response or a Command. Raises NotAnAnswer."""
    hint = say(f"terminal.prompt.{item['kind']}", n=item.get("select_n", 1))
    line = terminal.ask(f"{prompt} {hint} >")
    word, _, rest = line.partition(" ")
    if word.lower() in commands and not (item["kind"] == "match" and rest):
        return Command(word.lower(), rest.strip())
    if not line:
        return Command("")
    return READERS[item["kind"]](terminal, item, line)


def points(terminal: Terminal, rubric: list[Mapping[str, Any]]) -> list[str]:
    """Ask which points of the rubric the answer makes; return their ids."""
    for number, point in enumerate(rubric, 1):
        terminal.write(point["label"], indent=f"{number:>3}) ")
    line = terminal.ask(say("terminal.prompt.points"))
    if line.strip() in ("", "0"):
        return []
    return [rubric[place]["ref"] for place in _numbers(line, len(rubric))]


def _numbers(line: str, most: int) -> list[int]:
    """Return the numbers of a line, counted from 0; "13" is 1 and 3 where nothing has two digits."""
    if not re.fullmatch(r"[\d\s,;]+", line):
        raise NotAnAnswer(say("terminal.input.numbers", most=most))
    words = re.findall(r"\d+", line)
    if len(words) == 1 and most < 10:
        words = list(words[0])
    found = [int(word) for word in words]
    if any(not 1 <= number <= most for number in found):
        raise NotAnAnswer(say("terminal.input.numbers", most=most))
    return [number - 1 for number in found]


def _single(terminal: Terminal, item: Mapping[str, Any], line: str) -> Any:
    places = _numbers(line, len(item["options"]))
    if len(places) != 1:
        raise NotAnAnswer(say("terminal.input.one", most=len(item["options"])))
    return item["options"][places[0]]["id"]


def _several(terminal: Terminal, item: Mapping[str, Any], line: str) -> Any:
    return [item["options"][place]["id"] for place in _numbers(line, len(item["options"]))]


def _match(terminal: Terminal, item: Mapping[str, Any], line: str) -> Any:
    letters, rows = targets_letters(item), item["rows"]
    pairs = re.findall(r"(\d+)\s*[=:-]?\s*([a-z])\b", line.lower())
    if not pairs:
        pairs = [(str(number), letter) for number, letter in enumerate(re.findall(r"[a-z]", line.lower()), 1)]
    known = {str(number): row["id"] for number, row in enumerate(rows, 1)}
    if len(pairs) != len(rows) or any(number not in known or letter not in letters for number, letter in pairs):
        raise NotAnAnswer(say("terminal.input.match", rows=len(rows), last=max(letters)))
    return {known[number]: letters[letter] for number, letter in pairs}


def _spot(terminal: Terminal, item: Mapping[str, Any], line: str) -> Any:
    numbers = [int(word) for word in re.findall(r"\d+", line)]
    if len(numbers) == 2:
        numbers += [int(word) for word in re.findall(r"\d+", terminal.ask(say("terminal.prompt.rule")))]
    rules = item["rules"]
    if len(numbers) != 3 or tuple(numbers[:2]) not in blocks_of(item["trace"]) or not 1 <= numbers[2] <= len(rules):
        raise NotAnAnswer(say("terminal.input.spot", rules=len(rules)))
    return {"place": numbers[:2], "rule": rules[numbers[2] - 1]["id"]}


def _written(terminal: Terminal, item: Mapping[str, Any], line: str) -> Any:
    return _text(terminal, line, start=item.get("start", ""), suffix=".json")


def _holes(terminal: Terminal, item: Mapping[str, Any], line: str) -> Any:
    filled = {}
    for number, hole in enumerate(item["holes"]):
        given = line if number == 0 else terminal.ask(say("terminal.prompt.hole", id=hole["id"]))
        if hole["choices"]:
            places = _numbers(given, len(hole["choices"]))
            if len(places) != 1:
                raise NotAnAnswer(say("terminal.input.one", most=len(hole["choices"])))
            filled[hole["id"]] = hole["choices"][places[0]]
        else:
            filled[hole["id"]] = _text(terminal, given, start="", suffix=".py")
    return filled


def _number(terminal: Terminal, item: Mapping[str, Any], line: str) -> Any:
    return line


def _open(terminal: Terminal, item: Mapping[str, Any], line: str) -> Any:
    return {"text": _text(terminal, line, start="", suffix=".md")}


def _text(terminal: Terminal, line: str, *, start: str, suffix: str) -> str:
    """Return a written answer: typed in one line, in several (":"), in an editor ("edit"), or from a file ("@path")."""
    try:
        if line == ":":
            return terminal.ask_lines(say("terminal.input.lines"))
        if line.lower() in ("e", "edit"):
            return terminal.edit(start, suffix)
        if line.startswith("@"):
            return _file(Path(line[1:].strip()).expanduser())
    except OSError as why:
        raise NotAnAnswer(str(why)) from why
    return line


def _file(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise NotAnAnswer(say("terminal.input.large", path=path))
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as why:
        raise NotAnAnswer(say("terminal.input.unreadable", path=path, why=why)) from why


READERS = {
    "single": _single,
    "select_n": _several,
    "order": _several,
    "match": _match,
    "spot_block": _spot,
    "repair_json": _written,
    "write_schema": _written,
    "faded_code": _holes,
    "numeric": _number,
    "open": _open,
}
