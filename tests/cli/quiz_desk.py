"""A desk for the quiz verbs: a synthetic bank on disk, a home of its own, typed lines in, text out."""

import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "quiz"))

from synthetic import bank_of, full_bank, item

from course.quiz import bank as bank_module
from course.quiz.bank import Bank
from course.quiz.store import Store

__all__ = ["Desk", "bank_of", "full_bank", "item"]


class Desk:
    """Runs a verb with typed lines as a pipe would, and returns (exit code, output)."""

    def __init__(self, folder: Path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
        self.folder, self.monkeypatch, self.capsys = folder, monkeypatch, capsys
        self.home = folder / "home"
        monkeypatch.setenv("COURSE_HOME", str(self.home))
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.delenv("EDITOR", raising=False)
        monkeypatch.delenv("VISUAL", raising=False)

    def lay_out(self, bank: Bank) -> None:
        """Write a bank to disk and make it the course's own."""
        quizzes = self.folder / "quizzes"
        quizzes.mkdir(exist_ok=True)
        rows = [item.model_dump(mode="json", by_alias=True, exclude_unset=True) for item in bank]
        (quizzes / "bank.yaml").write_text(json.dumps(rows), encoding="utf-8")  # JSON is YAML, and quick to write
        self.monkeypatch.setattr(bank_module, "QUIZZES", quizzes)

    def run(self, verb: Callable[[Sequence[str]], int], *args: str, typed: Sequence[str] = ()) -> tuple[int, str]:
        """Run `verb` with these lines typed; the input ends after them."""
        self.monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        code = verb(list(args))
        return code, self.capsys.readouterr().out

    def store(self) -> Store:
        """Return the store the verbs write to."""
        return Store(self.home / "history.sqlite")
