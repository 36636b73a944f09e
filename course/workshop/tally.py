"""What the votes of a question say: bars, shares, gain, the commonest misconception, and what to do next.

Shares are 0…1 and None where nobody voted. The gain is Hake's normalised gain (second - first) / (1 - first), None
where nobody could gain. The advice follows the thresholds in the room's settings: a default, not a law.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from course.facts.syllabus import misconceptions
from course.quiz.grading import grade
from course.quiz.grading.grade import Grade, Part
from course.quiz.items import in_language
from course.workshop.room import LETTERS, Question, Room, Vote

__all__ = ["Advice", "Bar", "Gain", "Misled", "Round", "advice", "gain", "graded", "misled", "round_of"]

Advice = Literal["none", "reteach", "discuss", "explain"]


@dataclass(frozen=True)
class Bar:
    """How many chose one option; share is of the people who voted, so that shares of select-n add up to more than 1."""

    letter: str
    count: int
    share: float


@dataclass(frozen=True)
class Round:
    """One vote: how many voted and were entirely right, a bar for each option, and how sure people were.

    sure: how many said low, medium and high, in this order; empty when nobody said.
    """

    voted: int
    right: int
    bars: tuple[Bar, ...]
    sure: tuple[int, ...] = ()

    @property
    def share(self) -> float | None:
        """The share of right votes."""
        return self.right / self.voted if self.voted else None


@dataclass(frozen=True)
class Gain:
    """Right shares before and after, of `people`, and the normalised gain."""

    people: int
    before: float | None
    after: float | None
    gain: float | None


@dataclass(frozen=True)
class Misled:
    """The wrong idea most votes stand for: its words, and how many votes."""

    text: str
    count: int


def graded(question: Question, votes: Mapping[str, Vote]) -> dict[str, Grade]:
    """Return the grade of each vote by person."""
    return {person: grade(question.item, vote.response) for person, vote in votes.items()}


def round_of(question: Question, votes: Mapping[str, Vote]) -> Round:
    """Count one vote."""
    chosen = Counter(letter for vote in votes.values() for letter in question.letters(vote.response))
    total = len(votes)
    bars = tuple(
        Bar(letter, chosen[letter], chosen[letter] / total if total else 0.0)
        for letter in LETTERS[: len(question.order)]
    )
    said = Counter(vote.confidence for vote in votes.values() if vote.confidence)
    sure = tuple(said[level] for level in (1, 2, 3)) if said else ()
    return Round(total, _right(graded(question, votes).values()), bars, sure)


def gain(question: Question, first: Mapping[str, Vote], second: Mapping[str, Vote], *, paired: bool) -> Gain:
    """Compare two votes: of the people who voted in both (`paired`), or of everybody in each."""
    both = first.keys() & second.keys()
    if paired:
        first, second = ({p: votes[p] for p in both} for votes in (first, second))
    before, after = round_of(question, first).share, round_of(question, second).share
    rise = None if before is None or after is None or before == 1 else (after - before) / (1 - before)
    return Gain(len(both) if paired else max(len(first), len(second)), before, after, rise)


def misled(question: Question, votes: Mapping[str, Vote]) -> Misled | None:
    """Return the wrong idea most votes stand for: a misconception, or a wrong option that names none, in its words."""
    options = {option.id: in_language(option.text) for option in question.item.options}  # type: ignore[attr-defined]
    ideas: Counter[str] = Counter()
    for told in graded(question, votes).values():
        ideas.update({_idea(part, options) for part in told.parts if part.role == "chosen" and not part.ok})
    if not ideas:
        return None
    text, count = min(ideas.items(), key=lambda pair: (-pair[1], pair[0]))
    return Misled(text, count)


def _idea(part: Part, options: Mapping[str, str]) -> str:
    misconception = misconceptions().get(part.misconception or "")
    return misconception.text if misconception else options[part.ref]


def advice(room: Room) -> Advice:
    """Say what the first vote of the current question suggests: re-teach, discuss, or explain and go on."""
    question = room.current
    share = round_of(question, room.votes_of(1)).share if question else None
    if share is None:
        return "none"
    return "reteach" if share < room.settings.low else "explain" if share > room.settings.high else "discuss"


def _right(grades: Iterable[Grade]) -> int:
    return sum(told.verdict == "correct" for told in grades)
