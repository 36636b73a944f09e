"""Named checks on a written answer (`accept:` of repair_json, `accept` in the cases of faded_code).

A check gets the answer in its request and returns "" when it passes, else what is wrong and what to do. In an item a
check is a name, or `name: argument`.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from course.facts import say
from course.quiz.offline import broken_rules

__all__ = ["ACCEPT", "Written", "named"]

Block = Mapping[str, Any]
TRACEBACK = re.compile(
    r"Traceback|File \"|line \d+, in |\w+(Error|Exception)\(|at 0x[0-9a-f]+|\.py:\d+|psycopg|sqlalchemy", re.I
)
SECRET = re.compile(r"sk-[\w-]{6,}|password\s*[=:]|Bearer \S+|api[_-]?key\s*[=:]|://[^\s/]+:[^\s@]+@", re.I)
ADVICE = re.compile(
    r"\b(retry|again|try|wait|ask|use|call|check|choose|give|send|escalate|instead|do not|don't|correct|report|tell|"
    r"look up)\b",
    re.I,
)
EXCLUSION = re.compile(
    r"\b(do not use|don't use|not for|only (?:use )?(?:when|if|for|after)|use \S+ instead|instead of|rather than)\b",
    re.I,
)


@dataclass(frozen=True)
class Written:
    """A written answer. value: the JSON; request: the whole body it makes; calls: the tool_use blocks it answers."""

    value: Any
    request: Mapping[str, Any]
    calls: tuple[Block, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)

    def messages(self) -> list[Mapping[str, Any]]:
        """Return the messages of the answer: the one written, or the whole history of a written request."""
        found = self.value.get("messages", self.value) if isinstance(self.value, Mapping) else self.value
        found = found if isinstance(found, list) else [found]
        return [message for message in found if isinstance(message, Mapping)]

    def blocks(self, kind: str | None = None) -> Iterator[Block]:
        """Yield the content blocks of the answer's messages, of one type or of all."""
        for message in self.messages():
            content = message.get("content")
            for block in content if isinstance(content, list) else ():
                if isinstance(block, Mapping) and kind in (None, block.get("type")):
                    yield block

    def failed(self) -> list[Block]:
        """Return the results that are marked as errors."""
        return [block for block in self.blocks("tool_result") if block.get("is_error") is True]


Check = Callable[..., str]
TABLE: dict[str, Check] = {}


def _check(function: Check) -> Check:
    TABLE[function.__name__] = function
    return function


def _unless(passed: Any, key: str, /, **values: Any) -> str:
    return "" if passed else say(f"quiz.grading.accept.{key}", **values)


def text_of(block: Block) -> str:
    """Return the text of a tool_result, whatever form its content has."""
    content = block.get("content", "")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return " ".join(str(part.get("text", "")) for part in parts if isinstance(part, Mapping))


@_check
def api_accepts(answer: Written) -> str:
    """The offline API takes the request; its own words otherwise."""
    broken = broken_rules(answer.request)
    return _unless(not broken, "api_accepts", message=broken[0].message if broken else "")


@_check
def one_user_message(answer: Written) -> str:
    """The answer is one message, and the user role has written it."""
    if isinstance(answer.value, list):
        return _unless(len(answer.value) == 1, "one_message", n=len(answer.value))
    role = answer.value.get("role") if isinstance(answer.value, Mapping) else None
    return _unless(role == "user", "user_role", role=role)


@_check
def all_ids_answered(answer: Written) -> str:
    """Every call has exactly one result, and no result is left over."""
    wanted = [call["id"] for call in answer.calls]
    found = [block.get("tool_use_id") for block in answer.blocks("tool_result")]
    missing = [id for id in wanted if id not in found]
    strange = [str(id) for id in found if id not in wanted]
    if missing:
        return say("quiz.grading.accept.id_missing", ids=", ".join(missing))
    if strange:
        return say("quiz.grading.accept.id_strange", ids=", ".join(strange))
    return _unless(len(found) == len(wanted), "id_twice")


TABLE["both_ids_answered"] = all_ids_answered


