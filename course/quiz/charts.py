"""The history as a picture, always with the same numbers as a table and in words.

matplotlib is imported when a picture is drawn, not before. The picture shows the last weeks and forms, the table all.
The colours keep apart for colour-blind eyes, and every
series has a mark of its own.
"""

from base64 import b64encode
from dataclasses import dataclass
from html import escape
from io import BytesIO
from typing import Any

from course.facts import load, say
from course.quiz.progress import Progress
from course.quiz.scores import ENOUGH_FOR_INTERVAL, Tally, wilson

__all__ = ["Chart", "history_chart"]

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#767676"
MOST_WEEKS, MOST_FORMS = 10, 5


@dataclass(frozen=True)
class Chart:
    """A picture (PNG bytes; empty where there is nothing to draw), its table (first row: headings) and its words."""

    png: bytes
    table: tuple[tuple[str, ...], ...]
    words: str

    def _repr_html_(self) -> str:
        head, *rows = self.table
        cells = "".join(f'<th scope="col">{escape(text)}</th>' for text in head)
        body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
        table = f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"
        if not self.png:
            return f"<p>{escape(self.words)}</p>"
        source = f"data:image/png;base64,{b64encode(self.png).decode()}"
        summary = escape(say("quiz.scores.chart.as_table"))
        picture = f'<img alt="{escape(self.words, quote=True)}" src="{source}">'
        return f"{picture}<details><summary>{summary}</summary>{table}</details>"

    def __repr__(self) -> str:
        return self.words


def history_chart(found: Progress) -> Chart:
    """Return answers by week, and the forms sat, as shares with their 95 % intervals."""
    rows = [(f"{monday:%Y-%m-%d}", say("quiz.scores.chart.week"), result) for monday, result in found.weeks]
    rows += [(f"{sat.on:%Y-%m-%d}", say("quiz.scores.chart.form", form=sat.form), sat.tally) for sat in found.sittings]
    head = tuple(say(f"quiz.scores.chart.{name}") for name in ("date", "what", "right", "share", "interval"))
    table = (head, *((date, what, f"{t.right} / {t.total}", f"{t.share:.0%}", _interval(t)) for date, what, t in rows))
    if not rows:
        return Chart(b"", table, say("quiz.scores.chart.nothing"))
    words = " ".join(
        say("quiz.scores.chart.row", date=date, what=what, right=t.right, total=t.total, share=f"{t.share:.0%}")
        for date, what, t in rows
    )
    return Chart(_drawn(found), table, f"{say('quiz.scores.chart.title')} {words}")


def _interval(result: Tally) -> str:
    if result.total < ENOUGH_FOR_INTERVAL:
        return "–"
    low, high = wilson(result.right, result.total)
    return f"{low:.0%}–{high:.0%}"


def _drawn(found: Progress) -> bytes:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 3.6), dpi=110, layout="constrained")
    weeks, forms = figure.subplots(1, 2, sharey=True)
    _series(weeks, [(f"{monday:%d %b}", result) for monday, result in found.weeks[-MOST_WEEKS:]], BLUE, "o")
    _series(forms, [(f"{sat.form}\n{sat.on:%d %b}", sat.tally) for sat in found.sittings[-MOST_FORMS:]], ORANGE, "s")
    weeks.set_title(say("quiz.scores.chart.weeks"), fontsize=10)
    forms.set_title(say("quiz.scores.chart.forms"), fontsize=10)
    exam = load("exam")
    for guess in exam["pass_guesses"]:
        forms.axhline(guess / exam["items"], color=GREY, linewidth=1, linestyle=":")
    weeks.set_ylim(0, 1.05)
    weeks.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    out = BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _series(axes: Any, rows: list[tuple[str, Tally]], colour: str, marker: str) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#E0E0E0", linewidth=0.6)
    axes.set_axisbelow(True)
    if not rows:
        axes.text(0.5, 0.5, say("quiz.scores.chart.nothing"), ha="center", transform=axes.transAxes, color=GREY)
        axes.set_xticks([])
        return
    places = range(len(rows))
    for place, (_, result) in zip(places, rows, strict=True):
        if result.interval:
            axes.vlines(place, *result.interval, color=colour, alpha=0.35, linewidth=5)
        axes.annotate(
            f"{result.right}/{result.total}", (place, result.share), (8, -3), textcoords="offset points", fontsize=8
        )
    axes.plot(places, [result.share for _, result in rows], color=colour, marker=marker, linewidth=0.8, alpha=0.4)
    axes.plot(places, [result.share for _, result in rows], color=colour, marker=marker, linewidth=0)
    axes.set_xticks(list(places), [label for label, _ in rows], fontsize=8)
    axes.set_xlim(-0.5, len(rows) - 0.2)
