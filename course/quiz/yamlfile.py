"""Read YAML that strangers may have written: plain data only, with limits, and with the line of everything.

Scalars follow YAML 1.2's core schema (`yes` and `2026-12-01` are strings). Refused with file and line: duplicate
keys, anchors and aliases, tags, nesting deeper than DEEPEST, files larger than LARGEST bytes.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

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

    def __init__(self, line: int, what: str, todo: str) -> None:
        super().__init__(f"line {line}: {what}: {todo}")
        self.line, self.what, self.todo = line, what, todo


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
            raise YamlProblem(0, f"the file has {size:,} bytes", f"split it: at most {LARGEST:,} are read")
        try:
            source = source.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise YamlProblem(0, f"byte {error.start} is not UTF-8", "save the file as UTF-8") from None
    elif len(source) > LARGEST:
        raise YamlProblem(0, f"the text has {len(source):,} characters", f"at most {LARGEST:,} are read")
    try:
        return _Builder(source).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(filter(None, (error.context, error.problem)))
        raise YamlProblem(
            mark.line + 1 if mark else 0,
            f"this is not YAML: {what}",
            "often a missing quote around a text with a colon, or wrong indentation",
        ) from None
    except yaml.YAMLError as error:
        raise YamlProblem(
            0, f"this is not YAML: {' '.join(str(error).split())}", "mend or remove that character"
        ) from None


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
            raise self._problem("a second document begins", "keep one document a file, without `---` lines")
        return Document(data, self.lines)

    def _next(self) -> Any:
        self.event = self.loader.get_event()
        return self.event

    def _problem(self, what: str, todo: str) -> YamlProblem:
        return YamlProblem(self.event.start_mark.line + 1, what, todo)

    def _value(self, depth: int) -> Any:
        event = self.event
        if isinstance(event, yaml.AliasEvent):
            raise self._problem(f"the alias `*{event.anchor}` is used", "write the value out")
        if event.anchor is not None:
            raise self._problem(f"the anchor `&{event.anchor}` is set", "remove it; values are written out")
        if event.tag not in (None, "!"):
            raise self._problem(f"the tag `{event.tag}` is set", "remove it; quote the value if it is to be a text")
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event.value) if event.implicit[0] else event.value
        if depth >= DEEPEST:
            raise self._problem(f"the nesting is deeper than {DEEPEST}", "flatten it")
        return self._mapping(depth) if isinstance(event, yaml.MappingStartEvent) else self._sequence(depth)

    def _mapping(self, depth: int) -> dict[str, Any]:
        data: dict[str, Any] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._problem("a key is not a plain text", "use a text as key")
            key, line = event.value, event.start_mark.line + 1
            if key in data:
                raise self._problem(f"the key `{key}` stands here a second time", "remove one of the two")
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
