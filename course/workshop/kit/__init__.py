"""The lint of the instructor kit: minutes add up, checks come often enough, every id named is true.

The format is told in docs/instructor/README.md. `check(root)` reads pages, lessons and questions of one checkout;
`findings(pages, ground)` is the same without a disk.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from course.facts import say
from course.workshop.kit.ground import FOLDER, Found, Ground, ground, votable
from course.workshop.kit.lesson import SECTIONS, lesson_page
from course.workshop.kit.minutes import plan, poll_items
from course.workshop.kit.page import Page, parse, read

__all__ = ["FOLDER", "SECTIONS", "Finding", "Ground", "Page", "check", "findings", "ground", "parse"]

COMMAND = re.compile(r"(?:\S*/)?(course|make|python start\.py)\s+([a-z-]+)")


@dataclass(frozen=True)
class Finding:
    """What is wrong in one place: file, line (0: the whole file), what was expected and what to do."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}" if self.line else f"{self.file}: {self.text}"


def check(root: Path) -> list[Finding]:
    """Return what is wrong with the kit in `root`/docs/instructor; empty when it is sound."""
    pages = [read(path) for path in sorted((root / FOLDER).glob("*.md"))]
    return findings(pages, ground(root))


def findings(pages: Iterable[Page], on: Ground) -> list[Finding]:
    """Return what is wrong with these pages, page by page, in order of lines."""
    pages = list(pages)
    names = {page.name: page for page in pages}
    found = [
        Finding(f"{number}.md", 0, say("kit.no_page", title=lesson.title, folder=FOLDER.as_posix()))
        for number, lesson in on.lessons.items()
        if f"{number}.md" not in names
    ]
    for page in pages:
        hits: list[Found] = list(_everywhere(page, on))
        if page.number:
            hits += lesson_page(page, on)
        elif page.name.startswith("plan-"):
            hits += plan(page, names, on)
        found += [
            Finding(page.name, line, say(f"kit.{key}", **values)) for line, key, values in sorted(hits, key=_order)
        ]
    return found


def _order(hit: Found) -> int:
    return hit[0]


def _everywhere(page: Page, on: Ground) -> Iterator[Found]:
    for text in page.texts():
        for id in poll_items(text):
            yield from votable(text.line, id, on)
        for link in text.links:
            target = link.partition("#")[0]
            if target and "://" not in target and not (on.folder / target).exists():
                yield text.line, "link", {"link": link}
        for code in text.codes:
            if named := COMMAND.match(code):
                known = on.verbs if named[1] == "course" else on.makes
                if named[2] not in known:
                    yield text.line, "verb", {"command": code, "known": ", ".join(sorted(known))}
