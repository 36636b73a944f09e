"""Read result files with care: what can be read counts, and everything else is told by file, line, and what to do.

The format is that of `course.quiz.handin`. A file is never changed. A signature is only ever believed when it was
checked with the class key; without a key, or with a wrong signature, a file counts as self-reported. Messages repeat
nothing of what a file holds, since anybody can put a file into a drop folder.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from course.facts import say
from course.quiz.errors import HandInError
from course.quiz.grading.strict_json import depth
from course.quiz.handin import FORMAT, KIND, METHOD, SELF_REPORTED, SIGNED, Line, fingerprint, mac, pseudonym

__all__ = ["HandIn", "Problem", "read"]

ENDING = ".jsonl"
LARGEST, LONGEST, DEEPEST = 20_000_000, 100_000, 40
SOURCES = ("practice", "lesson", "exam", "poll")


@dataclass(frozen=True, order=True)
class Problem:
    """Something to look at. line: from 1, 0 for the whole file; file: "" for what concerns several."""

    file: str
    line: int
    what: str
    todo: str

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line or "") if part)
        return f"{where + ': ' if where else ''}{self.what}: {self.todo}"


@dataclass(frozen=True)
class HandIn:
    """One file that could be read: its header, and its answers with the line each stands in."""

    file: str
    made: datetime
    by: str
    history: str | None
    signed: bool
    digest: str
    lines: tuple[tuple[int, Line], ...] = field(repr=False)


def read(
    places: Iterable[Path], *, key: bytes | None = None, signed_only: bool = False
) -> tuple[list[HandIn], list[Problem]]:
    """Read files and folders, in an order that does not depend on how they are named on the command line."""
    found: dict[str, HandIn] = {}
    problems: list[Problem] = []
    for path, name in _files(places, problems):
        handed = _read(path, name, key, problems)
        if handed is None:
            continue
        if handed.digest in found:
            other = found[handed.digest].file
            problems.append(_problem(name, 0, "same_file", other=other))
        elif signed_only and not handed.signed:
            problems.append(_problem(name, 0, "unsigned"))
        else:
            found[handed.digest] = handed
    return sorted(found.values(), key=lambda handed: (handed.made, handed.digest)), sorted(set(problems))


def _problem(file: str, line: int, name: str, **values: Any) -> Problem:
    return Problem(file, line, say(f"report.read.{name}", **values), say(f"report.read.{name}_todo"))


def _files(places: Iterable[Path], problems: list[Problem]) -> list[tuple[Path, str]]:
    """Return (path, name to call it by), each file once, sorted by name."""
    found: dict[Path, str] = {}
    for place in places:
        if not place.exists():
            problems.append(Problem("", 0, say("report.read.missing", path=place), say("report.read.missing_todo")))
            continue
        folder = place.is_dir()
        members = sorted(path for path in place.rglob("*") if not path.is_dir()) if folder else [place]
        members = [path for path in members if not path.name.startswith(".")]
        for path in members:
            name = path.relative_to(place).as_posix() if folder else path.name
            if folder and path.suffix != ENDING:
                problems.append(_problem(name, 0, "other"))
            elif not path.is_file():
                problems.append(_problem(name, 0, "not_regular"))
            else:
                found.setdefault(path.resolve(), name)
        if folder and not any(path.suffix == ENDING for path in members):
            problems.append(_problem(str(place), 0, "no_files"))
    return sorted(found.items(), key=lambda pair: (pair[1], str(pair[0])))


def _read(path: Path, name: str, key: bytes | None, problems: list[Problem]) -> HandIn | None:
    """Read one file; None when nothing of it can count."""

    def refused(line: int, what: str, **values: Any) -> None:
        problems.append(_problem(name, line, what, **values))

    try:
        if path.stat().st_size > LARGEST:
            refused(0, "large", most=LARGEST // 1_000_000)
            return None
        data = path.read_bytes()
        rows = data.decode("utf-8-sig").split("\n")
    except OSError as why:
        refused(0, "unreadable", why=why.strerror)
        return None
    except UnicodeDecodeError:
        refused(0, "encoding")
        return None
    while rows and not rows[-1].strip():
        rows.pop()
    if not rows:
        refused(0, "empty")
        return None
    try:
        header = _checked_header(_object(rows[0]))
    except _History:
        refused(1, "history")
        return None
    except _Format as why:
        refused(1, "format", given=why, known=FORMAT)
        return None
    except ValueError as why:
        refused(1, "header", why=why)
        return None
    objects, lines = _lines(rows[1:], header, name, problems)
    if header.get("lines") not in (None, len(rows) - 1):
        refused(1, "count", promised=header["lines"], found=len(rows) - 1)
    signed = _signed(header, objects, key, name, problems)
    return HandIn(
        name,
        datetime.fromisoformat(header["made"]),
        header["by"],
        header.get("history"),
        signed,
        hashlib.sha256(data).hexdigest(),
        tuple(lines),
    )


class _History(ValueError):
    """The file is a copy of a whole history."""


class _Format(ValueError):
    """The file has another format; its message is the number."""


def _object(text: str) -> dict[str, Any]:
    """Return a JSON object. Raises ValueError, with words, for anything else."""
    if len(text) > LONGEST:
        raise ValueError(say("report.json.long", most=LONGEST))
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as why:
        raise ValueError(say("report.json.broken", why=why.msg, column=why.colno)) from None
    except RecursionError:
        raise ValueError(say("report.json.deep")) from None
    if not isinstance(found, dict):
        raise ValueError(say("report.json.no_object"))
    if depth(found) > DEEPEST:
        raise ValueError(say("report.json.deep"))
    return found


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError(say("report.json.twice"))
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(say("report.json.constant"))


def _is_time(value: Any) -> bool:
    with suppress(ValueError, TypeError):
        return datetime.fromisoformat(value).tzinfo is not None
    return False


def _is_whole(value: Any, least: int) -> bool:
    return type(value) is int and least <= value <= 1_000_000


def _is_name(value: Any) -> bool:
    with suppress(HandInError):
        return isinstance(value, str) and bool(pseudonym(value))
    return False


HEADER: Mapping[str, Callable[[Any], bool]] = {
    "made": _is_time,
    "by": lambda value: value in ("progress", "poll"),
    "history": lambda value: value is None or (isinstance(value, str) and bool(re.fullmatch(r"\w{1,64}", value))),
    "lines": lambda value: value is None or _is_whole(value, 0),
    "signed": lambda value: value is None or isinstance(value, dict),
}
"""What a header must hold; `history`, `lines` and `signed` may be missing."""
LINE: Mapping[str, Callable[[Any], bool]] = {
    "learner": _is_name,
    "item": lambda value: isinstance(value, str) and bool(re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", value)),
    "version": lambda value: _is_whole(value, 1),
    "try": lambda value: _is_whole(value, 1),
    "score": lambda value: type(value) in (int, float) and 0 <= value <= 1,
    "confidence": lambda value: value is None or (type(value) is int and 1 <= value <= 3),
    "at": _is_time,
    "source": lambda value: value in SOURCES,
    "form": lambda value: value is None or (isinstance(value, str) and bool(re.fullmatch(r"[\w.-]{1,64}", value))),
}
"""What a line must hold beside its response; `confidence` and `form` may be missing."""


def _checked_header(row: dict[str, Any]) -> dict[str, Any]:
    if {"seq", "key", "data"} <= row.keys():
        raise _History
    if row.get("kind") != KIND:
        raise ValueError(say("report.read.header_kind"))
    if row.get("format") != FORMAT:
        given = row.get("format")
        raise _Format(given if _is_whole(given, 0) else "?")
    for name, holds in HEADER.items():
        if not holds(row.get(name)):
            raise ValueError(say("report.read.header_field", field=name, expected=_expected(name)))
    if row["by"] == "progress" and not _is_name(row.get("learner")):
        raise ValueError(say("report.read.header_field", field="learner", expected=_expected("learner")))
    return row


def _expected(name: str) -> str:
    return say(f"report.read.expected.{name}")


def _lines(
    rows: Sequence[str], header: Mapping[str, Any], name: str, problems: list[Problem]
) -> tuple[list[dict[str, Any]], list[tuple[int, Line]]]:
    """Return the JSON objects, and the lines that count with their number; what does not count is told."""
    objects: list[dict[str, Any]] = []
    found: dict[tuple[str, ...], tuple[int, Line]] = {}
    speaker = pseudonym(header["learner"]) if header["by"] == "progress" else None
    for number, text in enumerate(rows, 2):
        try:
            row = _object(text)
        except ValueError as why:
            problems.append(_problem(name, number, "json", why=why))
            continue
        objects.append(row)
        if wrong := next(_wrong(row), None):
            problems.append(_problem(name, number, "field", field=wrong, expected=_expected(wrong)))
            continue
        line = _line(row)
        if speaker is not None and line.learner != speaker:
            problems.append(_problem(name, number, "stranger"))
        elif (mark := (line.learner, line.item, line.at, line.source, str(line.try_number))) in found:
            problems.append(_problem(name, number, "twice"))
        else:
            found[mark] = (number, line)
    return objects, list(found.values())


def _wrong(row: Mapping[str, Any]) -> Iterator[str]:
    yield from (name for name, holds in LINE.items() if not holds(row.get(name)))
    if "response" not in row:
        yield "response"


def _line(row: Mapping[str, Any]) -> Line:
    kept = {name: row.get(name) for name in LINE if name not in ("learner", "try")}
    return Line(learner=pseudonym(row["learner"]), try_number=row["try"], response=row["response"], **kept)  # type: ignore[arg-type]


def _signed(
    header: Mapping[str, Any],
    objects: Sequence[Mapping[str, Any]],
    key: bytes | None,
    name: str,
    problems: list[Problem],
) -> bool:
    """Tell whether the class key's signature fits; whatever else a file says of itself is told and not believed."""
    signature = header.get("signed")
    if signature is None:
        if header.get("trust") not in (None, SELF_REPORTED):
            problems.append(_problem(name, 1, "claims", trust=SIGNED))
        return False
    given, by, method = signature.get("mac"), signature.get("key"), signature.get("method")
    if method != METHOD or not isinstance(given, str) or not re.fullmatch(r"[0-9a-f]{12}", str(by)):
        expected = say("report.read.bad_signature", expected=_expected("signed"))
        problems.append(Problem(name, 1, expected, say("report.read.wrong_mac_todo")))
    elif key is None:
        problems.append(_problem(name, 1, "no_class_key", key=by))
    elif by != fingerprint(key):
        problems.append(_problem(name, 1, "other_key", key=by, expected=fingerprint(key)))
    elif not hmac.compare_digest(given.encode(), mac(key, header, objects).encode()):
        problems.append(_problem(name, 1, "wrong_mac"))
    else:
        return True
    return False
