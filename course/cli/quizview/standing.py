"""Show where a learner stands: counts with intervals, what is due, calibration, forms, readiness."""

from collections.abc import Sequence

from course.cli.quizview.result import estimate_lines
from course.cli.terminal import Terminal
from course.facts import say
from course.quiz.progress import Group, Progress, caveats
from course.quiz.scores import Tally, wilson
from course.quiz.store import Store

__all__ = ["standing"]


def standing(terminal: Terminal, found: Progress, store: Store, *, chart: bool = False) -> None:
    """Show everything; chart: the history by week and form as bars, too."""
    if not found.answered and not found.exercises.total and not found.predictions:
        terminal.write(say("terminal.progress.nothing"))
    else:
        _counts(terminal, found)
        _groups(terminal, "objectives", found.objectives)
        _groups(terminal, "tasks", found.tasks)
        _beliefs(terminal, found)
        _marks(terminal, found)
        if chart:
            _chart(terminal, found)
        _forms(terminal, found)
    where = "file" if store.kept else "not_kept"
    terminal.write(say(f"terminal.progress.{where}", path=store.path), style="dim")


def _counts(terminal: Terminal, found: Progress) -> None:
    values = {"answered": found.answered, "met": found.items_met, "items": found.items}
    terminal.write(say("terminal.progress.head", **values), style="strong")
    if found.exercises.total:
        right, total = found.exercises.right, found.exercises.total
        terminal.write(say("terminal.progress.exercises", right=right, total=total))
    if found.predictions:
        terminal.write(say("terminal.progress.predictions", count=found.predictions))
    if found.due:
        terminal.write(say("terminal.progress.due", due=found.due))
    elif found.next_due:
        terminal.write(say("terminal.progress.due_none", next=found.next_due))
    if found.exam_date:
        days = (found.exam_date - found.on).days
        terminal.write(say("terminal.progress.exam_in", date=found.exam_date, days=days))
    if found.corrected:
        terminal.write(say("terminal.progress.corrected", count=found.corrected))


def _groups(terminal: Terminal, name: str, groups: Sequence[Group]) -> None:
    if not groups:
        return
    terminal.write()
    terminal.write(say(f"terminal.progress.{name}"), style="strong")
    for group in groups:
        title = f"{group.id} {group.title}" if group.title != group.id else group.id
        terminal.write(f"{_row(terminal, group.tally)}  {title}", indent="  ", hang=" " * 40)


def _row(terminal: Terminal, result: Tally) -> str:
    counts = f"{result.right:>3}/{result.total:<3}"
    if not result.interval:
        return f"{'':<10} {counts} {say('terminal.progress.few'):<13}"
    low, high = wilson(result.right, result.total)
    return f"{terminal.bar(result.share, 10)} {counts} {f'{low:.0%}–{high:.0%}':<13}"


def _beliefs(terminal: Terminal, found: Progress) -> None:
    if found.misconceptions:
        terminal.write()
        terminal.write(say("terminal.progress.beliefs"), style="strong")
        for _, text, count in found.misconceptions:
            terminal.write(say("terminal.progress.belief", count=count, text=text), indent="  ")
    if found.calibration:
        terminal.write()
        terminal.write(say("terminal.progress.calibration"), style="strong")
        for row in found.calibration:
            terminal.write(f"{_row(terminal, row.tally)}  {row.title}", indent="  ")
        terminal.write(say("terminal.progress.marks", marks=found.confidence_marks), style="dim")
    if found.sure_but_wrong:
        terminal.write(say("terminal.progress.sure_wrong", items=", ".join(found.sure_but_wrong[-8:])))


def _marks(terminal: Terminal, found: Progress) -> None:
    if found.flagged:
        terminal.write()
        terminal.write(say("terminal.progress.flagged", count=len(found.flagged)))
    if found.notes:
        terminal.write()
        terminal.write(say("terminal.progress.notes"), style="strong")
        for item, text in found.notes:
            terminal.write(f"{item}: {text}", indent="  ")


def _chart(terminal: Terminal, found: Progress) -> None:
    terminal.write()
    terminal.write(say("terminal.progress.weeks"), style="strong")
    for monday, result in found.weeks:
        terminal.write(f"{monday:%Y-%m-%d}  {_row(terminal, result)}", indent="  ")


def _forms(terminal: Terminal, found: Progress) -> None:
    if found.sittings:
        terminal.write()
        terminal.write(say("terminal.progress.sittings"), style="strong")
    for sat in found.sittings:
        share, unseen = f"{sat.tally.share:.0%}", f"{sat.unseen:.0%}"
        values = {"on": sat.on, "form": sat.form, "right": sat.tally.right, "total": sat.tally.total}
        terminal.write(say("terminal.progress.sitting", share=share, unseen=unseen, **values), indent="  ")
    if found.estimate:
        for line in estimate_lines(found.estimate):
            terminal.write(line, indent="  ")
    terminal.write()
    terminal.write(say("terminal.result.ready"), style="strong")
    terminal.write(found.readiness.words)
    for line in found.readiness.reasons:
        terminal.write(line, indent="→ ", style="dim")
    if found.sittings:
        for line in caveats(found.on):
            terminal.write(line, indent="→ ", style="dim")
