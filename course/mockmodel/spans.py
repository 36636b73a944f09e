"""Values in a text: quoted strings, addresses, ids, dates, numbers, names; each with its place and its neighbours."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Any, NamedTuple

from course.mockmodel.words import BLANK, data, is_hangul, stem, strip_particle, table, terms, tokens

__all__ = ["Span", "find_date", "masked", "spans", "split_lists", "split_places", "split_sums"]


class Span(NamedTuple):
    """A value at [start, end) of a text.

    kind: what it looks like (`email`, `date`, `number`, `name`, …). value: as data (`date` an ISO string, `time`
    HH:MM, `number` a number, `money` a pair of number and currency code, else the text).
    before, after: up to three stems before (nearest first) and two after. group: spans with one number stand in one
    list ("Paris, Rome and Oslo").
    """

    start: int
    end: int
    text: str
    kind: str
    value: Any
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    group: int = -1


QUOTED = re.compile(
    r"\"([^\"\n]{1,2000})\"|“([^”]{1,2000})”|「([^」]{1,2000})」|(?<!\w)'([^'\n]{1,500})'(?!\w)|`([^`\n]{1,500})`"
)
EMAIL = re.compile(r"[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}")
URL = re.compile(r"\b(?:https?://|www\.)[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]")
SQL = re.compile(r"\b(?:SELECT|select)\s.+?\s(?:FROM|from)\s[^?;\n]+")
PATH = re.compile(
    r"(?<![\w/.])(?:~?/[\w.-]+(?:/[\w.-]*)*|\.{1,2}/[\w./-]+|(?:[\w-]+/)*[\w-]+\.[a-z][a-z0-9]{0,4}\b|(?:[\w-]+/)+[\w.-]*)(?<![.,])"
)
ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(Z|[+-]\d{2}:?\d{2})?)?(?!\d)")
SLASHED = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b")
MONTHS = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
DAY_MONTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+({MONTHS})\b\.?,?(?:\s+(\d{{4}}))?", re.IGNORECASE)
MONTH_DAY = re.compile(rf"\b({MONTHS})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(\d{{4}}))?", re.IGNORECASE)
KOREAN_DATE = re.compile(r"(?:(\d{4})\s*년\s*)?(\d{1,2})\s*월\s*(\d{1,2})\s*일")
CLOCK = re.compile(
    r"\b(\d{1,2}):(\d{2})(?:\s*([ap])\.?m\b\.?)?|\b(\d{1,2})\s*([ap])\.?m\b\.?|\b(noon|midnight)\b|(오전|오후)?\s*(\d{1,2})\s*시(?:\s*(\d{1,2})\s*분)?",
    re.IGNORECASE,
)
MONEY = re.compile(r"([$€£¥₩])\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?([$€£¥₩])")
SUM = re.compile(r"(?<![\w.])[(\d][\d\s().,]*(?:\s*(?:\*\*|[-+*/×÷^%])\s*[(]*\s*\d[\d.,]*\s*[)]*)+")
ID = re.compile(
    r"(?<![\w.-])(?=[\w-]*\d)(?:[A-Za-z]{1,12}(?:[-_][A-Za-z0-9]+)*[-_]?\d[\w-]*|\d+[A-Za-z]+\d[\w-]*|\d{2,}(?:-\d{2,})+|[0-9a-f]{8}-[0-9a-f-]{20,})(?![\w.-]*@)"
)
PAIR = re.compile(r"\b[A-Z]{3}/[A-Z]{3}\b")
ADDRESS = re.compile(
    r"\b\d{1,5}[a-z]?(?:\s+[A-Z][\w.'-]*){1,3}\s+(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Way|Square|Place)\b"
)
PERCENT_OF = re.compile(r"(\d+(?:\.\d+)?)\s?%\s+of\s+(\d[\d,]*(?:\.\d+)?)")
NUMBERS = re.compile(r"(?<![\w-])\d{2,}(?:-\d{2,})+(?![\w-])")
IDENTIFIER = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b")
HASH = re.compile(r"#\s?(\d+)\b")
PHONE = re.compile(r"(?<![\w-])(?:\+\d{1,3}[\s-]?)?(?:\(\d{2,4}\)[\s-]?|\d{2,4}[\s-])\d{3,4}[\s-]\d{4}(?!\w)")
UNITS = (
    r"%|°[CF]?|[kcmµunp]?m[²³]?|km/h|m/s|mph|[kmµ]?g|lbs?|oz|ft|in|mi|yd|h|hrs?|s|secs?|ms|mins?|[KMGT]i?B|[CFKVWAJN]|[kM]?Hz|[kM]?W|kWh|mm?[lL]|L"
    r"|[mµ]?[HF]|am|pm|st|nd|rd|th|k|M|bn"
)
NUMBER = re.compile(
    rf"(?<![\w.])-?\d+(?:,\d{{3}})*(?:\.\d+)?(?:[eE][-+]?\d+)?(?=\s?%|(?:{UNITS})?(?![\w^])|[가-힣])(?P<percent>\s?%)?(?:\s+(?P<scale>thousand|million|billion)\b)?"
)
LIST = re.compile(
    r"\[[-+\d\s.,eE\[\]]+\]|\(-?\d+(?:\.\d+)?(?:\s*,\s*-?\d+(?:\.\d+)?)+\)|\[(?:\s*(?:'[^'\]]*'|\"[^\"\]]*\")\s*,?)+\]"
)
NUMBER_KO = re.compile(r"(\d+(?:,\d{3})*(?:\.\d+)?)(?=[가-힣])")
SEPARATOR = re.compile(r"(?:\s|,|;|/|&|\band\b|\bor\b|\bthe\b|\bof\b|\bin\b|\bfor\b|와|과|하고|이랑|랑|및|그리고|도)*")
LISTED = re.compile(r",|;|/|&|\band\b|\bor\b|와|과|하고|랑|및|그리고")
SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₩": "KRW"}
LINKS = {"de", "da", "do", "of", "the", "del", "la", "le", "van", "von", "al", "bin", "y", "&"}
ARTICLES = {"the", "a", "an", "my", "our", "your"}
PHRASE_CUES = {
    "in",
    "at",
    "for",
    "near",
    "to",
    "from",
    "of",
    "into",
    "around",
    "about",
    "by",
    "with",
    "called",
    "named",
}
PHRASE_STOPS = PHRASE_CUES | set(
    [
        "and",
        "or",
        "on",
        "is",
        "are",
        "was",
        "has",
        "have",
        "that",
        "which",
        "who",
        "when",
        "while",
        "if",
        "then",
        "please",
        "right",
        "now",
        "today",
        "tomorrow",
        "tonight",
        "this",
        "next",
        "over",
        "under",
        "before",
        "after",
        "during",
        "until",
        "via",
        "using",
        "it",
        "them",
        "me",
        "us",
        "you",
        "my",
        "your",
        "its",
        "his",
        "her",
        "their",
        "there",
        "here",
        "what",
    ]
)


def _number(text: str) -> int | float:
    plain = text.replace(",", "")
    return float(plain) if "." in plain else int(plain)


def _day(year: str | int | None, month: str | int, day: str | int, today: date) -> str | None:
    """An ISO date; without a year the next such day from today. None for a day that does not exist."""
    try:
        found = date(int(year or today.year), int(month), int(day))
    except ValueError:
        return None
    return (found if year or found >= today else found.replace(year=today.year + 1)).isoformat()


def _month(name: str) -> int:
    return int(data()["months"][name.lower()])


def _clock(m: re.Match[str]) -> str | None:
    if m[6]:
        return "12:00" if m[6].lower() == "noon" else "00:00"
    hour, minute = int(m[1] or m[4] or m[8]), int(m[2] or m[9] or 0)
    half = (m[3] or m[5] or "").lower() or {"오전": "a", "오후": "p"}.get(m[7] or "", "")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}


def _scaled(m: re.Match[str]) -> int | float:
    plain = m.group().removesuffix(m["scale"] or "").rstrip(" ").removesuffix("%").rstrip(" ")
    number = float(plain.replace(",", "")) if "e" in plain.lower() else _number(plain)
    return number * SCALES[m["scale"]] if m["scale"] else number


def _list(text: str) -> list[Any] | None:
    """The JSON list that a bracketed text reads as, or None."""
    try:
        found = json.loads(text.replace("(", "[").replace(")", "]").replace("'", '"'))
    except ValueError:
        return None
    return found if isinstance(found, list) and found else None


def _sum(text: str) -> str:
    return re.sub(r"(?<=\d),(?=\d{3})", "", text.strip(" .,")).replace("×", "*").replace("÷", "/")


def _money(m: re.Match[str]) -> tuple[int | float, str]:
    return (_number(m[2]), SIGNS[m[1]]) if m[1] else (_number(m[3]), SIGNS[m[4]])


def _iso(m: re.Match[str], today: date) -> str | None:
    day = _day(m[1], m[2], m[3], today)
    return f"{day}T{m[4]}{m[5] or ''}" if day and m[4] else day


WHOLE = 0.7  # a quotation longer than this share of the text is the text
Reader = Callable[[re.Match[str], date], Any]
TABLE: tuple[tuple[str, re.Pattern[str], str, Reader], ...] = (
    # kind, pattern, a character the text must hold (any of; "" for none), reader of the value
    ("list", LIST, "[(", lambda m, _: _list(m.group())),
    ("quoted", QUOTED, "\"“「'`", lambda m, _: next(group for group in m.groups() if group is not None)),
    ("email", EMAIL, "@", lambda m, _: m.group().rstrip(".")),
    ("url", URL, ".", lambda m, _: m.group()),
    ("sql", SQL, "Ss", lambda m, _: m.group().strip()),
    ("id", PAIR, "/", lambda m, _: m.group()),
    ("address", ADDRESS, "0123456789", lambda m, _: m.group()),
    ("date", ISO, "-", _iso),
    ("date", SLASHED, "/", lambda m, today: _day(m[3], m[1], m[2], today)),
    ("path", PATH, "/.", lambda m, _: m.group()),
    ("date", DAY_MONTH, "0123456789", lambda m, today: _day(m[3], _month(m[2]), m[1], today)),
    ("date", MONTH_DAY, "0123456789", lambda m, today: _day(m[3], _month(m[1]), m[2], today)),
    ("date", KOREAN_DATE, "월", lambda m, today: _day(m[1], m[2], m[3], today)),
    ("time", CLOCK, ":시mM", lambda m, _: _clock(m)),
    ("money", MONEY, "$€£¥₩", lambda m, _: _money(m)),
    ("phone", PHONE, "0123456789", lambda m, _: m.group()),
    ("expression", PERCENT_OF, "%", lambda m, _: f"{m[1]} / 100 * {m[2].replace(',', '')}"),
    ("id", NUMBERS, "-", lambda m, _: m.group()),
    ("expression", SUM, "+-*/×÷^%", lambda m, _: _sum(m.group())),
    ("id", ID, "0123456789", lambda m, _: m.group().rstrip("-_")),
    ("identifier", IDENTIFIER, "_ABCDEFGHIJKLMNOPQRSTUVWXYZ", lambda m, _: m.group()),
    ("id", HASH, "#", lambda m, _: m[1]),
    ("number", NUMBER, "0123456789", lambda m, _: _scaled(m)),
    ("number", NUMBER_KO, "0123456789", lambda m, _: _number(m[1])),
)


def spans(text: str, today: date) -> list[Span]:
    """Return the values found in a text, in order, each character used once.

    today: what a date without a year or a day of the week is counted from; a year in the text goes before.
    """
    if (year := YEAR.search(text)) is not None and int(year[1]) != today.year:
        today = date(int(year[1]), 1, 1) if "tomorrow" not in text and "내일" not in text else today
    taken = bytearray(len(text) + 1)
    found: list[Span] = []

    def take(start: int, end: int, kind: str, value: Any) -> None:
        if value is not None and start < end and taken.find(1, start, end) < 0:
            taken[start:end] = b"\x01" * (end - start)
            found.append(Span(start, end, text[start:end], kind, value))

    signs = set(text)
    for kind, pattern, needs, read in TABLE:
        if not signs.isdisjoint(needs):
            for match in pattern.finditer(text):
                if taken.find(1, match.start(), match.end()) < 0:
                    if kind == "quoted" and len(match.group()) > WHOLE * len(text):
                        continue  # the wish itself stands in quotes
                    value = read(match, today)
                    kept = match.group().strip(" .,") if kind == "expression" else match.group()
                    start = match.start() + match.group().index(kept)
                    take(start, start + len(kept), kind, value)
    words = tokens(text)
    free = [word for word in words if taken.find(1, word[1], word[2]) < 0]
    for start, end, kind, value in (*_listed(text, free, today), *_names(text, free), *_phrases(text, free)):
        if kind == "place" and (longer := _longer_name(text, free, start, end)):
            end, value = longer, text[start:longer]
        if kind in ("place", "name") and (region := _region(text, end)):
            end += len(region)
            value = text[start:end]
        take(start, end, kind, value)
    found.sort(key=lambda span: span.start)
    found = [_unquoted(span, today) for span in found]
    found = _with_money(text, found)
    return _grouped(text, _with_neighbours(text, found, words))


def masked(text: str, found: list[Span]) -> str:
    """Return the text with quoted values, addresses and ids blanked out: their letters say nothing of the wish."""
    for span in found:
        if span.kind in ("quoted", "sql", "url", "email", "path", "id", "money") or (
            span.kind == "name" and " " in span.text
        ):
            text = text[: span.start] + BLANK * (span.end - span.start) + text[span.end :]
    return text


def _unquoted(span: Span, today: date) -> Span:
    """A quotation that is an address, a path or a date, as what it is."""
    if span.kind == "quoted" and " " not in span.value:
        for kind, pattern, _, read in TABLE:
            if kind in ("email", "url", "path", "date") and (found := pattern.fullmatch(span.value)) is not None:
                return span._replace(kind=kind, value=read(found, today) or span.value)
    return span


def _with_money(text: str, found: list[Span]) -> list[Span]:
    """Join a number and the currency right after it: "250 euros" is one amount of money."""
    result: list[Span] = []
    for span in found:
        last = result[-1] if result else None
        if last and span.kind == "currency" and last.kind == "number" and text[last.end : span.start] in ("", " "):
            code = next((c for c, words in table("currencies").items() if span.text.lower() in words), str(span.value))
            result[-1] = Span(last.start, span.end, text[last.start : span.end], "money", (last.value, code))
        else:
            result.append(span)
    return result


@cache
def _listed_words() -> dict[str, tuple[str, Any]]:
    """Words and phrases that are values by themselves: lower-case words -> (kind, value)."""
    lexicon = data()
    known: dict[str, tuple[str, Any]] = {}
    for name in lexicon["places"]["names"].split():
        known[name.replace("_", " ")] = ("place", None)
    for code, words in table("currencies").items():
        known.update({word: ("currency", code) for word in words})
    for kind, words in reversed(list(table("kinds").items())):
        known.update({word: (kind.removesuffix("s"), None) for word in words})
    known.update({word: ("date", days) for word, days in lexicon["relative"].items()})
    known.update({word: ("weekday", number) for word, number in lexicon["weekdays"].items()})
    known.update({word: ("number", number) for word, number in lexicon["numbers"].items() if word != "one"})
    return known


HOMOGRAPHS = {"may", "la", "nice", "real", "latin", "turkey", "us", "ok", "hi", "me", "in", "or", "oh"}
ADJECTIVES = {"color", "size", "cuisine", "language", "unit", "room"}


def _capital_follows(text: str, words: list[tuple[str, int, int]], place: int) -> bool:
    """Whether a capitalised word is the first of a name: "Green Tea"."""
    following = words[place + 1] if place + 1 < len(words) else None
    return following is not None and following[0][0].isupper() and not text[words[place][2] : following[1]].strip()


def _counts_a_noun(words: list[tuple[str, int, int]], place: int) -> bool:
    """Whether a number word only says how many of a thing there are: "two circles"."""
    following = words[place + 1][0].lower() if place + 1 < len(words) else ""
    return bool(following) and following not in PHRASE_STOPS and following.isalpha()


def _ends_a_name(text: str, words: list[tuple[str, int, int]], place: int) -> bool:
    """Whether a known place is the last word of somebody's name: "George Washington"."""
    if place == 0 or not words[place - 1][0][0].isupper() or text[words[place - 1][2] : words[place][1]] != " ":
        return False
    return not _starts_sentence(text, words[place - 1][1]) and words[place - 1][0].lower() not in _listed_words()


