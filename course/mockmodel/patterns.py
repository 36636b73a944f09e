"""Values that are known by their form: quoted strings, addresses, ids, dates, numbers."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from course.mockmodel.days import DAYS, Day
from course.mockmodel.reading import (
    clock_of,
    day_of,
    iso_of,
    list_of,
    money_of,
    month_of,
    number_of,
    scaled,
    spoken_clock,
    sum_of,
)

__all__ = ["TABLE"]

QUOTED = re.compile(
    r"\"[^\"\n]{1,200}\"\s*:(?=\s*[\"\d\[{tfn-])"  # the key of a JSON object, which is no value
    r"|\"([^\"\n]{1,2000})\"|“([^”]{1,2000})”|「([^」]{1,2000})」"
    r"|(?<!\w)'([^'\n]{1,500})'(?!\w)|`([^`\n]{1,500})`"
)
EMAIL = re.compile(r"[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}")
URL = re.compile(r"\b(?:https?://|www\.)[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]")
SQL = re.compile(r"\b(?:SELECT|select)\s.+?\s(?:FROM|from)\s[^?;\n]+")
PATH = re.compile(
    r"(?<![\w/.])(?:~?/[\w.-]+(?:/[\w.-]*)*|\.{1,2}/[\w./-]+|(?:[\w-]+/)*[\w-]+\.[a-z][a-z0-9]{0,4}\b"
    r"|(?:[\w-]+/)+[\w.-]*)(?<![.,])"
)
ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(Z|[+-]\d{2}:?\d{2})?)?(?!\d)")
SLASHED = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b")
DOTTED = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b")
MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
DAY_MONTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+({MONTHS})\b\.?,?(?:\s+(\d{{4}}))?", re.IGNORECASE)
MONTH_DAY = re.compile(rf"\b({MONTHS})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(\d{{4}}))?", re.IGNORECASE)
KOREAN_DATE = re.compile(r"(?:(\d{4})\s*년\s*)?(\d{1,2})\s*월\s*(\d{1,2})\s*일")
HOURS = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}"
SPOKEN_CLOCK = re.compile(
    rf"\b(half|quarter|twenty|ten|five) (past|to) ({HOURS})\b(?:\s*([ap])\.?m\b\.?)?", re.IGNORECASE
)
CLOCK = re.compile(
    r"\b(\d{1,2}):(\d{2})(?:\s*([ap])\.?m\b\.?)?|\b(\d{1,2})\s*([ap])\.?m\b\.?|\b(noon|midnight)\b|(오전"
    r"|오후)?\s*(\d{1,2})\s*시(?:\s*(\d{1,2})\s*분)?",
    re.IGNORECASE,
)
MONEY = re.compile(r"([$€£¥₩])\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?([$€£¥₩])")
SUM = re.compile(r"(?<![\w.])[(\d][\d\s().,]*(?:\s*(?:\*\*|[-+*/×÷^%])\s*[(]*\s*\d[\d.,]*\s*[)]*)+")
ID = re.compile(
    r"(?<![\w.-])(?=[A-Za-z0-9_-]*\d)(?:[A-Za-z]{1,12}(?:[-_][A-Za-z0-9]+)*[-_]?\d[A-Za-z0-9_-]*"
    r"|\d+[A-Za-z]+\d[A-Za-z0-9_-]*|\d{2,}(?:-\d{2,})+|[0-9a-f]{8}-[0-9a-f-]{20,})(?![A-Za-z0-9_.-]*@)"
)
PAIR = re.compile(r"\b[A-Z]{3}/[A-Z]{3}\b")
ADDRESS = re.compile(
    r"\b\d{1,5}[a-z]?(?:\s+[A-Z][\w.'-]*){1,3}\s+(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard"
    r"|Blvd|Way|Square|Place)\b"
)
PERCENT_OF = re.compile(r"(\d+(?:\.\d+)?)\s?%\s+of\s+(\d[\d,]*(?:\.\d+)?)")
NUMBERS = re.compile(r"(?<![\w-])\d{2,}(?:-\d{2,})+(?![\w-])")
IDENTIFIER = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b")
TAG = re.compile(r"(?<![\w&/])[#@][A-Za-z][A-Za-z0-9_-]*(?![\w.]*@)")
HASH = re.compile(r"#\s?(\d+)\b")
PHONE = re.compile(r"(?<![\w-])(?:\+\d{1,3}[\s-]?)?(?:\(\d{2,4}\)[\s-]?|\d{2,4}[\s-])\d{3,4}[\s-]\d{4}(?!\w)")
UNITS = (
    r"%|°[CF]?|[kcmµunp]?m[²³]?|km/h|m/s|mph|[kmµ]?g|lbs?|oz|ft|in|mi|yd|h|hrs?|s|secs?|ms|mins?|[KMGT]i?B"
    r"|[CFKVWAJN]|[kM]?Hz|[kM]?W|kWh|mm?[lL]|L"
    r"|[mµ]?[HF]|am|pm|st|nd|rd|th|k|M|bn"
)
NUMBER = re.compile(
    rf"(?<![\w.])-?\d+(?:,\d{{3}})*(?:\.\d+)?(?:[eE][-+]?\d+)?(?=\s?%|(?:{UNITS})?(?![\w^])"
    rf"|[가-힣])(?P<percent>\s?%)?(?:\s+(?P<scale>thousand|million|billion)\b)?"
)
LIST = re.compile(
    r"\[[-+\d\s.,eE\[\]]+\]|\(-?\d+(?:\.\d+)?(?:\s*,\s*-?\d+(?:\.\d+)?)+\)|\[(?:\s*(?:'[^'\]]*'|\"[^\"\]]*\")\s*,?)+\]"
)
NUMBER_KO = re.compile(r"(\d+(?:,\d{3})*(?:\.\d+)?)(?=[가-힣])")
Reader = Callable[[re.Match[str], date], Any]


def _slashed(m: re.Match[str], today: date) -> str | None:
    """Month/day/year; day/month/year where the first number can be no month."""
    first, second = int(m[1]), int(m[2])
    return day_of(m[3], *((first, second) if first <= 12 else (second, first)), today)


def _told(read: Day) -> Reader:
    def value(m: re.Match[str], today: date) -> str | None:
        day = read(m, today)
        return day.isoformat() if day else None

    return value


TABLE: tuple[tuple[str, re.Pattern[str], str, Reader], ...] = (
    # kind, pattern, a character the text must hold (any of; "" for none), reader of the value
    ("list", LIST, "[(", lambda m, _: list_of(m.group())),
    ("quoted", QUOTED, "\"“「'`", lambda m, _: next((group for group in m.groups() if group is not None), None)),
    ("email", EMAIL, "@", lambda m, _: m.group().rstrip(".")),
    ("url", URL, ".", lambda m, _: m.group()),
    ("sql", SQL, "Ss", lambda m, _: m.group().strip()),
    ("id", PAIR, "/", lambda m, _: m.group()),
    ("address", ADDRESS, "0123456789", lambda m, _: m.group()),
    ("date", ISO, "-", iso_of),
    ("date", SLASHED, "/", _slashed),
    ("date", DOTTED, ".", lambda m, today: day_of(m[3], m[2], m[1], today)),
    *(("date", pattern, "", _told(read)) for pattern, read in DAYS),
    ("path", PATH, "/.", lambda m, _: m.group()),
    ("date", DAY_MONTH, "0123456789", lambda m, today: day_of(m[3], month_of(m[2]), m[1], today)),
    ("date", MONTH_DAY, "0123456789", lambda m, today: day_of(m[3], month_of(m[1]), m[2], today)),
    ("date", KOREAN_DATE, "월", lambda m, today: day_of(m[1], m[2], m[3], today)),
    ("time", SPOKEN_CLOCK, "apto", lambda m, _: spoken_clock(m)),
    ("time", CLOCK, ":시mMnN", lambda m, _: clock_of(m)),
    ("money", MONEY, "$€£¥₩", lambda m, _: money_of(m)),
    ("phone", PHONE, "0123456789", lambda m, _: m.group()),
    ("expression", PERCENT_OF, "%", lambda m, _: f"{m[1]} / 100 * {m[2].replace(',', '')}"),
    ("id", NUMBERS, "-", lambda m, _: m.group()),
    ("expression", SUM, "+-*/×÷^%", lambda m, _: sum_of(m.group())),
    ("id", ID, "0123456789", lambda m, _: m.group().rstrip("-_")),
    ("identifier", IDENTIFIER, "_ABCDEFGHIJKLMNOPQRSTUVWXYZ", lambda m, _: m.group()),
    ("id", TAG, "#@", lambda m, _: m.group()),
    ("id", HASH, "#", lambda m, _: m[1]),
    ("number", NUMBER, "0123456789", lambda m, _: scaled(m)),
    ("number", NUMBER_KO, "0123456789", lambda m, _: number_of(m[1])),
)
