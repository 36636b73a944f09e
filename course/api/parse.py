"""JSON text as the API's parser takes it: stricter than Python's, and with words of its own for what is wrong.

Reports of 2025 and 2026 quote "unexpected character", "no low surrogate in string" and "invalid high surrogate in
string"; those are the words of orjson (3.10 and 3.11), so the others follow that parser too.
"""

import json
import re
from contextlib import suppress
from typing import Any, NoReturn

from pydantic_core import from_json

__all__ = ["NotJson", "parse", "too_deep"]

ESCAPED_SURROGATE = re.compile(r"(?<!\\)(?:\\\\)*\\u([dD][89a-fA-F][0-9a-fA-F]{2})(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?")
ESCAPE = re.compile(r"\\u[0-9a-fA-F]{4}")
STRING_OR = r'"(?:[^"\\]|\\.)*"|'
NO_NUMBER = re.compile(STRING_OR + r"(-?Infinity|NaN)", re.DOTALL)
LONG_NUMBER = re.compile(STRING_OR + r"(-?\d{4301,})", re.DOTALL)
BRACKET = re.compile(STRING_OR + r"([\[{])|([\]}])", re.DOTALL)
TOO_DEEP = "array and object recursion depth exceeded"
MOST_NESTED = 1024
SPACE = " \t\n\r"
LITERALS = {"t": "true", "f": "false", "n": "null"}


class NotJson(Exception):
    """The text is no JSON. `detail` says why in the parser's words, `char` where: an index into `text`."""

    def __init__(self, detail: str, text: str, char: int) -> None:
        super().__init__(detail)
        self.detail, self.char = detail, char
        self.line = text.count("\n", 0, char) + 1
        self.column = char - text.rfind("\n", 0, char)


def parse(raw: bytes) -> Any:
    """Return the value of the JSON text `raw`; raise NotJson.

    A fast parser takes nearly all; what it refuses is read again by one that tells what is wrong, if anything is.
    """
    with suppress(ValueError):
        return from_json(raw, allow_inf_nan=False)
    return _parse_slowly(raw)


def _parse_slowly(raw: bytes) -> Any:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise NotJson("str is not valid UTF-8: surrogates not allowed", "", 0) from None
    try:
        value = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        detail, char = _words(error.msg, text, error.pos)
    except RecursionError:
        detail, char = TOO_DEEP, _too_deep(text)
    except ValueError:
        detail, char = _bad_number(text)
    else:
        detail, char = "", len(text)
    if alone := _lone_surrogate(text, char):
        detail, char = alone
    if detail:
        raise NotJson(detail, text, char)
    return value


def too_deep(raw: bytes) -> NotJson:
    """Return what there is to tell of JSON that is nested deeper than it can be worked on."""
    text = raw.decode("utf-8", "replace")
    return NotJson(TOO_DEEP, text, _too_deep(text))


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _words(said: str, text: str, at: int) -> tuple[str, int]:
    """Return (the API's words, place) for what Python's parser said of the character at `at`."""
    if not text.strip(SPACE):
        return ("input data is empty" if text else "Input is a zero-length, empty document"), 0
    if said.startswith("Unterminated") or at >= len(text):
        return "unexpected end of data", len(text)
    if said.startswith("Invalid control"):
        return "unexpected control character in string", at
    if said.startswith("Invalid \\u"):
        cut = re.fullmatch(r"[0-9a-fA-F]{0,3}", text[at + 1 :])
        return ("unexpected end of data", len(text)) if cut else ("invalid escaped sequence in string", at - 1)
    if said.startswith("Invalid \\"):
        return "invalid escaped character in string", at + 1
    if said.startswith("Extra data"):
        return "unexpected content after document", at
    return _unexpected(said, text, at)


def _unexpected(said: str, text: str, at: int) -> tuple[str, int]:
    before = text[:at].rstrip(SPACE)
    if text[at] in "]}" and before.endswith(","):
        return "trailing comma is not allowed", len(before) - 1
    if said.startswith("Expecting value"):
        if text[at] == "-":
            ended = at + 1 == len(text)
            return ("unexpected end of data" if ended else "no digit after minus sign"), at + 1
        if wanted := LITERALS.get(text[at]):
            cut = wanted.startswith(text[at:])
            return ("unexpected end of data", len(text)) if cut else ("invalid literal", at)
    return "unexpected character", at


def _first(pattern: re.Pattern[str], text: str) -> int | None:
    return next((found.start(1) for found in pattern.finditer(text) if found.group(1)), None)


def _bad_number(text: str) -> tuple[str, int]:
    at = _first(NO_NUMBER, text)
    if at is None:
        return "number is infinity when parsed as double", _first(LONG_NUMBER, text) or 0
    return ("no digit after minus sign", at + 1) if text[at] == "-" else ("unexpected character", at)


def _too_deep(text: str) -> int:
    """Return where the nesting passes what the API's parser takes; where Python's gave up before: the deepest place."""
    depth = deepest = place = 0
    for found in BRACKET.finditer(text):
        depth += bool(found.group(1)) - bool(found.group(2))
        if depth > deepest:
            deepest, place = depth, found.start()
        if depth > MOST_NESTED:
            break
    return place + 1


def _lone_surrogate(text: str, end: int) -> tuple[str, int] | None:
    """Return what is wrong with the first escaped surrogate before `end` that has no partner, and where."""
    if "\\ud" not in text and "\\uD" not in text:
        return None
    for found in ESCAPED_SURROGATE.finditer(text, 0, end):
        after = found.end(1)
        if found.group(1)[1] not in "89abAB":
            return "invalid high surrogate in string", after - 6
        if found.end() > after:
            continue
        if not text.startswith("\\u", after):
            return "no low surrogate in string", after
        if ESCAPE.match(text, after):
            return "invalid low surrogate in string", after
    return None