@_check
def results_before_text(answer: Written) -> str:
    """In every message, tool results come first."""
    for message in answer.messages():
        content = message.get("content")
        kinds = (
            [block.get("type") for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []
        )
        last = max((at for at, kind in enumerate(kinds) if kind == "tool_result"), default=-1)
        if "text" in kinds[: last + 1]:
            return say("quiz.grading.accept.text_first")
    return ""


@_check
def error_is_marked(answer: Written) -> str:
    """The results of failed calls, and only those, have `is_error: true`; `given.failed` names them where it is set."""
    marked = [block.get("tool_use_id") for block in answer.failed()]
    wanted = answer.given.get("failed")
    if wanted is not None:
        return _unless(sorted(map(str, marked)) == sorted(wanted), "error_marks", wanted=", ".join(wanted) or "–")
    every = list(answer.blocks("tool_result"))
    return _unless(marked, "no_error_mark") or _unless(len(every) == 1 or len(marked) < len(every), "all_error_marks")


@_check
def no_error_marked(answer: Written) -> str:
    """Nothing failed, so nothing is marked as an error."""
    return _unless(not answer.failed(), "needless_error_mark")


@_check
def error_says_what_to_do(answer: Written) -> str:
    """Every error result is a sentence with a next step, without a stack trace."""
    failed = answer.failed()
    for block in failed:
        text = text_of(block)
        if TRACEBACK.search(text):
            return say("quiz.grading.accept.trace")
        if len(text.split()) < 4 or not ADVICE.search(text):
            return say("quiz.grading.accept.no_advice", text=text[:80])
    return _unless(failed, "no_error_mark")


@_check
def no_internals(answer: Written) -> str:
    """No stack trace and no secret is in any result."""
    text = json.dumps([text_of(block) for block in answer.blocks("tool_result")])
    return _unless(not TRACEBACK.search(text), "trace") or _unless(not SECRET.search(text), "secret")


@_check
def result_says(answer: Written, words: str) -> str:
    """Some result (or, for a definition, the description) contains the words."""
    texts = [text_of(block) for block in answer.blocks("tool_result")]
    if isinstance(answer.value, Mapping):
        texts.append(str(answer.value.get("description", "")))
    return _unless(any(words.lower() in text.lower() for text in texts), "words", words=words)


@_check
def has(answer: Written, pattern: Mapping[str, Any]) -> str:
    """The written JSON contains these fields with these values; others are free."""
    found = _contains(pattern, answer.value)
    return _unless(found, "has", pattern=json.dumps(pattern, ensure_ascii=False))


@_check
def has_no(answer: Written, name: str) -> str:
    """The written JSON has no field of this name, at any depth."""
    return _unless(name not in set(_names(answer.value)), "has_no", name=name)


@_check
def description_excludes(answer: Written) -> str:
    """The description says when not to use the tool."""
    return _unless(EXCLUSION.search(_description(answer)), "exclusion")


@_check
def description_has_sentences(answer: Written, least: int = 3) -> str:
    """The description has at least so many sentences."""
    n = len(re.findall(r"[.!?](?:\s|$)", _description(answer)))
    return _unless(n >= least, "sentences", n=n, least=least)


@_check
def parameters_described(answer: Written) -> str:
    """Every parameter of the definition has a description."""
    schema = answer.value.get("input_schema") if isinstance(answer.value, Mapping) else None
    properties = schema.get("properties", {}) if isinstance(schema, Mapping) else {}
    bare = [name for name, part in properties.items() if not (isinstance(part, Mapping) and part.get("description"))]
    return _unless(properties and not bare, "parameters", names=", ".join(bare) or "–")


def _description(answer: Written) -> str:
    return str(answer.value.get("description", "")) if isinstance(answer.value, Mapping) else ""


def _contains(pattern: Any, value: Any) -> bool:
    if isinstance(pattern, Mapping):
        return isinstance(value, Mapping) and all(
            name in value and _contains(part, value[name]) for name, part in pattern.items()
        )
    if isinstance(pattern, list):
        return isinstance(value, list) and all(any(_contains(part, found) for found in value) for part in pattern)
    return type(pattern) is type(value) and bool(pattern == value)


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield name
            yield from _names(part)
    elif isinstance(value, list):
        for part in value:
            yield from _names(part)


ACCEPT: Mapping[str, Check] = MappingProxyType(TABLE)
"""Every check by name."""


def named(entry: str | Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """Split an entry of `accept` into the name of its check and its arguments."""
    if isinstance(entry, str):
        return entry, ()
    [(name, argument)] = entry.items()
    return name, (argument,)
