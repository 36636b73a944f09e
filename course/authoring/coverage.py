"""Which objective is taught, practised and asked where, and where there is a hole."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from course.authoring.source import Lesson
from course.facts import say
from course.facts.syllabus import misconceptions, objectives
from course.lesson.exercise import Exercise

__all__ = ["Row", "holes", "page", "rows", "uncalled"]

LEAST_ITEMS = 3


@dataclass(frozen=True)
class Row:
    """One objective: sections as (lesson number, heading), exercises and quiz items by id."""

    objective: str
    title: str
    lesson: str
    sections: tuple[tuple[str, str], ...]
    exercises: tuple[str, ...]
    items: tuple[str, ...]


def rows(
    lessons: Iterable[Lesson],
    exercises: Mapping[str, Exercise],
    items: Mapping[str, Iterable[str]],
    *,
    upto: str = "99",
) -> list[Row]:
    """Return a row for each objective whose lesson is not after `upto`. items: the objectives of each quiz item."""
    headings = [
        (id, (lesson.number, _heading(cell.source)))
        for lesson in lessons
        for cell in lesson.cells
        if cell.kind == "markdown"
        for id in cell.objectives
    ]
    return [
        Row(
            objective.id,
            objective.title,
            objective.lesson,
            tuple(place for id, place in headings if id == objective.id),
            tuple(e.id for e in exercises.values() if objective.id in e.objectives),
            tuple(item for item, ids in items.items() if objective.id in ids),
        )
        for objective in objectives().values()
        if objective.lesson <= upto
    ]


def _heading(source: str) -> str:
    return source.splitlines()[0].lstrip("# ").strip()


def uncalled(lessons: Iterable[Lesson], upto: str = "99") -> list[str]:
    """Return the misconceptions that no lesson calls out, although all lessons of their objectives are there."""
    called = {id for lesson in lessons for cell in lesson.cells for id in cell.misconceptions}
    return [
        say("authoring.coverage.uncalled", id=belief.id)
        for belief in misconceptions().values()
        if belief.id not in called and max((objectives()[id].lesson for id in belief.objectives), default="99") <= upto
    ]


def holes(found: Iterable[Row]) -> list[str]:
    """Return what is missing, one sentence each; empty when every objective is covered."""
    missing: list[str] = []
    for row in found:
        if not row.sections:
            missing.append(say("authoring.coverage.hole", id=row.objective, what=say("authoring.coverage.section")))
        if not row.exercises:
            missing.append(say("authoring.coverage.hole", id=row.objective, what=say("authoring.coverage.exercise")))
        if len(row.items) < LEAST_ITEMS:
            values = {"id": row.objective, "count": len(row.items), "least": LEAST_ITEMS}
            missing.append(say("authoring.coverage.few_items", **values))
    return missing


def page(found: Iterable[Row]) -> str:
    """Return the coverage page as Markdown."""
    lines = [f"# {say('authoring.coverage.title')}", "", say("authoring.coverage.intro"), ""]
    lines += [say("authoring.coverage.head"), "|---|---|---|---|---|"]
    for row in found:
        taught = "; ".join(f"{number} {heading}" for number, heading in row.sections) or "–"
        beyond = f" ({say('authoring.coverage.beyond')})" if objectives()[row.objective].beyond else ""
        practised = ", ".join(f"`{id}`" for id in row.exercises) or "–"
        lines.append(f"| {row.objective} | {row.title}{beyond} | {taught} | {practised} | {len(row.items)} |")
    return "\n".join(lines) + "\n"
