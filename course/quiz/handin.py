"""Handing in: the answers of one learner, under a pseudonym, as a file of JSON lines.

First line: a header. kind "course-results", format 1, made (UTC), learner, history (an id of the history the answers
come from, so that two people of one name stay two), by ("progress" or "poll"), bank (its digest), lines (how many
follow), trust ("self-reported" or "signed by class"), signed (None, or {method, key, mac}).
Every further line: learner, item, version, try (how often this learner had met this item by then, from 1), response,
score (0…1), confidence (1…3 or None), at (UTC), source ("practice", "lesson", "exam" or "poll"), form (of an exam).
In an exam only the answer that was handed in counts; a question left blank has the response None and the score 0.
Open answers stay at home: nobody marks them but their writer, and their text may be personal.

The signature is HMAC-SHA256 over the canonical JSON (sorted keys, no spaces, ASCII) of the header without its
signature, and of every line. It tells that the file is as the holder of the key wrote it, and nothing more: a key
the learner can read proves nothing.
"""

import hashlib
import hmac
import json
import os
import re
import secrets
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from course.facts import say
from course.quiz.attempts import started_exams
from course.quiz.errors import HandInError
from course.quiz.events import iso, moment
from course.quiz.grading import is_blank
from course.quiz.history import OF_ANSWERS, answers
from course.quiz.markdown import plain
from course.quiz.store import Store

__all__ = [
    "FORMAT",
    "KIND",
    "METHOD",
    "SELF_REPORTED",
    "SIGNED",
    "Line",
    "canonical",
    "file_name",
    "fingerprint",
    "free_path",
    "history_id",
    "lines_of",
    "mac",
    "new_class_key",
    "pseudonym",
    "read_class_key",
    "text_of",
    "write_new",
]

KIND, FORMAT, METHOD = "course-results", 1, "hmac-sha256"
SELF_REPORTED, SIGNED = "self-reported", "signed by class"
LONGEST_NAME = 40
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)$", re.IGNORECASE)
KEY_PREFIX, KEY_BYTES = "course-class-key-1 ", 32


