"""Tool definitions as the stand-in reads them: words by field, rules in the description, parameters and their roles."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import Any

from course.mockmodel.rules import Rule, read_rules
from course.mockmodel.words import WEAK, Term, concepts_of, data, is_hangul, meanings_of, spread, stem, table, terms

__all__ = ["Offer", "Param", "Shelf", "pairs_of", "params_of", "role_of_word", "shelf", "typed"]

# How much a word counts by where it stands.
NAME, OPENING, PARAM, ENUM, BODY, PARAM_TEXT = 1.0, 0.8, 0.55, 0.5, 0.5, 0.3
SERVER = ("web_search", "web_fetch", "code_execution")
COUNTS = frozenset(["quantity", "count", "number", "num"])  # a parameter that says how many of the tool's own thing
UNSURE = 0.6  # for the meanings of a word that has several, where no other word of the tool backs them


@dataclass(frozen=True)
class Param:
    """One property of an input schema.

    role: what kind of value it holds (`place`, `date`, `number`, `enum`, …). options: what names a value of an enum.
    """

    name: str
    schema: Mapping[str, Any]
    required: bool
    role: str
    words: tuple[str, ...]
    text: str
    many: bool = False
    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    pattern: re.Pattern[str] | None = None
    ask: bool = False
    concepts: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Offer:
    """One tool. stems and concepts: word -> weight of the best field it stands in, and the name of that field."""

    name: str
    description: str
    definition: Mapping[str, Any]
    stems: Mapping[str, tuple[float, str]]
    concepts: Mapping[str, tuple[float, str]]
    acts: tuple[str, ...]
    rules: tuple[Rule, ...]
    params: tuple[Param, ...]
    returns: frozenset[str]
    catch_all: bool
    ask: bool = False
    finds_tools: bool = False
    records: bool = False
    pairs: frozenset[tuple[str, str]] = frozenset()
    server: bool = False

    @cached_property
    def required(self) -> tuple[Param, ...]:
        """The parameters that must be there."""
        return tuple(param for param in self.params if param.required)

    @cached_property
    def required_roles(self) -> frozenset[str]:
        """The roles of the parameters that must be there."""
        return frozenset(param.role for param in self.required)

    @cached_property
    def options(self) -> frozenset[str]:
        """What names a value of an enum of any parameter."""
        return frozenset().union(*(param.options for param in self.params))


@dataclass(frozen=True)
class Shelf:
    """The tools on offer, indexed: stem or concept -> ((tool number, weight, field), …)."""

    offers: tuple[Offer, ...]
    by_stem: Mapping[str, tuple[tuple[int, float, str], ...]] = field(default_factory=dict)
    by_concept: Mapping[str, tuple[tuple[int, float, str], ...]] = field(default_factory=dict)
    by_prefix: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def named(self, name: str) -> Offer | None:
        """Return the tool of this name, or None."""
        return next((offer for offer in self.offers if offer.name == name), None)


class _Tools:
    """Tool definitions as a key: equal when they read alike."""

    __slots__ = ("key", "tools")

    def __init__(self, tools: Sequence[Mapping[str, Any]]) -> None:
        self.tools = tools
        self.key = repr(tools)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tools) and self.key == other.key


def shelf(tools: Sequence[Mapping[str, Any]]) -> Shelf:
    """Read tool definitions, once for the same ones. Tools that the API runs and that have no schema are left out."""
    return _shelf(_Tools([tool for tool in tools if "name" in tool]))


@lru_cache(maxsize=64)
def _shelf(tools: _Tools) -> Shelf:
    builtin = data()["builtin"]
    offers = []
    names = []
    definitions = []
    for tool in tools.tools:
        known = builtin.get(tool["name"], {}) if "input_schema" not in tool else {}
        if "input_schema" in tool or known:
            definitions.append({**known, **tool})
            names.append(tool["name"])
    for tool in definitions:
        offers.append(_offer(tool, tuple(names)))
    stems: dict[str, list[tuple[int, float, str]]] = {}
    concepts: dict[str, list[tuple[int, float, str]]] = {}
    prefixes: dict[str, list[str]] = {}
    for number, offer in enumerate(offers):
        for word, (weight, where) in offer.stems.items():
            if word not in stems and len(word) >= 5:
                prefixes.setdefault(word[:5], []).append(word)
            stems.setdefault(word, []).append((number, weight, where))
        for concept, (weight, where) in offer.concepts.items():
            concepts.setdefault(concept, []).append((number, weight, where))
    return Shelf(
        tuple(offers),
        {key: tuple(value) for key, value in stems.items()},
        {key: tuple(value) for key, value in concepts.items()},
        {key: tuple(value) for key, value in prefixes.items()},
    )


def _offer(tool: Mapping[str, Any], names: tuple[str, ...]) -> Offer:
    name, description = str(tool["name"]), str(tool.get("description") or "")
    schema = tool["input_schema"]
    params = params_of(schema, schema)
    purpose, rules = read_rules(description, name, names)
    counted = frozenset(term.stem for term in terms(spread(name)))
    params = tuple(replace(p, after=p.after | counted) if not COUNTS.isdisjoint(p.words) else p for p in params)
    stems: dict[str, tuple[float, str]] = {}
    concepts: dict[str, tuple[float, str]] = {}

    texts = [(spread(name), NAME, "name")]
    texts += [(sentence, BODY if place else OPENING, "description") for place, sentence in enumerate(purpose)]
    for param in params:
        texts += [(spread(param.name), PARAM, "parameter"), (param.text, PARAM_TEXT, "parameter description")]
        texts += [(spread(str(value)), ENUM, "enum") for value in param.schema.get("enum", ())]
    read = [(term, weight, where) for text, weight, where in texts for term in terms(text, inner=True)]
    backing: dict[str, set[str]] = {}
    for term, _, _ in read:
        for concept in _telling(term):
            backing.setdefault(concept, set()).add(term.stem)
    for term, weight, where in read:
        if stems.get(term.stem, (0, ""))[0] < weight:
            stems[term.stem] = (weight, where)
        for concept in _telling(term):
            sure = weight if len(term.concepts) == 1 or len(backing[concept]) > 1 else weight * UNSURE
            if concepts.get(concept, (0, ""))[0] < sure:
                concepts[concept] = (sure, where)
    named = terms(spread(name))
    acts = named[0].acts if named and named[0].start == 0 else ()
    returns = re.search(r"(?:\b(?:returns?|gives?|with its|including|such as)\b|:)(.*)", description, re.IGNORECASE)
    return Offer(
        name, description, tool, stems, concepts, acts, rules, params,
        frozenset(term.stem for term in terms(returns[1])) if returns else frozenset(),
        _catch_all(params, purpose[0] if purpose else "", name),
        _asks(description),
        _finds_tools(purpose[0] if purpose else "", name),
        bool(named) and named[0].start == 0 and named[0].stem in data()["records"].split(),
        pairs_of([terms(text) for text in (spread(name), *purpose)]),
        tool["name"] in SERVER and str(tool.get("type", "")).startswith(tool["name"]),
    )  # fmt: skip


def pairs_of(sentences: Iterable[Sequence[Term]]) -> frozenset[tuple[str, str]]:
    """Return the pairs of words that stand together in one of these sentences: "make offer", "air quality"."""
    return frozenset((one.stem, two.stem) for found in sentences for one, two in pairwise(found))


def _telling(term: Term) -> list[str]:
    """The concepts of a word that tell one tool from another."""
    known = term.concepts if term.weight > WEAK or term.concepts == ("seek",) else ()
    return [concept for concept in known if concept not in _categories()]


@cache
def _categories() -> frozenset[str]:
    return frozenset(data()["categories"].split())


@cache
def _general() -> frozenset[str]:
    return frozenset(data()["general"]["words"].split())


def _catch_all(params: Sequence[Param], opening: str, name: str) -> bool:
    """A search over everything: its one required value is a question, and it names no subject of its own."""
    required = [param for param in params if param.required] or list(params[:1])
    asks = len(required) == 1 and required[0].role == "query" and not required[0].many
    own = [
        t
        for t in terms(opening + " " + spread(name))
        if t.weight == 1 and t.stem not in _general() and "docs" not in t.concepts and "web" not in t.concepts
    ]
    return asks and len(own) < 2


FINDS_TOOLS = re.compile(
    r"\b(?:search|find|discover|load|look up)\b[^.]*\b(?:tools?|capabilit(?:y|ies)|functions?)\b", re.IGNORECASE
)
TOOL_NAMED = re.compile(r"tool|capabilit|function", re.IGNORECASE)
ASKS = re.compile(
    r"\bask (?:the user|them|for it|first|back)\b|\bdo not guess\b|\bdon't guess\b|\bnever guess\b"
    r"|물어|묻|추측하지",
    re.IGNORECASE,
)


def _finds_tools(opening: str, name: str) -> bool:
    """A tool that looks for other tools: a search of the application's own."""
    return TOOL_NAMED.search(name) is not None and FINDS_TOOLS.search(f"{spread(name)}. {opening}") is not None


