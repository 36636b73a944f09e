"""What every quiz verb does first: open terminal, bank and store, and say what must be said."""

from typing import TextIO

from course.cli.terminal import Terminal
from course.facts import say
from course.quiz.bank import Bank
from course.quiz.errors import QuizError
from course.quiz.history import OF_ANSWERS, answers, regrade
from course.quiz.history import flagged as flagged_items
from course.quiz.history import missed as missed_items
from course.quiz.quickbank import quick_bank
from course.quiz.store import Store

__all__ = ["chosen_items", "opened", "told_corrections"]


def opened(out: TextIO, source: TextIO) -> tuple[Terminal, Bank, Store]:
    """Return terminal, bank and store; what is wrong with either of the latter is said at once."""
    terminal = Terminal(out, source)
    store = Store()
    bank = quick_bank(store.path.parent)
    if bank.problems:
        terminal.write(say("terminal.start.problems", count=len(bank.problems)), style="bad")
    for notice in store.notices:
        terminal.write(notice, style="bad")
    return terminal, bank, store


def told_corrections(terminal: Terminal, store: Store, bank: Bank) -> None:
    """Score old answers to mended questions again, and tell what changed."""
    changes = regrade(store, bank)
    if not changes:
        return
    terminal.write(say("terminal.start.corrected", count=len(changes)), style="strong")
    for change in changes:
        values = {"item": change.item, "on": f"{change.on:%Y-%m-%d}", "was": f"{change.was:.0%}"}
        terminal.write(say("terminal.start.correction", now=f"{change.now:.0%}", **values), indent="→ ")


def chosen_items(store: Store, *, missed: bool, flagged: bool) -> tuple[str, ...]:
    """Return the items that were missed last time, or are flagged; empty when neither is asked for.

    Raises QuizError when there are none.
    """
    if not missed and not flagged:
        return ()
    found = missed_items(answers(store.events(OF_ANSWERS))) if missed else ()
    found += flagged_items(store.events("flagged")) if flagged else ()
    if not found:
        raise QuizError(say("terminal.practice.none_chosen"))
    return found
