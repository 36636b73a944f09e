"""Handing in, keeping and forgetting the history, from the terminal."""

import argparse
import io
import sys
from datetime import date
from pathlib import Path

from course.cli.terminal import Terminal
from course.facts import say
from course.quiz.bank import Bank
from course.quiz.errors import HandInError
from course.quiz.handin import (
    file_name,
    fingerprint,
    free_path,
    history_id,
    lines_of,
    pseudonym,
    read_class_key,
    text_of,
    write_new,
)
from course.quiz.store import Store

__all__ = ["back_up", "forget", "hand_in"]

NAME = "handin_name"


def hand_in(terminal: Terminal, store: Store, bank: Bank, given: argparse.Namespace) -> int:
    """Write a result file; exit code 0, 1 when it can't be written or there is nothing in it, 2 without a name."""
    since = _day(given.since)
    key = read_class_key(Path(given.class_key).expanduser()) if given.class_key else None
    known = given.name or store.setting(NAME)
    if not known:
        raise HandInError(say("report.handin.no_name"))
    learner = pseudonym(known)
    lines = lines_of(store, learner, since=since)
    if not lines:
        told = say("report.handin.since", date=since) if since else ""
        terminal.write(say("report.handin.nothing", since=told), style="bad")
        return 1
    if learner != store.setting(NAME):
        store.set(NAME, learner)
    now = store.clock()
    text = text_of(
        lines, made=now, by="progress", bank=bank.digest, learner=learner, history=history_id(store), key=key
    )
    if given.export == "-":
        sys.stdout.write(text)
        return 0
    path = _place(given.export, file_name(learner, now.date()))
    if not _written(terminal, path, text, 0o644):
        return 1
    terminal.write(say("report.handin.written", count=len(lines), path=path, name=learner), style="strong")
    terminal.write(say("report.handin.holds"))
    trust = say("report.handin.signed", key=fingerprint(key)) if key else say("report.handin.self_reported")
    terminal.write(trust)
    return 0


def back_up(terminal: Terminal, store: Store, path: str) -> int:
    """Write the whole history; exit code 0, 1 when it can't be written."""
    if path == "-":
        store.export(sys.stdout)
        return 0
    kept = _keep(terminal, store, path)
    if kept is None:
        return 1
    terminal.write(say("report.handin.backed_up", count=len(store.events()), path=kept))
    return 0


def forget(terminal: Terminal, store: Store, path: str, *, sure: bool) -> int:
    """Keep the whole history in a file, then delete it everywhere else; exit code as `back_up`."""
    if not store.events():
        terminal.write(say("report.handin.empty"))
        return 0
    kept = _keep(terminal, store, path)
    if kept is None:
        return 1
    count = len(store.events())
    if not sure and terminal.ask(say("report.handin.forget_ask", count=count, path=kept)).lower() != "delete":
        terminal.write(say("report.handin.kept", path=kept))
        return 0
    terminal.write(say("report.handin.forgotten", count=store.delete(), path=kept))
    return 0


def _keep(terminal: Terminal, store: Store, path: str) -> Path | None:
    """Write every event to a new file that only its owner can read; None, and words, when that fails."""
    out = io.StringIO()
    store.export(out)
    place = _place(path, f"course-history-{store.clock():%Y-%m-%d}.jsonl")
    return place if _written(terminal, place, out.getvalue(), 0o600) else None


def _place(given: str, name: str) -> Path:
    """Return the path to write: as given, or a free name in the folder that is given (default: here)."""
    path = Path(given or ".").expanduser()
    return (free_path(path, name) if path.is_dir() else path).absolute()


def _written(terminal: Terminal, path: Path, text: str, mode: int) -> bool:
    try:
        write_new(path, text, mode=mode)
    except HandInError as why:
        terminal.write(str(why), style="bad")
        return False
    return True


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise HandInError(say("report.handin.not_a_date", text=text)) from None
