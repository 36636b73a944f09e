"""`course progress`: show, hand in, keep or delete your results."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from course.facts.text import say

if TYPE_CHECKING:
    from course.cli.terminal import Terminal
    from course.quiz.store import Store

__all__ = ["run"]


def run(args: Sequence[str]) -> int:
    """Run the verb; exit code 0, 1 when a file can't be written, 2 for an option that says nothing."""
    given = _parser().parse_args(args)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for some reads every installed package
    from course.cli.quizview.handing import back_up, forget, hand_in
    from course.cli.quizview.standing import standing
    from course.cli.quizview.start import opened, told_corrections
    from course.quiz.errors import QuizError
    from course.quiz.progress import progress

    terminal, bank, store = opened(sys.stdout, sys.stdin)
    try:
        if given.export is not None:
            told_corrections(terminal, store, bank)
            return hand_in(terminal, store, bank, given)
        if given.backup is not None:
            return back_up(terminal, store, given.backup)
        if given.forget is not None:
            return forget(terminal, store, given.forget, sure=given.yes)
        if given.delete:
            return _delete(terminal, store, sure=given.yes)
        if given.exam_date:
            return _exam_date(terminal, store, given.exam_date)
        if given.json:
            print(json.dumps(progress(store, bank).as_json(), ensure_ascii=False, indent=2))
            return 0
        told_corrections(terminal, store, bank)
        found = progress(store, bank)
        standing(terminal, found, store, chart=given.chart is not None)
        return _picture(terminal, found, given.chart) if given.chart else 0
    except QuizError as why:
        terminal.write(str(why), style="bad")
        return 2
    except (EOFError, KeyboardInterrupt):
        terminal.write()
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("course progress", description=say("terminal.progress.about"))
    for name, metavar in (("export", "FILE"), ("backup", "FILE"), ("forget", "FILE")):
        parser.add_argument(f"--{name}", metavar=metavar, nargs="?", const="", help=say(f"terminal.progress.{name}"))
    for name, metavar in (("name", "PSEUDONYM"), ("since", "DATE"), ("class-key", "FILE")):
        parser.add_argument(f"--{name}", metavar=metavar, help=say(f"terminal.progress.{name.replace('-', '_')}"))
    parser.add_argument("--delete", action="store_true", help=say("terminal.progress.delete"))
    parser.add_argument("--yes", action="store_true", help=say("terminal.progress.yes"))
    parser.add_argument("--chart", metavar="FILE", nargs="?", const="", help=say("terminal.progress.chart"))
    parser.add_argument("--exam-date", metavar="DATE", help=say("terminal.progress.exam_date"))
    parser.add_argument("--json", action="store_true", help=say("terminal.progress.json"))
    return parser


def _delete(terminal: "Terminal", store: "Store", *, sure: bool) -> int:
    count = len(store.events())
    if not sure and terminal.ask(say("terminal.progress.delete_ask", count=count)).lower() != "delete":
        terminal.write(say("terminal.progress.not_deleted"))
        return 0
    terminal.write(say("terminal.progress.deleted", count=store.delete()))
    return 0


def _exam_date(terminal: "Terminal", store: "Store", text: str) -> int:
    if text.lower() == "none":
        store.set("exam_date", None)
        terminal.write(say("terminal.progress.date_gone"))
        return 0
    try:
        day = date.fromisoformat(text)
    except ValueError:
        terminal.write(say("terminal.progress.not_a_date", text=text), style="bad")
        return 2
    if day <= store.clock().date():
        terminal.write(say("terminal.progress.past_date", text=text), style="bad")
        return 2
    store.set("exam_date", day.isoformat())
    terminal.write(say("terminal.progress.date_set", date=day))
    return 0


def _picture(terminal: "Terminal", found: object, path: str) -> int:
    from course.quiz.charts import history_chart

    chart = history_chart(found)  # type: ignore[arg-type]
    try:
        Path(path).expanduser().write_bytes(chart.png)
    except OSError as why:
        terminal.write(say("terminal.progress.cannot_write", path=path, why=why.strerror), style="bad")
        return 1
    terminal.write(say("terminal.progress.picture", path=path))
    return 0
