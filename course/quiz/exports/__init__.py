"""Exports of the bank: Anki, Moodle XML, GIFT, QTI 2.1 and 3.0, CSV, and a printed paper with a separate key.

`export(items, format, path, …)` writes a file and returns what the format could not carry. Every file except the
paper contains the answers; a file for learners to look into is none of these but the paper.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from course.quiz.exports.losses import FORMATS, Loss, loss_report, losses
from course.quiz.items import Item

__all__ = ["EXTENSIONS", "FORMATS", "Loss", "export", "loss_report", "losses"]

EXTENSIONS: Mapping[str, str] = {
    "anki": ".apkg",
    "moodle": ".xml",
    "gift": ".gift",
    "qti21": ".zip",
    "qti30": ".zip",
    "csv": ".csv",
    "pdf": ".pdf",
}


def export(
    items: Sequence[Item],
    format: str,
    path: Path,
    *,
    when: datetime,
    seed: int | str = 1,
    digest: str = "",
    large: bool = False,
    lang: str | None = None,
) -> list[Loss]:
    """Write `items` to `path` in one format; return every loss. `when` dates the notes of Anki, `seed` the paper."""
    match format:
        case "anki":
            from course.quiz.exports.anki import write_anki

            write_anki(items, path, when=when, lang=lang)
        case "moodle":
            from course.quiz.exports.moodle import write_moodle

            write_moodle(items, path, lang=lang)
        case "gift":
            from course.quiz.exports.gift import write_gift

            write_gift(items, path, lang=lang)
        case "qti21" | "qti30":
            from course.quiz.exports.qti import write_qti

            write_qti(items, path, version="2.1" if format == "qti21" else "3.0", lang=lang)
        case "csv":
            from course.quiz.exports.csvfile import write_csv

            write_csv(items, path, lang=lang)
        case "pdf":
            from course.quiz.exports.paper import write_paper

            write_paper(items, path, seed=seed, digest=digest, large=large, lang=lang)
        case _:
            raise ValueError(format)
    return [loss for item in items for loss in losses(item, format)]