def _listed(text: str, words: list[tuple[str, int, int]], today: date) -> Iterator[tuple[int, int, str, Any]]:
    known = _listed_words()
    for place, (word, start, end) in enumerate(words):
        for length in (3, 2, 1):
            last = words[place + length - 1] if place + length <= len(words) else None
            if last is None or last[2] - start > 40:
                continue
            stop = last[2]
            piece = text[start:stop].lower()
            if length == 1 and is_hangul(word):
                piece, tail = strip_particle(word)
                stop = end - len(tail)
            entry = known.get(piece)
            if entry is None:
                continue
            kind, value = entry
            if kind == "number" and not is_hangul(word) and _counts_a_noun(words, place):
                kind = "count"
            if kind == "place" and _ends_a_name(text, words, place):
                continue
            if piece in HOMOGRAPHS and not word[0].isupper():
                continue
            if kind in ADJECTIVES and word[0].isupper() and _capital_follows(text, words, place):
                continue
            if kind == "date":
                value = (today + timedelta(days=value)).isoformat()
            elif kind == "weekday":
                ahead = (value - today.weekday()) % 7 or 7
                kind, value = "date", (today + timedelta(days=ahead)).isoformat()
            yield start, stop, kind, text[start:stop] if value is None else value
            break


VERB_TAIL = re.compile(r"(?:요|다|까|니|줘|죠|네|래|게|면|서|지|자|라|려고)$")
REGION = re.compile(r",\s*(?P<it>[A-Z]\w*(?: [A-Z]\w+)?)(?!\w)")


