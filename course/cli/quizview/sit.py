"""Sit a form in the terminal: answer, move about, flag, pause, hand in."""

from collections.abc import Mapping
from typing import Any

from course.cli.quizview import read, show
from course.cli.terminal import Terminal
from course.facts import say
from course.quiz.attempts import Exam
from course.quiz.errors import AttemptError, StoreError

__all__ = ["clock", "sit", "words_of"]

COMMANDS = ("n", "p", "g", "o", "f", "t", "x", "z", "d", "q", "quit", "?", "help")
WARN_AT = (15, 5, 1)
ROW = 10


class _Leave(Exception):
    """The sitter wants to stop here."""


def sit(terminal: Terminal, exam: Exam) -> bool:
    """Run the attempt until it is handed in (True) or left (False); everything answered is kept either way."""
    view = _View(terminal, exam)
    try:
        view.run()
    except (EOFError, KeyboardInterrupt, _Leave):
        terminal.write()
        if not exam.finished:
            name = "leave_paused" if exam.paused else "leave"
            terminal.write(say(f"terminal.exam.{name}", left=clock(exam.left())))
            return False
    return True


def clock(seconds: float) -> str:
    """Return a time as minutes and seconds, or hours too."""
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def words_of(item: Mapping[str, Any], response: Any) -> str:
    """Return a response to a closed question as the numbers of its options, or "" for none."""
    given = response if isinstance(response, list) else [response]
    ids = [option["id"] for option in item.get("options", ())]
    return ", ".join(str(ids.index(id) + 1) for id in given if id in ids)


class _View:
    """Where the sitter is in the form, and what they were warned of."""

    def __init__(self, terminal: Terminal, exam: Exam) -> None:
        self.terminal, self.exam = terminal, exam
        rows = exam.status()["questions"]
        self.total = len(rows)
        self.at = next((row["number"] for row in rows if not row["answered"]), 1)
        self.warned = {minutes for minutes in WARN_AT if exam.left() < minutes * 60}

    def run(self) -> None:
        """Show question after question until the attempt is over."""
        while not self.exam.status()["finished"]:
            try:
                if self.exam.paused:
                    self._paused()
                    continue
                self._one()
            except StoreError as why:
                self.terminal.write(str(why), style="bad")
            except AttemptError as why:
                if not self.exam.finished:
                    self.terminal.write(str(why), style="bad")
        reason = self.exam.store.events("attempt_finished", attempt=self.exam.attempt)[0].data["reason"]
        self.terminal.write(say("terminal.exam.time_up" if reason == "time" else "terminal.exam.handed_in"))

    def _one(self) -> None:
        """Show the question at hand and act on what is typed, until another question is to be shown."""
        question = self.exam.question(self.at)
        self._show(question)
        item, here = question["item"], self.at
        while here == self.at and not self.exam.paused and not self.exam.finished:
            self._warn()
            if item is None:
                self._command(read.Command(self.terminal.ask(say("terminal.exam.prompt") + " >")), question)
                continue
            try:
                given = read.response(self.terminal, item, COMMANDS, say("terminal.exam.prompt"))
            except read.NotAnAnswer as why:
                self.terminal.write(str(why), style="bad")
                continue
            if isinstance(given, read.Command):
                self._command(given, question)
            else:
                question["rev"] = self.exam.answer(self.at, given, rev=question["rev"])
                self._forward()

    def _show(self, question: Mapping[str, Any]) -> None:
        terminal = self.terminal
        terminal.rule()
        left = clock(question["left"])
        parts = [say("terminal.exam.head", number=question["number"], total=question["total"], left=left)]
        if question["flagged"]:
            parts.append(say("terminal.exam.flagged"))
        terminal.write(" · ".join(parts), style="strong")
        if question["scenario"]:
            terminal.write(say("terminal.exam.scenario", title=question["scenario"]), style="dim")
        if question["note"]:
            terminal.write(say("terminal.practice.your_note", note=question["note"]), style="dim")
        terminal.write()
        if question["item"] is None:
            terminal.write(say("terminal.exam.withdrawn"))
            return
        show.question(terminal, question["item"])
        if answer := words_of(question["item"], question["response"]):
            terminal.write()
            terminal.write(say("terminal.exam.your_answer", answer=answer), style="accent")

    def _command(self, command: read.Command, question: dict[str, Any]) -> None:
        match command.name:
            case "n" | "":
                self._forward()
            case "p":
                self.at = max(1, self.at - 1)
            case "g":
                self._go(command.rest)
            case "o":
                self._overview()
            case "f":
                question["flagged"] = not question["flagged"]
                self.exam.flag(self.at, question["flagged"])
                self.terminal.write(say(f"terminal.practice.flag_{'on' if question['flagged'] else 'off'}"))
            case "t":
                text = command.rest or self.terminal.ask(say("terminal.prompt.note"))
                self.exam.note(self.at, text)
                self.terminal.write(say("terminal.practice.noted"))
            case "x":
                self._take_back(question)
            case "z":
                self.exam.pause()
            case "d":
                self._hand_in()
            case "q" | "quit":
                raise _Leave
            case _:
                self._help(question)

    def _go(self, text: str) -> None:
        if text.isdigit() and 1 <= int(text) <= self.total:
            self.at = int(text)
        else:
            self.terminal.write(say("terminal.input.numbers", most=self.total), style="bad")

    def _forward(self) -> None:
        if self.at < self.total:
            self.at += 1
        else:
            self.terminal.write(say("terminal.exam.last"))

    def _take_back(self, question: Mapping[str, Any]) -> None:
        if not question["rev"] or question["response"] is None:
            self.terminal.write(say("terminal.exam.nothing_to_take_back"))
            return
        self.exam.answer(self.at, None, rev=question["rev"])
        self._show(self.exam.question(self.at))

    def _overview(self) -> None:
        status = self.exam.status()
        rows = status["questions"]
        answered, flagged = (sum(row[name] for row in rows) for name in ("answered", "flagged"))
        values = {"answered": answered, "total": len(rows), "flagged": flagged, "left": clock(status["left"])}
        self.terminal.write(say("terminal.exam.overview", **values), style="strong")
        cells = [_cell(row) for row in rows]
        for start in range(0, len(cells), ROW):
            self.terminal.write("".join(f"{cell:<7}" for cell in cells[start : start + ROW]))
        self.terminal.write(say("terminal.exam.legend"), style="dim")

    def _hand_in(self) -> None:
        open_rows = [row for row in self.exam.status()["questions"] if not row["answered"]]
        if self.terminal.ask(say("terminal.exam.hand_in", open=len(open_rows))).lower() == say("terminal.exam.yes"):
            self.exam.finish()

    def _paused(self) -> None:
        if self.terminal.ask(say("terminal.exam.paused", left=clock(self.exam.left()))).lower() in ("q", "quit"):
            raise _Leave
        self.exam.resume()

    def _help(self, question: Mapping[str, Any]) -> None:
        if question["item"]:
            self.terminal.write(say(f"terminal.help.{question['item']['kind']}"))
        self.terminal.write(say("terminal.exam.help"), style="dim")

    def _warn(self) -> None:
        for minutes in WARN_AT:
            if self.exam.left() < minutes * 60 and minutes not in self.warned:
                self.warned |= {other for other in WARN_AT if other >= minutes}
                self.terminal.write(say("terminal.exam.minutes_left", minutes=minutes), style="bad")


def _cell(row: Mapping[str, Any]) -> str:
    number = str(row["number"]) if row["answered"] else f"({row['number']})"
    return f"{number}{'*' if row['flagged'] else ''}"
