"""An exercise, what its check found, and the verdict a learner reads."""

import inspect
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from course.facts import FactError, say
from course.lesson.refusal import Refusal
from course.lesson.sentence import State, framed, in_html, in_words, mark

__all__ = ["Check", "Exercise", "Finding", "Verdict", "hint_text", "judge", "right", "wrong"]

HINTS = ("nudge", "rule", "shape")


@dataclass(frozen=True)
class Finding:
    """What a check found: `key` names a string of the exercise, `values` fill it; `rule` says the broken rule."""

    ok: bool
    key: str
    values: Mapping[str, object] = field(default_factory=dict)
    rule: str = ""


def right(key: str = "right", /, **values: object) -> Finding:
    """The value is right; `key` names the string that says why."""
    return Finding(True, key, values)


def wrong(key: str, /, *, rule: str = "", **values: object) -> Finding:
    """The value is wrong in the way `key` names."""
    return Finding(False, key, values, rule)


Check = Callable[..., Finding]


@dataclass(frozen=True)
class Exercise:
    """One exercise: `lesson` is its number, `section` the id of the lesson cell to read again.

    Its strings are the table `[id]` of `course/facts/text/<language>/lesson_NN.toml`: the hints `nudge`, `rule` and
    `shape`, `place` (the section in words), `right`, and one for each way to be wrong.
    """

    id: str
    lesson: str
    section: str
    objectives: tuple[str, ...]
    check: Check

    def say(self, key: str, /, **values: object) -> str:
        """Return a string of this exercise."""
        return say(f"lesson_{self.lesson}.{self.id}.{key}", **values)


@dataclass(frozen=True)
class Verdict:
    """What `check` answers. Shows itself in words; `ok` is for code.

    rule: the broken rule, often in the API's exact words; meaning: that sentence explained, "" where it needs none.
    """

    exercise: str
    state: State
    message: str
    rule: str = ""
    meaning: str = ""
    place: str = ""

    @property
    def ok(self) -> bool:
        """True when the exercise is solved."""
        return self.state == "right"

    def lines(self) -> tuple[str, ...]:
        """Return the verdict line by line, with code in backticks."""
        tail = [say(f"lesson.verdict.{'api' if self.meaning else 'rule'}", rule=self.rule)] if self.rule else []
        tail += [say("lesson.verdict.meaning", meaning=self.meaning)] if self.meaning else []
        if self.state == "wrong" and self.place:
            tail.append(say("lesson.verdict.read", place=self.place))
        if self.state != "right":
            tail.append(say("lesson.verdict.stuck", id=self.exercise))
        return (self.message, *tail)

    def __repr__(self) -> str:
        said = "\n  ".join(map(in_words, self.lines()))
        return f"{mark(self.state)} {say(f'lesson.verdict.{self.state}')} {said}"

    def _repr_html_(self) -> str:
        head, *rest = map(in_html, self.lines())
        label = escape(say(f"lesson.verdict.{self.state}"))
        return framed(self.state, f"<b>{mark(self.state)} {label}</b> {head}", rest, role="status")


def judge(exercise: Exercise, *values: Any) -> Verdict:
    """Check the values of one exercise. Three dots or None anywhere they matter mean: not done yet.

    A value that is the API's refusal, and whatever the learner's code or the check raises, become a verdict in words.
    """
    if any(_open(value) for value in values):
        return Verdict(exercise.id, "open", say("lesson.verdict.open_body"))
    place = exercise.say("place")
    try:
        refused = next((value for value in values if isinstance(value, Refusal)), None)
        finding: Finding | Refusal = refused or exercise.check(*values)
    except FactError:
        raise
    except Exception as error:
        said = Refusal.of(error)
        if said is None:
            return Verdict(exercise.id, "wrong", _raised(error, values), place=place)
        finding = said
    if isinstance(finding, Refusal):
        message = say("lesson.verdict.refused", status=finding.status, type=finding.type)
        return Verdict(exercise.id, "wrong", message, finding.message, _meaning(finding.message), place)
    message = exercise.say(finding.key, **finding.values)
    state: State = "right" if finding.ok else "wrong"
    return Verdict(exercise.id, state, message, finding.rule, _meaning(finding.rule), place)


def _meaning(rule: str) -> str:
    """Return what a sentence of the API means and how to mend it; "" for a rule in the course's own words."""
    if not rule:
        return ""
    from course.traces.told import about, rule_of

    id = rule_of(rule)
    return f"{about(id, 'what', ())} {about(id, 'mend', ())}" if id else ""


def _raised(error: Exception, values: Sequence[Any]) -> str:
    """Say what was raised: by the learner's function, with its line, or by a check that could not read the value."""
    text = f"{type(error).__name__}: {error}"
    theirs = {value.__code__.co_filename for value in values if inspect.isfunction(value)}
    lines = [frame.line for frame in traceback.extract_tb(error.__traceback__) if frame.filename in theirs]
    if lines:
        return say("lesson.verdict.raised", error=text, line=lines[-1] or "")
    if theirs:
        return say("lesson.verdict.returned", error=text)
    return say("lesson.verdict.strange", kind=", ".join(type(value).__name__ for value in values), error=text)


def _open(value: Any) -> bool:
    if value is None or value is ...:
        return True
    if isinstance(value, Mapping):
        return any(item is ... or (isinstance(item, (Mapping, list, tuple)) and _open(item)) for item in value.values())
    if isinstance(value, (list, tuple)):
        return any(item is ... or (isinstance(item, (Mapping, list, tuple)) and _open(item)) for item in value)
    return False


def hint_text(exercise: Exercise, level: int) -> str:
    """Return hint 1 (nudge), 2 (rule) or 3 (shape of the code)."""
    if not 1 <= level <= len(HINTS):
        raise ValueError(say("lesson.unknown.level", level=level))
    return exercise.say(HINTS[level - 1])
