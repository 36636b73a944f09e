"""The rules for a page about one lesson."""

import re
from collections.abc import Iterable, Iterator, Mapping

from course.authoring.lint import SHORT_LESSONS, sections
from course.facts.models import models
from course.facts.syllabus import misconceptions, objectives
from course.workshop.kit.ground import Found, Ground, right_options, votable
from course.workshop.kit.minutes import COLUMNS, clock, minute_tables, poll_items, polled, ticket, title
from course.workshop.kit.page import Page, Row, Section, Table, Text

__all__ = ["SECTIONS", "lesson_page"]

SECTIONS = (
    "Outcome", "Set up", "Minutes", "Polls", "Often believed", "You will be asked",
    "Late or early", "Exit ticket", "If something breaks",
)  # fmt: skip
MINUTES_A_POLL = 15
ANSWERS = "Answers to the guesses: "
WORDS = 1350
QUESTIONS = 4
BELIEFS = 3
TICKET = 3
ACROSS = SHORT_LESSONS
"""Lessons that look across all others: their polls may be on any objective."""
BANDS = ("Below 30 %", "Between", "Above 75 %")
BREAKAGES = ("No Wi-Fi", "Kernel dead", "Hub full")
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


def lesson_page(page: Page, on: Ground) -> Iterator[Found]:
    """Yield what is wrong with the page of one lesson."""
    if page.number not in on.lessons:
        yield 0, "no_lesson", {"number": page.number}
        return
    lesson = on.lessons[page.number]
    named = title(page)
    if named is None or named[0] != f"{page.number} · {lesson.title}":
        yield 1, "title", {"wanted": f"# {page.number} · {lesson.title} · NN minutes"}
    headings = [s.heading.plain for s in page.sections if s.level == 2]
    if headings != list(SECTIONS):
        yield 1, "sections", {"wanted": " · ".join(SECTIONS), "found": " · ".join(headings)}
        return
    if page.words > WORDS:
        yield 0, "long", {"count": page.words, "most": WORDS}
    slot = named[1] if named else 0
    alone = on.minutes(page.number)
    if alone and not alone <= slot <= 2 * alone:
        yield 1, "slot", {"slot": slot, "alone": alone, "most": 2 * alone}
    found = [
        *_outcome(page, on),
        *_set_up(page),
        *_lesson_minutes(page, slot, on),
        *_polls(page, slot, on),
        *_beliefs(page, on),
        *_asked(page),
        *_late_early(page),
        *_exit(page, on),
        *_breaks(page),
    ]
    yield from found
    told = {(line, values.get("id")) for line, _, values in found}
    yield from (hit for hit in _names(page, on) if (hit[0], hit[2].get("id")) not in told)


def _under(page: Page, heading: str) -> Section:
    section = page.section(heading)
    assert section is not None, heading  # the caller has looked
    return section


def _outcome(page: Page, on: Ground) -> Iterator[Found]:
    section = _under(page, "Outcome")
    words = " ".join(text.plain for text in section.texts)
    own = [o for o in objectives().values() if o.lesson == page.number]
    for key, pattern, due in (
        ("objectives", r"\b[A-Z]{3,4}-\d+\b", {o.id for o in own}),
        ("tasks", r"\b[1-5]\.[1-7]\b", {task for o in own for task in o.exam}),
    ):
        if (said := set(re.findall(pattern, words))) != due:
            yield section.heading.line, key, {"wanted": _list(due), "found": _list(said)}


def _list(ids: Iterable[str]) -> str:
    return ", ".join(sorted(ids)) or "–"


def _set_up(page: Page) -> Iterator[Found]:
    section = _under(page, "Set up")
    wanted = [*polled(page), *(id for text in ticket(page) for id in text.codes[:1])]
    if wanted not in [poll_items(text) for text in section.texts]:
        yield section.heading.line, "room", {"items": ",".join(wanted)}


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


def _lesson_minutes(page: Page, slot: int, on: Ground) -> Iterator[Found]:
    section = _under(page, "Minutes")
    tables = minute_tables(section)
    if len(tables) != 1 or tables[0].head != COLUMNS:
        yield section.heading.line, "table", {"wanted": " | ".join(COLUMNS)}
        return
    exit_items = {code for text in ticket(page) for code in text.codes[:1]}
    known = {*on.activities(page.number), *polled(page), *exit_items}
    yield from clock(tables[0], slot, known)
    yield from _answers(section, tables[0], on.predictions(page.number), on.guessed_right)
    starts = [row.cells[0].plain for row in tables[0].rows]
    for text in page.texts():
        for minute in re.findall(r"\bminute (\d+)", text.plain):
            if minute not in starts:
                yield (
                    text.line,
                    "minute",
                    {"minute": minute, "starts": ", ".join(starts)},
                )


def _answers(
    section: Section, minutes: Table, predictions: Mapping[str, list[str]], right: Mapping[str, str]
) -> Iterator[Found]:
    """Whether the line of answers gives, for every prediction that the table checks with, the right option where that
    is written down, else one of the options."""
    lines = [text for text in section.texts if text.plain.startswith(ANSWERS)]
    line = lines[0].line if lines else section.heading.line
    given = lines[0].plain.removeprefix(ANSWERS).removesuffix(".") if lines else ""
    answers = dict(part.strip().partition(" ")[::2] for part in given.split(" · ") if part)
    asked = [id for row in minutes.rows for cell in row.cells[4:5] for id in cell.codes if id in predictions]
    for id in dict.fromkeys([*asked, *answers]):
        options = [right[id]] if id in right else predictions.get(id, [])
        if answers.get(id) not in options:
            yield line, "answer", {"id": id, "options": " / ".join(options) or "–", "found": answers.get(id, "–")}


