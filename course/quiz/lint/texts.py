"""Rules about the texts of an item: stem, reasons, exhibits; no HTML, no letters for options, code that parses."""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from course.quiz.items import Item, in_language
from course.quiz.kinds import SelectN, Single
from course.quiz.lint.finding import Hit
from course.quiz.lint.words import CODE, FENCE, english, last_sentence, without_code

__all__ = ["text_rules", "texts_of"]

LONE_LETTER = re.compile(r"\b[A-F]\b")
LETTER = re.compile(
    r"\b(?i:option|answer|choice|distractor|alternative)s?\s+\(?[A-F]\b\)?|\b[A-F] (?:and|or) [A-F]\b|\(\s?[A-F]\s?\)"
)
ORDINAL = re.compile(r"\b(?:first|second|third|fourth|last) (?:option|answer|choice)\b", re.IGNORECASE)
HTML = re.compile(r"<(?:/?[A-Za-z][\w:-]*(?=[\s/>])|!--|!\[|!DOCTYPE|\?)[^>]*>?")
IMAGE_OR_LINK = re.compile(r"!\[[^\]]*\]\(|\]\(\s*(?!https://)")
NEGATIVE = re.compile(r"\b(not|except|(?<!at )least|never|incorrect|false)\b|n't\b", re.IGNORECASE)
DOUBLE = re.compile(r"\b(not|no|never|without|cannot|none|n't|\w+n't)\b", re.IGNORECASE)
TASK = re.compile(
    r"^\W*(?:now |then |please )?(write|choose|put|order|name|complete|fill|match|mend|repair|select|arrange|give|"
    r"state|pick|find|sort|mark|explain|describe|assign|rewrite|finish|correct|point|decide|enter|calculate|count|estimate|plan|"
    r"say|add|change|compare|list|work|draw|design|sketch|set)\b",
    re.IGNORECASE,
)
NUMBER_WORDS = {2: "two", 3: "three", 4: "four", 5: "five"}
FENCED = re.compile(r"```(json|python|py)\n(.*?)```", re.DOTALL)
JSON_SPAN = re.compile(r"`([\[{]\s*\".*?[\]}])`")
LONGEST_STEM, SHORTEST_EXPLANATION = 120, 40
SKIPPED = frozenset({"trace", "request", "given", "tool", "tools", "solution", "claim", "proof", "start", "code"})


def texts_of(item: Item) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Yield (path, text) for every author's text of the item, in every language."""
    yield from _walk(item, ())


def _walk(thing: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    if isinstance(thing, BaseModel):
        parts: Iterable[tuple[Any, Any]] = ((name, value) for name, value in vars(thing).items() if name not in SKIPPED)
    else:
        parts = thing.items() if isinstance(thing, Mapping) else enumerate(thing)
    for name, value in parts:
        if isinstance(value, str):
            yield (*path, name), value
        elif isinstance(value, BaseModel | Mapping | tuple):
            yield from _walk(value, (*path, name))


def text_rules(item: Item) -> Iterator[Hit]:
    """Yield every broken rule about texts."""
    for path, text in texts_of(item):
        if path[0] == "exhibits" and path[-1] == "body":
            continue
        prose = without_code(text)
        if "<" in prose and (found := HTML.search(prose)):
            yield "E12", path, {"found": found[0]}
        if "](" in prose and IMAGE_OR_LINK.search(prose):
            yield "E12b", path, {}
        if found := _names_a_place(prose):
            yield "E10", path, {"found": found[0]}
        if "`" in text:
            yield from _code(path, text)
    yield from _exhibits(item)
    yield from _stem(item)
    if len(english(item.explanation)) < SHORTEST_EXPLANATION:
        yield "E03c", ("explanation",), {"least": SHORTEST_EXPLANATION}


def _names_a_place(prose: str) -> re.Match[str] | None:
    """Find what names an option by letter or ordinal; the cheap tests first."""
    found = LETTER.search(prose) if LONE_LETTER.search(prose) else None
    if found is None and ("option" in prose or "answer" in prose or "choice" in prose):
        found = ORDINAL.search(prose)
    return found


def _code(path: tuple[Any, ...], text: str) -> Iterator[Hit]:
    for language, body in FENCED.findall(text):
        yield from _parses(path, "json" if language == "json" else "python", body)
    if "`{" in text or "`[" in text:
        for body in JSON_SPAN.findall(FENCE.sub(" ", text)):
            if "…" not in body and "..." not in body:
                yield from _parses(path, "json", body)


def _parses(path: tuple[Any, ...], language: str, body: str) -> Iterator[Hit]:
    try:
        json.loads(body) if language == "json" else ast.parse(body)
    except (ValueError, SyntaxError) as error:
        yield "E11", path, {"language": language, "why": str(error).split("\n")[0]}


def _exhibits(item: Item) -> Iterator[Hit]:
    for place, exhibit in enumerate(item.exhibits):
        if exhibit.kind in ("json", "python") and not exhibit.broken:
            yield from _parses(("exhibits", place, "body"), exhibit.kind, in_language(exhibit.body, "en"))


def _stem(item: Item) -> Iterator[Hit]:
    stem = english(item.stem).strip()
    asks = last_sentence(stem)
    if not asks.rstrip("*_ )").endswith("?") and not TASK.search(CODE.sub("code", asks)):
        yield "E07", ("stem",), {"last": asks[:60]}
    if isinstance(item, Single | SelectN) and NEGATIVE.search(without_code(asks)):
        yield "E08", ("stem",), {}
    if len(DOUBLE.findall(without_code(asks))) > 1:
        yield "W14", ("stem",), {}
    if isinstance(item, SelectN):
        number = NUMBER_WORDS.get(item.select_n, str(item.select_n))
        if not re.search(rf"\b({number}|{item.select_n})\b", stem, re.IGNORECASE):
            yield "E09", ("stem",), {"n": item.select_n, "word": number}
    if (length := len(without_code(stem).split())) > LONGEST_STEM:
        yield "W12", ("stem",), {"length": length, "most": LONGEST_STEM}
