"""The cohort report: what a class knows, as figures that single nobody out. Views: report_html, report_csv, `as_text`.

Everything counts first answers only. An objective's figures are those of its questions (each counts for the first
objective it names), and of one pool of all its answers that no question's row holds: nothing beyond those rows.
Nothing in a report depends on the order or the names of files, on names, or on the day it is made.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from course.facts import say
from course.facts.syllabus import objectives
from course.quiz.bank import Bank
from course.quiz.handin import SELF_REPORTED
from course.workshop.report_cohort import Cohort, Given
from course.workshop.report_ideas import Gain, Idea, Vote, Window, gain, idea_rows, variant_pairs, votes, window
from course.workshop.report_items import First, ItemRow, first_answers, interval, item_rows
from course.workshop.report_masks import LEAST, Count, split

__all__ = ["ObjectiveRow", "Report", "ReportError", "as_text", "count_words", "report", "share_words"]


class ReportError(Exception):
    """A report can't be made as asked; the message says what to do."""


@dataclass(frozen=True)
class ObjectiveRow:
    """One objective. right: of `answers`; low, high: 95 % interval of the share. questions: how many count for it."""

    id: str
    title: str
    lesson: str
    questions: int
    answers: int
    right: Count
    low: float
    high: float


@dataclass(frozen=True)
class Report:
    """Everything the views show. people: 0 when there are fewer than five, and then nothing else is in it.

    until: the day of the newest answer. thin: objectives with too few answers or people. more_ideas: misconceptions
    that were met and can't be shown. few: questions that too few people answered. gain: on variants, None where too
    few pairs carry it. period: what --pre and --post said.
    """

    people: int
    until: date | None
    trust: str
    bank: str
    objectives: tuple[ObjectiveRow, ...] = ()
    thin: tuple[str, ...] = ()
    ideas: tuple[Idea, ...] = ()
    more_ideas: int = 0
    items: tuple[ItemRow, ...] = ()
    few: int = 0
    votes: tuple[Vote, ...] = ()
    gain: Gain | None = None
    period: tuple[str, str] = ("", "")

    @property
    def reteach(self) -> tuple[ItemRow, ...]:
        """The questions to teach again, lowest share first."""
        return tuple(sorted((row for row in self.items if row.reteach), key=lambda row: (row.high, row.item)))

    @property
    def asked_in_vain(self) -> bool:
        """Tell whether a gain was asked for with --pre and --post, and too few pairs carry one."""
        return any(self.period) and self.gain is None

    @property
    def dead(self) -> tuple[ItemRow, ...]:
        """The questions with options that distract nobody."""
        return tuple(row for row in self.items if any(choice.dead for choice in row.choices or ()))


def report(cohort: Cohort, bank: Bank, *, pre: str | None = None, post: str | None = None) -> Report:
    """Make the report. pre, post: a day or the name of a form, both or none. Raises ReportError for what is neither."""
    before, after = _windows(cohort, pre, post)
    people = len(cohort.people)
    if people < LEAST:
        return Report(0, None, cohort.trust, bank.digest)
    first = first_answers(cohort)
    rows = item_rows(first, bank)
    known, thin = _objective_rows(first, rows, bank)
    ideas, more = idea_rows(first, rows, bank)
    return Report(
        people=people,
        until=max(given.at for given in cohort.answers).date(),
        trust=cohort.trust,
        bank=bank.digest,
        objectives=tuple(known),
        thin=tuple(thin),
        ideas=tuple(ideas),
        more_ideas=more,
        items=tuple(rows),
        few=len(first) - len(rows),
        votes=tuple(votes(cohort, rows)),
        gain=gain(variant_pairs(cohort.answers, bank, before, after)),
        period=(pre or "", post or ""),
    )


def _windows(cohort: Cohort, pre: str | None, post: str | None) -> tuple[Window, Window]:
    if pre is None and post is None:
        return (lambda given: True), (lambda given: True)
    forms = ", ".join(cohort.forms) or say("report.words.no_forms")
    found = []
    for given, until in ((pre, True), (post, False)):
        try:
            if given is None or not (given[:1].isdigit() or given in cohort.forms):
                raise ValueError
            found.append(window(given, until=until))
        except ValueError:
            raise ReportError(say("report.cli.period", given=given or "", forms=forms)) from None
    return found[0], found[1]


