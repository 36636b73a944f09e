"""What there is to practise: questions by lesson, objective, exam task and misconception."""

from collections import Counter

from course.cli.terminal import Terminal
from course.facts import say
from course.facts.syllabus import misconceptions, objectives, tasks
from course.quiz.bank import Bank
from course.quiz.selection import misconceptions_of

__all__ = ["show_choices"]


def show_choices(terminal: Terminal, bank: Bank) -> None:
    """List every value that --lesson, --objective, --task, --misconception and --kind take, with how many there are."""
    items = [item for item in bank if item.status != "retired"]
    known = objectives()
    lessons = Counter(
        lesson for item in items for lesson in {known[id].lesson for id in item.objectives if id in known}
    )
    _table(terminal, "lesson", {name: "" for name in sorted(lessons)}, lessons)
    counts = Counter(id for item in items for id in item.objectives)
    _table(terminal, "objective", {id: row.title for id, row in known.items()}, counts)
    numbers = {number: row.title for number, row in tasks().items()} | {"beyond": say("quiz.practice.badge.beyond")}
    _table(terminal, "task", numbers, Counter(item.exam_task for item in items))
    beliefs = Counter(id for item in items for id in misconceptions_of(item))
    _table(terminal, "misconception", {id: row.text for id, row in misconceptions().items()}, beliefs)
    kinds = Counter(item.kind for item in items)
    _table(terminal, "kind", {kind: say(f"quiz.kinds.name.{kind}") for kind in sorted(kinds)}, kinds)


def _table(terminal: Terminal, option: str, titles: dict[str, str], counts: Counter[str]) -> None:
    terminal.write(f"--{option}", style="strong")
    width = max(len(name) for name in titles) if titles else 0
    for name, title in titles.items():
        if counts[name]:
            terminal.write(title, indent=f"  {name:<{width}} {counts[name]:>4}  ")
    terminal.write()