@cache
def _regions() -> frozenset[str]:
    return frozenset(name.replace("_", " ") for name in data()["regions"].split())


def _region(text: str, end: int) -> str:
    """The state or country after a comma that belongs to the place before it: ", CA", ", France"; else ""."""
    found = REGION.match(text, end)
    if found is None or found["it"].lower() not in _regions():
        return ""
    following = re.match(r"(?:,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)([A-Z]\w+)", text[found.end() :])
    if following is not None and following[1].lower() in _regions():
        return ""
    return found.group() if len(found["it"]) > 2 or found["it"].isupper() else ""


def _common(word: str) -> bool:
    """Whether the lexicon knows this word, so that a capital at the start of a sentence makes no name of it."""
    found = terms(word)
    return not found or found[0].weight < 1 or bool(found[0].concepts or found[0].acts)


@cache
def _calendar() -> frozenset[str]:
    return frozenset([*data()["months"], *data()["weekdays"]])


def _names(text: str, words: list[tuple[str, int, int]]) -> Iterator[tuple[int, int, str, Any]]:
    """Runs of capitalised words, codes of capitals, and words in a script of their own."""
    place = 0
    while place < len(words):
        word, start, end = words[place]
        if is_hangul(word):
            bare, tail = strip_particle(word)
            if not _common(word.lower()) and len(bare) > 1 and not VERB_TAIL.search(word):
                yield start, end - len(tail), "foreign", bare
        elif word.isupper() and 2 <= len(word) <= 5:
            yield start, end, "code", word
        elif not word.isascii() and word.lower() == word.upper():
            yield start, end, "foreign", word
        elif word.lower() in _calendar():
            pass
        elif word[0].isupper() and not (_starts_sentence(text, start) and (_common(word.lower()) or "'" in word)):
            if word.lower().replace("’", "'") in ("i", "i'm", "i'd", "i'll", "i've"):
                place += 1
                continue
            place, end = _run(text, words, place)
            end = _numbered(text, end)
            name = text[start:end]
            if re.match(r"\s+(?!on\b|at\b|in\b|for\b|to\b|and\b|with\b)[^\W\d_]", text[end:]):
                name = name.removesuffix("'s").removesuffix("’s")
            sure = not _starts_sentence(text, start) or " " in name
            yield start, start + len(name), "name" if sure else "capital", name
        place += 1


