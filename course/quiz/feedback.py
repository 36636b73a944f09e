"""What a learner is told after an answer, in the order in which it helps.

The verdict in words, why what was chosen fails, why the key holds, what else there is to know, where to read again,
and when the concept comes back. JSON all through, so that any view can show it.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from course.facts import say
from course.facts.syllabus import Objective, misconceptions, objectives
from course.quiz import grading
from course.quiz.grading.grade import Grade, Part
from course.quiz.items import Item
from course.quiz.sections import sections

__all__ = ["Feedback", "feedback", "lesson_links", "review_of", "verdict_words"]

Render = Callable[[str], str]


@dataclass(frozen=True)
class Feedback:
    """Feedback to one answer.

    verdict: correct, partial, incorrect, blank, invalid, or "mark" (an open answer that its writer still has to mark).
    words: the verdict in words. parts: {heading, role, ref, ok, label, text}, first what was chosen, then the key.
    lessons: where to read again, as `lesson_links` gives it. misconceptions: {id, text}.
    done: False when the question still waits for an answer (blank, invalid, mark). saved: False with a `notice` when
    the history could not be written. again: when and how the concept comes back, in words; "" where unknown.
    """

    item: str
    verdict: str
    words: str
    score: float
    parts: tuple[dict[str, Any], ...]
    explanation: str
    exam_says: str
    docs_say: str
    sources: tuple[str, ...]
    lessons: tuple[dict[str, str], ...]
    misconceptions: tuple[dict[str, str], ...]
    done: bool
    again: str = ""
    saved: bool = True
    notice: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON data."""
        return {**asdict(self), "parts": [dict(part) for part in self.parts]}


def feedback(
    item: Item, grade: Grade, *, confidence: int | None = None, again: str = "", notice: str = "", render: Render = str
) -> Feedback:
    """Put a grade into words. A blank or invalid answer gets its note only, so that nothing is given away."""
    done = grade.answered
    told = grade.parts if done else tuple(part for part in grade.parts if part.role == "note")
    texts = {name: render(item.text(name)) if done and item.text(name) else "" for name in TEXTS}
    known = misconceptions()
    return Feedback(
        item=item.id,
        verdict=grade.verdict,
        words=verdict_words(grade.verdict, grade.score, confidence),
        score=grade.score,
        parts=tuple(_part(item, part, render) for part in told),
        sources=tuple(f"{source.title} ({source.checked_on})" for source in item.sources) if done else (),
        lessons=lesson_links(item) if done else (),
        misconceptions=tuple({"id": id, "text": known[id].text} for id in grade.misconceptions if id in known),
        done=done,
        again=again if done else "",
        saved=not notice,
        notice=notice,
        **texts,
    )


def review_of(item: Item, grade: Grade, *, render: Render = str) -> Feedback:
    """Put a grade into words once nothing has to be kept back: a blank answer is told the key, too."""
    if grade.answered:
        return feedback(item, grade, render=render)
    solved = grading.grade(item, grading.key(item))
    shown = solved.model_copy(update={"parts": tuple(part.model_copy(update={"role": "key"}) for part in solved.parts)})
    told = feedback(item, shown, render=render)
    return replace(told, verdict=grade.verdict, words=verdict_words(grade.verdict, 0.0), score=0.0, misconceptions=())


TEXTS = ("explanation", "exam_says", "docs_say")


def verdict_words(verdict: str, score: float, confidence: int | None = None) -> str:
    """Return the verdict as a sentence; a sure answer that was wrong is told so, since those are worth most."""
    words = say(f"quiz.practice.verdict.{verdict}", share=f"{score:.0%}")
    if confidence == 3 and verdict in ("incorrect", "partial"):
        words += " " + say("quiz.practice.verdict.sure_but_wrong")
    if confidence == 1 and verdict == "correct":
        words += " " + say("quiz.practice.verdict.unsure_but_right")
    return words


def lesson_links(item: Item) -> tuple[dict[str, str], ...]:
    """Return where the item's objectives are taught, a row each.

    lesson, objective, title (of the objective), section (its heading), href (relative to the notebooks), words. Section
    and href are "" where no lesson teaches the objective yet.
    """
    known = objectives()
    return tuple(_link(known[id]) for id in item.objectives if id in known)


def _link(row: Objective) -> dict[str, str]:
    section = sections().get(row.id)
    link = {"lesson": row.lesson, "objective": row.id, "title": row.title}
    link |= {"section": section.heading if section else "", "href": section.href if section else ""}
    name = "lesson_section" if section else "lesson"
    return link | {"words": say(f"quiz.practice.{name}", **link)}


def _part(item: Item, part: Part, render: Render) -> dict[str, Any]:
    return {
        "heading": say(f"quiz.practice.part.{_heading(item, part)}"),
        "role": part.role,
        "ref": part.ref,
        "ok": part.ok,
        "label": render(part.label) if part.label else "",
        "text": render(part.text) if part.text and (item.kind != "spot_block" or part.role == "note") else "",
    }


def _heading(item: Item, part: Part) -> str:
    """Return the key of a part's heading. The parts of match and spot_block name what is right, not what was chosen."""
    if part.ok is None or part.role in ("key", "missed"):
        return part.role
    if item.kind == "numeric" and part.ok is False and not part.text:
        return "computed"
    ok = "ok" if part.ok else "no"
    if part.role == "chosen" and item.kind in ("match", "spot_block"):
        return f"match_{ok}" if item.kind == "match" else f"{part.ref}_{ok}"
    return f"{part.role}_{ok}"
