"""Objectives, misconceptions and exam tasks by id (`syllabus.toml`, `misconceptions.toml`, `exam.toml`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from course.facts.loader import load

__all__ = [
    "Disagreement",
    "Misconception",
    "Objective",
    "Task",
    "disagreements",
    "misconceptions",
    "objectives",
    "tasks",
]


@dataclass(frozen=True)
class Objective:
    """One thing the course teaches. exam: numbers of the exam tasks it serves; beyond: not on that exam."""

    id: str
    unit: int
    lesson: str
    title: str
    exam: tuple[str, ...]
    beyond: bool


@dataclass(frozen=True)
class Misconception:
    """One common wrong belief, and the objectives that mend it."""

    id: str
    number: int
    text: str
    objectives: tuple[str, ...]


@dataclass(frozen=True)
class Task:
    """One task of the exam guide; covered: this course teaches it as far as tools are concerned."""

    number: str
    title: str
    covered: bool


@cache
def objectives() -> Mapping[str, Objective]:
    """Return every objective by id, in the order of the syllabus."""
    rows = (Objective(**{**row, "exam": tuple(row["exam"])}) for row in load("syllabus")["objective"])
    return MappingProxyType({row.id: row for row in rows})


@cache
def misconceptions() -> Mapping[str, Misconception]:
    """Return every misconception by id."""
    rows = load("misconceptions")["misconception"]
    return MappingProxyType({r["id"]: Misconception(**{**r, "objectives": tuple(r["objectives"])}) for r in rows})


@cache
def tasks() -> Mapping[str, Task]:
    """Return every exam task by its number, e.g. "2.1"."""
    return MappingProxyType({row["number"]: Task(**row) for row in load("exam")["task"]})


@dataclass(frozen=True)
class Disagreement:
    """One question that the sources answer differently. says: (source, answer) pairs; course: what is taught."""

    id: str
    question: str
    says: tuple[tuple[str, str], ...]
    course: str
    objectives: tuple[str, ...]


@cache
def disagreements() -> Mapping[str, Disagreement]:
    """Return every disagreement between the sources by id."""
    rows = load("disagreements")["disagreement"]
    return MappingProxyType(
        {
            r["id"]: Disagreement(
                r["id"], r["question"], tuple((s, a) for s, a in r["says"]), r["course"], tuple(r["objectives"])
            )
            for r in rows
        }
    )