def _asks(text: str) -> bool:
    return ASKS.search(text) is not None


def params_of(schema: Mapping[str, Any], root: Mapping[str, Any]) -> tuple[Param, ...]:
    """Return the properties of an object schema. root: the whole schema, for `$ref`."""
    required = schema.get("required")
    required = required if isinstance(required, list) else []
    properties = schema.get("properties")
    return tuple(
        _param(name, typed(inner, root), name in required)
        for name, inner in (properties.items() if isinstance(properties, dict) else ())
    )


def typed(schema: Any, root: Mapping[str, Any], depth: int = 0) -> Mapping[str, Any]:
    """Return a schema with references and unions settled on the first branch that is not null, and one plain type."""
    if not isinstance(schema, Mapping):
        return {}
    if depth < 8 and isinstance(ref := schema.get("$ref"), str) and ref.startswith("#/"):
        node: Any = root
        for part in ref[2:].split("/"):
            node = node.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(node, Mapping) else None
        return typed(
            {**node, **{k: v for k, v in schema.items() if k != "$ref"}} if isinstance(node, Mapping) else {},
            root,
            depth + 1,
        )
    for union in ("anyOf", "oneOf"):
        branches = [b for b in schema.get(union) or () if isinstance(b, Mapping) and b.get("type") != "null"]
        if depth < 8 and branches:
            return typed({**{k: v for k, v in schema.items() if k != union}, **branches[0]}, root, depth + 1)
    if depth < 8 and schema.get("allOf"):
        merged = {k: v for k, v in schema.items() if k != "allOf"}
        for branch in schema["allOf"]:
            merged.update(typed(branch, root, depth + 1))
        return typed(merged, root, depth + 1)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((k for k in kind if k != "null"), "null")
    if kind is None:
        kind = "object" if "properties" in schema else "array" if "items" in schema else None
    return {**schema, "type": kind} if kind != schema.get("type") else schema