def _polls(page: Page, slot: int, on: Ground) -> Iterator[Found]:
    polls = page.below("Polls")
    rows = [row for found in minute_tables(_under(page, "Minutes")) for row in found.rows]
    taught_until = rows[-1].cells[0].plain if rows else ""
    least = (int(taught_until) if taught_until.isdigit() else slot) // MINUTES_A_POLL
    if len(polls) < least:
        yield _under(page, "Polls").heading.line, "few_polls", {"count": len(polls), "least": least}
    taught = _taught(rows, sections(on.lessons[page.number]))
    for poll in polls:
        yield from _poll(poll, taught, page.number, on)


def _taught(rows: Iterable[Row], objectives_of: Mapping[str, tuple[str, ...]]) -> dict[str, set[str]]:
    """Return, for each id in the column `check`, the objectives of the sections in its row and those before it."""
    taught: set[str] = set()
    found: dict[str, set[str]] = {}
    for row in rows:
        taught |= {id for cell in row.cells[2:3] for heading in cell.italics for id in objectives_of.get(heading, ())}
        found |= {code: set(taught) for cell in row.cells[4:5] for code in cell.codes}
    return found


def _poll(poll: Section, taught: Mapping[str, set[str]], number: str, on: Ground) -> Iterator[Found]:
    line = poll.heading.line
    if not poll.heading.codes:
        yield line, "poll_id", {}
        return
    id = poll.heading.codes[0]
    yield from _item(line, id, number, on)
    if id not in taught:
        yield line, "poll_when", {"id": id}
    elif id in on.items and number not in ACROSS and not taught[id] & set(on.items[id].objectives):
        yield line, "poll_early", {"id": id, "objectives": ", ".join(on.items[id].objectives)}
    yield from _key(next((text for text in poll.texts if text.plain.startswith("Key")), None), line, id, on)
    for band in BANDS:
        if not any(text.plain.startswith(band) for text in poll.texts):
            yield line, "band", {"band": band}


def _item(line: int, id: str, number: str, on: Ground) -> Iterator[Found]:
    """Yield why `id` cannot be asked in a room on this lesson."""
    yield from votable(line, id, on)
    asks = on.items[id].objectives if id in on.items else ()
    if asks and number not in ACROSS and not any(o in objectives() and objectives()[o].lesson == number for o in asks):
        yield line, "item_lesson", {"id": id, "objectives": ", ".join(asks), "number": number}


def _key(text: Text | None, line: int, id: str, on: Ground) -> Iterator[Found]:
    right = right_options(on.items[id]) if id in on.items else set()
    said = set(text.head_codes()) - {id} if text else set()
    if right and said != right:
        yield text.line if text else line, "key", {"id": id, "wanted": _list(right), "found": _list(said)}


def _beliefs(page: Page, on: Ground) -> Iterator[Found]:
    section = _under(page, "Often believed")
    rows = [row for found in section.tables for row in found.rows]
    beliefs = [next(iter(row.cells[0].codes), "") for row in rows]
    if len(set(beliefs)) < BELIEFS:
        yield section.heading.line, "few_beliefs", {"count": len(set(beliefs)), "least": BELIEFS}
    for belief, row in zip(beliefs, rows, strict=True):
        if belief not in misconceptions():
            yield row.line, "no_belief", {"id": belief, "known": ", ".join(misconceptions())}
            continue
        shown = [id for cell in row.cells[1:2] for id in cell.codes]
        if not shown:
            yield row.line, "belief_unshown", {"id": belief}
        for id in shown:
            if id not in on.items:
                yield row.line, "no_item", {"id": id}
            elif belief not in {o.misconception for o in getattr(on.items[id], "options", ())}:
                yield row.line, "belief_item", {"id": id, "belief": belief}


def _asked(page: Page) -> Iterator[Found]:
    section = _under(page, "You will be asked")
    count = sum("?" in text.plain for text in section.texts)
    if count < QUESTIONS:
        yield section.heading.line, "few_questions", {"count": count, "least": QUESTIONS}


def _late_early(page: Page) -> Iterator[Found]:
    section = _under(page, "Late or early")
    for word, sign in (("Late", "−"), ("Early", "+")):
        lines = [text for text in section.texts if re.match(rf"{word}, {re.escape(sign)}\d+ min", text.plain)]
        if not lines:
            yield section.heading.line, "late_early", {"wanted": f"**{word}, {sign}N min**"}
        for text in lines:
            if not text.italics and not text.codes:
                yield text.line, "late_names", {"word": word}


def _exit(page: Page, on: Ground) -> Iterator[Found]:
    section, items = _under(page, "Exit ticket"), ticket(page)
    if len(items) != TICKET:
        yield section.heading.line, "ticket", {"count": len(items), "wanted": TICKET}
    for text in items:
        id = next(iter(text.codes), "")
        yield from _item(text.line, id, page.number, on)
        yield from _key(text, text.line, id, on)
        if id in polled(page):
            yield text.line, "ticket_polled", {"id": id}


def _breaks(page: Page) -> Iterator[Found]:
    section = _under(page, "If something breaks")
    for label in BREAKAGES:
        if not any(text.plain.startswith(label) for text in section.texts):
            yield section.heading.line, "recovery", {"label": label}
    if not any(link.startswith("recovery.md") for text in section.texts for link in text.links):
        yield section.heading.line, "recovery_link", {}