def _objective_rows(first: First, rows: Sequence[ItemRow], bank: Bank) -> tuple[list[ObjectiveRow], list[str]]:
    """Return the objectives with figures in the syllabus's order, and those with too few answers or people."""
    published = {(row.channel, row.item): row for row in rows}
    right: dict[str, list[tuple[Count, int]]] = {}
    rest: dict[str, list[Given]] = {}
    questions: dict[str, set[str]] = {}
    for mark, answers in first.items():
        objective = bank.items[mark[1]].objectives[0]
        row = published.get(mark)
        if row:
            right.setdefault(objective, []).append((row.right, row.people))
            questions.setdefault(objective, set()).add(mark[1])
        rest.setdefault(objective, []).extend(given for given in answers.values() if not (row and given.exact))
    for objective, pool in rest.items():
        if (shown := _pooled(pool)) is not None:
            right.setdefault(objective, []).append((shown, len(pool)))
            questions.setdefault(objective, set()).update(given.item for given in pool)
    order = {id: place for place, id in enumerate(objectives())}
    names = sorted(rest, key=lambda id: (order.get(id, len(order)), id))
    found = [_objective(id, right[id], len(questions[id])) for id in names if id in right]
    return found, [id for id in names if id not in right]


def _pooled(answers: Sequence[Given]) -> Count | None:
    """Return how many of the answers outside of rows are right; None where few people, or mostly one, gave them."""
    by_person = Counter(given.who for given in answers)
    if len(by_person) < LEAST or 2 * max(by_person.values()) > len(answers):
        return None
    return split(sum(given.right for given in answers), len(answers))


def _objective(id: str, parts: Iterable[tuple[Count, int]], questions: int) -> ObjectiveRow:
    parts = list(parts)
    right = sum((part for part, _ in parts), Count(0, 0))
    total = sum(answers for _, answers in parts)
    known = objectives().get(id)
    low, high = interval(right, total)
    return ObjectiveRow(
        id, known.title if known else id, known.lesson if known else "", questions, total, right, low, high
    )


def count_words(count: Count) -> str:
    """Return a count as the report writes it: 12, 5-9, or fewer than 5."""
    if count.exact:
        return str(count.low)
    if (count.low, count.high) == (0, LEAST - 1):
        return say("report.words.fewer", least=LEAST)
    return say("report.words.range", low=count.low, high=count.high)


def share_words(right: Count, total: int) -> str:
    """Return a share in percent, as a range where it is one."""
    low, high = right.low / total, right.high / total
    return f"{low:.0%}" if right.exact else say("report.words.range", low=f"{low:.0%}", high=f"{high:.0%}")


def as_text(found: Report) -> str:
    """Return the report in short, for a terminal."""
    if not found.people:
        return say("report.words.too_few", least=LEAST)
    lines = [
        say("report.words.people", people=found.people, until=found.until),
        say(f"report.words.trust.{found.trust}", self_reported=SELF_REPORTED),
    ]
    lines += _block("objectives", (_objective_line(row) for row in found.objectives))
    if found.thin:
        lines.append("  " + say("report.words.thin", ids=", ".join(found.thin)))
    lines += _block("reteach", (_item_line(row) for row in found.reteach))
    lines += _block(
        "ideas",
        (
            say(
                "report.words.idea",
                people=count_words(idea.people),
                met=idea.met,
                sure=count_words(idea.sure),
                text=idea.text,
            )
            for idea in found.ideas
        ),
    )
    lines += _block("votes", (f"{row.item}: {vote_words(row)}" for row in found.votes))
    if found.gain:
        lines += ["", say("report.head.gain"), "  " + gain_words(found.gain)]
    elif found.asked_in_vain:
        lines += ["", say("report.head.gain"), "  " + say("report.words.gain_thin")]
    return "\n".join(lines)


def _block(name: str, rows: Iterable[str]) -> list[str]:
    rows = list(rows)
    return ["", say(f"report.head.{name}"), *(f"  {row}" for row in rows)] if rows else []


def _objective_line(row: ObjectiveRow) -> str:
    values = {"low": f"{row.low:.0%}", "high": f"{row.high:.0%}", "share": share_words(row.right, row.answers)}
    return say("report.words.objective", id=row.id, title=row.title, answers=row.answers, **values)


def _item_line(row: ItemRow) -> str:
    values = {"low": f"{row.low:.0%}", "high": f"{row.high:.0%}", "share": share_words(row.right, row.people)}
    return say("report.words.item", id=row.item, people=row.people, **values)


def vote_words(row: Vote) -> str:
    """Return what two votes say."""
    before, after = share_words(row.first, row.first_people), share_words(row.second, row.second_people)
    return say("report.words.vote", before=before, after=after)


def gain_words(found: Gain) -> str:
    """Return the gain on variants in a sentence."""
    return say(
        "report.words.gain",
        pairs=count_words(found.pairs),
        people=count_words(found.people),
        before=f"{found.before:.0%}",
        after=f"{found.after:.0%}",
        low=f"{found.low:+.0%}",
        high=f"{found.high:+.0%}",
    )
