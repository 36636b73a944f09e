"""Words and what they mean: stems, weights and concepts, for English and Korean, from `lexicon.toml`."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

__all__ = [
    "BLANK",
    "TIMELY",
    "WEAK",
    "Term",
    "Word",
    "alike",
    "concepts_of",
    "data",
    "in_english",
    "is_hangul",
    "meanings_of",
    "spread",
    "stem",
    "strip_particle",
    "table",
    "terms",
    "tokens",
]

TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[°$€£¥₩%]")
HANGUL = re.compile(r"[가-힣]")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


BLANK = "·"  # stands where a value was taken out of a text
WEAK, TIMELY = 0.25, 0.4


class Word(NamedTuple):
    """One word as the lexicon knows it.

    weight: 0 says nothing about the choice, WEAK fits almost any tool, TIMELY only tells when, 1 says much.
    """

    stem: str
    weight: float
    concepts: tuple[str, ...]
    acts: tuple[str, ...]


class Term(NamedTuple):
    """A word or listed phrase in a text, at [start, end)."""

    stem: str
    weight: float
    concepts: tuple[str, ...]
    acts: tuple[str, ...]
    start: int
    end: int


@cache
def data() -> Mapping[str, Any]:
    """Return the lexicon file, parsed once."""
    return tomllib.loads((Path(__file__).parent / "lexicon.toml").read_text(encoding="utf-8"))


@cache
def table(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return table `name` of the lexicon with its lists of words split; phrases keep a space between their words."""
    return {key: tuple(word.replace("_", " ") for word in text.split()) for key, text in data()[name].items()}


@cache
def _alike() -> Mapping[str, frozenset[str]]:
    return {stem(key): frozenset(stem(word) for word in words) for key, words in table("alike").items()}


def alike(word: str) -> frozenset[str]:
    """Return the stems that may stand for a stem where a result's key is matched with a parameter, and itself."""
    return _alike().get(word, frozenset((word,)))


def is_hangul(text: str) -> bool:
    """Whether the text holds a Korean letter."""
    return HANGUL.search(text) is not None


def tokens(text: str) -> list[tuple[str, int, int]]:
    """Return (word as written, start, end) of every word, number and money or degree sign."""
    return [(match.group(), match.start(), match.end()) for match in TOKEN.finditer(text)]


