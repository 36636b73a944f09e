"""CSV for reading and planning in a spreadsheet; it can't be imported back. Cells never start a formula."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from course.quiz.grading import key
from course.quiz.items import Item, in_language
from course.quiz.markdown import plain

__all__ = ["COLUMNS", "csv_text", "safe_cell", "write_csv"]

COLUMNS = (
    "id",
    "version",
    "status",
    "kind",
    "objectives",
    "exam_task",
    "scenario",
    "difficulty",
    "stem",
    "options",
    "reasons",
    "key",
    "explanation",
    "exam_says",
    "docs_say",
    "sources",
    "checked_on",
    "est_seconds",
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def safe_cell(text: str) -> str:
    """Return `text` so that a spreadsheet takes it as text: an apostrophe stands before what could be a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def csv_text(items: Sequence[Item], *, lang: str | None = None) -> str:
    """Return `items` as CSV with a header line."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for item in items:
        writer.writerow([safe_cell(plain(cell)) for cell in _cells(item, lang)])
    return made.getvalue()


def _cells(item: Item, lang: str | None) -> list[str]:
    options = [*getattr(item, "options", ()), *getattr(item, "rows", ())]
    return [
        item.id,
        str(item.version),
        item.status,
        item.kind,
        " ".join(item.objectives),
        item.exam_task,
        str(item.scenario or ""),
        item.difficulty,
        item.text("stem", lang),
        "\n".join(f"{option.id}: {in_language(option.text, lang)}" for option in options),
        "\n".join(f"{option.id}: {in_language(option.why, lang)}" for option in options),
        json.dumps(key(item), ensure_ascii=False),
        item.text("explanation", lang),
        item.text("exam_says", lang),
        item.text("docs_say", lang),
        "\n".join(source.title for source in item.sources),
        str(min((source.checked_on for source in item.sources), default="")),
        str(item.est_seconds),
    ]


def write_csv(items: Sequence[Item], path: Path, *, bom: bool = True, lang: str | None = None) -> None:
    """Write `items`; with the byte order mark spreadsheets read it as UTF-8."""
    path.write_text(csv_text(items, lang=lang), encoding="utf-8-sig" if bom else "utf-8", newline="")
