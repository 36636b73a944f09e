"""Read YAML that strangers may have written: plain data only, with limits, and with the line of everything.

Scalars follow YAML 1.2's core schema (`yes` and `2026-12-01` are strings). Refused with file and line: duplicate
keys, anchors and aliases, tags, nesting deeper than DEEPEST, files larger than LARGEST bytes.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from course.facts import say

__all__ = ["DEEPEST", "LARGEST", "Document", "YamlProblem", "read_yaml"]

LARGEST = 1_000_000
DEEPEST = 24
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
INT = re.compile(r"[-+]?[0-9]{1,18}")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")
WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
WORDS |= {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


class YamlProblem(Exception):
    """The file can't be read: `line` (from 1, 0 where unknown), `what` went wrong, and what `todo` about it."""

    def __init__(self, line: int, key: str, **values: object) -> None:
        self.line = line
        self.what: str = say(f"quiz.lint.yaml.{key}", lang=None, **values)
        self.todo: str = say(f"quiz.lint.yaml.{key}_todo", lang=None, **values)
        super().__init__(f"line {line}: {self.what}: {self.todo}")


@dataclass(frozen=True)
class Document:
    """The data of one file; `lines` knows where each container and each key stands."""

    data: Any
    lines: dict[tuple[int, Any], int]

    def line(self, *path: Any) -> int:
        """Return the line of the deepest part of `path` that exists, e.g. `line(3, "options", 0, "why")`."""
        node, found = self.data, 1
        for step in path:
            found = self.lines.get((id(node), step), found)
            try:
                node = node[step]
            except (KeyError, IndexError, TypeError):
                break
        return found


def read_yaml(source: Path | str) -> Document:
    """Read a file, or a text. Raises YamlProblem, and OSError where the file can't be opened."""
    if isinstance(source, Path):
        if (size := source.stat().st_size) > LARGEST:
            raise YamlProblem(0, "large", size=size, most=LARGEST)
        try:
            source = source.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise YamlProblem(0, "utf8", byte=error.start) from None
    elif len(source) > LARGEST:
        raise YamlProblem(0, "large", size=len(source), most=LARGEST)
    try:
        return _Builder(source).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(filter(None, (error.context, error.problem)))
        raise YamlProblem(mark.line + 1 if mark else 0, "syntax", why=what) from None
    except yaml.YAMLError as error:
        raise YamlProblem(0, "character", why=" ".join(str(error).split())) from None


class _Builder:
    """Turns the parser's events into data, one pass."""

    def __init__(self, text: str) -> None:
        self.loader = LOADER(text)
        self.lines: dict[tuple[int, Any], int] = {}

    def document(self) -> Document:
        event = self.loader.get_event
        event(), self._next()  # stream start; document start, or the end of an empty stream
        if isinstance(self.event, yaml.StreamEndEvent):
            return Document(None, {})
        self._next()
        data = self._value(0)
        self._next(), self._next()
        if not isinstance(self.event, yaml.StreamEndEvent):
            raise self._problem("documents")
        return Document(data, self.lines)

    def _next(self) -> Any:
        self.event = self.loader.get_event()
        return self.event

    def _problem(self, key: str, **values: object) -> YamlProblem:
        return YamlProblem(self.event.start_mark.line + 1, key, **values)

    def _value(self, depth: int) -> Any:
        event = self.event
        if isinstance(event, yaml.AliasEvent):
            raise self._problem("alias", name=event.anchor)
        if event.anchor is not None:
            raise self._problem("anchor", name=event.anchor)
        if event.tag not in (None, "!"):
            raise self._problem("tag", name=event.tag)
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event.value) if event.implicit[0] else event.value
        if depth >= DEEPEST:
            raise self._problem("deep", most=DEEPEST)
        return self._mapping(depth) if isinstance(event, yaml.MappingStartEvent) else self._sequence(depth)

    def _mapping(self, depth: int) -> dict[str, Any]:
        data: dict[str, Any] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._problem("key")
            key, line = event.value, event.start_mark.line + 1
            if key in data:
                raise self._problem("twice", name=key)
            self._next()
            data[key] = self._value(depth + 1)
            self.lines[id(data), key] = line
        return data

    def _sequence(self, depth: int) -> list[Any]:
        data: list[Any] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            self.lines[id(data), len(data)] = event.start_mark.line + 1
            data.append(self._value(depth + 1))
        return data


def _scalar(text: str) -> Any:
    if text in WORDS:
        return WORDS[text]
    first = text[0]
    if first.isdigit() or first in "+-.":
        if INT.fullmatch(text):
            return int(text)
        if FLOAT.fullmatch(text):
            return float(text)
    return text