def spread(name: str) -> str:
    """Return an identifier as words: `getUserId` and `get_user_id` become `get User Id`, `get user id`."""
    return CAMEL.sub(" ", name).replace("_", " ").replace("-", " ")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the stem of a lower-case word: endings off, Korean particles off."""
    if is_hangul(word):
        return strip_particle(word)[0]
    word = word.replace("’", "'")
    word = word.removesuffix("'s")
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "news")):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
        if word.endswith(("xe", "che", "she", "sse", "ze")):
            word = word[:-1]
    for ending in ("ing", "ied", "ed", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)] + ("y" if ending == "ied" else "")
            if ending in ("ing", "ed") and len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    for ending in ("ion", "or"):
        if word.endswith("t" + ending) and len(word) > 6:
            word = word[: -len(ending)]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


@lru_cache(maxsize=8192)
def strip_particle(word: str) -> tuple[str, str]:
    """Return a Korean word without its particle or verb tail, and what was cut off."""
    if word in _known():
        return word, ""
    for ending in _endings():
        if word.endswith(ending) and len(word) > len(ending):
            return word[: -len(ending)], ending
    return word, ""


@cache
def _endings() -> tuple[str, ...]:
    korean = data()["korean"]
    return tuple(sorted([*korean["particles"].split(), *korean["tails"].split()], key=len, reverse=True))


@cache
def _known() -> frozenset[str]:
    """Korean words that are listed as they are, so that nothing is cut from them."""
    lexicon = data()
    lists = [lexicon["stop"], lexicon["weak"], lexicon["places"]["names"]]
    lists += [*lexicon["concepts"].values(), *lexicon["acts"].values(), *lexicon["kinds"].values()]
    lists += [*lexicon["currencies"].values()]
    words = " ".join(lists).split()
    return frozenset(word for word in words if len(word) > 1 and is_hangul(word))


@dataclass(frozen=True)
class _Index:
    words: Mapping[str, Word]
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], Word], ...]]
    prefixes: Mapping[str, tuple[str, ...]]


def _gather(groups: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, words in groups:
        for word in words.split():
            key = "_".join(stem(part) for part in word.lower().replace("-", "_").split("_"))
            if name not in found.get(key, ()):
                found[key] = (*found.get(key, ()), name)
    return found


@cache
def _index() -> _Index:
    lexicon = data()
    stop = {stem(w) for w in lexicon["stop"].split()} | set(lexicon["stop"].split())
    weak = {stem(w) for w in lexicon["weak"].split()}
    timely = {"_".join(stem(part) for part in w.split("_")) for w in lexicon["timely"].split()}
    concepts, acts = _gather(lexicon["concepts"].items()), _gather(lexicon["acts"].items())
    words: dict[str, Word] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], Word]]] = {}
    for key in dict.fromkeys([*concepts, *acts, *stop, *weak, *timely]):
        weight = 0.0 if key in stop else WEAK if key in weak else TIMELY if key in timely else 1.0
        word = Word(key, weight, concepts.get(key, ()), acts.get(key, ()))
        if "_" in key:
            first, *rest = key.split("_")
            phrases.setdefault(first, []).append((tuple(rest), word._replace(weight=TIMELY if key in timely else 1.0)))
        else:
            words[key] = word
    prefixes: dict[str, list[str]] = {}
    for key in words:
        if is_hangul(key) and len(key) > 1 and words[key].weight:
            prefixes.setdefault(key[0], []).append(key)
    longest_first = {k: tuple(sorted(v, key=lambda p: -len(p[0]))) for k, v in phrases.items()}
    return _Index(words, longest_first, {k: tuple(sorted(v, key=len, reverse=True)) for k, v in prefixes.items()})


@lru_cache(maxsize=8192)
def _word(written: str) -> Word:
    index = _index()
    if written in index.words and not index.words[written].weight:
        return index.words[written]
    base = stem(written)
    if (found := index.words.get(base)) is not None:
        return found
    if is_hangul(written):
        for known in index.prefixes.get(written[0], ()):
            if written.startswith(known):
                return index.words[known]
    return Word(base, WEAK if base.isdigit() or len(base) == 1 else 1.0, (), ())


def concepts_of(word: str) -> tuple[str, ...]:
    """Return the concepts of one lower-case word or stem; none for a word that fits anything."""
    found = _word(word)
    return found.concepts if found.weight > WEAK else ()


def _counter(written: str) -> str:
    """A Korean word that is joined to a number, without its particle: "200도로" counts degrees and is no road."""
    return next(
        (written[: -len(end)] for end in _endings() if written.endswith(end) and len(written) > len(end)), written
    )


@cache
def _glossary() -> Mapping[str, str]:
    pairs = (pair.split("=") for pair in data()["glossary"]["words"].split())
    return {korean: "_".join(stem(part) for part in english.split("_")) for korean, english in pairs}


def in_english(word: str) -> str | None:
    """Return the English stem for a Korean one, as a tool's English text would have it, or None."""
    known = _glossary()
    return known.get(word) or next((known[word[:n]] for n in (3, 2) if len(word) > n and word[:n] in known), None)


def meanings_of(word: str) -> tuple[str, ...]:
    """Return the concepts of one lower-case word, also of one that fits anything ("done")."""
    known = _index().words.get(stem(word))
    return _word(word).concepts or (known.concepts if known else ())


def terms(text: str, *, inner: bool = False) -> list[Term]:
    """Return the terms of a text in order: every word that is not a stop word, and every listed phrase.

    inner: also the words inside a phrase.
    """
    found: list[Term] = []
    words = [(w.lower(), s, e) for w, s, e in tokens(text)]
    phrases = _index().phrases
    skip = 0
    for place, (written, start, end) in enumerate(words):
        if skip:
            skip -= 1
            continue
        for rest, phrase in phrases.get(stem(written), ()):
            following = words[place + 1 : place + 1 + len(rest)]
            if tuple(stem(after) for after, _, _ in following) == rest and BLANK not in text[end : following[-1][1]]:
                found.append(Term(*phrase, start, words[place + len(rest)][2]))
                skip = 0 if inner else len(rest)
                break
        word = _word(_counter(written) if is_hangul(written) and text[start - 1 : start].isdigit() else written)
        if word.weight and not skip:
            found.append(Term(*word, start, end))
    return found
