"""The lint of the instructor kit: minutes add up, checks come often enough, every id named is true.

The format is told in docs/instructor/README.md. `check(root)` reads pages, lessons and questions of one checkout;
`findings(pages, ground)` is the same without a disk.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course.authoring.lint import SHORT_LESSONS, called, checked, sections
from course.authoring.source import Lesson, find_sources, read as read_lesson
from course.facts import say
from course.facts.models import models
from course.facts.syllabus import misconceptions, objectives
from course.facts.text import table
from course.lesson.exercise import Exercise
from course.lesson.exercises import exercises
from course.quiz.bank import load_bank
from course.quiz.items import Item
from course.workshop.kitpage import Page, Row, Section, Table, Text, read

__all__ = ["FOLDER", "SECTIONS", "Finding", "Ground", "check", "findings", "ground"]

FOLDER = Path("docs") / "instructor"
SECTIONS = (
    "Outcome", "Set up", "Minutes", "Polls", "Often believed", "You will be asked",
    "Late or early", "Exit ticket", "If something breaks",
)  # fmt: skip
MINUTES = ("at", "min", "part", "what happens", "check")
LONGEST_GAP = 20
LONGEST_SITTING = 100
MINUTES_A_POLL = 15
WORDS = 1500
QUESTIONS = 4
BELIEFS = 3
TICKET = 3
POLLED = ("single", "select_n")
ACROSS = SHORT_LESSONS
"""Lessons that look across all others: their polls may be on any objective."""
BANDS = ("Below 30 %", "Between", "Above 75 %")
BREAKAGES = ("No Wi-Fi", "Kernel dead", "Hub full")
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
COMMAND = re.compile(r"(?:\S*/)?(course|make|python start\.py)\s+([a-z-]+)")


@dataclass(frozen=True)
class Finding:
    """What is wrong in one place: the file's name, its line (0: the whole file), and what was expected and is to be done."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}" if self.line else f"{self.file}: {self.text}"


@dataclass(frozen=True)
class Ground:
    """What pages may name: lessons and exercises by number and id, items by id, verbs, and files a link may lead to."""

    lessons: Mapping[str, Lesson]
    items: Mapping[str, Item]
    exercises: Mapping[str, Exercise]
    verbs: frozenset[str] = frozenset()
    makes: frozenset[str] = frozenset()
    folder: Path = field(default=FOLDER)

    def headings(self, number: str) -> tuple[str, ...]:
        """Return every heading of a lesson."""
        return tuple(
            line.lstrip("# ").strip()
            for cell in self.lessons[number].cells
            if cell.kind == "markdown"
            for line in cell.source.splitlines()
            if line.startswith("#")
        )

    def minutes(self, number: str) -> int:
        """Return the minutes that a lesson asks of somebody who works alone, 0 where it says none."""
        before = " ".join(cell.source for cell in self.lessons[number].cells if "before" in cell.tags)
        said = re.search(r"(\d+) minutes", before)
        return int(said[1]) if said else 0

    def activities(self, number: str) -> frozenset[str]:
        """Return the ids of a lesson's exercises and predictions."""
        found: set[str] = set()
        for cell in self.lessons[number].cells:
            found |= set(checked(cell))
            if called(cell).get("predict"):
                found |= set(re.findall(r'predict\(\s*"([a-z0-9-]+)"', cell.source))
        return frozenset(found)


Found = tuple[int, str, dict[str, Any]]


def check(root: Path) -> list[Finding]:
    """Return what is wrong with the kit in `root`/docs/instructor; empty when it is sound."""
    pages = [read(path) for path in sorted((root / FOLDER).glob("*.md"))]
    return findings(pages, ground(root))


def ground(root: Path) -> Ground:
    """Return what the pages of the checkout `root` may name."""
    lessons = [read_lesson(path) for path in find_sources(root / "lessons")]
    makefile = root / "Makefile"
    verbs = re.search(r"^VERBS = (.*)$", makefile.read_text(encoding="utf-8"), re.M) if makefile.is_file() else None
    return Ground(
        {lesson.number: lesson for lesson in lessons},
        load_bank(root / "quizzes").items,
        exercises(),
        frozenset(table("cli.verbs")),
        frozenset(verbs[1].split()) | {"help"} if verbs else frozenset(),
        root / FOLDER,
    )


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
            hits += _lesson_page(page, on)
        elif page.name.startswith("plan-"):
            hits += _plan(page, names, on)
        found += [
            Finding(page.name, line, say(f"kit.{key}", **values)) for line, key, values in sorted(hits, key=_order)
        ]
    return found