def _longer_name(text: str, words: list[tuple[str, int, int]], start: int, end: int) -> int:
    """Where a name ends that only begins with a known place ("Incheon Airport"); 0 when the place is all of it."""
    last = next((n for n, word in enumerate(words) if word[1] >= start and word[2] == end), None)
    if last is None or not words[last][0][0].isupper() or not _capital_follows(text, words, last):
        return 0
    following = words[last + 1]
    return 0 if following[0].lower() in _listed_words() or following[0].isupper() else _run(text, words, last)[1]


YEAR = re.compile(r"\b(20\d\d)(?=[-/.,\s]|$)")
NUMBERED = re.compile(r" (?:\d{1,3}|[A-Z]\d{1,4})(?=[,.;:?!]|$| and\b| or\b| on\b| in\b| from\b| for\b| [a-z]+ in\b)")


def _numbered(text: str, end: int) -> int:
    """Where a name ends that has a number to it: "Maroon 5", "Yamaha P125"."""
    found = NUMBERED.match(text, end)
    return found.end() if found else end


TITLES = {"Mr", "Mrs", "Ms", "Dr", "Prof", "St"}


def _run(text: str, words: list[tuple[str, int, int]], place: int) -> tuple[int, int]:
    """The last word of a name that begins at `place`, and where it ends."""
    end = words[place][2]
    while place + 1 < len(words):
        step = 1
        if words[place + 1][0] in LINKS and place + 2 < len(words):
            step = 2
        word, start, stop = words[place + step]
        between = text[end:start].strip(" -")
        if between == "." and (len(words[place][0]) == 1 or words[place][0] in TITLES):
            between = ""
        if not word[0].isupper() or between not in ("", *LINKS) or (step == 2 and between != words[place + 1][0]):
            break
        place, end = place + step, stop
    return place, end


