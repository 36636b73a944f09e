"""What a matched text says: a number, an amount of money, a day, a time of day, a list."""

import json
import re
from datetime import date
from typing import Any

from course.mockmodel.words import data

__all__ = [
    "clock_of",
    "day_of",
    "iso_of",
    "list_of",
    "money_of",
    "month_of",
    "number_of",
    "scaled",
    "spoken_clock",
    "sum_of",
]

SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₩": "KRW"}
SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}


def number_of(text: str) -> int | float:
    plain = text.replace(",", "")
    return float(plain) if "." in plain else int(plain)


def scaled(m: re.Match[str]) -> int | float:
    plain = m.group().removesuffix(m["scale"] or "").rstrip(" ").removesuffix("%").rstrip(" ")
    number = float(plain.replace(",", "")) if "e" in plain.lower() else number_of(plain)
    return number * SCALES[m["scale"]] if m["scale"] else number


def money_of(m: re.Match[str]) -> tuple[int | float, str]:
    return (number_of(m[2]), SIGNS[m[1]]) if m[1] else (number_of(m[3]), SIGNS[m[4]])


def sum_of(text: str) -> str:
    return re.sub(r"(?<=\d),(?=\d{3})", "", text.strip(" .,")).replace("×", "*").replace("÷", "/")


def list_of(text: str) -> list[Any] | None:
    """The JSON list that a bracketed text reads as, or None."""
    try:
        found = json.loads(text.replace("(", "[").replace(")", "]").replace("'", '"'))
    except ValueError:
        return None
    return found if isinstance(found, list) and found else None


def day_of(year: str | int | None, month: str | int, day: str | int, today: date) -> str | None:
    """An ISO date; without a year the next such day from today. None for a day that does not exist."""
    try:
        found = date(int(year or today.year), int(month), int(day))
    except ValueError:
        return None
    return (found if year or found >= today else found.replace(year=today.year + 1)).isoformat()


def iso_of(m: re.Match[str], today: date) -> str | None:
    day = day_of(m[1], m[2], m[3], today)
    return f"{day}T{m[4]}{m[5] or ''}" if day and m[4] else day


def month_of(name: str) -> int:
    return int(data()["months"][name.lower()])


def clock_of(m: re.Match[str]) -> str | None:
    if m[6]:
        return "12:00" if m[6].lower() == "noon" else "00:00"
    hour, minute = int(m[1] or m[4] or m[8]), int(m[2] or m[9] or 0)
    half = (m[3] or m[5] or "").lower() or {"오전": "a", "오후": "p"}.get(m[7] or "", "")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


MINUTES = {"half": 30, "quarter": 15, "twenty": 20, "ten": 10, "five": 5}


def spoken_clock(m: re.Match[str]) -> str | None:
    """The time of day that is told in words ("half past nine", "quarter to 5 pm") as HH:MM."""
    hour = int(m[3]) if m[3].isdigit() else int(data()["numbers"][m[3].lower()])
    minute = MINUTES[m[1].lower()]
    if hour > 23:
        return None
    if (half := (m[4] or "").lower()) and hour < 13:
        hour = hour % 12 + (12 if half == "p" else 0)
    total = hour * 60 + (minute if m[2].lower() == "past" else -minute)
    return f"{total // 60 % 24:02}:{total % 60:02}"
