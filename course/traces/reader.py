"""The lenient reader: JSON with everything that logs, reprs and people do to it, from left to right in linear time.

Every departure from JSON is counted and named; what cannot be read is left out and named too.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from course.facts import say

__all__ = ["DEPTH", "Reader"]

DEPTH = 150
SPACE = re.compile(r"\s+|//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
WORD = re.compile(r"[^\s,:=\[\]{}()\"'“”‘’`]+")
OPENING = re.compile(r"[\[{]|\b[A-Z]\w*(?=\(\s*[a-z]\w*\s*=)")
NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\Z")
ADJACENT = re.compile(r"\s*\n\s*['\"]")  # the next piece of a string that Python's pprint broke over lines
FOLDED = re.compile(r"\[(?:Object|Array|Function|Circular)\b[^\]\n]*\]")
QUOTES = {'"': '"', "'": "'", "“": "”", "”": "”", "‘": "’", "’": "’", "„": "“", "`": "`"}
WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
NOTHING = {"undefined", "NaN", "nan", "Infinity", "-Infinity", "NOT_GIVEN", "Ellipsis"}
ESCAPE = re.compile(
    r"\\(u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}"
    r"|x[0-9a-fA-F]{2}|\r?\n|.)",
    re.DOTALL,
)
SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\n": "", "\r\n": ""}


class _Stop(Exception):
    """The rest cannot be read from here; what was read so far stands."""


class Reader:
    """Reads one text. After `all` it knows what it repaired, which words were bare, and what was not there."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._repairs: dict[str, list[int]] = {}
        self.names: set[str] = set()

    def gaps(self) -> frozenset[str]:
        """Return the kinds of what is missing from the text."""
        return frozenset(self._repairs.keys() & {"cut", "elided"})

    def all(self) -> list[Any]:
        """Return every object and array that has something in it."""
        values: list[Any] = []
        while found := OPENING.search(self.text, self.at):
            start = self.at = found.start()
            before = {kind: list(where) for kind, where in self._repairs.items()}
            try:
                self.value(values.append, 0)
            except _Stop:
                self.at = max(self.at, start + 1)
            if not _telling(values[-1]):
                values.pop()
                self._repairs = before
        return values

    def said(self) -> tuple[str, ...]:
        """Return the repairs in words, each kind once, with the line where it first happened."""
        return tuple(
            say(f"traces.repair.{kind}", count=len(where), line=self.text.count("\n", 0, where[0]) + 1)
            for kind, where in self._repairs.items()
        )

    def repaired(self, kind: str) -> None:
        self._repairs.setdefault(kind, []).append(self.at)

    # values -----------------------------------------------------------------------------------------------------

    def value(self, put: Callable[[Any], None], depth: int) -> None:
        """Read one value; hand it to `put` before its members are read, so that a cut one is kept as far as it goes."""
        if depth > DEPTH:
            self.repaired("deep")
            raise _Stop
        char = self.text[self.at]
        if char == "[" and (folded := FOLDED.match(self.text, self.at)) is not None:
            self.repaired("elided")
            self.at = folded.end()
            put({})
        elif char == "{":
            members: dict[str, Any] = {}
            put(members)
            self.at += 1
            self.members(members, "}", depth)
        elif char in "[(":
            if char == "(":
                self.repaired("python")
            items: list[Any] = []
            put(items)
            self.at += 1
            self.items(items, "]" if char == "[" else ")", depth)
        elif char in QUOTES:
            self.string(put)
        else:
            self.word(put, depth)

    def members(self, members: dict[str, Any], closing: str, depth: int) -> None:
        comma = False
        while True:
            char = self.next()
            if char == closing or char in "]})":
                self.close(char, closing, comma)
                return
            if char == ",":
                self.at += 1
                comma = True
                continue
            if members and not comma:
                self.repaired("comma")
            comma = False
            key: list[Any] = []
            if char in QUOTES:
                self.string(key.append, key=True)
            elif found := WORD.match(self.text, self.at):
                if closing == "}":
                    self.repaired("key")
                self.at = found.end()
                key.append(found[0])
            else:
                self.unreadable()
            if self.next() not in ":=":
                self.unreadable()
            self.at += 1
            self.next()
            name = str(key[0])
            if name in members:
                self.repaired("key_twice")

            def put(value: Any, name: str = name) -> None:
                members[name] = value

            self.value(put, depth + 1)

    def items(self, items: list[Any], closing: str, depth: int) -> None:
        comma = True
        while True:
            char = self.next()
            if char in "]})":
                self.close(char, closing, comma and bool(items))
                return
            if char == ",":
                self.at += 1
                comma = True
                continue
            if self.text.startswith(("...", "…"), self.at):
                self.repaired("elided")
                self.at += 3 if char == "." else 1
                comma = True
                continue
            if (folded := FOLDED.match(self.text, self.at)) is not None:
                self.repaired("elided")
                self.at = folded.end()
                comma = False
                continue
            if not comma:
                self.repaired("comma")
            comma = False
            self.value(items.append, depth + 1)

    def close(self, char: str, closing: str, comma: bool) -> None:
        if comma:
            self.repaired("trailing")
        if char == closing:
            self.at += 1
        else:
            self.repaired("bracket")

    def string(self, put: Callable[[str], None], *, key: bool = False) -> None:
        quote = self.text[self.at]
        if quote != '"':
            self.repaired("python" if quote == "'" else "quotes")
        closing = QUOTES[quote]
        start = scan = self.at + 1
        while True:
            end = self.text.find(closing, scan)
            if end < 0:
                put(_unescape(self.text[start:].rstrip("\\")))
                self.at = len(self.text)
                self.cut()
            if self._escaped(start, end):
                scan = end + 1
                continue
            if self._ends(end + 1, key):
                break
            self.repaired("inner_quote")
            scan = end + 1
        text = _unescape(self.text[start:end])
        self.at = end + 1
        if not key and (more := ADJACENT.match(self.text, self.at)) is not None and not self._is_key(more.end() - 1):
            self.repaired("python")
            self.at = more.end() - 1
            self.string(lambda rest: put(text + rest))
        else:
            put(text)

    def _is_key(self, at: int) -> bool:
        """Tell whether the string at `at` is a key: a colon comes after it."""
        return re.compile(r"(['\"])(?:\\.|(?!\1)[^\\])*\1\s*:", re.DOTALL).match(self.text, at) is not None

    def _escaped(self, start: int, end: int) -> bool:
        """Tell whether an odd number of backslashes stands before `end`."""
        at = end
        while at > start and self.text[at - 1] == "\\":
            at -= 1
        return (end - at) % 2 == 1

    def _ends(self, at: int, key: bool) -> bool:
        """Tell whether a quote before `at` closes its string: what follows is no part of a sentence."""
        rest = self.text[at : at + 1]
        if not rest or rest in ",:]})=" or rest.isspace():
            follows = SPACE.sub("", self.text[at : at + 200]).lstrip()[:1]
            return not follows or follows in (':="' if key else ",]})\"'}{:[")
        return False

    def word(self, put: Callable[[Any], None], depth: int) -> None:
        found = WORD.match(self.text, self.at)
        if found is None:
            self.unreadable()
            return
        word, self.at = found[0], found.end()
        following = self.text[self.at : self.at + 1]
        if following == "(" and word.isidentifier():
            self.repaired("python")
            self.at += 1
            self.call(put, depth)
        elif following in ("'", '"') and word.lower() in ("b", "r", "u", "f", "rb", "br"):
            self.repaired("python")
            self.string(put)
        elif word in WORDS:
            if word[0] in "TFN":
                self.repaired("python")
            put(WORDS[word])
        elif NUMBER.match(word):
            put(json.loads(word))
        elif self.at >= len(self.text):
            self.cut()
        else:
            self.repaired("no_value" if word in NOTHING else "bare")
            put(None if word in NOTHING else word)
            self.names.update(() if word in NOTHING else (word,))

    def call(self, put: Callable[[Any], None], depth: int) -> None:
        """Read `Name(key=value, …)`, as the SDK's objects print themselves, as an object; None there means unset."""
        char = self.next()
        named = WORD.match(self.text, self.at)
        if char == ")" or (named and self.text[named.end() : named.end() + 1] == "="):
            members: dict[str, Any] = {}
            put(members)
            self.members(members, ")", depth)
            for unset in [key for key, value in members.items() if value is None]:
                del members[unset]
        else:
            items: list[Any] = []
            put(items)
            self.items(items, ")", depth)

    # movement ---------------------------------------------------------------------------------------------------

    def next(self) -> str:
        """Skip space and comments; return the character that comes, or stop at the end of the text."""
        while found := SPACE.match(self.text, self.at):
            if not found[0][0].isspace():
                self.repaired("comment")
            self.at = found.end()
        if self.at >= len(self.text):
            self.cut()
        return self.text[self.at]

    def cut(self) -> None:
        self.at = len(self.text)
        self.repaired("cut")
        raise _Stop

    def unreadable(self) -> None:
        self.repaired("unreadable")
        raise _Stop


def _telling(value: Any) -> bool:
    """Tell whether a value may be part of a conversation: it has an object in it."""
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, list) and any(_telling(item) for item in value)


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text

    def one(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] == "u" and len(code) > 1:
            return json.loads(f'"\\{code}"')
        if code[0] in "xU" and len(code) > 1:
            return chr(int(code[1:], 16))
        return SIMPLE.get(code, code if code in "\"'\\/`" else f"\\{code}")

    return ESCAPE.sub(one, text)
