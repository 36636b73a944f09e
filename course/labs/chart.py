"""Charts that can also be read: a picture with a text alternative, and the same numbers as a table."""

import base64
import html
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Chart", "bars", "lines"]

# Okabe-Ito hues that keep 3:1 on white and on black; each series also has a marker and a line style of its own.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
MARKERS = ("o", "s", "^", "D")
STYLES = ("-", "--", "-.", ":")


@dataclass(frozen=True)
class Chart:
    """A picture (PNG bytes), its text alternative, and its numbers: the header, then one row a line."""

    title: str
    png: bytes
    alt: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def _repr_html_(self) -> str:
        picture = base64.b64encode(self.png).decode()
        head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in self.header)
        body = "".join(
            f'<tr><th scope="row">{html.escape(row[0])}</th>'
            + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
            + "</tr>"
            for row in self.rows
        )
        return (
            f'<figure><img src="data:image/png;base64,{picture}" alt="{html.escape(self.alt)}">'
            "</figure>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )

    def __repr__(self) -> str:
        widths = [max(len(row[i]) for row in (self.header, *self.rows)) for i in range(len(self.header))]
        lines = [
            "  ".join(f"{cell:>{w}}" for cell, w in zip(row, widths, strict=True)) for row in (self.header, *self.rows)
        ]
        return "\n".join([self.title, self.alt, *lines])


def _figure() -> "tuple[Figure, Any]":
    """Return a figure of its own (pyplot keeps no reference to it) whose fonts know Hangul."""
    import matplotlib
    from matplotlib import font_manager
    from matplotlib.figure import Figure

    family = ["DejaVu Sans"]
    spec = find_spec("pylopdf_fonts_ko")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(folder).rglob("*Sans*KR*.[ot]tf")):
            font_manager.fontManager.addfont(path)
            family.append(font_manager.FontProperties(fname=path).get_name())
    with matplotlib.rc_context({"font.family": family, "axes.unicode_minus": False}):
        figure = Figure(figsize=(7, 4), dpi=110, layout="constrained")
        axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _png(figure: "Figure") -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def lines(
    title: str,
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
    *,
    x_label: str,
    y_label: str,
    alt: str,
    bands: Mapping[str, tuple[Sequence[float], Sequence[float]]] | None = None,
    number: str = "{:.2f}",
) -> Chart:
    """Draw one line a series over `x`. bands: (low, high) by series; the table shows them in brackets."""
    figure, axes = _figure()
    for index, (name, values) in enumerate(series.items()):
        colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
        axes.plot(x, values, STYLES[index % len(STYLES)], marker=marker, color=colour, label=name)
        if bands and name in bands:
            axes.fill_between(x, *bands[name], color=colour, alpha=0.15, linewidth=0)
    axes.set(xlabel=x_label, ylabel=y_label, title=title)
    axes.grid(alpha=0.3)
    axes.legend()

    def cell(name: str, index: int) -> str:
        text = number.format(series[name][index])
        if bands and name in bands:
            low, high = bands[name][0][index], bands[name][1][index]
            text += f" [{number.format(low)}, {number.format(high)}]"
        return text

    rows = tuple((f"{value:g}", *(cell(name, index) for name in series)) for index, value in enumerate(x))
    return Chart(title, _png(figure), alt, (x_label, *series), rows)


def bars(title: str, values: Mapping[str, float], *, label: str, alt: str, number: str = "{:.2f}") -> Chart:
    """Draw one horizontal bar a name, the first on top, each with its number beside it."""
    figure, axes = _figure()
    names = list(values)
    drawn = axes.barh(names, list(values.values()), color=COLOURS[0], edgecolor="black")
    axes.bar_label(drawn, labels=[number.format(value) for value in values.values()], padding=3)
    axes.invert_yaxis()
    axes.set(xlabel=label, title=title)
    axes.margins(x=0.15)
    rows = tuple((name, number.format(value)) for name, value in values.items())
    return Chart(title, _png(figure), alt, ("", label), rows)
