"""Values in a text: quoted strings, addresses, ids, dates, numbers, names; each with its place and its neighbours."""

import re
from datetime import date
from typing import Any

from course.mockmodel.names import listed, longer_name, names, phrases, region_after, small
from course.mockmodel.patterns import TABLE
from course.mockmodel.span import Span
from course.mockmodel.words import BLANK, is_hangul, stem, table, tokens

__all__ = ["find_date", "masked", "spans"]

SEPARATOR = re.compile(r"(?:\s|,|;|/|&|\band\b|\bor\b|\bthe\b|\bof\b|\bin\b|\bfor\b|와|과|하고|이랑|랑|및|그리고|도)*")
LISTED = re.compile(r",|;|/|&|\band\b|\bor\b|와|과|하고|랑|및|그리고")
WHOLE = 0.7  # a quotation longer than this share of the text is the text


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
        if not needs or not signs.isdisjoint(needs):
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
    for start, end, kind, value in (*listed(text, free, today), *names(text, free), *phrases(text, free)):
        if kind == "place" and (longer := longer_name(text, free, start, end)):
            end, value = longer, text[start:longer]
        if kind in ("place", "name") and (region := region_after(text, end)):
            end += len(region)
            value = text[start:end]
        take(start, end, kind, value)
    found.sort(key=lambda span: span.start)
    found = [_unquoted(span, today) for span in found]
    found = _with_days(text, _with_money(text, found))
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


TO_DAY = re.compile(
    r"\s*(?:st|nd|rd|th|일)?\s*(?:to|until|till|through|and|-|–|부터|에서)\s*(?:the\s+)?", re.IGNORECASE
)


def _with_days(text: str, found: list[Span]) -> list[Span]:
    """Read the bare number at the other end of a range of days as a day: "3 to 6 January", "3월 5일부터 7일"."""
    result: list[Span] = []
    for place, span in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else None
        before = result[-1] if result else None
        if _is_day(span):
            for near, gap in ((following, (span, following)), (before, (before, span))):
                written = near is not None and near.kind == "date" and any(sign.isdigit() for sign in near.text)
                if written and gap[0] and gap[1] and TO_DAY.fullmatch(text[gap[0].end : gap[1].start]):
                    span = _day_beside(span, str(near.value) if near else "", later=near is before)
                    break
        result.append(span)
    return result


def _is_day(span: Span) -> bool:
    return span.kind == "number" and isinstance(span.value, int) and 1 <= span.value <= 31


def _day_beside(span: Span, other: str, later: bool) -> Span:
    """A number as the day of the month of another day, if it lies on the right side of it."""
    day = f"{other[:8]}{span.value:02}"
    try:
        date.fromisoformat(day)
    except ValueError:
        return span
    return span._replace(kind="date", value=day) if (day > other[:10]) == later else span


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


YEAR = re.compile(r"\b(20\d\d)(?=[-/.,\s]|$)")


def _with_neighbours(text: str, found: list[Span], words: list[tuple[str, int, int]]) -> list[Span]:
    ids = [(span.text, span.start, span.end) for span in found if span.kind == "id"]
    words = sorted([*ids, *(w for w in words if not any(a <= w[1] < b for _, a, b in ids))], key=lambda w: w[1])
    result, place = [], 0
    for span in found:
        while place < len(words) and words[place][1] < span.start:
            place += 1
        near = _near(text, words, place, span.start)
        before = tuple(stem(w) for w in near if w not in small("articles"))[:4]
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
