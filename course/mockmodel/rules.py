"""What a description says about when to use a tool: exclusions, conditions on earlier calls, hand-overs to others."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from course.mockmodel.words import WEAK, spread, terms

__all__ = ["Rule", "read_rules"]


@dataclass(frozen=True)
class Rule:
    """One sentence that narrows a tool.

    kind: `never` (not for these topics, or not once these tools were called) or `only` (for these topics, or only
    once they were called). topics: alternatives, each the stems and concepts that tell it. called: tools whose earlier
    call it is about; `any` stands for whichever tool. same: the earlier call must be about the same question.
    first: the named tool has to be called before (a step of its own), not merely to have been.
    """

    kind: str
    text: str
    topics: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...] = ()
    called: tuple[str, ...] = ()
    same: bool = False
    first: bool = False


SENTENCE = re.compile(r"(?<=[.!?;。])\s+|\n+|;\s*|(?<=다\.)\s*")
ABBREVIATION = re.compile(r"\b(e\.g|i\.e|etc|vs|approx)\.", re.IGNORECASE)
NEVER = re.compile(
    r"\b(?:do not|don['’]t|never|should not|shouldn['’]t|must not|may not|cannot|can['’]t|not to|avoid)\s+(?:be\s+)?"
    r"(?:use|used|using|call|called|calling|invoke|invoked|pick|choose|rely)\b(?P<rest>.*)"
    r"|(?:^|,\s*|\bis\s+|\bbut\s+|\band\s+)not\s+(?:for|intended for|meant for|suitable for|when|if)\b(?P<rest2>.*)"
    r"|\b(?:does not|doesn['’]t|cannot|can['’]t|will not|won['’]t)\s+(?P<rest3>.*)"
    r"|\bexcept\s+(?:for|when|if)\b(?P<rest4>.*)"
    r"|(?P<rest5>.*?)(?:에는|할 때는|경우에는|때)?\s*(?:사용|호출)하지\s*(?:마|않|말)",
    re.IGNORECASE,
)
ONLY = re.compile(
    r"\bonly\b.{0,30}?\b(?:if|when|after|once|for)\b(?P<rest>.*)"
    r"|\b(?:if|when|after|once|for)\b(?P<rest2>[^,]*)\bonly\b"
    r"|\brequires?\b(?P<rest3>.*)"
    r"|(?P<rest4>.*?)(?:후에만|뒤에만|경우에만|때만)",
    re.IGNORECASE,
)
HISTORY = re.compile(
    r"\b(?:called|calling|call|used|ran|run|returned|succeeded|already|earlier|before|previous(?:ly)?|prior"
    r"|after|first|once|searched"
    r"|looked up|answered|asked)\b|호출|먼저|이미|이전",
    re.IGNORECASE,
)
REPEAT = re.compile(r"\b(?:already|earlier|before|previous(?:ly)?|same)\b|이미|이전", re.IGNORECASE)
FIRST = re.compile(
    r"\bfirst (?:question|time|request|look|call|query)\b|\bnothing\b.*\b(?:yet|before|earlier)\b", re.IGNORECASE
)
STEP = re.compile(r"\bafter\b|\bfirst\b|\bbefore\b|\brequires?\b|\bonce\b|먼저|후에", re.IGNORECASE)
SAME = re.compile(r"\bsame (?:question|query|topic|request|search|subject|wish)\b|같은 (?:질문|주제)", re.IGNORECASE)
HAND_OVER = re.compile(
    r"\b(?:use|call|prefer|choose|try)\s+[`'\"]?(?P<tool>[\w-]+)[`'\"]?(?:\s+tool)?\s*(?:instead\s*)?(?:for"
    r"|if|when|to)\s+(?P<rest>.*)",
    re.IGNORECASE,
)
FOR_USE = re.compile(
    r"^(?:for|if|when)\s+(?P<rest>.*?),?\s+(?:use|call|prefer)\s+[`'\"]?(?P<tool>[\w-]+)", re.IGNORECASE
)
INSTEAD = re.compile(r"^\W*(?:please\s+)?(?:use|call|prefer|choose|try)\b[^.]{1,80}\binstead\b\W*$", re.IGNORECASE)
BEFORE_THIS = re.compile(
    r"\bbefore\s+(?:using|calling)\s+(?:this|it)\b|\bmust be called (?:first|before)|\bcall .{1,60}? first\b"
    r"|\bbefore this\b",
    re.IGNORECASE,
)
ALTERNATIVES = re.compile(r",|;|\bor\b|\bnor\b|\band\b|/|또는|이나|나 ")
PRONOUN = re.compile(r"^(?:that|this|it|those|these|them)\b\W*$", re.IGNORECASE)


def read_rules(description: str, name: str, names: Sequence[str]) -> tuple[list[str], tuple[Rule, ...]]:
    """Return the sentences that say what the tool is for, and the rules in the others. names: every tool on offer."""
    purpose: list[str] = []
    rules: list[Rule] = []
    sentences = [s.strip() for s in SENTENCE.split(ABBREVIATION.sub(r"\1", description)) if s and s.strip()]
    told: set[str] = set()
    parsed: list[tuple[str, str, str]] = []
    for sentence in sentences:
        kept, kind, rest = _sort(sentence, name, names)
        if kept:
            purpose.append(kept)
            told.update(term.stem for term in terms(kept))
        if kind:
            parsed.append((kind, sentence, rest))
    told.update(term.stem for term in terms(spread(name)))
    for kind, sentence, rest in parsed:
        rule = _rule(kind, sentence, rest, names, told)
        if rule.topics or rule.called:
            rules.append(rule)
    return purpose, tuple(rules)


def _sort(sentence: str, name: str, names: Sequence[str]) -> tuple[str, str, str]:
    """Tell of one sentence what is purpose, which kind of rule it is ("" for none), and what the rule is about."""
    if INSTEAD.match(sentence):
        return "", "", ""
    others = [other for other in names if _mentions(sentence, other)]
    if BEFORE_THIS.search(sentence) and others:
        return "", "only", sentence
    if found := NEVER.search(sentence):
        rest = next((group for group in found.groups() if group is not None), "")
        if turned := re.search(r"\b(?:unless|until|before|without)\b(.*)", rest, re.IGNORECASE):
            return sentence[: found.start()], "only", turned[1] + " after"
        return sentence[: found.start()].rstrip(" ,"), "never", re.split(r"[,;]\s*(?:use|call|prefer)\b", rest)[0]
    if found := ONLY.search(sentence):
        rest = next((group for group in found.groups() if group is not None), "")
        if not found["rest3"] or (others and HISTORY.search(sentence)):
            return sentence[: found.start()].rstrip(" ,"), "only", rest if not others else sentence[found.start() :]
    for form in (FOR_USE, HAND_OVER):
        found = form.search(sentence)
        if found and found["tool"] in others and found["tool"] != name:
            rest = "" if PRONOUN.match(found["rest"]) else found["rest"]
            return sentence[: found.start()].rstrip(" ,"), "never" if rest else "", rest
    return sentence, "", ""


def _rule(kind: str, sentence: str, rest: str, names: Sequence[str], told: set[str]) -> Rule:
    others = tuple(other for other in names if _mentions(rest, other))
    same = bool(SAME.search(rest))
    if FIRST.search(rest):
        return Rule("only" if kind == "never" else "never", sentence, called=("any",))
    if others and HISTORY.search(rest):
        return Rule(kind, sentence, called=others, same=same, first=kind == "only" and bool(STEP.search(rest)))
    if not others and (same or re.search(r"\b(?:already|earlier)\b", rest)) and REPEAT.search(rest):
        return Rule(kind, sentence, called=("any",), same=True)
    topics = []
    for piece in ALTERNATIVES.split(rest):
        for other in others:
            piece = piece.replace(other, " ")
        topic = tuple((t.stem, t.concepts) for t in terms(piece) if t.weight > WEAK and t.stem not in told)
        if topic:
            topics.append(topic)
    return Rule(kind, sentence, topics=tuple(topics))


def _mentions(text: str, name: str) -> bool:
    return name in text and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None
