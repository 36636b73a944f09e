"""What a second reader has approved: `reviewed.lock` beside the bank's files, one line `id version digest` an item.

A reviewed item whose question or key changes under the same version stops the build: histories are re-scored by
version, so a silent change would leave them wrong. Reasons, explanations, sources and dates may be mended freely.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from course.quiz.bank import Bank
from course.quiz.items import Item
from course.quiz.lint.finding import Hit

__all__ = ["LOCK", "accept_reviewed", "digest", "reviewed_rules"]

LOCK = "reviewed.lock"
FREE = Item.model_fields.keys() - {"id", "kind", "stem", "exhibits"} | {
    "mistakes",
    "near",
    "why",
    "misconception",
    "claim",
}


def digest(item: Item) -> str:
    """Return twelve hex digits that change with the question or its key, and with nothing else."""
    text = json.dumps(_bare(item.model_dump(mode="json")), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _bare(part) for name, part in value.items() if name not in FREE}
    return [_bare(part) for part in value] if isinstance(value, list) else value


def reviewed_rules(bank: Bank) -> Iterator[tuple[Item, Hit]]:
    """Yield reviewed items that are not as they were approved, or not yet approved at this version."""
    approved = _read(bank)
    for item in bank:
        if item.status != "reviewed":
            continue
        version, seen = approved.get(item.id, (0, ""))
        if item.version < version or (item.version == version and seen != digest(item)):
            yield item, ("E21", ("version",), {"version": version})
        elif item.version > version:
            yield item, ("W27", ("version",), {"version": item.version})


def accept_reviewed(bank: Bank) -> int:
    """Write the lock for every reviewed item, and return how many; call it after a second reader agreed."""
    found = sorted((item.id, item.version, digest(item)) for item in bank if item.status == "reviewed")
    text = "".join(f"{id} {version} {seen}\n" for id, version, seen in found)
    _path(bank).write_text(text, encoding="utf-8")
    return len(found)


def _path(bank: Bank) -> Path:
    place = next(iter(bank.places.values()))
    return place.file.parent / LOCK


def _read(bank: Bank) -> dict[str, tuple[int, str]]:
    if not bank.places or not _path(bank).is_file():
        return {}
    rows = (line.split() for line in _path(bank).read_text(encoding="utf-8").splitlines())
    return {row[0]: (int(row[1]), row[2]) for row in rows if len(row) == 3 and row[1].isdigit()}