def _starts_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \"'“(")
    return not before or before[-1] in ".!?:\n•-*"


def _phrases(text: str, words: list[tuple[str, int, int]]) -> Iterator[tuple[int, int, str, Any]]:
    """What follows a preposition, up to the next small word: "in paris", "from the station"."""
    for place, (word, _, end) in enumerate(words):
        if word.lower() not in PHRASE_CUES:
            continue
        last = None
        for following in words[place + 1 : place + 6]:
            gap = text[(last or (word, 0, end))[2] : following[1]]
            if following[0].lower() in PHRASE_STOPS or following[0].isdigit() or gap.strip(" -'"):
                break
            last = following
        if last is not None and last[0].lower() not in ARTICLES:
            start = words[place + 1][1]
            yield start, last[2], "phrase", text[start : last[2]]


def _with_neighbours(text: str, found: list[Span], words: list[tuple[str, int, int]]) -> list[Span]:
    result, place = [], 0
    for span in found:
        while place < len(words) and words[place][1] < span.start:
            place += 1
        near = _near(text, words, place, span.start)
        before = tuple(stem(w) for w in near if w not in ARTICLES)[:4]
        later = place
        while later < len(words) and words[later][1] < span.end:
            later += 1
        after = _following(text, words, later, span.end)
        if is_hangul(span.text) and later and words[later - 1][2] > span.end:
            after = (words[later - 1][0][span.end - words[later - 1][1] :], *after)
        result.append(span._replace(before=before, after=after))
    return result


