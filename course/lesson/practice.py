"""What a learner does between reading: predict, check, ask for a hint, look back, answer a quiz, see their progress."""

from typing import Any

from course.facts import say
from course.lesson.desk import desk
from course.lesson.exercise import Verdict, hint_text, judge
from course.lesson.exercises import find
from course.lesson.record import note
from course.lesson.sentence import Sentence

__all__ = ["check", "hint", "look_back", "predict", "progress", "quiz", "sit", "two_truths"]


def check(exercise: str, *values: Any) -> Verdict:
    """Check your answer. The verdict says what is wrong, which rule it breaks and where to read again."""
    found = find(exercise)
    verdict = judge(found, *values)
    desk().verdicts[found.id] = verdict
    if verdict.state != "open":
        note("exercise_checked", found.id, {"lesson": found.lesson, "exercise": found.id, "passed": verdict.ok})
    return verdict


def hint(exercise: str, level: int | None = None) -> Sentence:
    """Give the next of three hints: a nudge, the rule, the shape of the code. `level` asks for one of them."""
    found = find(exercise)
    if level is None:
        desk().hints[found.id] = min(desk().hints[found.id] + 1, 3)
        level = desk().hints[found.id]
    text = hint_text(found, level)
    text = f"```\n{text.rstrip()}\n```" if level == 3 else text
    note("hint_used", found.id, {"level": level})
    tail = say("lesson.hint.more") if level < 3 else say("lesson.hint.last")
    return Sentence(f"{say('lesson.hint.title', level=level, id=found.id)}\n\n{text}\n\n{tail}")


def predict(id: str, question: str, options: list[str]) -> Any:
    """Commit to a guess before you run the next cell. It is noted, not graded: running the cell gives the answer."""
    from course.lesson.prediction import ask_for

    return ask_for(id, question, tuple(options))


def look_back(lesson: str) -> Any:
    """Show your guesses from the top of a lesson beside the answers, each with its reason and its section."""
    from course.lesson.lookback import looked_back

    return looked_back(lesson)


def quiz(lesson: str, count: int = 5, *, last: str = "") -> Any:
    """Answer `count` questions on a lesson, here in the cell; `last` names one that closes them."""
    from course.lesson.quizzes import in_cell

    return in_cell(lesson, count, last)


def sit(form: str = "mini", *, begin: bool = False, again: bool = False) -> Any:
    """Sit a form of the practice exam, here in the cell. `begin` starts its clock, or shows the reasons afterwards.

    A form that was begun goes on; `again` starts another one after it was handed in.
    """
    from course.lesson.sitting import form_in_cell

    return form_in_cell(form, begin, again)


def two_truths() -> Any:
    """Show where the exam's guide, older texts and today's documentation differ, and what this course teaches."""
    from course.lesson.truths import two_truths_page

    return two_truths_page()


def progress() -> Any:
    """Show which exercises you solved, what you predicted and how your quiz answers went, by lesson."""
    from course.lesson.standing import Progress

    return Progress.read()
