"""`course exam`: sit a practice form in the terminal."""

import argparse
import os
import sys
from collections.abc import Sequence

from course.facts.text import say

__all__ = ["run"]


def run(args: Sequence[str]) -> int:
    """Run the verb; exit code 0, or 2 when there is no such form or attempt, or the form can't be filled."""
    given = _parser().parse_args(args)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for some reads every installed package
    from course.cli.quizview.exams import list_forms, look_again, sit_exam
    from course.cli.quizview.start import opened, told_corrections
    from course.quiz.errors import QuizError

    terminal, bank, store = opened(sys.stdout, sys.stdin)
    try:
        if given.forms:
            return list_forms(terminal, bank)
        told_corrections(terminal, store, bank)
        if given.review:
            return look_again(terminal, bank, store)
        return sit_exam(terminal, bank, store, form=given.form, seed=given.seed, mix=given.mix, resume=given.resume)
    except QuizError as why:
        terminal.write(str(why), style="bad")
        return 2
    except (EOFError, KeyboardInterrupt):
        terminal.write()
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("course exam", description=say("terminal.exam.about"))
    parser.add_argument("--form", default="mini", metavar="NAME", help=say("terminal.exam.form"))
    parser.add_argument("--seed", metavar="TEXT", help=say("terminal.exam.seed"))
    parser.add_argument("--mix", metavar="50:10", help=say("terminal.exam.mix"))
    parser.add_argument("--resume", action="store_true", help=say("terminal.exam.resume"))
    parser.add_argument("--review", action="store_true", help=say("terminal.exam.review"))
    parser.add_argument("--forms", action="store_true", help=say("terminal.exam.forms"))
    return parser
