"""A terminal as this course uses one: lines out, lines in; nothing that a pipe or a dumb terminal lacks.

No full-screen mode and no cursor movement: text scrolls, answers are typed and ended with Enter. Colour only adds to
words, and is off with NO_COLOR, on a dumb terminal and in a pipe. Only the standard library is imported.
"""

import os
import re
import shutil
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from course.cli.started import as_started
from course.facts.text import say
from course.quiz.markdown import plain

__all__ = ["Terminal", "clean", "width_of"]

WIDEST = 100
STYLES = {"strong": "1", "dim": "2", "good": "32", "bad": "31", "accent": "36"}
PLAIN = str.maketrans(
    {"·": "-", "│": "|", "─": "-", "█": "#", "░": ".", "✓": "+", "✗": "x", "→": ">", "–": "-", "…": "."}
)


def clean(text: str) -> str:
    """Return `text` without terminal escapes, control characters and direction marks; tabs become four spaces."""
    return plain(text).replace("\t", "    ")


def width_of(text: str) -> int:
    """Return how many columns `text` takes; wide East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else not unicodedata.combining(char) for char in text)


def _fitting(word: str, columns: int) -> int:
    """Return how many characters of `word` fit into so many columns, at least one."""
    taken = 0
    for place, char in enumerate(word):
        taken += width_of(char)
        if taken > columns:
            return max(1, place)
    return len(word)


def _pieces(line: str, room: int) -> list[str]:
    """Cut a line of code into pieces of at most `room` characters: after a space or a comma, else anywhere."""
    pieces = []
    while len(line) > room:
        least = len(line) - len(line.lstrip()) + 1
        cut = max(line.rfind(" ", least, room), line.rfind(",", least, room)) + 1 or room
        pieces.append(line[:cut].rstrip())
        line = line[cut:].lstrip()
    return [*pieces, line]


class Terminal:
    """Where a view writes and asks.

    out, source: the streams. environ: looked up for NO_COLOR, TERM, COLUMNS, VISUAL, EDITOR.
    `ask` raises EOFError at the end of input and KeyboardInterrupt on Ctrl-C.
    """

    def __init__(self, out: TextIO, source: TextIO, environ: Mapping[str, str] = os.environ) -> None:
        self.out, self.source, self.environ = out, source, environ
        self.typed = source.isatty()
        dumb = environ.get("TERM") == "dumb"
        self.colour = out.isatty() and not dumb and not environ.get("NO_COLOR")
        columns = shutil.get_terminal_size((80, 24)).columns if out.isatty() else int(environ.get("COLUMNS") or 80)
        self.width = max(40, min(columns, WIDEST))
        encoding = (getattr(out, "encoding", None) or "utf-8").lower().replace("-", "")
        self.unicode = encoding.startswith("utf")

    def write(self, text: str = "", *, style: str = "", indent: str = "", hang: str | None = None) -> None:
        """Write prose, wrapped. indent: before the first line; hang: before the others (default: as wide)."""
        later = (" " * width_of(indent) if hang is None else hang)[: self.width // 2]
        for number, paragraph in enumerate(clean(as_started(text, self.environ)).split("\n")):
            first = indent if number == 0 else later
            self._put(self._wrap(paragraph, first, later), style)

    def code(self, text: str, *, style: str = "") -> None:
        """Write text whose line breaks and spaces matter, behind a bar; long lines go on below, cut between words."""
        bar = self._plain("│ ")
        room = self.width - len(bar) - 2
        for line in clean(text).split("\n"):
            for number, piece in enumerate(_pieces(line, room)):
                self._put([f"{bar}{'  ' if number else ''}{piece}"], style)

    def rule(self) -> None:
        """Write a line across."""
        self._put([self._plain("─") * min(self.width, 72)], "dim")

    def bar(self, share: float, width: int = 20) -> str:
        """Return a bar for a share of 0…1."""
        full = round(share * width)
        return self._plain("█" * full + "░" * (width - full))

    def ask(self, prompt: str) -> str:
        """Write `prompt`, read one line and return it without the spaces around it."""
        prompt = self._plain(clean(as_started(prompt, self.environ))) + " "
        if self.typed:
            self.out.flush()
            return self._input(prompt).strip()
        self.out.write(prompt)
        line = self.source.readline()
        if not line:
            self.out.write("\n")
            raise EOFError
        self.out.write(clean(line.rstrip("\n")) + "\n")
        return line.strip()

    def ask_lines(self, prompt: str) -> str:
        """Read lines up to one that holds only a full stop; return them joined."""
        self.write(prompt, style="dim")
        lines: list[str] = []
        while (line := self._raw_line()) != ".":
            lines.append(line)
        return "\n".join(lines)

    def edit(self, start: str, suffix: str) -> str:
        """Let the person edit a text in VISUAL or EDITOR; return what they saved.

        Raises OSError with words when there is no editor, or it failed.
        """
        import subprocess
        import tempfile

        command = self.environ.get("VISUAL") or self.environ.get("EDITOR")
        if not command:
            raise OSError(say("terminal.input.no_editor"))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / f"answer{suffix}"
            file.write_text(start, encoding="utf-8")
            done = subprocess.run([*command.split(), str(file)])
            if done.returncode:
                raise OSError(say("terminal.input.editor_failed", command=command, code=done.returncode))
            return file.read_text(encoding="utf-8")

    def _input(self, prompt: str) -> str:
        with suppress(ImportError):
            import readline  # noqa: F401  line editing for input()
        return input(prompt)

    def _raw_line(self) -> str:
        if self.typed:
            return input()
        line = self.source.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    def _wrap(self, paragraph: str, first: str, later: str) -> list[str]:
        """Break a paragraph at spaces, measured in columns; a word wider than a line is cut."""
        lines, line, fresh = [], first, True
        for gap, word in re.findall(r"( *)([^ ]+)", paragraph):
            if not fresh and width_of(line + gap + word) > self.width:
                lines.append(line)
                line, fresh = later, True
            if fresh and (lines or line != first):
                gap = ""
            line += gap
            while width_of(line + word) > self.width:
                cut = _fitting(word, self.width - width_of(line))
                lines.append(line + word[:cut])
                line, word = later, word[cut:]
            line, fresh = line + word, False
        return [*lines, line.rstrip() if fresh else line]

    def _put(self, lines: list[str], style: str) -> None:
        for line in lines:
            shown = self._plain(line)
            if self.colour and style:
                shown = f"\x1b[{STYLES[style]}m{shown}\x1b[0m"
            self.out.write(shown + "\n")

    def _plain(self, text: str) -> str:
        if self.unicode:
            return text
        encoding = getattr(self.out, "encoding", None) or "ascii"
        return text.translate(PLAIN).encode(encoding, "replace").decode(encoding)
