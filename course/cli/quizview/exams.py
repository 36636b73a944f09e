"""From choosing a form to its review: what `course exam` does."""

import secrets

from course.cli.quizview.result import result, review
from course.cli.quizview.sit import sit
from course.cli.terminal import Terminal
from course.facts import say
from course.quiz.attempts import Exam, started_exams
from course.quiz.bank import Bank
from course.quiz.blueprint import blueprint, blueprints
from course.quiz.forms import gaps
from course.quiz.items import in_language
from course.quiz.store import Store

__all__ = ["list_forms", "look_again", "sit_exam"]


def list_forms(terminal: Terminal, bank: Bank) -> int:
    """List every form, and what the bank lacks to fill it."""
    for plan in blueprints().values():
        missing = gaps(plan, bank)
        values = {"form": plan.id, "title": in_language(plan.title)}
        terminal.write(say(f"terminal.gap.{'lacks' if missing else 'fills'}", **values), style="strong")
        terminal.write(in_language(plan.about), indent="  ")
        for gap in missing:
            terminal.write(str(gap), indent="  → ")
        terminal.write()
    return 0


def look_again(terminal: Terminal, bank: Bank, store: Store) -> int:
    """Show result and review of the attempt that was finished last."""
    finished = started_exams(store, finished=True)
    if not finished:
        terminal.write(say("terminal.exam.no_review"))
        return 2
    exam = Exam(finished[-1].attempt or "", bank, store)
    result(terminal, exam)
    review(terminal, exam)
    return 0


def sit_exam(
    terminal: Terminal, bank: Bank, store: Store, *, form: str, seed: str | None, mix: str | None, resume: bool
) -> int:
    """Start a form, or go on with one that was left; show the result once it is handed in."""
    exam = _left_exam(terminal, bank, store, resume=resume)
    if exam is None and resume:
        return 2
    exam = exam or _new_exam(terminal, bank, store, form=form, seed=seed, mix=mix)
    if exam is None or not sit(terminal, exam):
        return 0
    result(terminal, exam)
    terminal.write()
    review(terminal, exam)
    return 0


def _left_exam(terminal: Terminal, bank: Bank, store: Store, *, resume: bool) -> Exam | None:
    """Return the unfinished attempt to go on with, if there is one and the sitter wants it."""
    left = started_exams(store, finished=False)
    if not left:
        if resume:
            terminal.write(say("terminal.exam.no_resume"))
        return None
    exam = Exam(left[-1].attempt or "", bank, store)
    if resume:
        return exam
    values = {"form": exam.form.blueprint, "on": f"{left[-1].at:%Y-%m-%d %H:%M}"}
    terminal.write(say("terminal.exam.unfinished", **values))
    answer = terminal.ask(say("terminal.exam.unfinished_ask")).lower()
    if answer in ("q", "quit"):
        raise EOFError
    if not answer:
        return exam
    exam.finish("given up")
    return None


def _new_exam(
    terminal: Terminal, bank: Bank, store: Store, *, form: str, seed: str | None, mix: str | None
) -> Exam | None:
    plan = blueprint(form)
    about = {"title": in_language(plan.title), "about": in_language(plan.about)}
    terminal.write(say("terminal.exam.intro", items=plan.items, minutes=plan.minutes, **about), style="strong")
    terminal.write(say("terminal.exam.honest"))
    rules = "rules_pause" if plan.pauses else "rules_no_pause"
    terminal.write(say(f"terminal.exam.{rules}", pauses=plan.pauses))
    terminal.write(say("terminal.exam.help"), style="dim")
    if terminal.typed and terminal.ask(say("terminal.exam.begin")).lower() in ("q", "quit"):
        return None
    chosen = seed or secrets.token_hex(3)
    exam = Exam.start(plan, bank, store, seed=chosen, mix=mix, fresh=seed is None)
    terminal.write(say("terminal.exam.unseen", unseen=exam.form.unseen, items=len(exam.form.entries)))
    if seed is None:
        terminal.write(say("terminal.exam.seed_is", seed=chosen), style="dim")
    return exam
