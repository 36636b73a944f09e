"""`course quiz`: practise questions in the terminal."""

import argparse
import os
import random
import sys
from collections.abc import Sequence

from course.facts.text import say

__all__ = ["run"]


def run(args: Sequence[str]) -> int:
    """Run the verb; exit code 0, or 2 when nothing fits the choice."""
    given = _parser().parse_args(args)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for some reads every installed package
    from course.cli.quizview.practise import practise
    from course.cli.quizview.start import chosen_items, opened, told_corrections
    from course.quiz.errors import QuizError
    from course.quiz.practice import Session
    from course.quiz.selection import Selection

    terminal, bank, store = opened(sys.stdout, sys.stdin)
    if given.list:
        from course.cli.quizview.lists import show_choices

        show_choices(terminal, bank)
        return 0
    told_corrections(terminal, store, bank)
    rng = random.Random(given.seed)
    try:
        session = Session.resume(bank, store) if given.resume else None
        if given.resume and session is None:
            terminal.write(say("terminal.practice.no_resume"))
            return 2
        items = chosen_items(store, missed=given.missed, flagged=given.flagged)
        selection = Selection(
            items=items,
            lesson=given.lesson,
            objective=given.objective,
            task=given.task,
            misconception=given.misconception,
            kind=given.kind,
            due=given.due,
        )
        if session is None and selection.open and not store.events("answered"):
            terminal.write(say("terminal.quiz.first"), style="dim")
        session = session or Session(bank, store, selection, count=given.count, rng=rng)
    except QuizError as why:
        terminal.write(str(why), style="bad")
        return 2
    practise(terminal, session, confidence=given.confidence)
    store.back_up()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("course quiz", description=say("terminal.quiz.about"))
    for name in ("lesson", "objective", "task", "misconception", "kind"):
        parser.add_argument(
            f"--{name}", metavar=say(f"terminal.quiz.{name}_example"), help=say(f"terminal.quiz.{name}")
        )
    parser.add_argument("--due", action="store_true", help=say("terminal.quiz.due"))
    parser.add_argument("--missed", action="store_true", help=say("terminal.quiz.missed"))
    parser.add_argument("--flagged", action="store_true", help=say("terminal.quiz.flagged"))
    parser.add_argument("--count", type=_count, default=5, metavar="N", help=say("terminal.quiz.count"))
    parser.add_argument("--confidence", action="store_true", help=say("terminal.quiz.confidence"))
    parser.add_argument("--resume", action="store_true", help=say("terminal.quiz.resume"))
    parser.add_argument("--seed", metavar="TEXT", help=say("terminal.quiz.seed"))
    parser.add_argument("--list", action="store_true", help=say("terminal.quiz.list"))
    return parser


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 200:
        raise argparse.ArgumentTypeError(say("terminal.quiz.count_range"))
    return number
