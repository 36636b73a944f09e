"""Values that are known by name, by their capitals, by their script, or by the word that leads to them."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Any

from course.mockmodel.words import TIMELY, WEAK, data, is_hangul, strip_particle, table, terms

__all__ = ["listed", "longer_name", "names", "phrases", "region_after", "small"]

CONTRACTED = re.compile(
    r"^(?:it|that|what|where|who|here|there|let|how|when|why|he|she)['’]s$|n['’]t$|['’](?:m|re|ve|ll|d)$", re.IGNORECASE
)
VERB_TAIL = re.compile(r"(?:요|다|까|니|줘|죠|네|래|게|면|서|지|자|라|려고)$")
REGION = re.compile(r",\s*(?P<it>[A-Z]\w*(?: [A-Z]\w+)?)(?!\w)")
NUMBERED = re.compile(r" (?:\d{1,3}|[A-Z]\d{1,4})(?=[,.;:?!]|$| and\b| or\b| on\b| in\b| from\b| for\b| [a-z]+ in\b)")


@cache
def small(group: str) -> frozenset[str]:
    """Return a group of small words: `articles`, `links`, `leads`, `ends`, `titles`, `homographs`, `describe`."""
    return frozenset(data()["small"][group].split())


@cache
def _ends() -> frozenset[str]:
    """Words that a phrase ends before: those that end it, and those that lead to another one."""
    return small("ends") | small("leads")


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


def _capital_follows(text: str, words: list[tuple[str, int, int]], place: int) -> bool:
    """Whether a capitalised word is the first of a name: "Green Tea"."""
    following = words[place + 1] if place + 1 < len(words) else None
    return following is not None and following[0][0].isupper() and not text[words[place][2] : following[1]].strip()


def _counts_a_noun(words: list[tuple[str, int, int]], place: int) -> bool:
    """Whether a number word only says how many of a thing there are: "two circles"."""
    following = words[place + 1][0].lower() if place + 1 < len(words) else ""
    return bool(following) and following not in _ends() and following.isalpha()


def _ends_a_name(text: str, words: list[tuple[str, int, int]], place: int) -> bool:
    """Whether a known place is the last word of somebody's name: "George Washington"."""
    if place == 0 or not words[place - 1][0][0].isupper() or text[words[place - 1][2] : words[place][1]] != " ":
        return False
    return not _starts_sentence(text, words[place - 1][1]) and words[place - 1][0].lower() not in _listed_words()


def listed(text: str, words: list[tuple[str, int, int]], today: date) -> Iterator[tuple[int, int, str, Any]]:
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
            if piece in small("homographs") and not word[0].isupper():
                continue
            if kind in small("describe") and word[0].isupper() and _capital_follows(text, words, place):
                continue
            if kind == "date":
                value = (today + timedelta(days=value)).isoformat()
            elif kind == "weekday":
                ahead = (value - today.weekday()) % 7 or 7
                kind, value = "date", (today + timedelta(days=ahead)).isoformat()
            yield start, stop, kind, text[start:stop] if value is None else value
            break


@cache
def _regions() -> frozenset[str]:
    return frozenset(name.replace("_", " ") for name in data()["regions"].split())


def region_after(text: str, end: int) -> str:
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


def names(text: str, words: list[tuple[str, int, int]]) -> Iterator[tuple[int, int, str, Any]]:
    """Runs of capitalised words, codes of capitals, and words in a script of their own."""
    place = 0
    while place < len(words):
        word, start, end = words[place]
        if is_hangul(word):
            bare, tail = strip_particle(word)
            if not _common(word.lower()) and len(bare) > 1 and not VERB_TAIL.search(word):
                yield start, end - len(tail), "foreign", bare
        elif word.isupper() and 2 <= len(word) <= 5:
            place, last = _shouted(text, words, place)
            yield start, last, "code" if last == end else "name", text[start:last]
        elif not word.isascii() and word.lower() == word.upper():
            yield start, end, "foreign", word
        elif word.lower() in _calendar():
            pass
        elif word[0].isupper() and not (
            _starts_sentence(text, start) and (_common(word.lower()) or CONTRACTED.search(word))
        ):
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


def _opens(text: str, word: str, start: int) -> bool:
    """Whether a capital only opens a sentence: a common word, or a contraction ("What's", "Don't")."""
    return _starts_sentence(text, start) and (_common(word.lower()) or CONTRACTED.search(word) is not None)


def longer_name(text: str, words: list[tuple[str, int, int]], start: int, end: int) -> int:
    """Where a name ends that only begins with a known place ("Incheon Airport"); 0 when the place is all of it."""
    last = next((n for n, word in enumerate(words) if word[1] >= start and word[2] == end), None)
    if last is None or not words[last][0][0].isupper() or not _capital_follows(text, words, last):
        return 0
    following = words[last + 1]
    return 0 if following[0].lower() in _listed_words() or following[0].isupper() else _run(text, words, last)[1]


def _numbered(text: str, end: int) -> int:
    """Where a name ends that has a number to it: "Maroon 5", "Yamaha P125"."""
    found = NUMBERED.match(text, end)
    return found.end() if found else end


def _shouted(text: str, words: list[tuple[str, int, int]], place: int) -> tuple[int, int]:
    """The last of several words in capitals, and where it ends: "SOS HELP"."""
    while place + 1 < len(words):
        following = words[place + 1]
        if not following[0].isupper() or len(following[0]) < 2 or text[words[place][2] : following[1]] != " ":
            break
        place += 1
    return place, words[place][2]


def _run(text: str, words: list[tuple[str, int, int]], place: int) -> tuple[int, int]:
    """The last word of a name that begins at `place`, and where it ends."""
    end = words[place][2]
    while place + 1 < len(words):
        step = 1
        if words[place + 1][0] in small("links") and place + 2 < len(words):
            step = 2
        word, start, stop = words[place + step]
        between = text[end:start].strip(" -")
        if between == "." and (len(words[place][0]) == 1 or words[place][0] in small("titles")):
            between = ""
        if (
            not word[0].isupper()
            or between not in ("", *small("links"))
            or (step == 2 and between != words[place + 1][0])
        ):
            break
        place, end = place + step, stop
    return place, end


def _starts_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \"'“(")
    return not before or before[-1] in ".!?:\n•-*"


def phrases(text: str, words: list[tuple[str, int, int]]) -> Iterator[tuple[int, int, str, Any]]:
    """What follows a preposition, up to the next small word: "in paris", "from the station"."""
    for place, (word, _, end) in enumerate(words):
        if word.lower() not in small("leads") or (word.lower() == "to" and _to_do(words[place + 1 : place + 2])):
            continue
        last = None
        for following in words[place + 1 : place + 6]:
            gap = text[(last or (word, 0, end))[2] : following[1]]
            if following[0].lower() in _ends() or following[0].isdigit() or gap.strip(" -'"):
                break
            last = following
        start = words[place + 1][1] if last is not None else end
        if last is not None and last[0].lower() not in small("articles") and not _timely(text[start : last[2]]):
            yield start, last[2], "phrase", text[start : last[2]]


def _timely(phrase: str) -> bool:
    """Whether a phrase only tells when: "at present"."""
    found = terms(phrase)
    return bool(found) and all(term.weight == TIMELY or "now" in term.concepts for term in found)


def _to_do(following: Sequence[tuple[str, int, int]]) -> bool:
    """Whether the word after "to" is a verb: "to see a dentist"."""
    word = terms(following[0][0]) if following and following[0][0].islower() else []
    return bool(word) and (word[0].weight == WEAK or bool(word[0].acts))
