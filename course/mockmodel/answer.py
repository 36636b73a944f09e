"""What the stand-in writes: answers from results, questions, small talk; in the language of the wish."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from course.facts import say
from course.mockmodel.plan import Plan, Step
from course.mockmodel.reaction import found_nothing
from course.mockmodel.results import parsed
from course.mockmodel.words import is_hangul, terms

__all__ = ["answer", "ask", "idle", "label_of", "language_of", "small_talk", "talk"]

LONGEST = 1500
MOST_CONTENT = 3  # words of weight in a phrase of politeness
MOST_ROWS = 10
HELLO = re.compile(r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings|안녕\w*)\b", re.IGNORECASE)
THANKS = re.compile(r"\b(?:thanks|thank you|thx|cheers)\b|감사|고마워", re.IGNORECASE)
CAN = re.compile(
    r"\bwhat (?:can|could) you\b|\bhow can you help\b|\bwho are you\b|\bwhat are you\b|\bwhat tools\b"
    r"|무엇을 할 수|뭘 할 수|누구",
    re.IGNORECASE,
)
CHAT = re.compile(
    r"\bhow are you\b|\bsee you\b|\bbye\b|\bgood ?night\b|\bnever mind\b|\bcan you (?:speak|understand)\b"
    r"|\byour (?:name|favou?rite|age|job|opinion)\b|잘 가|잘 자|기분",
    re.IGNORECASE,
)
SAY = re.compile(
    r"\b(?:reply|respond|answer|say|repeat|output|print|write)\b(?:\s+(?:only|just|exactly|with|back"
    r"|after me|the words?|the text|the phrase))*\s*:?\s*"
    r"(?P<it>\"[^\"]+\"|“[^”]+”|'[^']+'|(?<=[:])\s*[^\n]+|(?<=exactly )(?!as\b|the\b)[^\n.]+"
    r"|(?<=with )(?!exactly|the\b|a\b|an\b)[^\n.]{1,60}|(?<=say )[\w!.]{1,30}(?=[\s.!?]*$))",
    re.IGNORECASE,
)


def language_of(text: str) -> str:
    """Return "ko" for a text with Korean in it, else "en"."""
    return "ko" if is_hangul(text) else "en"


def label_of(step: Step) -> str:
    """Name a call for a person: its own short values, else its tool."""
    values = [str(v) for v in step.input.values() if isinstance(v, str | int | float) and not isinstance(v, bool)]
    short = [value for value in values if 0 < len(value) <= 40]
    return ", ".join(short[:3]) or step.offer.name


def answer(plan: Plan, lang: str, *, injected: bool = False) -> str:
    """Return the answer that the steps of a plan allow."""
    lines = [line for step in plan.steps if (line := _line(step, lang))]
    if guessed := _assumed(plan):
        lines.append(say("mockmodel.answer.assumed", lang=lang, values=", ".join(guessed)))
    if injected:
        lines.append(say("mockmodel.answer.injected", lang=lang))
    if len([line for line in lines if "\n" not in line]) > 2:
        lines.insert(0, say("mockmodel.answer.lead", lang=lang))
    return "\n".join(lines)


def _assumed(plan: Plan) -> list[str]:
    """What a call held though neither wish nor results told it."""
    told = [
        f"{param.name} = {json.dumps(step.input[param.name], ensure_ascii=False)}"
        for step in plan.of("done")
        for param in step.filled.missing
        if param.name in step.input
    ]
    return list(dict.fromkeys(told))


def _line(step: Step, lang: str) -> str:
    label = label_of(step)
    if step.state == "done":
        call = step.attempts[-1]
        if not call.text and any(kind != "text" for kind in call.kinds):
            return say("mockmodel.answer.done", lang=lang, label=label,
                       result=say("mockmodel.answer.not_text", lang=lang, kinds=", ".join(call.kinds)))  # fmt: skip
        if not call.text.strip():
            return say("mockmodel.answer.empty", lang=lang, label=label)
        if found_nothing(call.text):
            return say("mockmodel.answer.nothing", lang=lang, label=label)
        return say("mockmodel.answer.done", lang=lang, label=label, result=readable(call.text, lang))
    told = step.failure.told if step.failure else ""
    if step.state == "failed" and step.why == "gave up":
        return say(
            "mockmodel.answer.gave_up",
            lang=lang,
            label=label,
            tool=step.offer.name,
            count=len(step.attempts),
            told=told,
        )
    if step.state == "failed":
        return say("mockmodel.answer.failed", lang=lang, label=label, tool=step.offer.name, told=told)
    if step.state == "dropped" and step.why != "another tool":
        unmet = step.why == "a condition is not met"
        return say(f"mockmodel.answer.{'unmet' if unmet else 'dropped'}", lang=lang, label=label, tool=step.offer.name)
    return ""


def readable(text: str, lang: str) -> str:
    """Return a result for a person: JSON as words, other text as it is, very long text cut."""
    document = parsed(text)
    shown = text.strip() if document is None else _rendered(document, lang)
    return shown if len(shown) <= LONGEST else shown[:LONGEST].rstrip() + " …"


def _rendered(node: Any, lang: str) -> str:
    if isinstance(node, Mapping):
        return ", ".join(f"{str(key).replace('_', ' ')} {_rendered(value, lang)}" for key, value in node.items())
    if isinstance(node, list):
        if all(not isinstance(item, Mapping | list) for item in node):
            return ", ".join(_rendered(item, lang) for item in node)
        rows = ["\n- " + _rendered(item, lang) for item in node[:MOST_ROWS]]
        if len(node) > MOST_ROWS:
            rows.append("\n" + say("mockmodel.answer.more", lang=lang, count=len(node) - MOST_ROWS))
        return "".join(rows)
    return node if isinstance(node, str) else json.dumps(node, ensure_ascii=False)


def ask(steps: Sequence[Step], lang: str) -> str:
    """Return the question for what is missing."""
    lines = []
    for step in steps:
        lacks = [f"{p.name} ({p.text.rstrip('.')})" if p.text else p.name for p in step.filled.missing]
        key = "one" if len(lacks) == 1 else "many"
        lines.append(say(f"mockmodel.ask.{key}", lang=lang, tool=step.offer.name, lacks=", ".join(lacks)))
    return "\n".join(dict.fromkeys(lines))


def idle(wish: str) -> bool:
    """Whether a wish is a phrase of politeness that asks for nothing: "How are you today?"."""
    return CHAT.search(wish) is not None and sum(term.weight == 1 for term in terms(wish)) < MOST_CONTENT


def small_talk(wish: str) -> bool:
    """Whether a wish is a greeting, thanks, a question about the stand-in, or an order to say certain words."""
    content = [term for term in terms(wish) if term.weight == 1]
    brief = (bool(HELLO.search(wish)) and len(content) < 3) or (bool(THANKS.search(wish)) and len(content) < 4)
    return brief or idle(wish) or not content or SAY.search(wish) is not None or CAN.search(wish) is not None


def talk(wish: str, tools: Sequence[str], choice: str, lang: str) -> str:
    """Return what to say to a wish that no tool serves."""
    shown = wish.strip()
    shown = shown if len(shown) <= 160 else shown[:160].rstrip() + " …"
    if (told := SAY.search(wish)) is not None:
        return told["it"].strip().strip("\"“”'")
    if CAN.search(wish):
        known = ", ".join(tools)
        return say("mockmodel.talk.tools" if known else "mockmodel.talk.no_tools", lang=lang, tools=known)
    content = [term for term in terms(wish) if term.weight == 1]
    if idle(wish):
        return say("mockmodel.talk.polite", lang=lang)
    if THANKS.search(wish) and len(content) < 4:
        return say("mockmodel.talk.thanks", lang=lang)
    if (HELLO.search(wish) and len(content) < 3) or not shown:
        return say("mockmodel.talk.hello" if shown else "mockmodel.talk.again", lang=lang)
    key = "forbidden" if tools and choice == "none" else "no_fit" if tools else "only_talk"
    return say(f"mockmodel.talk.{key}", lang=lang, wish=shown)
