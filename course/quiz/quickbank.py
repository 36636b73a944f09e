"""The course's own bank, read fast: the parsed files are kept as JSON beside the history, under a hash of their text.

Reading YAML costs more than everything else on the way to the first question. The copy is only ever used for exactly
the bytes it was made from, its items are validated like any others, and whatever is wrong with it, the files win.
"""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from course.quiz import bank as source
from course.quiz.bank import Bank, load_bank
from course.quiz.kinds import KINDS

__all__ = ["quick_bank"]


def quick_bank(cache: Path, quizzes: Path | None = None) -> Bank:
    """Return the bank, from the copy in the folder `cache` where that is up to date; else load it and renew the copy.

    An up-to-date copy knows no places and no problems: it is only made of a bank that has none. A bank with problems
    is loaded from its files each time.
    """
    folder = quizzes or source.QUIZZES
    digest = _digest(folder)
    copy = cache / "bank.json"
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(copy.read_text(encoding="utf-8"))
        if kept["digest"] == digest:
            return Bank({row["id"]: KINDS[row["kind"]].model_validate(row) for row in kept["items"]})
    bank = load_bank(folder)
    if not bank.problems:
        rows = [item.model_dump(mode="json", by_alias=True, exclude_unset=True) for item in bank]
        _write(copy, json.dumps({"digest": digest, "items": rows}, ensure_ascii=False))
    return bank


def _digest(folder: Path) -> str:
    found = hashlib.sha256()
    for file in sorted(folder.glob("*.yaml")):
        text = file.read_bytes()
        found.update(f"{file.name} {len(text)} ".encode() + text)
    return found.hexdigest()


def _write(copy: Path, text: str) -> None:
    with suppress(OSError):
        draft = copy.with_suffix(f".{os.getpid()}.tmp")
        draft.write_text(text, encoding="utf-8")
        draft.replace(copy)
