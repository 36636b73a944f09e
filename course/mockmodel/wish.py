"""What is wanted: the wish cut into parts, each with the tool that fits it best."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from course.mockmodel.choice import Score
from course.mockmodel.negation import forbids, without_refused
from course.mockmodel.span import Span
from course.mockmodel.spans import masked, spans
from course.mockmodel.words import WEAK, Term, is_hangul, stem, terms

__all__ = ["Part", "Wish", "parts_of", "read_wish", "tells"]

LONGEST = 6000  # characters of a wish that are read: its beginning and its end
MOST_PIECES = 16


@dataclass(frozen=True)
class Wish:
    """A wish as read. mask: the text with quoted values blanked out, same length."""

    text: str
    mask: str
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Part:
    """A piece [start, end) of the wish. ranked: tools, best first. after: it must wait for the part before it."""

    start: int
    end: int
    text: str
    mask: str
    terms: tuple[Term, ...]
    spans: tuple[Span, ...]
    ranked: tuple[Score, ...] = ()
    after: bool = False

    @property
    def best(self) -> Score | None:
        """The tool that fits best, or None."""
        return self.ranked[0] if self.ranked and self.ranked[0].fits else None


Ranker = Callable[["Part"], Sequence[Score]]
Complete = Callable[["Part"], bool]

THEN = r"[,;.]?\s*\b(?:and\s+)?(?:then|afterwards|after that|once (?:that is|that's|it is|it's) done)\b[,\s]*"
STOP = r"(?<=[.!?。])\s+|\n+|;\s*"
AND = r",?\s*\b(?:and\s+also|and|also|plus|as\s+well\s+as)\b\s*(?:also\s+)?|,\s+"
THEN_KO = r"(?<=[가-힣])(?:한|은)\s*(?:다음|뒤|후)에?\s+|[,.]?\s*그\s*(?:다음|후)에?\s+|(?<=[아어해])서\s+"
AND_KO = r"(?<=[가-힣])고\s+|,?\s*그리고\s+|,?\s*또\s+"
JOINT = re.compile(rf"(?P<then>{THEN})|(?P<stop>{STOP})|(?P<and>{AND})", re.IGNORECASE)
JOINT_KO = re.compile(rf"(?P<then>{THEN}|{THEN_KO})|(?P<stop>{STOP})|(?P<and>{AND}|{AND_KO})", re.IGNORECASE)
OPENER = re.compile(
    r"^\W*(?:please\b|can you|could you|would you|i (?:want|need|would|'d)|i'd|let me|what|which|who|where"
    r"|when|how|why|is\b|are\b|does\b|do\b"
    r"|the\b|a\b|an\b|then\b|also\b)",
    re.IGNORECASE,
)


TELLS = re.compile(
    r"^\W*(?:i|i'm|i've|we|we're|my|our|it|it's|that|that's|this|he|she|they|you|there)\b"
    r"|^\W*the\b[^,.?!]{1,60}\b(?:is|are|was|were|isn't|aren't)\b",
    re.IGNORECASE,
)
WANTS = re.compile(
    r"\b(?:i|we)(?:'d| would| want| need| must)\b|\b(?:please|can you|could you|looking for|would like)\b|\?",
    re.IGNORECASE,
)
WANTS_KO = re.compile(r"줘|주세요|주실|까요|나요|알려|보여|찾아|\?|싶|필요|부탁")
TELLS_KO = re.compile(r"(?:다|요|아|어|야|네)[\s.!~]*$")
LEADS_IN = re.compile(
    r"^\W*(?:according|based|given|as|for|in|on|at|with|if|when|while|after|before|since|because|regarding"
    r"|during|due)\b",
    re.IGNORECASE,
)
OPENERS = {"convert", "translate", "math", "reminder", "summary", "read", "shipment", "email"}
KOREAN_TELLS = re.compile(r"(?:입니다|이에요|예요|습니다|았어요?|었어요?|했어요?)[\s.!]*$")
AGAIN = re.compile(
    r"^\W*(?:please\s+)?(?:use|call|run|try|do) (?:it|that|this|the same)\b.*\b(?:again|too|with|for)\b"
    r"|^\W*(?:once more|again)\b",
    re.IGNORECASE,
)
INVISIBLE = dict.fromkeys((0xAD, 0x200B, 0x2060, 0xFEFF))
"""Soft hyphens and spaces without width, which pasted text has in the middle of words."""
QUESTION = re.compile(r"^\W*(?:what|which|who|where|when|how|why|is|are|does|do|can)\b", re.IGNORECASE)


def read_wish(text: str, today: date, names: Collection[str] = ()) -> Wish:
    """Read a wish; of a very long one the beginning and the end. names: of tools, which are no values."""
    text = text.translate(INVISIBLE)
    if len(text) > LONGEST:
        text = text[: LONGEST // 2] + "\n" + text[-LONGEST // 2 :]
    found = [span for span in spans(text, today) if span.kind != "identifier" or span.value not in names]
    mask, kept = without_refused(text, masked(text, found), found)
    return Wish(text, mask, kept)


def part_of(wish: Wish, start: int, end: int, after: bool = False) -> Part:
    """Return the piece [start, end) of a wish as a part, not yet ranked."""
    mask = wish.mask[start:end]
    inside = tuple(span for span in wish.spans if span.start >= start and span.end <= end)
    found = tuple(term._replace(start=term.start + start, end=term.end + start) for term in terms(mask))
    return Part(start, end, wish.text[start:end], mask, found, inside, after=after)


def parts_of(wish: Wish, rank: Ranker, complete: Complete) -> list[Part]:
    """Cut a wish where two wishes meet.

    rank gives the tools for a part. complete tells whether a part has, by itself, what its tool requires: only then
    is a second wish of the same tool one of its own ("10 USD to EUR and 20 GBP to JPY").
    """
    pieces = _pieces(wish)
    parts: list[Part] = []
    for start, end, joint in pieces:
        part = part_of(wish, start, end, joint == "then")
        if forbids(part.text):
            parts.append(part)
            continue
        part = replace(part, ranked=tuple(rank(part)))
        if parts and forbids(parts[-1].text):
            parts.append(part)
            continue
        if parts and part.best is None and AGAIN.search(part.text):
            parts.append(replace(part, ranked=parts[-1].ranked))
            continue
        if not parts or _stands_alone(parts[-1], part, joint, complete):
            parts.append(part)
        else:
            last = parts[-1]
            parts[-1] = part_of(wish, last.start, part.end, last.after)
            parts[-1] = replace(parts[-1], ranked=tuple(rank(parts[-1])))
    return [each for part in parts for each in (part, *_siblings(part))]


BETWEEN = re.compile(r"\s*(?:,|&|/|,?\s*(?:and|or)\b|와|과|하고|랑)\s*(?:the\s+)?(?:\w+\s+)?$", re.IGNORECASE)


def _siblings(part: Part) -> list[Part]:
    """More wishes in one breath: "the median and the variance of …" names two tools for the same values."""
    if part.best is None:
        return []
    mine = _named(part, part.best)
    found = []
    for score in part.ranked[1:5]:
        others = _named(part, score)
        own = [term for term in others if term.stem not in {t.stem for t in mine}]
        only = [term for term in mine if term.stem not in {t.stem for t in others}]
        joined = any(_joined(part, a, b) for a in only for b in own)
        if score.fits and joined:
            found.append(replace(part, ranked=(score, *(s for s in part.ranked if s is not score))))
    return found


def _named(part: Part, score: Score) -> list[Term]:
    stems = score.offer.stems
    return [term for term in part.terms if term.weight == 1 and stems.get(term.stem, (0.0, ""))[1] == "name"]


def _joined(part: Part, one: Term, two: Term) -> bool:
    first, second = sorted((one, two), key=lambda term: term.start)
    return BETWEEN.fullmatch(part.mask[first.end - part.start : second.start - part.start]) is not None


def _pieces(wish: Wish) -> list[tuple[int, int, str]]:
    """Return (start, end, kind of the joint before it) of every piece between joints outside quotes."""
    pieces: list[tuple[int, int, str]] = []
    start, kind = 0, ""
    inside = [
        (span.start, span.end) for span in wish.spans if span.kind in ("quoted", "sql", "expression", "date", "number")
    ]
    for joint in (JOINT_KO if is_hangul(wish.text) else JOINT).finditer(wish.mask):
        if len(pieces) == MOST_PIECES - 1:
            break
        if any(a < joint.end() and joint.start() < b for a, b in inside):
            continue
        cut = joint.start() + (1 if joint.group().startswith(("고", "서")) else 0)
        if wish.mask[start:cut].strip():
            pieces.append((start, cut, kind))
            start, kind = joint.end(), joint.lastgroup or ""
        else:
            start = joint.end()
    if wish.mask[start:].strip() or not pieces:
        pieces.append((start, len(wish.text), kind))
    return pieces


def _stands_alone(last: Part, part: Part, joint: str, complete: Complete) -> bool:
    best = part.best
    if best is None:
        return False
    if joint == "and" and LEADS_IN.match(last.text) is not None:
        return False
    if last.best is not None and _same_again(last.best, part):
        return False
    if last.best is None:
        return joint == "stop" and not last.terms
    if joint == "and" and (_continues(last, part) or _narrows(part)):
        return False
    if best.last_resort and not last.best.last_resort:
        return bool(QUESTION.match(part.text))
    if best.offer.name == last.best.offer.name:
        return complete(last) and complete(part)
    return joint == "then" or (joint == "stop" and not tells(part.text) and best.evidence >= 1) or _asks(part)


IT = re.compile(r"^\W*(?:please\s+)?(?P<verb>\w+)\s+(?:it|them|this|that)\b[\s\w]{0,8}\W*$", re.IGNORECASE)


def _same_again(best: Score, part: Part) -> bool:
    """Whether a piece only names the act of the tool before it: ", please report it" after report_street_problem."""
    found = IT.match(part.text)
    return found is not None and best.offer.stems.get(stem(found["verb"].lower()), (0.0, ""))[1] == "name"


def tells(text: str) -> bool:
    """Whether a text tells something, rather than asking for it."""
    if is_hangul(text):
        return TELLS_KO.search(text) is not None and WANTS_KO.search(text) is None
    return TELLS.match(text) is not None and WANTS.search(text.replace("’", "'")) is None


def _continues(last: Part, part: Part) -> bool:
    """Whether a piece is only one more value in a list that began before it: "… in the hallway and the kitchen"."""
    if _names_parameter(last, part):
        return True
    if not part.spans or not last.spans or part.spans[0].group != last.spans[-1].group:
        return False
    head = part.text[: part.spans[0].start - part.start].lower().split()
    return all(word in ("the", "a", "an", "in", "of", "for") for word in head)


NARROWS = re.compile(
    r"^\W*(?:at most|at least|at|no more than|less than|more than|up to|under|over|below|above|within|around|about"
    r"|for|from|until|till|by|with|without|near|on|in|as|starting|ending|preferably|ideally|if possible)\b",
    re.IGNORECASE,
)


def _narrows(part: Part) -> bool:
    """Whether a piece only narrows what was asked before it: ", at most 5 km away?"."""
    return NARROWS.match(part.text) is not None and not any(term.acts for term in part.terms)


def _names_parameter(last: Part, part: Part) -> bool:
    """Whether a piece gives a value to a parameter of the tool before it: "… and the text "See you"."""
    first = next(iter(part.terms), None)
    quoted = any(span.kind == "quoted" for span in part.spans)
    noun = re.match(r"\s*(?:the|an?|with|its?)\b", part.text, re.IGNORECASE)
    if first is None or not quoted or last.best is None or (first.acts and not noun):
        return False
    return last.best.offer.stems.get(first.stem, (0.0, ""))[1].startswith("parameter")


def _asks(part: Part) -> bool:
    """Whether a piece asks for something, rather than telling more of what was asked before it."""
    if is_hangul(part.text):
        return KOREAN_TELLS.search(part.text) is None
    if part.text.rstrip().endswith("?") or OPENER.match(part.text):
        return True
    first = next(iter(part.terms), None)
    opens = first is not None and not part.mask[: first.start - part.start].strip(" \t\"'(-")
    return first is not None and opens and (first.weight == WEAK or bool(first.acts) or _verb(first, part))


def _verb(term: Term, part: Part) -> bool:
    """Whether a first word is what the fitting tool is called after, or of a kind that opens a request."""
    named = part.best is not None and part.best.offer.stems.get(term.stem, (0.0, ""))[1] == "name"
    return named or any(concept in OPENERS for concept in term.concepts)