@cache
def _roles() -> dict[str, str]:
    return {stem(word): role for role, words in table("roles").items() for word in words}


def role_of_word(word: str) -> str | None:
    """Return the role that a stem in a parameter's name tells, or None."""
    return _roles().get(word)


def _param(name: str, schema: Mapping[str, Any], required: bool) -> Param:
    text = str(schema.get("description") or "")
    words = tuple(stem(word) for word in spread(name).lower().split())
    item = schema.get("items") if schema.get("type") == "array" else None
    many = isinstance(item, Mapping)
    inner = typed(item, {}) if many else schema
    cues, counted = _cues()
    try:
        pattern = re.compile(inner["pattern"]) if isinstance(inner.get("pattern"), str) else None
    except re.error:
        pattern = None
    return Param(
        name, schema, required, _role(words, inner, text), words, text, many,
        frozenset().union(*(cues.get(word, frozenset()) for word in words)),
        frozenset().union(*(counted.get(word, frozenset()) for word in words), words),
        pattern, _asks(text), frozenset(concept for word in words for concept in concepts_of(word)), _options(inner),
    )  # fmt: skip


def _options(schema: Mapping[str, Any]) -> frozenset[str]:
    """The stems and concepts by which a wish may name a value of an enum."""
    options = schema.get("enum")
    texts = [spread(o).lower() for o in options if isinstance(o, str)] if isinstance(options, list) else []
    stems = {term.stem for text in texts if " " not in text for term in terms(text)}
    own = {text.replace(" ", "_") for text in texts} & data()["concepts"].keys()
    return frozenset(stems | own | {concept for text in texts for w in text.split() for concept in meanings_of(w)})


def _cue(word: str) -> str:
    return word if is_hangul(word) else stem(word)


@cache
def _cues() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    cues = {stem(key): frozenset(_cue(w.split()[-1]) for w in words) for key, words in table("cues").items()}
    counted = {stem(key): frozenset(stem(w) for w in words) for key, words in table("counted").items()}
    return cues, counted


FORMATS = {"email": "email", "date": "date", "date-time": "datetime", "time": "time", "uri": "url"}


def _role(words: Sequence[str], schema: Mapping[str, Any], text: str) -> str:
    kind = schema.get("type")
    if "const" in schema:
        return "const"
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return "enum"
    if kind in ("integer", "number"):
        return "number"
    if kind in ("boolean", "object", "array", "null"):
        return str(kind)
    if schema.get("format") in FORMATS:
        return FORMATS[schema["format"]]
    roles = _roles()
    named = [roles[word] for word in words if word in roles]
    lowered = text.lower()
    if named == ["query"] and re.search(r"\b(?:name|e-?mail)\b", lowered):
        return "person"
    if re.search(r"e-?mail address", lowered):
        return "email"
    if "sql" in lowered or "select statement" in lowered:
        return "sql"
    if named:
        strong = [
            role
            for role in named
            if role in ("date", "time", "datetime", "currency", "language", "email", "id", "url", "path", "ticker")
        ]
        return (strong or named)[-1]
    told = [roles[term.stem] for term in terms(text) if term.stem in roles]
    return told[0] if told and told[0] not in ("content", "title") else "text"
