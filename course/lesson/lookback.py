"""The guesses a learner made before a lesson, beside what the lesson taught.

Questions and answers are the tables `[NN.id]` of `course/facts/text/<language>/guesses.toml`, NN the lesson in which
they come back: `ask`, `right` (one of the options), `why`, `place` (the section in words). Guesses come from the store.
"""

from dataclasses import dataclass

from course.facts import say
from course.facts.text import names
from course.lesson.record import events
from course.lesson.sentence import State, framed, in_html, in_words, mark

__all__ = ["Asked", "LookBack", "Row", "asked", "looked_back"]


@dataclass(frozen=True)
class Asked:
    """One question asked before a lesson, with the option that is right. `lesson`: where it comes back."""

    id: str
    lesson: str

    def say(self, key: str) -> str:
        """Return `ask`, `right`, `why` or `place`."""
        return say(f"guesses.{self.lesson}.{self.id}.{key}")


@dataclass(frozen=True)
class Row:
    """A question and what the learner guessed last, "" when no guess is noted."""

    asked: Asked
    guess: str

    @property
    def state(self) -> State:
        """Tell how the guess was, "open" when there is none."""
        if not self.guess:
            return "open"
        return "right" if self.guess == self.asked.say("right") else "wrong"

    def lines(self) -> tuple[str, ...]:
        """Return the question, the guess beside the answer, and why; code in backticks."""
        told = say(f"lesson.look_back.{self.state}", guess=self.guess, right=self.asked.say("right"))
        place = say("lesson.look_back.place", place=self.asked.say("place"))
        return (self.asked.say("ask"), told, f"{self.asked.say('why')} {place}")


@dataclass(frozen=True)
class LookBack:
    """Every question that comes back in a lesson. Shows itself question by question."""

    rows: tuple[Row, ...]

    def head(self) -> str:
        """Return how many guesses were right, or that none is noted."""
        made = [row.state for row in self.rows if row.guess]
        if not made:
            return say("lesson.look_back.none")
        return say("lesson.look_back.count", right=made.count("right"), count=len(made))

    def __repr__(self) -> str:
        rows = [f"{mark(row.state)} " + "\n  ".join(map(in_words, row.lines())) for row in self.rows]
        return "\n\n".join([in_words(self.head()), *rows])

    def _repr_html_(self) -> str:
        rows = []
        for row in self.rows:
            question, *rest = map(in_html, row.lines())
            rows.append(framed(row.state, f"<b>{mark(row.state)} {question}</b>", rest))
        return f"<div><p>{in_html(self.head())}</p>{''.join(rows)}</div>"


def asked() -> dict[str, Asked]:
    """Return every question that comes back, by id, in the order of lessons."""
    return {id: Asked(id, lesson) for lesson in names("guesses") for id in names(f"guesses.{lesson}")}


def looked_back(lesson: str) -> LookBack:
    """Return the questions that come back in `lesson` with the newest guess for each."""
    guessed = {event.item: str(event.data["prediction"]) for event in events(("predicted",))}
    return LookBack(tuple(Row(one, guessed.get(one.id, "")) for one in asked().values() if one.lesson == lesson))
