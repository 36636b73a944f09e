"""Show what a form brought: score, estimate, where to look, readiness; then the review with its reasons."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.cli.quizview import show
from course.cli.quizview.sit import words_of
from course.cli.terminal import Terminal
from course.facts import load, say
from course.facts.syllabus import tasks
from course.quiz.attempts import Exam
from course.quiz.progress import caveats, sittings
from course.quiz.scores import ENOUGH_FOR_SCALE, Estimate, Tally, estimate, readiness, wilson

__all__ = ["estimate_lines", "result", "review"]


def result(terminal: Terminal, exam: Exam) -> None:
    """Show the result of a finished attempt."""
    sat = sittings(exam.store, exam.bank)
    own = next(sitting for sitting in sat if sitting.attempt == exam.attempt)
    terminal.rule()
    terminal.write(say("terminal.result.title", form=own.form), style="strong")
    for line in estimate_lines(estimate(own.tally)):
        terminal.write(line)
    if own.tally.total >= ENOUGH_FOR_SCALE and len(own.domains) < len(load("exam")["domain"]):
        domains = ", ".join(map(str, own.domains))
        terminal.write(say("quiz.scores.only_part", domains=domains))
    if own.pauses:
        terminal.write(say("terminal.result.pauses", pauses=own.pauses))
    rows = exam.review()
    if gone := sum(row["right"] is None for row in rows):
        terminal.write(say("terminal.result.withdrawn", count=gone))
    terminal.write()
    _by_task(terminal, exam, rows)
    terminal.write()
    terminal.write(say("terminal.result.ready"), style="strong")
    judged = readiness(sat)
    terminal.write(judged.words)
    for line in (*judged.reasons, *caveats(exam.store.clock().date())):
        terminal.write(line, indent="→ ", style="dim")


def estimate_lines(found: Estimate) -> list[str]:
    """Return percent, interval, scaled band and chance in sentences, as far as there are enough answers."""
    right, total = found.tally.right, found.tally.total
    lines = [say("quiz.scores.percent", right=right, total=total, share=f"{found.tally.share:.0%}")]
    if not found.tally.interval:
        return [*lines, say("quiz.scores.few")]
    low, high = wilson(right, total)
    lines.append(say("quiz.scores.interval", low=f"{low:.0%}", high=f"{high:.0%}"))
    if not (found.band and found.span and found.chance):
        return [*lines, say("quiz.scores.few_scale", need=ENOUGH_FOR_SCALE)]
    values = {"low": found.band[0], "high": found.band[1], "from": found.span[0], "to": found.span[1]}
    lines.append(say("quiz.scores.band", **values))
    low, high = found.chance
    lines.append(say("quiz.scores.chance", low=f"{low:.0%}", high=f"{high:.0%}"))
    return lines


def review(terminal: Terminal, exam: Exam) -> None:
    """Go through the questions with their reasons; the learner chooses which."""
    rows = exam.review()
    try:
        choice = terminal.ask(say("terminal.result.review_ask")).lower()
        if choice in ("q", "quit"):
            terminal.write(say("terminal.result.review_later"))
            return
        for row in rows:
            if choice == "a" or not row["right"] or row["flagged"]:
                _one(terminal, row, len(rows))
                if terminal.typed and terminal.ask(say("terminal.result.review_next")).lower() in ("q", "quit"):
                    return
    except (EOFError, KeyboardInterrupt):
        terminal.write()


def _one(terminal: Terminal, row: Mapping[str, Any], total: int) -> None:
    answered = row["feedback"] and row["feedback"]["verdict"] != "blank"
    mark = {True: "right", None: "none", False: "wrong" if answered else "open"}[row["right"]]
    terminal.rule()
    values = {"number": row["number"], "total": total, "mark": say(f"terminal.result.{mark}")}
    terminal.write(say("terminal.result.review_head", **values), style="strong")
    terminal.write()
    if row["item"] is None:
        terminal.write(say("terminal.exam.withdrawn"))
        return
    show.question(terminal, row["item"])
    if answer := words_of(row["item"], row["response"]):
        terminal.write()
        terminal.write(say("terminal.result.your", answer=answer), style="accent")
    terminal.write()
    show.feedback(terminal, row["feedback"])


def _by_task(terminal: Terminal, exam: Exam, rows: Sequence[Mapping[str, Any]]) -> None:
    found: dict[str, Tally] = {}
    for row, entry in zip(rows, exam.form.entries, strict=True):
        if row["right"] is not None:
            task = exam.bank.item(entry.item).exam_task
            found[task] = found.get(task, Tally()) + Tally(int(row["right"]), 1)
    terminal.write(say("terminal.result.part"))
    titles = tasks()
    for task, part in sorted(found.items()):
        name = f"{task} {titles[task].title}" if task in titles else task
        terminal.write(f"{terminal.bar(part.share, 10)}  {part.right:>2}/{part.total:<2}  {name}", indent="  ")
