"""Hold lesson sources to the house's style: skeleton, length, pace, objectives, exercises.

A problem names the lesson, the cell and what is wanted. The rules are those of docs/authoring-lessons.md.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from course.authoring.cut import has_solution, solved
from course.authoring.source import Cell, Lesson
from course.facts import FactError, say
from course.facts.syllabus import misconceptions, objectives
from course.lesson.exercise import HINTS, Exercise
from course.lesson.lookback import Asked

__all__ = ["SKELETON", "TAGS", "Problem", "called", "checked", "lint", "sections"]

SKELETON = ("title", "goals", "before", "pretest", "recap", "quiz", "next")
TAGS = {
    *SKELETON,
    "task",
    "exercise",
    "break",
    "change",
    "live",
    "raises-exception",
    "nbval-ignore-output",
    "nbval-skip",
}
WORDS = (1200, 1800)
CODE_LINES = 20
CODE_WIDTH = 100
RUN_ONLY = 3
PRETEST = 3
EXERCISES = {"00": 1}
LEAST_EXERCISES = 4
SHORT_LESSONS = {"00", "13", "14"}
"""The start, the capstone and the exam: their length and what they break follow their own purpose."""
START = "00"
"""The start has no objectives of its own, so there is nothing to ask after it."""
DOING = {"predict", "check", "look_back", "quiz", "hint"}


@dataclass(frozen=True)
class Problem:
    """One broken rule in one cell ("–" for the lesson as a whole)."""

    lesson: str
    cell: str
    text: str

    def __str__(self) -> str:
        return f"{self.lesson}, cell {self.cell}: {self.text}"


def lint(lesson: Lesson, registry: Mapping[str, Exercise], asked: Mapping[str, Asked]) -> Iterator[Problem]:
    """Yield what breaks the style, in reading order of the rules.

    registry: the exercises by id. asked: the questions that come back, by id of their prediction.
    """
    found = [
        *_skeleton(lesson),
        *_guesses(lesson, asked),
        *_length(lesson),
        *_pace(lesson),
        *_cells(lesson),
        *_exercises(lesson, registry),
        *_objectives(lesson, registry),
    ]
    for cell, key, values in found:
        yield Problem(lesson.name, cell, say(f"authoring.lint.{key}", **values))


Found = tuple[str, str, dict[str, object]]


def _tagged(lesson: Lesson, tag: str) -> list[Cell]:
    return [cell for cell in lesson.cells if tag in cell.tags]


def _skeleton(lesson: Lesson) -> Iterator[Found]:
    places: dict[str, int] = {}
    for tag in SKELETON:
        if tag == "quiz" and lesson.number == START:
            continue
        found = [place for place, cell in enumerate(lesson.cells) if tag in cell.tags]
        if not found:
            yield "–", "skeleton", {"tag": tag}
        else:
            places[tag] = found[0]
    for earlier, later in zip(places, list(places)[1:], strict=False):
        if places[earlier] > places[later]:
            cell = lesson.cells[places[earlier]].id
            yield cell, "skeleton_order", {"tag": earlier, "order": " · ".join(SKELETON)}
    first = lesson.cells[0] if lesson.cells else None
    if first is None or "title" not in first.tags or not first.source.startswith("# "):
        yield "–", "title", {}
    goals = sum(_bullets(cell) for cell in _tagged(lesson, "goals"))
    if not 2 <= goals <= 4:
        yield "–", "goals", {"count": goals}
    if not any(re.search(r"\*\*Time:?\*\*.*minutes", cell.source) for cell in _tagged(lesson, "before")):
        yield "–", "minutes", {}
    asked = sum(called(cell).get("predict", 0) for cell in _tagged(lesson, "pretest"))
    if asked != PRETEST:
        yield "–", "pretest", {"count": asked}
    if lesson.number != START and not any(f'quiz("{lesson.number}"' in cell.source for cell in _tagged(lesson, "quiz")):
        yield "–", "post_quiz", {"number": lesson.number}
    recap = sum(_bullets(cell) for cell in _tagged(lesson, "recap"))
    if goals and recap != goals:
        yield "–", "recap", {"count": recap, "goals": goals}
    if lesson.number not in SHORT_LESSONS and not _tagged(lesson, "break"):
        yield "–", "break_first", {}


def _guesses(lesson: Lesson, asked: Mapping[str, Asked]) -> Iterator[Found]:
    headings = {cell.source.splitlines()[0].lstrip("# ") for cell in lesson.cells if cell.source.startswith("## ")}
    for cell in _tagged(lesson, "pretest"):
        for call in _calls(cell):
            if call.func.id == "predict":  # type: ignore[attr-defined]
                id, question, options = map(ast.literal_eval, call.args)
                if id not in asked:
                    yield cell.id, "guess_unanswered", {"id": id}
                elif question != asked[id].say("ask"):
                    yield cell.id, "guess_question", {"id": id, "asked": asked[id].say("ask")}
                elif asked[id].say("right") not in options:
                    yield cell.id, "guess_option", {"id": id, "right": asked[id].say("right")}
    for one in asked.values():
        if one.lesson == lesson.number and one.say("place") not in headings:
            yield "–", "guess_place", {"id": one.id, "place": one.say("place")}
    if lesson.number != START:
        places = [place for place, cell in enumerate(lesson.cells) if f'look_back("{lesson.number}")' in cell.source]
        after = [place for place, cell in enumerate(lesson.cells) if "recap" in cell.tags]
        if not places or (after and places[0] < after[0]):
            yield "–", "look_back", {"number": lesson.number}


def _bullets(cell: Cell) -> int:
    return sum(bool(re.match(r"[-*] |\d+\. ", line)) for line in cell.source.splitlines())


def _length(lesson: Lesson) -> Iterator[Found]:
    words = sum(len(cell.source.split()) for cell in lesson.cells if cell.kind == "markdown")
    low, high = WORDS
    if lesson.number not in SHORT_LESSONS and not low <= words <= high:
        yield "–", "words", {"count": words, "low": low, "high": high}
    for cell in lesson.cells:
        lines = len([line for line in _solved(cell).splitlines() if line.strip()])
        if cell.kind == "code" and lines > CODE_LINES:
            yield cell.id, "cell_long", {"count": lines, "most": CODE_LINES}
        widest = max(map(len, _solved(cell).splitlines()), default=0)
        if cell.kind == "code" and widest > CODE_WIDTH:
            yield cell.id, "wide", {"count": widest, "most": CODE_WIDTH}


def _solved(cell: Cell) -> str:
    return solved(cell.source) if cell.kind == "code" and has_solution(cell.source) else cell.source


def _pace(lesson: Lesson) -> Iterator[Found]:
    passive = 0
    for cell in lesson.cells:
        if cell.kind == "markdown":
            passive = 0 if "change" in cell.tags else passive
            continue
        active = DOING & set(called(cell)) or {"exercise", "change"} & set(cell.tags)
        passive = 0 if active else passive + 1
        if passive > RUN_ONLY:
            yield cell.id, "run_only", {"count": passive}


def _cells(lesson: Lesson) -> Iterator[Found]:
    for cell in lesson.cells:
        for tag in set(cell.tags) - TAGS:
            yield cell.id, "unknown_tag", {"tag": tag, "known": ", ".join(sorted(TAGS))}
        for id in cell.objectives:
            if id not in objectives():
                yield cell.id, "unknown_objective", {"id": id}
        for id in cell.misconceptions:
            if id not in misconceptions():
                yield cell.id, "unknown_misconception", {"id": id}
        opens = cell.kind == "markdown" and cell.source.startswith("## ")
        if opens and lesson.number != START and not cell.objectives and not set(SKELETON) & set(cell.tags):
            yield cell.id, "section", {}


def _exercises(lesson: Lesson, registry: Mapping[str, Exercise]) -> Iterator[Found]:
    used: set[str] = set()
    for cell in lesson.cells:
        checks = checked(cell)
        if cell.kind == "code" and len({has_solution(cell.source), "exercise" in cell.tags, bool(checks)}) > 1:
            yield cell.id, "exercise_check", {}
        for id in checks:
            used.add(id)
            if id not in registry:
                yield cell.id, "unknown_exercise", {"id": id}
            elif registry[id].lesson != lesson.number:
                yield cell.id, "other_lesson", {"id": id, "lesson": registry[id].lesson}
    for exercise in registry.values():
        if exercise.lesson == lesson.number:
            if exercise.section not in {cell.id for cell in lesson.cells}:
                yield "–", "no_section", {"id": exercise.id, "section": exercise.section}
            yield from _registered(exercise, used)
    least = EXERCISES.get(lesson.number, LEAST_EXERCISES)
    if len(used) < least:
        yield "–", "few_exercises", {"count": len(used), "least": least}


def _registered(exercise: Exercise, used: set[str]) -> Iterator[Found]:
    if exercise.id not in used:
        yield "–", "unused_exercise", {"id": exercise.id}
    for key in (*HINTS, "place", "right"):
        try:
            exercise.say(key)
        except FactError:
            yield "–", "text_missing", {"id": exercise.id, "key": key}


def _objectives(lesson: Lesson, registry: Mapping[str, Exercise]) -> Iterator[Found]:
    taught = {id for cell in lesson.cells for id in cell.objectives}
    practised = {id for exercise in registry.values() for id in exercise.objectives if exercise.lesson == lesson.number}
    for objective in objectives().values():
        if objective.lesson == lesson.number and objective.id not in taught:
            yield "–", "taught", {"id": objective.id}
        if objective.lesson == lesson.number and objective.id not in practised:
            yield "–", "practised", {"id": objective.id}


def _calls(cell: Cell) -> list[ast.Call]:
    if cell.kind != "code":
        return []
    tree = compile(_solved(cell), cell.id, "exec", flags=ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]


def called(cell: Cell) -> dict[str, int]:
    """Return how often the cell calls each plain name."""
    counts: dict[str, int] = {}
    for call in _calls(cell):
        counts[call.func.id] = counts.get(call.func.id, 0) + 1  # type: ignore[attr-defined]
    return counts


def checked(cell: Cell) -> list[str]:
    """Return the exercise ids the cell checks."""
    calls = [c for c in _calls(cell) if c.func.id == "check" and c.args]  # type: ignore[attr-defined]
    return [str(c.args[0].value) for c in calls if isinstance(c.args[0], ast.Constant)]


def sections(lesson: Lesson) -> dict[str, tuple[str, ...]]:
    """Return the objectives of each section by its heading."""
    return {
        cell.source.splitlines()[0].lstrip("# ").strip(): cell.objectives for cell in lesson.cells if cell.objectives
    }
