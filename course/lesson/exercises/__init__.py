"""Every exercise of the course: one module a lesson, `lesson_NN`, each with a tuple `EXERCISES`."""

import importlib
import pkgutil
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType

from course.facts import say
from course.lesson.exercise import Exercise

__all__ = ["UnknownExercise", "exercises", "find"]


class UnknownExercise(KeyError):
    """No exercise has this id; the message names the nearest."""

    def __str__(self) -> str:
        return str(self.args[0])


@cache
def exercises() -> Mapping[str, Exercise]:
    """Return every exercise by id, in the order of lessons and modules. Raises ValueError for an id used twice."""
    table: dict[str, Exercise] = {}
    for found in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        for exercise in importlib.import_module(f"{__name__}.{found.name}").EXERCISES:
            if exercise.id in table:
                raise ValueError(f"two exercises have the id {exercise.id!r}")
            table[exercise.id] = exercise
    return MappingProxyType(table)


def find(id: str) -> Exercise:
    """Return one exercise. Raises UnknownExercise, which names the nearest ids."""
    table = exercises()
    if id not in table:
        near = get_close_matches(id, table, n=3, cutoff=0.3) or list(table)[:3]
        raise UnknownExercise(say("lesson.unknown.exercise", id=id, near=", ".join(near)))
    return table[id]