def _order(hit: Found) -> int:
    return hit[0]


def _everywhere(page: Page, on: Ground) -> Iterator[Found]:
    for text in page.texts():
        for link in text.links:
            target = link.partition("#")[0]
            if target and "://" not in target and not (on.folder / target).exists():
                yield text.line, "link", {"link": link}
        for code in text.codes:
            if named := COMMAND.match(code):
                known = on.verbs if named[1] == "course" else on.makes
                if named[2] not in known:
                    yield text.line, "verb", {"command": code, "known": ", ".join(sorted(known))}


def _lesson_page(page: Page, on: Ground) -> Iterator[Found]:
    if page.number not in on.lessons:
        yield 0, "no_lesson", {"number": page.number}
        return
    lesson = on.lessons[page.number]
    title = _title(page)
    if title is None or title[0] != f"{page.number} · {lesson.title}":
        yield 1, "title", {"wanted": f"# {page.number} · {lesson.title} · NN minutes"}
    headings = [s.heading.plain for s in page.sections if s.level == 2]
    if headings != list(SECTIONS):
        yield 1, "sections", {"wanted": " · ".join(SECTIONS), "found": " · ".join(headings)}
        return
    if page.words > WORDS:
        yield 0, "long", {"count": page.words, "most": WORDS}
    slot = title[1] if title else 0
    alone = on.minutes(page.number)
    if alone and not alone <= slot <= 2 * alone:
        yield 1, "slot", {"slot": slot, "alone": alone, "most": 2 * alone}
    yield from _outcome(page, on)
    yield from _names(page, on)
    yield from _lesson_minutes(page, slot, on)
    yield from _polls(page, slot, on)
    yield from _beliefs(page, on)
    yield from _asked(page)
    yield from _late_early(page, on)
    yield from _exit(page, on)
    yield from _breaks(page)


def _title(page: Page) -> tuple[str, int] | None:
    first = page.sections[0] if page.sections else None
    said = re.fullmatch(r"(.+) · (\d+) minutes", first.heading.plain) if first and first.level == 1 else None
    return (said[1], int(said[2])) if said else None


def _under(page: Page, heading: str) -> Section:
    section = page.section(heading)
    assert section is not None, heading  # the caller has looked
    return section


def _outcome(page: Page, on: Ground) -> Iterator[Found]:
    section = _under(page, "Outcome")
    line = section.heading.line
    words = " ".join(text.plain for text in section.texts)
    own = [o for o in objectives().values() if o.lesson == page.number]
    named = set(re.findall(r"\b[A-Z]{3,4}-\d+\b", words))
    if named != {o.id for o in own}:
        yield (
            line,
            "objectives",
            {"wanted": ", ".join(o.id for o in own) or "–", "found": ", ".join(sorted(named)) or "–"},
        )
    tasks = set(re.findall(r"\b[1-5]\.[1-7]\b", words))
    due = {task for o in own for task in o.exam}
    if tasks != due:
        yield line, "tasks", {"wanted": ", ".join(sorted(due)) or "–", "found": ", ".join(sorted(tasks)) or "–"}


def _names(page: Page, on: Ground) -> Iterator[Found]:
    headings = set(on.headings(page.number))
    cells = {cell.id for cell in on.lessons[page.number].cells}
    known = {*cells, *on.activities(page.number), *on.items, *misconceptions(), *(m.id for m in models().values())}
    for text in page.texts():
        for italic in text.italics:
            if italic not in headings:
                yield text.line, "heading", {"heading": italic, "known": " · ".join(sorted(headings))}
        for code in text.codes:
            if not text.code_block and ID.fullmatch(code) and code not in known:
                yield text.line, "unknown_id", {"id": code}


def _polled(page: Page) -> dict[str, Section]:
    return {code: s for s in page.below("Polls") for code in s.heading.codes[:1]}


def _ticket(page: Page) -> list[Text]:
    section = page.section("Exit ticket")
    return [text for text in section.texts if "Key" in text.plain] if section else []


def _tables(section: Section) -> list[Table]:
    return [found for found in section.tables if found.head[:2] == MINUTES[:2]]