def _near(text: str, words: list[tuple[str, int, int]], place: int, start: int) -> list[str]:
    """The words before a value, nearest first, within the same clause."""
    near: list[str] = []
    edge = start
    for word, begin, end in reversed(words[max(0, place - 6) : place]):
        if CLAUSE.search(text[end:edge]):
            break
        near.append(word.lower())
        edge = begin
    return near


def _following(text: str, words: list[tuple[str, int, int]], place: int, end: int) -> tuple[str, ...]:
    """The stems after a value, up to two or three, within the same clause."""
    found: list[str] = []
    for word, begin, stop in words[place : place + 3]:
        if CLAUSE.search(text[end:begin]):
            break
        found.append(stem(word.lower()))
        end = stop
    return tuple(found)


def split_lists(found: Sequence[Span]) -> list[Span]:
    """Part "(45, 60)" into its numbers, for tools that take them one by one."""
    result: list[Span] = []
    for span in found:
        if span.kind == "list" and all(isinstance(item, int | float) for item in span.value):
            rows = enumerate(span.value)
            result.extend(
                span._replace(start=span.start + n, kind="number", value=item, text=str(item)) for n, item in rows
            )
        else:
            result.append(span)
    return result


def split_sums(found: Sequence[Span]) -> list[Span]:
    """Part "443 * 349" into its numbers, for tools that take them one by one."""
    result: list[Span] = []
    for span in found:
        if span.kind == "expression":
            for match in re.finditer(r"\d[\d,]*(?:\.\d+)?", span.text):
                start, stop = span.start + match.start(), span.start + match.end()
                result.append(
                    span._replace(
                        start=start, end=stop, text=match.group(), kind="number", value=_number(match.group())
                    )
                )
        else:
            result.append(span)
    return result


