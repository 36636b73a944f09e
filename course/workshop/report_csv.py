"""A cohort report as CSV, one file a table, for a spreadsheet. No cell starts a formula."""

import csv
import io
from pathlib import Path

from course.facts import say
from course.quiz.exports.csvfile import safe_cell
from course.quiz.markdown import plain
from course.workshop.report import Report
from course.workshop.report_tables import Table, tables

__all__ = ["csv_texts", "write_csv"]


def csv_texts(found: Report) -> dict[str, str]:
    """Return the tables by file name."""
    return {f"{table.name}.csv": _text(table) for table in tables(found)}


def write_csv(found: Report, folder: Path, *, bom: bool = True) -> list[Path]:
    """Write the tables into a folder that does not exist yet, or is empty; return the files.

    bom: begin with the byte order mark, by which spreadsheets know UTF-8. Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(folder)
    written = []
    for name, text in csv_texts(found).items():
        (folder / name).write_text(text, encoding="utf-8-sig" if bom else "utf-8", newline="")
        written.append(folder / name)
    return written


def _text(table: Table) -> str:
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\r\n")
    bars = ("low", "high") if table.bars else ()
    writer.writerow([say(f"report.column.{name}") for name in (*table.columns, *bars)])
    for place, row in enumerate(table.rows):
        interval = [f"{end:.4f}" for end in table.bars[place].interval] if table.bars else []
        writer.writerow([*(safe_cell(plain(cell)) for cell in row), *interval])
    return made.getvalue()
