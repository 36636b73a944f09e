"""Free text out of a wish: what to search for, what to say, what to call it."""

import re
from collections.abc import Sequence

from course.mockmodel.spans import Span
from course.mockmodel.wish import Part
from course.mockmodel.words import is_hangul, terms, tokens

__all__ = ["content_of", "query_of", "title_of"]

SEARCH_FOR = re.compile(
    r"^.*?\b(?:search|look(?:ing)?|find|query|google|browse|check|lookup)\b[^,.?!]{0,60}?\b(?:for|about|on|up|regarding|into)\b\s+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
LEAD = re.compile(
    r"^(?:\W|please\b|can you\b|could you\b|would you\b|will you\b|i(?:'d| would) (?:like|love)\b|i (?:want|need)\b|(?:to|me|us)\b"
    r"|let me know\b|do you know\b|tell\b|show\b|give\b|find\b|search\b|get\b|fetch\b|look up\b|look for\b|look into\b|check\b|for\b|about\b|some\b|any\b|the\b|an?\b)+",
    re.IGNORECASE,
)
TAIL = re.compile(r"[\s,]*(?:\bplease\b|\bthanks?\b|\bfor me\b)?[\s?!.,]*$", re.IGNORECASE)
KOREAN_TAIL = re.compile(
    r"(?:을|를|에 대해서?|에 대한|은|는|이|가)?\s*(?:좀\s*)?(?:검색|찾아|알려|보여|조회|확인)(?:해|봐)?\s*(?:줘|주세요|줄래|주시겠어요|봐)?(?:요)?[\s.?!]*$"
)
SAYING = re.compile(
    r"\b(?:saying|says|say|stating|reading|that reads|telling \w+|tell (?:him|her|them|me|us)|let (?:him|her|them) know|remind (?:me|him|her|them)"
    r"|with the (?:text|message|body|content)|(?:text|message|body|content) is)\b(?:\s+that|\s+to)?[\s:,]+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
CALLED = re.compile(
    r"\b(?:titled|called|named|entitled|subject(?: is)?|title(?: is)?)\b[\s:,]+(?P<rest>[^,;\n]+)", re.IGNORECASE
)
COLON = re.compile(r":\s+(?P<rest>\S.+)$", re.DOTALL)
TO_DO = re.compile(r"\b(?:to|that|about|for|because|since)\s+(?P<rest>[^\W\d_].+)$", re.IGNORECASE | re.DOTALL)
QUOTES = "\"“”'`「」"


def _quote(part: Part, used: Sequence[Span]) -> str | None:
    return next((str(span.value) for span in part.spans if span.kind == "quoted" and span not in used), None)


def _clean(text: str) -> str:
    return TAIL.sub("", text.strip()).strip().strip(QUOTES).strip()


def query_of(part: Part, used: Sequence[Span] = (), *, bare: bool = False) -> str | None:
    """Return what a search should look for. bare: without the words of the question around it."""
    if quoted := _quote(part, used):
        return quoted
    text = _without_used(part, used)
    if is_hangul(text):
        return _clean(KOREAN_TAIL.sub("", text.strip())) or None
    found = SEARCH_FOR.match(text)
    rest = found["rest"] if found else LEAD.sub("", text)
    rest = _clean(re.sub(r"^(?:an?|the|some|any)\s+", "", rest.strip(), flags=re.IGNORECASE))
    if bare:
        content = [term for term in terms(rest) if term.weight == 1]
        rest = rest[content[0].start :] if content else ""
    return rest or None


def _without_used(part: Part, used: Sequence[Span]) -> str:
    """The part without the values that other parameters took, and the small words that led to them."""
    text = part.text
    for span in sorted((s for s in used if part.start <= s.start < part.end), key=lambda s: -s.start):
        if span.kind in ("quoted", "place", "name", "foreign", "id"):
            continue
        head, tail = text[: span.start - part.start], text[span.end - part.start :]
        head = re.sub(
            r"\b(?:under|below|over|above|less than|more than|up to|at most|on|for|top|first|in|from|to|than)\s*$",
            "",
            head,
            flags=re.IGNORECASE,
        )
        text = head.rstrip() + " " + tail.lstrip()
    return text


def content_of(part: Part, used: Sequence[Span] = ()) -> str | None:
    """Return what a message should say, or None."""
    if quoted := _quote(part, used):
        return quoted
    for form in (SAYING, COLON):
        if found := form.search(part.text):
            return (
                _clean(found["rest"]) + ("." if found["rest"].rstrip().endswith(".") and ". " in found["rest"] else "")
                or None
            )
    if found := TO_DO.search(part.text):
        return _clean(found["rest"]) or None
    return None


def title_of(part: Part, used: Sequence[Span] = ()) -> str | None:
    """Return what a new thing should be called: what is quoted, named, or told after a colon; else what it is for."""
    if quoted := _quote(part, used):
        return quoted
    for form in (CALLED, COLON, SAYING, TO_DO):
        if found := form.search(part.text):
            return _clean(found["rest"]) or None
    words = [word for word, _, _ in tokens(part.text)]
    return " ".join(words[:8]) or None