def split_places(found: Sequence[Span]) -> list[Span]:
    """Part "Tokyo, Japan" into a place and a region, for tools that want both by themselves."""
    result: list[Span] = []
    for span in found:
        if span.kind in ("place", "name") and "," in span.text:
            cut = span.text.index(",")
            place, region = span.text[:cut], span.text[cut + 1 :].strip()
            result.append(span._replace(end=span.start + cut, text=place, value=place, kind="place"))
            start = span.end - len(region)
            result.append(span._replace(start=start, text=region, value=region, kind="region", group=-2 - start))
        else:
            result.append(span)
    return result


CLAUSE = re.compile(r"[,;:.!?](?:\s|$)|\n")


def _grouped(text: str, found: list[Span]) -> list[Span]:
    """Number the lists: neighbours of one family with nothing but separators between."""
    families = {
        "name": "name",
        "place": "name",
        "foreign": "name",
        "phrase": "name",
        "capital": "name",
        "code": "code",
        "address": "name",
    }
    result: list[Span] = []
    for span in found:
        group = len(result)
        if result:
            last = result[-1]
            gap = text[last.end : span.start]
            alike = families.get(last.kind, last.kind) == families.get(span.kind, span.kind)
            if alike and SEPARATOR.fullmatch(gap) and LISTED.search(gap):
                group = last.group
        result.append(span._replace(group=group))
    return result


def find_date(text: str) -> date | None:
    """Return the first full date written in a text (a system prompt that says what day it is), or None."""
    for span in spans(text[:2000], date(2000, 1, 1)) if re.search(r"\b20\d\d\b", text[:2000]) else ():
        if span.kind == "date" and str(span.value)[:4] in span.text:
            return date.fromisoformat(str(span.value)[:10])
    return None