def _lesson_minutes(page: Page, slot: int, on: Ground) -> Iterator[Found]:
    section = _under(page, "Minutes")
    tables = _tables(section)
    if len(tables) != 1 or tables[0].head != MINUTES:
        yield section.heading.line, "table", {"wanted": " | ".join(MINUTES)}
        return
    exit_items = {code for text in _ticket(page) for code in text.codes[:1]}
    known = {*on.activities(page.number), *_polled(page), *exit_items}
    yield from _clock(tables[0], slot, known)


def _clock(minutes: Table, slot: int, known: set[str]) -> Iterator[Found]:
    """Hold one table of minutes to its slot: `at` runs on, the sum is the slot, checks come often enough."""
    clock = since = sitting = 0
    for row in minutes.rows:
        if len(row.cells) != len(MINUTES) or not all(cell.plain.isdigit() for cell in row.cells[:2]):
            yield row.line, "row", {"wanted": " | ".join(MINUTES)}
            return
        at, length = (int(cell.plain) for cell in row.cells[:2])
        if at != clock:
            yield row.line, "at", {"wanted": clock, "found": at}
        clock += length
        if _is_break(row):
            since = sitting = clock
            continue
        for code in row.cells[4].codes:
            if code not in known:
                yield row.line, "unknown_check", {"id": code}
        if clock - since > LONGEST_GAP:
            yield row.line, "gap", {"count": clock - since, "most": LONGEST_GAP}
        if clock - sitting > LONGEST_SITTING:
            yield row.line, "sitting", {"count": clock - sitting, "most": LONGEST_SITTING}
            sitting = clock
        if row.cells[4].codes or row.cells[4].plain.startswith("exit ticket"):
            since = clock
    if clock != slot:
        yield minutes.line, "sum", {"found": clock, "slot": slot}


def _is_break(row: Row) -> bool:
    return row.cells[2].plain.startswith(("Break", "Lunch"))


def _polls(page: Page, slot: int, on: Ground) -> Iterator[Found]:
    polled = page.below("Polls")
    least = slot // MINUTES_A_POLL
    if len(polled) < least:
        yield _under(page, "Polls").heading.line, "few_polls", {"count": len(polled), "least": least, "slot": slot}
    taught: set[str] = set()
    seen: dict[str, set[str]] = {}
    parts = sections(on.lessons[page.number])
    for found in _tables(_under(page, "Minutes")):
        for row in found.rows:
            taught |= {id for cell in row.cells[2:3] for name in cell.italics for id in parts.get(name, ())}
            seen.update({code: set(taught) for cell in row.cells[4:5] for code in cell.codes})
    for poll in polled:
        line = poll.heading.line
        if not poll.heading.codes:
            yield line, "poll_id", {}
            continue
        id = poll.heading.codes[0]
        yield from _item(line, id, page.number, on)
        if id not in seen:
            yield line, "poll_when", {"id": id}
        elif id in on.items and page.number not in ACROSS and not seen[id] & set(on.items[id].objectives):
            yield line, "poll_early", {"id": id, "objectives": ", ".join(on.items[id].objectives)}
        keys = [text for text in poll.texts if text.plain.startswith("Key")]
        yield from _key(keys[0] if keys else None, line, id, on)
        for band in BANDS:
            if not any(text.plain.startswith(band) for text in poll.texts):
                yield line, "band", {"band": band}


def _item(line: int, id: str, number: str, on: Ground) -> Iterator[Found]:
    """Whether `id` can be asked in a room on this lesson."""
    item = on.items.get(id)
    if item is None:
        yield line, "no_item", {"id": id}
        return
    if item.status != "reviewed":
        yield line, "status", {"id": id, "status": item.status}
    if item.kind not in POLLED:
        yield line, "kind", {"id": id, "kind": item.kind, "kinds": ", ".join(POLLED)}
    if number not in ACROSS and not any(objectives()[o].lesson == number for o in item.objectives if o in objectives()):
        yield line, "item_lesson", {"id": id, "objectives": ", ".join(item.objectives), "number": number}


def _key(text: Text | None, line: int, id: str, on: Ground) -> Iterator[Found]:
    item = on.items.get(id)
    if item is None or item.kind not in POLLED:
        return
    right = {option.id for option in item.options if option.correct}  # type: ignore[attr-defined]
    said = set(text.head_codes()) - {id} if text else set()
    if said != right:
        yield (
            text.line if text else line,
            "key",
            {"id": id, "wanted": ", ".join(sorted(right)), "found": ", ".join(sorted(said)) or "–"},
        )


