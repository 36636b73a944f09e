"""Tables of minutes: their clock, their checks and breaks; and the plans, which are made of them."""

import re
from collections.abc import Collection, Iterator, Mapping

from course.workshop.kit.ground import Found, Ground
from course.workshop.kit.page import Page, Row, Section, Table, Text

__all__ = ["COLUMNS", "clock", "minute_tables", "plan", "poll_items", "polled", "ticket", "title"]

COLUMNS = ("at", "min", "part", "what happens", "check")
LONGEST_GAP = 20
LONGEST_SITTING = 100
ITEMS = re.compile(r"(?:course|make) workshop\b.*--items ([^\s\"]+)")


def title(page: Page) -> tuple[str, int] | None:
    """Return what a title names and its minutes: `# Name · 55 minutes`; None where it has another form."""
    first = page.sections[0] if page.sections else None
    said = re.fullmatch(r"(.+) · (\d+) minutes", first.heading.plain) if first and first.level == 1 else None
    return (said[1], int(said[2])) if said else None


def polled(page: Page) -> dict[str, Section]:
    """Return the polls of a page by the id of their item, in order."""
    return {code: s for s in page.below("Polls") for code in s.heading.codes[:1]}


def poll_items(text: Text) -> list[str]:
    """Return the ids that a line of commands opens a room with: `make workshop ARGS="--items a,b"`."""
    lines = (ITEMS.search(line) for line in text.codes if text.code_block)
    return [id for line in lines if line for id in line[1].split(",")]


def ticket(page: Page) -> list[Text]:
    """Return the items of the exit ticket: the texts that tell a key."""
    section = page.section("Exit ticket")
    return [text for text in section.texts if "Key" in text.plain] if section else []


def minute_tables(section: Section) -> list[Table]:
    """Return the tables of minutes under a heading."""
    return [found for found in section.tables if found.head[:2] == COLUMNS[:2]]


def clock(minutes: Table, slot: int, known: Collection[str]) -> Iterator[Found]:
    """Hold one table of minutes to its slot: `at` runs on, the sum is the slot, checks and breaks come often enough.

    known: what its checks may name.
    """
    now = checked_at = rested_at = 0
    for row in minutes.rows:
        if len(row.cells) != len(COLUMNS) or not all(cell.plain.isdigit() for cell in row.cells[:2]):
            yield row.line, "row", {"wanted": " | ".join(COLUMNS)}
            return
        at, length = (int(cell.plain) for cell in row.cells[:2])
        if at != now:
            yield row.line, "at", {"wanted": now, "found": at}
        now += length
        if _is_break(row):
            checked_at = rested_at = now
            continue
        yield from ((row.line, "unknown_check", {"id": id}) for id in row.cells[4].codes if id not in known)
        if now - checked_at > LONGEST_GAP:
            yield row.line, "gap", {"count": now - checked_at, "most": LONGEST_GAP}
        if now - rested_at > LONGEST_SITTING >= at - rested_at:
            yield row.line, "sitting", {"count": now - rested_at, "most": LONGEST_SITTING}
        if row.cells[4].codes or row.cells[4].plain.startswith("exit ticket"):
            checked_at = now
    if now != slot:
        yield minutes.line, "sum", {"found": now, "slot": slot}


def _is_break(row: Row) -> bool:
    return row.cells[2].plain.startswith(("Break", "Lunch"))


def plan(page: Page, pages: Mapping[str, Page], on: Ground) -> Iterator[Found]:
    """Yield what is wrong with a plan: its title, the minutes of its parts, and what their checks and italics name."""
    named = title(page)
    if named is None:
        yield 1, "plan_title", {}
        return
    total = 0
    for section in page.sections:
        for found in minute_tables(section):
            slot = re.search(r"· (\d+) minutes", section.heading.plain)
            if slot is None or found.head != COLUMNS:
                yield section.heading.line, "plan_table", {"wanted": " | ".join(COLUMNS)}
                continue
            total += int(slot[1])
            yield from clock(found, int(slot[1]), _plan_ids(found, pages, on))
            yield from _plan_headings(found, on)
    if total != named[1]:
        yield 1, "plan_sum", {"found": total, "slot": named[1]}


def _linked(minutes: Table) -> set[str]:
    return {
        link for row in minutes.rows for cell in row.cells for link in cell.links if re.fullmatch(r"\d\d\.md", link)
    }


def _plan_ids(minutes: Table, pages: Mapping[str, Page], on: Ground) -> set[str]:
    """What a plan may check with: the activities, polls and tickets of the lesson pages that it links."""
    known: set[str] = set()
    for link in _linked(minutes):
        if link[:2] in on.lessons and link in pages:
            known |= {*on.activities(link[:2]), *polled(pages[link])}
            known |= {code for text in ticket(pages[link]) for code in text.codes[:1]}
    return known


def _plan_headings(minutes: Table, on: Ground) -> Iterator[Found]:
    known = {heading for link in _linked(minutes) if link[:2] in on.lessons for heading in on.headings(link[:2])}
    for row in minutes.rows:
        for cell in row.cells:
            for italic in cell.italics:
                if italic not in known:
                    yield row.line, "heading", {"heading": italic, "known": " · ".join(sorted(known))}
