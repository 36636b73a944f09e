"""What earlier results say, as (tool, key, value), so that a later call can take its arguments from them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from course.mockmodel.offers import Param, role_of_word
from course.mockmodel.words import alike, spread, stem

__all__ = ["Fact", "Facts", "facts_of", "parsed"]

MOST = 400
LONGEST_VALUE = 60  # characters of a result that is a value by itself
SAME_ROLE = ("place", "date", "email", "phone", "currency", "language", "timezone")
LINE = re.compile(r"^\W*([A-Za-z가-힣][\w -]{0,30}?)\s*[:=]\s*(.{1,200}?)\s*$", re.MULTILINE)


TOLD = re.compile(
    r"(?P<before>[A-Za-z_]+)[\s:=#]+(?:(?P<what>number|no|id|code|reference|ref|key)\b\.?[\s:=#]*)?(?:(?:is|was)\b[\s:=#]*)?"
    r"(?P<it>(?=[\w-]*\d)[A-Za-z]{1,6}[-_]?\d[\w-]*|\d{4,})(?![\w-])"
)
EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}(?<!\.)")
LINKING = frozenset(["the", "a", "an", "is", "was", "your", "our", "with", "as", "for", "of", "to", "and"])
KINDS_OF_ID = frozenset(stem(word) for word in ("id", "number", "no", "code", "reference", "ref", "key"))


@dataclass(frozen=True)
class Fact:
    """One value of a result: the tool it came from, its key (with the keys around it), and the value."""

    tool: str
    key: str
    value: Any


@dataclass(frozen=True)
class Facts:
    """The facts of a conversation, the latest result first."""

    all: Sequence[Fact] = ()

    def find(self, param: Param) -> Fact | None:
        """Return the fact that fits a parameter: by its key, by key and tool together, or by its pattern."""
        wanted = [word for word in param.words if word not in ("the", "new")]
        best: tuple[int, Fact] | None = None
        for fact in self.all:
            grade = _grade(wanted, fact, param)
            if grade and (best is None or grade > best[0]):
                best = (grade, fact)
        return best[1] if best else None


def _grade(wanted: Sequence[str], fact: Fact, param: Param) -> int:
    key = [stem(word) for word in spread(fact.key.split(".")[-1]).lower().split()]
    if param.pattern is not None and not (isinstance(fact.value, str) and param.pattern.search(fact.value)):
        return 0
    if key == list(wanted):
        return 4
    around = {stem(word) for word in spread(fact.key.replace(".", " ") + " " + fact.tool).lower().split()}
    around |= {word.removesuffix("s") for word in around}
    if wanted[1:] and wanted[-1] in KINDS_OF_ID and key == list(wanted[:-1]):
        return 3
    if len(wanted) == 1 and key and key[-1] in alike(wanted[0]):
        return 3
    if wanted and set(wanted) <= around and key[-1:] == list(wanted[-1:]):
        return 3
    if len(key) == 1 and len(wanted) > 1 and key[0] == wanted[-1] and set(wanted[:-1]) & around:
        return 3
    if len(wanted) == 1 and wanted[0] in key and wanted[0] not in ("name", "id", "typ", "stat"):
        return 2
    if len(key) == 1 and param.role in SAME_ROLE and role_of_word(key[0]) == param.role:
        return 2
    if param.role == "email" and isinstance(fact.value, str) and re.fullmatch(r"\S+@\S+\.\S+", fact.value):
        return 2
    return 1 if param.pattern is not None else 0


def parsed(text: str) -> Any:
    """Return the JSON in a text, or None."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def facts_of(tool: str, text: str) -> list[Fact]:
    """Return the facts of one result: the leaves of its JSON, else its `key: value` lines."""
    document = parsed(text)
    if document is not None:
        return [fact for fact, _ in zip(_leaves(tool, "", document), range(MOST), strict=False)]
    told = _told(tool, text[:20_000])
    line = text.strip()
    if line and "\n" not in line and len(line) < LONGEST_VALUE and ":" not in line and not line.startswith("Error"):
        return [*told, Fact(tool, (spread(tool).split() or [tool])[-1], _plain(line))]
    lines = [Fact(tool, m[1].strip(), _plain(m[2])) for m in LINE.finditer(text[:20_000])]
    return [*lines, *told][:MOST]


def _told(tool: str, text: str) -> list[Fact]:
    """The ids and e-mail addresses in a sentence, by the words before them: "receipt number: R-99812"."""
    found = []
    for match in TOLD.finditer(text):
        words = [word for word in spread(match["before"]).lower().split() if word not in LINKING]
        found.append(Fact(tool, " ".join([*words[-1:], match["what"] or ""]).strip() or "id", match["it"]))
    ids = [Fact(tool, "id", it) for it in dict.fromkeys(re.findall(r"(?<![\w-])[A-Z]{1,5}-\d+\b", text))]
    return [*found, *ids, *(Fact(tool, "email", it) for it in dict.fromkeys(EMAIL.findall(text)))]


def _plain(text: str) -> Any:
    return int(text) if re.fullmatch(r"-?\d{1,15}", text) else text.strip("\"'")


def _leaves(tool: str, path: str, node: Any) -> Iterator[Fact]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield from _leaves(tool, f"{path}.{key}" if path else str(key), value)
    elif isinstance(node, list):
        for item in node:
            yield from _leaves(tool, path, item)
    elif node is not None:
        yield Fact(tool, path, node)
