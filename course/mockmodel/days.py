"""Days that are told by their distance from today: "in 3 days", "next Friday", "다음 주 금요일", "month's end".

A week begins on Monday. "Friday" is the next one from today; "next Friday" the one of next week; "next week" its
Monday; "the weekend" its Saturday. Today is what the system prompt says, else `[assumed]` in `lexicon.toml`.
"""

import re
from collections.abc import Callable
from datetime import date, timedelta

from course.mockmodel.words import data

__all__ = ["DAYS", "day_count"]

COUNT = r"(\d{1,3}|an?|one|two|three|four|five|six|seven|ten)"
WEEKDAY = r"(monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
WEEKDAY_KO = r"([월화수목금토일])요일"
KOREAN = "월화수목금토일"
LENGTHS = {"day": 1, "week": 7, "일": 1, "주": 7}


def _counted(text: str) -> int:
    if text.isdigit():
        return int(text)
    return 1 if text in ("a", "an") else int(data()["numbers"][text])


def _ahead(m: re.Match[str], today: date) -> date:
    return today + timedelta(days=_counted(m[1].lower()) * LENGTHS[m[2].lower()])


def _monday(today: date, weeks: int) -> date:
    return today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)


def _weekday(name: str) -> int:
    return KOREAN.index(name) if name in KOREAN else int(data()["weekdays"][name.lower()])


def _past(m: re.Match[str], today: date) -> date:
    return today - timedelta(days=(today.weekday() - _weekday(m[1])) % 7 or 7)


def _of_month(m: re.Match[str], today: date) -> date | None:
    day = int(m[1])
    months = [(today.year + (today.month - 1 + n) // 12, (today.month - 1 + n) % 12 + 1) for n in range(3)]
    for year, month in months:
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found >= today:
            return found
    return None


def _month_end(today: date) -> date:
    return (today.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


Day = Callable[[re.Match[str], date], date | None]
DAYS: tuple[tuple[re.Pattern[str], Day], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), read)
    for pattern, read in (
        (r"\bthe day after tomorrow\b|글피", lambda m, today: today + timedelta(days=3 if m.group() == "글피" else 2)),
        (r"\bthe day before yesterday\b|그저께|그제", lambda _, today: today - timedelta(days=2)),
        (rf"\bin {COUNT} (day|week)s?(?:' time)?\b(?! from)", _ahead),
        (rf"\b{COUNT} (day|week)s? from (?:now|today)\b", _ahead),
        (r"(?<!\d)(\d{1,3})\s*(일|주)\s*(?:뒤|후)", _ahead),
        (rf"\b(?:on )?{WEEKDAY} next week\b", lambda m, t: _monday(t, 1) + timedelta(days=_weekday(m[1]))),
        (rf"\bnext {WEEKDAY}\b", lambda m, t: _monday(t, 1) + timedelta(days=_weekday(m[1]))),
        (rf"다음\s*주\s*{WEEKDAY_KO}", lambda m, t: _monday(t, 1) + timedelta(days=_weekday(m[1]))),
        (rf"이번\s*주\s*{WEEKDAY_KO}", lambda m, t: _monday(t, 0) + timedelta(days=_weekday(m[1]))),
        (rf"\blast {WEEKDAY}\b", _past),
        (rf"지난\s*(?:주\s*)?{WEEKDAY_KO}", _past),
        (r"\bnext weekend\b|다음\s*주말", lambda _, t: _monday(t, 1) + timedelta(days=5)),
        (r"\b(?:this|the|at the|over the) weekend\b|주말", lambda _, t: _monday(t, 0) + timedelta(days=5)),
        (r"\bnext week\b|다음\s*주(?!\s*[월화수목금토일]요일|\s*말)", lambda _, t: _monday(t, 1)),
        (r"\bthis (?:morning|afternoon|evening)\b", lambda _, t: t),
        (r"\b(?:the )?end of (?:the|this) month\b|이번\s*달\s*말|월말", lambda _, t: _month_end(t)),
        (r"\b(?:on|by|until|from) the (\d{1,2})(?:st|nd|rd|th)\b(?!\s+(?:of|floor|street|avenue))", _of_month),
    )
)
COUNTED = re.compile(r"(\d{1,3})\s*(?:days?|일)\b", re.IGNORECASE)


def day_count(text: str) -> int | None:
    """Return the number in "in 3 days", for tools that want how many days ahead; None when there is none."""
    found = COUNTED.search(text)
    return int(found[1]) if found else None
