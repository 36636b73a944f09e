"""The tables of a cohort report, once, for the page and the CSV files: cells of text, and bars for shares."""

from collections.abc import Iterable
from dataclasses import dataclass

from course.facts import say
from course.workshop.report import Report, count_words, share_words
from course.workshop.report_items import BLANK, RETEACH, WEAK, Choice, ItemRow

__all__ = ["Bar", "Table", "tables"]


@dataclass(frozen=True)
class Bar:
    """A share of 0…1 from low to high (the published range), and its interval."""

    low: float
    high: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Table:
    """One table. name: of its strings and file. columns: keys of headings; the first column heads its row.

    bars: one for each row, or none at all; they stand behind the column `share`.
    """

    name: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[Bar, ...] = ()


def tables(found: Report) -> list[Table]:
    """Return the tables that have rows, in the order of the page."""
    makers = (_objectives, _reteach, _ideas, _votes, _gain, _dead, _items, _choices)
    made = [maker(found) for maker in makers]
    return [table for table in made if table.rows]


def _table(
    name: str, columns: Iterable[str], rows: Iterable[Iterable[str]], bars: Iterable[Bar] = (), **values: object
) -> Table:
    note = say(f"report.about.{name}", **values)
    return Table(name, note, tuple(columns), tuple(tuple(row) for row in rows), tuple(bars))


def _percent(low: float, high: float) -> str:
    return f"{low:.0%}–{high:.0%}"


def _objectives(found: Report) -> Table:
    rows = found.objectives
    return _table(
        "objectives",
        ("objective", "share", "interval", "right", "answers", "questions", "lesson"),
        (
            (
                f"{row.id} {row.title}",
                share_words(row.right, row.answers),
                _percent(row.low, row.high),
                count_words(row.right),
                str(row.answers),
                str(row.questions),
                row.lesson,
            )
            for row in rows
        ),
        (Bar(row.right.low / row.answers, row.right.high / row.answers, (row.low, row.high)) for row in rows),
    )


def _bar(row: ItemRow) -> Bar:
    return Bar(row.right.low / row.people, row.right.high / row.people, (row.low, row.high))


def _item(row: ItemRow) -> tuple[str, ...]:
    return (
        f"{row.item}: {row.title}",
        share_words(row.right, row.people),
        _percent(row.low, row.high),
        count_words(row.right),
        str(row.people),
        say(f"report.words.channel_{row.channel}"),
    )


def _reteach(found: Report) -> Table:
    rows = found.reteach
    columns = ("question", "share", "interval", "right", "people", "channel", "objective", "leader")
    cells = ((*_item(row), row.objective, _leader(row)) for row in rows)
    return _table("reteach", columns, cells, map(_bar, rows), bound=f"{RETEACH:.0%}")


def _leader(row: ItemRow) -> str:
    return "" if row.leader is None else row.leader[1] or say("report.words.blank")


def _items(found: Report) -> Table:
    columns = ("question", "share", "interval", "right", "people", "channel", "discrimination", "reteach")
    cells = ((*_item(row), _discrimination(row), say("report.words.yes") if row.reteach else "") for row in found.items)
    return _table("items", columns, cells, map(_bar, found.items), weak=WEAK, few=found.few)


def _discrimination(row: ItemRow) -> str:
    if (known := row.discrimination) is None:
        return ""
    r, low, high = (f"{round(value, 1) + 0.0:.1f}" for value in (known.r, known.low, known.high))
    words = f"{r} ({say('report.words.range', low=low, high=high)})"
    return f"{words}: {say('report.words.weak')}" if known.weak else words


def _ideas(found: Report) -> Table:
    rows = ((idea.text, str(idea.met), count_words(idea.people), count_words(idea.sure)) for idea in found.ideas)
    return _table("ideas", ("idea", "met", "showed", "sure"), rows, more=found.more_ideas)


def _dead(found: Report) -> Table:
    rows = (
        (*_option(row, choice), say(f"report.words.{choice.dead}"))
        for row in found.items
        for choice in row.choices or ()
        if choice.dead
    )
    return _table("dead", ("option", "people", "channel", "dead"), rows)


def _option(row: ItemRow, choice: Choice) -> tuple[str, str, str]:
    name = f"{row.item}: {choice.text or say('report.words.blank')}"
    return name, str(row.people), say(f"report.words.channel_{row.channel}")


def _choices(found: Report) -> Table:
    rows = (
        (*_option(row, choice), count_words(choice.people) if choice.people.high else say("report.words.none"))
        for row in found.items
        for choice in row.choices or ()
        if choice.id != BLANK or choice.people.high
    )
    return _table("choices", ("option", "people", "channel", "chosen"), rows)


def _votes(found: Report) -> Table:
    rows = (
        (
            f"{row.item}: {row.title}",
            str(row.first_people),
            share_words(row.first, row.first_people),
            str(row.second_people),
            share_words(row.second, row.second_people),
            say("report.words.no_gain") if row.gain is None else f"{row.gain:+.2f}",
        )
        for row in found.votes
    )
    return _table("votes", ("question", "people", "first", "people", "second", "gain"), rows)


def _gain(found: Report) -> Table:
    pre, post = found.period
    period = say("report.about.period", pre=pre, post=post) if pre else ""
    rows = []
    if known := found.gain:
        difference = f"{known.low:+.0%} … {known.high:+.0%}"
        shares = (f"{known.before:.0%}", f"{known.after:.0%}")
        rows.append((count_words(known.pairs), count_words(known.people), *shares, difference))
    return _table("gain", ("pairs", "people", "before", "after", "difference"), rows, period=period)
