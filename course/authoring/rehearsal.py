"""Play a lesson through in this process: every exercise must be red when open and green when solved.

A rehearsal starts no kernel and loads the SDK once for all lessons, so that the whole course can be played both ways
in seconds. The kernel's own view is tested by nbval on the built notebooks.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from course.authoring.lint import Problem, checked
from course.authoring.notebook import Edition, make
from course.authoring.source import Lesson
from course.facts import say
from course.lesson.desk import desk
from course.lesson.exercise import Verdict

__all__ = ["Rehearsal", "both_ways", "rehearse"]

SECRETS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "COURSE_LIVE", "COURSE_LANG")


@dataclass(frozen=True)
class Rehearsal:
    """What one edition did: verdicts by exercise id, errors by cell id (those the author did not announce)."""

    verdicts: Mapping[str, Verdict]
    errors: Mapping[str, str]


def rehearse(lesson: Lesson, edition: Edition) -> Rehearsal:
    """Run every code cell of one edition in a fresh namespace, offline, with a store of its own."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    errors: dict[str, str] = {}
    with _alone():
        shell = InteractiveShell()
        for cell in make(lesson, edition)["cells"]:
            tags = cell["metadata"].get("tags", ())
            if cell["cell_type"] != "code" or "nbval-skip" in tags:
                continue
            with capture_output():
                outcome = shell.run_cell(cell["source"], store_history=False)
            error = outcome.error_before_exec or outcome.error_in_exec
            if error is not None and "raises-exception" not in tags:
                errors[cell["id"]] = f"{type(error).__name__}: {error}"
        verdicts = dict(desk().verdicts)
    return Rehearsal(verdicts, errors)


def both_ways(lesson: Lesson) -> Iterator[Problem]:
    """Yield what is wrong with the lesson's exercises: green though open, red though solved, or raising."""
    wanted = {id: cell.id for cell in lesson.cells for id in checked(cell)}
    for edition in ("learner", "solved"):
        played = rehearse(lesson, edition)
        for cell, error in played.errors.items():
            yield Problem(lesson.name, cell, say("authoring.rehearsal.raised", edition=edition, error=error))
        for id, cell in wanted.items():
            verdict = played.verdicts.get(id)
            if verdict is None:
                yield Problem(lesson.name, cell, say("authoring.rehearsal.not_reached", id=id, edition=edition))
            elif edition == "learner" and verdict.ok:
                yield Problem(lesson.name, cell, say("authoring.rehearsal.not_red", id=id))
            elif edition == "solved" and not verdict.ok:
                yield Problem(lesson.name, cell, say("authoring.rehearsal.not_green", id=id, message=verdict.message))


@contextmanager
def _alone() -> Iterator[Any]:
    """A desk, a store and an environment of its own; what was there before comes back afterwards."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as home:
        for name in SECRETS:
            os.environ.pop(name, None)
        os.environ |= {"COURSE_HOME": home, "MPLBACKEND": "agg"}
        desk.cache_clear()
        try:
            yield
        finally:
            desk.cache_clear()
            os.environ.clear()
            os.environ.update(before)
