"""Free text out of a wish: what to search for, what to say, what to call it."""

import re
from collections.abc import Collection, Sequence

from course.mockmodel.span import Span
from course.mockmodel.wish import Part, tells
from course.mockmodel.words import WEAK, concepts_of, is_hangul, stem, strip_particle, terms, tokens

__all__ = [
    "beside",
    "content_of",
    "counted_things",
    "expression_of",
    "items_of",
    "query_of",
    "rest_of",
    "thing_of",
    "title_of",
]

SEARCH_FOR = re.compile(
    r"^.*?\b(?:search|look(?:ing)?|find|query|google|browse|check|lookup)\b[^,.?!]{0,60}?\b(?:for|about|on"
    r"|up|regarding|into)\b\s+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
LEAD = re.compile(
    r"^(?:\W|please\b|can you\b|could you\b|would you\b|will you\b|i(?:'d| would) (?:like|love)\b|i (?:want"
    r"|need)\b|(?:to|me|us)\b"
    r"|let me know\b|do you know\b|tell\b|show\b|give\b|find\b|search\b|get\b|fetch\b|look up\b|look for\b"
    r"|look into\b|check\b|for\b|about\b|some\b|any\b|the\b|an?\b)+",
    re.IGNORECASE,
)
TAIL = re.compile(r"[\s,]*(?:\bplease\b|\bthanks?\b|\bfor me\b)?[\s?!.,]*$", re.IGNORECASE)
KOREAN_TAIL = re.compile(
    r"(?:을|를|에 대해서?|에 대한|은|는|이|가)?\s*(?:좀\s*)?(?:검색|찾아|알려|보여|조회|확인)(?:해"
    r"|봐)?\s*(?:줘|주세요|줄래|주시겠어요|봐)?(?:요)?[\s.?!]*$"
)
SAYING = re.compile(
    r"\b(?:saying|says|say|stating|reading|that reads|telling \w+|tell (?:him|her|them|me|us)|let (?:him|her"
    r"|them) know|remind (?:me|him|her|them)"
    r"|with the (?:text|message|body|content)|(?:text|message|body|content) is)\b(?:\s+that"
    r"|\s+to)?[\s:,]+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
CALLED = re.compile(
    r"\b(?:titled|called|named|entitled|subject(?: is)?|title(?: is)?)\b[\s:,]+(?P<rest>[^,;\n]+)", re.IGNORECASE
)
COLON = re.compile(r":\s+(?P<rest>\S.+)$", re.DOTALL)
TO_DO = re.compile(r"\b(?:to|that|about|for|because|since)\s+(?P<rest>[^\W\d_].+)$", re.IGNORECASE | re.DOTALL)
PUT = re.compile(
    r"^\W*(?:please\s+)?(?:add|put|note|write down)\s+(?:an?\s+|the\s+)?(?P<rest>.+?)\s+(?:to|on|in"
    r"|into)\s+(?:the|my|our)\b",
    re.IGNORECASE,
)
PUT_KO = re.compile(
    r"^(?:.*?(?:목록|일정|캘린더|리스트|메모|노트)에(?:다)?\s+)?(?P<rest>.+?)(?:을|를|라고"
    r"|이라고)?\s*(?:추가|등록|저장|기록|생성|올려|적어)"
)
ABOUT = re.compile(r"^(?:\W|\w+\s+){0,4}?(?:about|on|regarding|concerning)\s+(?P<rest>.+)$", re.IGNORECASE | re.DOTALL)
ASKING = re.compile(r"^\W*(?:what|which|who|where|when|why|how|is|are|does|do|can)\b", re.IGNORECASE)
LEADING = re.compile(
    r"\b(?:under|below|over|above|less than|more than|up to|at most|on|for|top|first|in|from|to|than|near|at|by)\s*$",
    re.IGNORECASE,
)
LIST_END = re.compile(
    r"\b(?:that|which|who|under|within|in|on|at|to|by|from|please|is|are|takes?|with)\b|[.?!;:]|$", re.IGNORECASE
)
CUT = re.compile(r",|\s+(?:for|at|in|on|about|with|from|by|near|this|today|tomorrow|yesterday)\s+")
QUOTES = "\"“”'`「」"


def _quote(part: Part, used: Sequence[Span]) -> str | None:
    return next((str(span.value) for span in part.spans if span.kind == "quoted" and span not in used), None)


def _clean(text: str) -> str:
    return TAIL.sub("", text.strip()).strip().strip(QUOTES).strip()


def query_of(part: Part, used: Sequence[Span] = (), *, bare: bool = False) -> str | None:
    """Return what a search should look for. bare: only what is asked about, without the question around it."""
    if quoted := _quote(part, used):
        return quoted
    text = _without_used(part, used, bare)
    if is_hangul(text):
        return _clean(KOREAN_TAIL.sub("", text.strip())) or None
    found = SEARCH_FOR.match(text) or (ABOUT.match(text) if bare or not ASKING.match(text) else None)
    rest = found["rest"] if found else LEAD.sub("", text)
    rest = _clean(re.sub(r"^(?:an?|the|some|any)\s+", "", rest.strip(), flags=re.IGNORECASE))
    if bare:
        content = [term for term in terms(rest) if term.weight == 1]
        rest = rest[content[0].start : content[-1].end] if content else ""
    return rest or None


def _without_used(part: Part, used: Sequence[Span], bare: bool) -> str:
    """The part without the values that other parameters took, and the small words that led to them."""
    text = part.text
    for span in sorted((s for s in used if part.start <= s.start < part.end), key=lambda s: -s.start):
        if not bare and span.kind in ("quoted", "place", "name", "foreign", "id"):
            continue
        head, tail = text[: span.start - part.start], text[span.end - part.start :]
        text = LEADING.sub("", head).rstrip() + " " + tail.lstrip()
    return text


def items_of(part: Part, cues: Sequence[str]) -> list[str]:
    """Return the items of a list after one of these words (stems): "with eggs, spinach and feta that …"."""
    words = tokens(part.mask)
    for place, (word, _, end) in enumerate(words):
        if stem(word.lower()) in cues and place + 1 < len(words):
            rest = part.text[end:]
            stop = LIST_END.search(rest)
            listed = re.split(
                r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b|&|와 |과 |하고 )\s*", rest[: stop.start()] if stop else rest
            )
            items = [
                _clean(re.sub(r"^(?:\W|the\b|an?\b|some\b)+", "", item.strip(), flags=re.IGNORECASE)) for item in listed
            ]
            items = [item for item in items if item]
            if items and all(len(item.split()) <= 4 for item in items):
                return items
    return []


MEASURE = re.compile(r"^\s*(?:x|pieces? of|boxes of|copies of|개|잔|병)\s+")


def counted_things(part: Part) -> list[tuple[int, str]]:
    """Return (how many, of what) for every number that counts something: "2 pizzas and three colas"."""
    found = []
    for span in part.spans:
        if span.kind in ("number", "count") and isinstance(span.value, int):
            rest = re.sub(
                r"^\s*(?:x|pieces? of|boxes of|copies of|개|잔|병)\s+", " ", part.text[span.end - part.start :]
            )
            thing = _clean(re.split(r",|;|\.|\?|!|\band\b|\bplus\b|\bfor\b|\bto\b|\d|와 |과 |하고 ", rest)[0])
            if thing and len(thing.split()) <= 4:
                found.append((span.value, thing))
    return found


def beside(part: Part, words: Sequence[str], concepts: Collection[str]) -> str | None:
    """Return the word beside a parameter's own name: "the checkout service", "room 12"."""
    found = tokens(part.mask)
    for place, (word, start, _) in enumerate(found):
        base = stem(word.lower())
        if not words or (base != words[-1] and not (is_hangul(word) and set(concepts) & set(concepts_of(base)))):
            continue
        for near in (place - 1,) if is_hangul(word) else (place - 1, place + 1):
            if 0 <= near < len(found) and _is_value(part, found[near], start):
                return strip_particle(found[near][0])[0] if is_hangul(found[near][0]) else found[near][0]
    return None


def _is_value(part: Part, token: tuple[str, int, int], name_at: int) -> bool:
    """Whether a word may be a name: no small word, no verb that opens the sentence, nothing between it and the name."""
    word, start, end = token
    known = terms(word)
    opens = start < name_at and not part.mask[:start].strip(" \"'")
    apart = start < name_at and part.mask[end:name_at].strip(" -'\"")
    sure = bool(known) and (known[0].weight > WEAK or part.mask[:start].rstrip().lower().endswith("the"))
    return sure and not opens and not apart


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


NUM = r"(-?\d[\d,]*(?:\.\d+)?)"
SPOKEN = (
    (rf"\b(?:add|sum(?: of)?|total of) {NUM} (?:and|to|plus) {NUM}", "{0} + {1}"),
    (rf"\b(?:multiply|product of) {NUM} (?:by|and|with) {NUM}", "{0} * {1}"),
    (rf"\bdivide {NUM} by {NUM}", "{0} / {1}"),
    (rf"\bsubtract {NUM} from {NUM}", "{1} - {0}"),
    (rf"\bdifference (?:between|of) {NUM} and {NUM}", "{0} - {1}"),
    (rf"\bsquare root of {NUM}", "{0} ** 0.5"),
)
OPERATORS = {
    r"\s+plus\s+": " + ", r"\s+minus\s+": " - ", r"\s+(?:times|multiplied by)\s+": " * ", r"\s+(?:divided by"
    r"|over)\s+": " / ",
    r"\s+squared\b": " ** 2", r"\s+cubed\b": " ** 3",
}  # fmt: skip
FORMULA = re.compile(rf"{NUM}(?:\s*(?:\*\*|[-+*/])\s*{NUM})+")


def expression_of(part: Part) -> str | None:
    """Return a sum that is told in words ("12 squared plus 5") as a formula, or None."""
    text = part.text
    for form, formula in SPOKEN:
        if found := re.search(form, text, re.IGNORECASE):
            return formula.format(*(number.replace(",", "") for number in found.groups()))
    for words, sign in OPERATORS.items():
        text = re.sub(words, sign, text, flags=re.IGNORECASE)
    found = FORMULA.search(text)
    return found.group().replace(",", "") if found else None


DETERMINER = re.compile(r"\b(?:the|a|an|my|our|your|some|this)\s+$", re.IGNORECASE)


def rest_of(part: Part, used: Sequence[Span], known: Collection[str]) -> str | None:
    """Return the thing that a question is about: the words that are not the tool's own ("protein in **…**?").

    known: stems of the tool.
    """
    taken = [(span.start - part.start, span.end - part.start) for span in used]
    runs: list[tuple[int, int, int]] = []
    last = -1
    for place, (word, start, end) in enumerate(tokens(part.mask)):
        found = terms(word)
        own = not found or found[0].weight < 1 or found[0].stem in known or word[0].isdigit()
        if own or any(a <= start < b for a, b in taken):
            continue
        joined = runs and part.mask[runs[-1][1] : start].strip().lower() in ("", "of", "and", "with", "in", "&", "-")
        if runs and joined and place - last <= 2:
            runs[-1] = (runs[-1][0], end, runs[-1][2] + 1)
        else:
            named = DETERMINER.search(part.mask[:start]) is not None
            runs.append((start, end, 2 if named else 1))
        last = place
    best = max(runs, key=lambda run: run[2], default=None)
    return part.text[best[0] : best[1]] if best else None


def thing_of(part: Part, used: Sequence[Span]) -> str | None:
    """Return the thing spoken of: the first words of what no other parameter took, up to the next preposition."""
    rest = query_of(part, used, bare=True)
    if rest is None or is_hangul(rest):
        return rest
    head = CUT.split(
        re.sub(r"^(?:had|ate|bought|have|drank|made)\s+(?:an?\s+|the\s+|some\s+)?", "", rest, flags=re.IGNORECASE)
    )[0]
    return _clean(head) if terms(head) else rest


def title_of(part: Part, used: Sequence[Span] = ()) -> str | None:
    """Return what a new thing should be called: what is quoted, named, or told after a colon; else what it is for."""
    if quoted := _quote(part, used):
        return quoted
    for form in (CALLED, COLON, SAYING, TO_DO, PUT, PUT_KO):
        if found := form.search(_without_used(part, used, False)):
            return _clean(found["rest"]) or None
    clauses = [clause for clause in re.split(r"[,.;!]\s+", part.text) if clause.strip()]
    return next((_clean(clause) for clause in clauses if len(clauses) > 1 and tells(clause)), None)