@dataclass(frozen=True)
class Line:
    """One answer of a result file; the fields are those of the file, `try_number` is `try` there."""

    learner: str
    item: str
    version: int
    try_number: int
    response: Any
    score: float
    confidence: int | None
    at: str
    source: str
    form: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the line as the file holds it."""
        return {("try" if name == "try_number" else name): value for name, value in vars(self).items()}


def pseudonym(text: str) -> str:
    """Return `text` as a name of visible characters. Raises HandInError when nothing is left of it, or too much."""
    seen = "".join(
        c for c in unicodedata.normalize("NFC", plain(text)) if c in "\t\n" or unicodedata.category(c) not in UNSEEN
    )
    name = " ".join(seen.split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise HandInError(say("report.handin.name", most=LONGEST_NAME))
    return name


def file_name(learner: str, on: date) -> str:
    """Return a file name every system can keep: letters and digits of any script, single hyphens, and the day."""
    stem = re.sub(r"[^\w]+|_+", "-", unicodedata.normalize("NFC", learner)).strip("-") or "learner"
    while len(stem.encode()) > 120:
        stem = stem[:-1]
    return f"{'learner-' if RESERVED.match(stem) else ''}{stem}-{on:%Y-%m-%d}.jsonl"


def free_path(folder: Path, name: str) -> Path:
    """Return a path in `folder` that is not taken: the name itself, or with -2, -3 … before its ending."""
    stem = name.removesuffix(".jsonl")
    paths = (folder / (name if number == 1 else f"{stem}-{number}.jsonl") for number in range(1, 10_000))
    return next(path for path in paths if not os.path.lexists(path))


def history_id(store: Store) -> str:
    """Return the id of a history, made when it is first asked for; it is deleted with the history."""
    if not (known := store.setting("history_id")):
        store.set("history_id", secrets.token_hex(8))
        known = store.setting("history_id")
    return str(known)


def lines_of(store: Store, learner: str, *, since: date | None = None) -> list[Line]:
    """Return the answers to hand in, oldest first. since: the first day (UTC) that is handed in."""
    started = {event.attempt: event.data for event in store.events("attempt_started")}
    rows: list[tuple[datetime, str, Line]] = []
    for answer in answers(store.events(OF_ANSWERS)):
        if answer.verdict is None or not answer.counts:
            continue
        begun = started.get(answer.attempt, {})
        source = "lesson" if answer.mode == "practice" and begun.get("selection", {}).get("lesson") else answer.mode
        form = begun.get("form", {}).get("blueprint")
        rows.append(
            (
                answer.at,
                answer.item,
                Line(
                    learner,
                    answer.item,
                    answer.item_version,
                    0,
                    answer.response,
                    answer.score,
                    answer.confidence,
                    iso(answer.at),
                    source,
                    form,
                ),
            )
        )
    rows += [(moment(line.at), line.item, line) for line in _blanks(store, learner)]
    met: Counter[str] = Counter()
    found = []
    for at, item, line in sorted(rows, key=lambda row: row[:2]):
        met[item] += 1
        if since is None or at.date() >= since:
            found.append(Line(**{**vars(line), "try_number": met[item]}))
    return found


def _blanks(store: Store, learner: str) -> Iterable[Line]:
    """Return a line for every question that was left blank in an exam that was handed in."""
    ends = {event.attempt: event.at for event in store.events("attempt_finished")}
    for started in started_exams(store, finished=True):
        given = {answer.item: answer for answer in answers(store.events(OF_ANSWERS, attempt=started.attempt))}
        form = started.data["form"]
        for entry in form["entries"]:
            answer = given.get(entry["item"])
            if answer is None or is_blank(answer.response):
                at = iso(ends[started.attempt])
                yield Line(learner, entry["item"], entry["version"], 0, None, 0.0, None, at, "exam", form["blueprint"])


def text_of(
    lines: Sequence[Line],
    *,
    made: datetime,
    by: str,
    bank: str,
    learner: str | None = None,
    history: str | None = None,
    key: bytes | None = None,
) -> str:
    """Return a whole result file. learner: None where the lines name several. key: signs it."""
    header = {
        "kind": KIND,
        "format": FORMAT,
        "made": iso(made),
        "learner": learner,
        "history": history,
        "by": by,
        "bank": bank,
        "lines": len(lines),
        "trust": SIGNED if key else SELF_REPORTED,
        "signed": None,
    }
    rows = [line.as_json() for line in lines]
    if key:
        header["signed"] = {"method": METHOD, "key": fingerprint(key), "mac": mac(key, header, rows)}
    return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in (header, *rows))


def canonical(row: Mapping[str, Any]) -> bytes:
    """Return the one way to write a header or line that is signed."""
    return json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def mac(key: bytes, header: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the signature of a file in hexadecimal."""
    signed = b"\n".join(canonical(row) for row in ({**header, "signed": None}, *rows))
    return hmac.new(key, signed, hashlib.sha256).hexdigest()


def fingerprint(key: bytes) -> str:
    """Return what names a key without giving it away."""
    return hashlib.sha256(b"fingerprint of " + key).hexdigest()[:12]


def new_class_key(path: Path) -> str:
    """Make a class key in a new file that only its owner can read; return its fingerprint."""
    key = secrets.token_bytes(KEY_BYTES)
    write_new(path, KEY_PREFIX + key.hex() + "\n", mode=0o600)
    return fingerprint(key)


def read_class_key(path: Path) -> bytes:
    """Return the key of a file. Raises HandInError when it holds none, or others can read it."""
    try:
        with path.open(encoding="ascii", errors="replace") as file:
            others = os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077
            text = file.read(200).strip()
    except OSError as why:
        raise HandInError(say("report.handin.unreadable", path=path, why=why.strerror)) from None
    if others:
        raise HandInError(say("report.handin.open_key", path=path))
    if not re.fullmatch(KEY_PREFIX + r"[0-9a-f]{64}", text):
        raise HandInError(say("report.handin.no_key", path=path))
    return bytes.fromhex(text.removeprefix(KEY_PREFIX))


def write_new(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Write a file that does not exist yet; what could not be written whole is taken away. Raises HandInError."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as out:
            try:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
            except BaseException:
                path.unlink(missing_ok=True)
                raise
    except FileExistsError:
        raise HandInError(say("report.handin.taken", path=path)) from None
    except OSError as why:
        raise HandInError(say("report.handin.cannot_write", path=path, why=why.strerror)) from None
