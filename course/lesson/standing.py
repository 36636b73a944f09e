"""How far a learner is, computed from the events in the store."""

from dataclasses import dataclass
from html import escape
from typing import Any

from course.facts import say
from course.lesson.exercises import exercises
from course.lesson.record import events

__all__ = ["Progress", "Row"]


@dataclass(frozen=True)
class Row:
    """One lesson: exercises solved of all, predictions made, quiz answers right of those given."""

    lesson: str
    solved: int
    exercises: int
    predictions: int

    def cells(self) -> tuple[str, ...]:
        """Return the row as text."""
        return (self.lesson, say("lesson.progress.row", done=self.solved, count=self.exercises), str(self.predictions))


@dataclass(frozen=True)
class Progress:
    """All lessons that have exercises. Shows itself as a table."""

    rows: tuple[Row, ...]

    @classmethod
    def read(cls) -> "Progress":
        """Compute the progress from the store."""
        return cls.of(events(("exercise_checked", "predicted")))

    @classmethod
    def of(cls, happened: list[Any]) -> "Progress":
        """Compute the progress from events."""
        solved = {e.item for e in happened if e.kind == "exercise_checked" and e.data["passed"]}
        guessed = {(e.data["lesson"], e.item) for e in happened if e.kind == "predicted"}
        rows = []
        for lesson in sorted({exercise.lesson for exercise in exercises().values()}):
            ids = [exercise.id for exercise in exercises().values() if exercise.lesson == lesson]
            count = sum(number == lesson for number, _ in guessed)
            rows.append(Row(lesson, len(solved & set(ids)), len(ids), count))
        return cls(tuple(rows))

    def _head(self) -> tuple[str, ...]:
        return tuple(say(f"lesson.progress.head_{name}") for name in ("lesson", "exercises", "predictions"))

    def __repr__(self) -> str:
        table = [self._head(), *(row.cells() for row in self.rows)]
        widths = [max(len(line[place]) for line in table) for place in range(len(table[0]))]
        return "\n".join(
            "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in table
        )

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in self._head())
        body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row.cells()) + "</tr>" for row in self.rows)
        return f"<table><caption>{escape(say('lesson.progress.title'))}</caption><tr>{head}</tr>{body}</table>"
