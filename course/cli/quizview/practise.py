"""Run a practice session in the terminal."""

from collections.abc import Mapping
from typing import Any

from course.cli.quizview import read, show
from course.cli.terminal import Terminal
from course.facts import say
from course.quiz.feedback import Feedback, verdict_words
from course.quiz.practice import Session
from course.quiz.scores import ENOUGH_FOR_INTERVAL, Tally

__all__ = ["practise"]

COMMANDS = ("h", "hint", "f", "flag", "n", "note", "r", "report", "s", "skip", "q", "quit", "?", "help")


class _Leave(Exception):
    """The learner wants to stop here."""


def practise(terminal: Terminal, session: Session, *, confidence: bool = False) -> None:
    """Ask the questions of a session one by one; leave it ready to be resumed when the learner stops early."""
    try:
        while (question := session.current()) is not None:
            _head(terminal, question)
            show.question(terminal, question["item"])
            for hint in question["hints"]:
                terminal.write(hint, indent=f"{say('terminal.practice.hint')} ")
            if told := _answered(terminal, session, question, confidence):
                _after(terminal, session, told)
            terminal.write()
            session.next()
    except (EOFError, KeyboardInterrupt, _Leave):
        terminal.write()
        summary(terminal, session)
        if not session.done:
            kept = "resume" if session.summary()["answered"] else "resume_unanswered"
            terminal.write(say(f"terminal.practice.{kept}"))
        return
    summary(terminal, session)


def summary(terminal: Terminal, session: Session) -> None:
    """Say what the session brought and where to read again."""
    found = session.summary()
    terminal.rule()
    if not found["answered"]:
        terminal.write(say("terminal.practice.nothing"))
        return
    result = Tally(found["right"], found["total"])
    line = say("terminal.practice.summary", right=result.right, total=result.total, left=found["left"])
    terminal.write(line, style="strong")
    if result.total < ENOUGH_FOR_INTERVAL:
        terminal.write(say("quiz.scores.few"), style="dim")
    places = dict.fromkeys(link["words"] for row in found["missed"] for link in row["lessons"])
    if places:
        terminal.write(say("terminal.practice.read_again"))
    for words in places:
        terminal.write(words, indent="→ ")


def _head(terminal: Terminal, question: Mapping[str, Any]) -> None:
    terminal.rule()
    parts = [say("terminal.practice.head", position=question["position"], total=question["total"])]
    parts += question["badges"]
    if question["flagged"]:
        parts.append(say("terminal.practice.flagged"))
    terminal.write(" · ".join(parts), style="strong")
    terminal.write(question["why"], style="dim")
    if question["note"]:
        terminal.write(say("terminal.practice.your_note", note=question["note"]), style="dim")
    terminal.write()


def _answered(terminal: Terminal, session: Session, question: Mapping[str, Any], confidence: bool) -> Feedback | None:
    """Ask until the question is answered or skipped; show the feedback and return it (None when skipped)."""
    item = question["item"]
    while True:
        try:
            given = read.response(terminal, item, COMMANDS, say("terminal.prompt.answer"))
            if isinstance(given, read.Command):
                if given.name in ("s", "skip"):
                    return None
                _command(terminal, session, item, given)
                continue
            sure = _confidence(terminal) if confidence else None
            told = session.answer(given, sure)
            if told.verdict == "mark":
                told = _marked(terminal, session, given, told)
        except read.NotAnAnswer as why:
            terminal.write(str(why), style="bad")
            continue
        terminal.write()
        show.feedback(terminal, told.as_json())
        if told.done:
            return told


def _marked(terminal: Terminal, session: Session, given: Mapping[str, Any], told: Feedback) -> Feedback:
    """Show the model answer, let the learner mark their own, and return the feedback to that."""
    terminal.write()
    terminal.write(told.words, style="strong")
    for part in told.parts:
        if part["role"] == "key":
            terminal.write(part["text"])
    while True:
        try:
            marked = read.points(terminal, [dict(part) for part in told.parts if part["role"] == "check"])
            return session.answer({**given, "points": marked})
        except read.NotAnAnswer as why:
            terminal.write(str(why), style="bad")


def _command(terminal: Terminal, session: Session, item: Mapping[str, Any], command: read.Command) -> None:
    match command.name:
        case "h" | "hint":
            hint = session.hint()
            label = f"{say('terminal.practice.hint')} "
            terminal.write(hint or say("terminal.practice.no_hint"), indent=label if hint else "", style="accent")
        case "f" | "flag" | "n" | "note" | "r" | "report":
            _mark(terminal, session, command)
        case "q" | "quit":
            raise _Leave
        case _:
            terminal.write(say(f"terminal.help.{item['kind']}"))
            terminal.write(say("terminal.practice.help"), style="dim")


def _mark(terminal: Terminal, session: Session, command: read.Command) -> None:
    match command.name[0]:
        case "f":
            on = not (session.current() or {}).get("flagged")
            session.flag(on)
            terminal.write(say("terminal.practice.flag_on" if on else "terminal.practice.flag_off"))
        case "n":
            session.note(command.rest or terminal.ask(say("terminal.prompt.note")))
            terminal.write(say("terminal.practice.noted"))
        case "r":
            text = session.report(command.rest or terminal.ask(say("terminal.prompt.report")))
            terminal.write(say("terminal.practice.reported"))
            terminal.code(text)


def _confidence(terminal: Terminal) -> int | None:
    line = terminal.ask(say("terminal.prompt.confidence"))
    return int(line) if line in ("1", "2", "3") else None


def _after(terminal: Terminal, session: Session, told: Feedback) -> None:
    """Let the learner read, and flag, note or report, before the next question; a pipe goes straight on.

    The verdict stands here again, since a long explanation may have scrolled it away.
    """
    while terminal.typed:
        line = terminal.ask(say("terminal.prompt.after", verdict=verdict_words(told.verdict, told.score)))
        word, _, rest = line.partition(" ")
        if word.lower() in ("q", "quit"):
            session.next()
            raise _Leave
        if word.lower() not in ("f", "flag", "n", "note", "r", "report"):
            return
        _mark(terminal, session, read.Command(word.lower(), rest.strip()))
