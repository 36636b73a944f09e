"""Words of a question: tokens, cue words, and the folding that makes texts comparable."""

import re
from functools import lru_cache

from course.quiz.items import Text, in_language

__all__ = [
    "ABSOLUTES",
    "FREQUENCIES",
    "HEDGES",
    "STOP_WORDS",
    "count",
    "english",
    "fold",
    "last_sentence",
    "sentences",
    "tokens",
    "without_code",
    "words",
]

TOKEN = re.compile(r"[a-z0-9_']+")
FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
SENTENCE_END = re.compile(r"(?<=[.?!:])\s+(?=[A-Z`\"“(])")
ABSOLUTES = re.compile(r"\b(always|never|only|must|all|every|cannot|can't|none|entirely|completely|impossible)\b")
HEDGES = re.compile(r"\b(usually|may|might|often|sometimes|generally|typically|probably|likely|tends?|could|perhaps)\b")
FREQUENCIES = re.compile(r"\b(often|frequently|sometimes|usually|rarely|occasionally|seldom|regularly)\b")
STOP_WORDS = frozenset(
    TOKEN.findall(
        "a an and are as at be been but by can do does for from had has have if in into is it its not of on one or so "
        "than that the their them then there these they this to two was were what when which while who will with "
        "would you your each no own both other more most after before"
    )
)


def english(text: Text | None) -> str:
    """Return the English of a text, "" for None."""
    return "" if text is None else in_language(text, "en")


def without_code(text: str) -> str:
    """Return `text` without code spans and fenced code."""
    if "`" not in text:
        return text
    return CODE.sub(" ", FENCE.sub(" ", text))


@lru_cache(maxsize=20_000)
def tokens(text: str) -> tuple[str, ...]:
    """Return the lower-case words and numbers of `text`."""
    return tuple(TOKEN.findall(text.lower()))


@lru_cache(maxsize=20_000)
def words(text: str) -> frozenset[str]:
    """Return the different content words of `text`: no stop words, at least three letters."""
    return frozenset(word for word in tokens(text) if len(word) > 2 and word not in STOP_WORDS)


def fold(text: str) -> str:
    """Return `text` without case, space, and punctuation."""
    return " ".join(tokens(text))


def sentences(text: str) -> list[str]:
    """Split prose into sentences, roughly."""
    return [part for part in SENTENCE_END.split(" ".join(text.split())) if part]


def last_sentence(text: str) -> str:
    """Return the last sentence of `text` outside fenced code."""
    parts = sentences(FENCE.sub(" ", text).strip())
    return parts[-1] if parts else ""


def count(pattern: re.Pattern[str], text: str) -> int:
    """Return how often `pattern` occurs in the prose of `text`."""
    return len(pattern.findall(without_code(text).lower()))
