"""Anki package (.apkg): one note an item, with a fixed id, so that importing a newer export updates the notes.

Anki takes a note over only when its time of change is newer than the one it has: the time is the `when` of the
export. Same items and same `when` give the same bytes.
"""

import hashlib
import io
import tempfile
import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from course.facts import say
from course.quiz.exports.cards import card
from course.quiz.exports.markup import blocks_html
from course.quiz.items import Item

__all__ = ["write_anki"]

MODEL_ID, DECK_SEED, SPACE = 1_607_392_413, 1_500_000_000, "claude-tool-use-course"
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
FIELDS = ("Id", "Question", "Answer", "About")
CSS = """
.card { font-family: system-ui, sans-serif; font-size: 1.05rem; line-height: 1.5; text-align: left; }
.card { max-width: 44rem; margin: auto; }
.card pre { padding: .6rem; overflow-x: auto; background: rgba(127, 127, 127, .15); }
.card th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
.card td { padding: .2rem 0; vertical-align: top; }
.about { margin-top: 1.2rem; font-size: .8rem; opacity: .75; }
"""


def write_anki(items: Sequence[Item], path: Path, *, when: datetime, lang: str | None = None) -> None:
    """Write `items` as a package with one deck per lesson unit."""
    import genanki

    model = genanki.Model(
        MODEL_ID,
        say("quiz.export.anki.model"),
        fields=[{"name": name} for name in FIELDS],
        templates=[
            {
                "name": say("quiz.export.anki.template"),
                "qfmt": "{{Question}}",
                "afmt": '{{FrontSide}}<hr id="answer">{{Answer}}<div class="about">{{About}}</div>',
            }
        ],
        css=CSS,
    )
    decks: dict[str, Any] = {}
    for item in items:
        name = f"{say('quiz.export.deck')}::{_unit(item)}"
        deck = decks.setdefault(name, genanki.Deck(_number(name), name))
        shown = card(item, seed=item.version, lang=lang)
        deck.add_note(
            genanki.Note(
                model=model,
                fields=[item.id, blocks_html(shown.question), blocks_html(shown.answer), _about(item)],
                guid=genanki.guid_for(SPACE, item.id),
                tags=_tags(item),
            )
        )
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "raw.apkg"
        genanki.Package(list(decks.values())).write_to_file(str(raw), timestamp=when.timestamp())
        path.write_bytes(_repacked(raw))


def _unit(item: Item) -> str:
    from course.facts.syllabus import objectives

    objective = objectives().get(item.objectives[0])
    return f"{objective.unit:02}" if objective else "00"


def _number(name: str) -> int:
    return DECK_SEED + int(hashlib.sha256(name.encode()).hexdigest()[:7], 16)


def _about(item: Item) -> str:
    return say("quiz.export.anki.about", id=item.id, version=item.version, task=item.exam_task)


def _tags(item: Item) -> list[str]:
    found = [f"kind::{item.kind}", f"exam::{item.exam_task}", f"difficulty::{item.difficulty}"]
    found += [f"objective::{name}" for name in item.objectives]
    return [*found, f"scenario::{item.scenario}"] if item.scenario else found


def _repacked(path: Path) -> bytes:
    """Zip again with a fixed date: the file's own time would make equal exports differ."""
    made = io.BytesIO()
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name in sorted(source.namelist()):
            target.writestr(zipfile.ZipInfo(name, ZIP_DATE), source.read(name), zipfile.ZIP_DEFLATED)
    return made.getvalue()