def _beliefs(page: Page, on: Ground) -> Iterator[Found]:
    section = _under(page, "Often believed")
    rows = [row for found in section.tables for row in found.rows]
    if len(rows) < BELIEFS:
        yield section.heading.line, "few_beliefs", {"count": len(rows), "least": BELIEFS}
    for row in rows:
        belief = next(iter(row.cells[0].codes), "")
        if belief not in misconceptions():
            yield row.line, "no_belief", {"id": belief, "known": ", ".join(misconceptions())}
            continue
        if not row.cells[1].codes:
            yield row.line, "belief_unshown", {"id": belief}
        for id in row.cells[1].codes:
            if id not in on.items:
                yield row.line, "no_item", {"id": id}
            elif belief not in {o.misconception for o in getattr(on.items[id], "options", ())}:
                yield row.line, "belief_item", {"id": id, "belief": belief}


def _asked(page: Page) -> Iterator[Found]:
    section = _under(page, "You will be asked")
    count = sum("?" in text.plain for text in section.texts)
    if count < QUESTIONS:
        yield section.heading.line, "few_questions", {"count": count, "least": QUESTIONS}


def _late_early(page: Page, on: Ground) -> Iterator[Found]:
    section = _under(page, "Late or early")
    for word, sign in (("Late", "−"), ("Early", "+")):
        lines = [text for text in section.texts if re.match(rf"{word}, {re.escape(sign)}\d+ min", text.plain)]
        if not lines:
            yield section.heading.line, "late_early", {"wanted": f"**{word}, {sign}N min**"}
        for text in lines:
            if not text.italics and not text.codes:
                yield text.line, "late_names", {"word": word}


def _exit(page: Page, on: Ground) -> Iterator[Found]:
    section, ticket = _under(page, "Exit ticket"), _ticket(page)
    if len(ticket) != TICKET:
        yield section.heading.line, "ticket", {"count": len(ticket), "wanted": TICKET}
    for text in ticket:
        id = next(iter(text.codes), "")
        yield from _item(text.line, id, page.number, on)
        yield from _key(text, text.line, id, on)
        if id in _polled(page):
            yield text.line, "ticket_polled", {"id": id}


def _breaks(page: Page) -> Iterator[Found]:
    section = _under(page, "If something breaks")
    for label in BREAKAGES:
        if not any(text.plain.startswith(label) for text in section.texts):
            yield section.heading.line, "recovery", {"label": label}
    if not any(link.startswith("recovery.md") for text in section.texts for link in text.links):
        yield section.heading.line, "recovery_link", {}


def _plan(page: Page, pages: Mapping[str, Page], on: Ground) -> Iterator[Found]:
    title = _title(page)
    if title is None:
        yield 1, "plan_title", {}
        return
    total = 0
    for section in page.sections:
        for found in _tables(section):
            slot = re.search(r"· (\d+) minutes", section.heading.plain)
            if slot is None or found.head != MINUTES:
                yield section.heading.line, "plan_table", {"wanted": " | ".join(MINUTES)}
                continue
            total += int(slot[1])
            yield from _clock(found, int(slot[1]), _plan_ids(found, pages, on))
            yield from _plan_headings(found, on)
    if total != title[1]:
        yield 1, "plan_sum", {"found": total, "slot": title[1]}


def _linked(minutes: Table) -> set[str]:
    return {
        link for row in minutes.rows for cell in row.cells for link in cell.links if re.fullmatch(r"\d\d\.md", link)
    }


def _plan_ids(minutes: Table, pages: Mapping[str, Page], on: Ground) -> set[str]:
    """What a plan may check with: the activities, polls and tickets of the lesson pages that it links."""
    known: set[str] = set()
    for link in _linked(minutes):
        if link[:2] in on.lessons and link in pages:
            known |= {*on.activities(link[:2]), *_polled(pages[link])}
            known |= {code for text in _ticket(pages[link]) for code in text.codes[:1]}
    return known


def _plan_headings(minutes: Table, on: Ground) -> Iterator[Found]:
    known = {heading for link in _linked(minutes) if link[:2] in on.lessons for heading in on.headings(link[:2])}
    for row in minutes.rows:
        for cell in row.cells:
            for italic in cell.italics:
                if italic not in known:
                    yield row.line, "heading", {"heading": italic, "known": " · ".join(sorted(known))}
