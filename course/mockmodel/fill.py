"""Arguments for a call: from the part of the wish, from results and the rest of the conversation, by the schema."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from course.mockmodel.choice import fitting
from course.mockmodel.results import Facts
from course.mockmodel.freetext import content_of, query_of, title_of
from course.mockmodel.offers import Offer, Param, params_of, typed
from course.mockmodel.schema import conform
from course.mockmodel.spans import Span
from course.mockmodel.wish import Part
from course.mockmodel.words import concepts_of, data, is_hangul, spread, stem, table, terms

__all__ = ["Context", "Filled", "fill"]

OPTIONAL = 0.9  # a value for an optional parameter must fit at least this well
WEAK_OPTIONAL = {"text", "query", "content", "title", "person", "id", "number"}  # these need a word that names them


@dataclass(frozen=True)
class Context:
    """What else may supply a value: the whole wish, results so far, earlier turns (latest first), and what to assume."""

    wish: Sequence[Span] = ()
    facts: Facts = field(default_factory=Facts)
    earlier: Sequence[Span] = ()


@dataclass(frozen=True)
class Filled:
    """Arguments found. sources: parameter -> where its value came from. more: (parameter, further values) that ask for a
    call each. missing: required parameters without a value."""

    input: Mapping[str, Any]
    sources: Mapping[str, Mapping[str, Any]]
    missing: tuple[Param, ...] = ()
    more: tuple[str, tuple[Any, ...]] | None = None


def fill(offer: Offer, part: Part, context: Context) -> Filled:
    """Find the arguments of one call of `offer` for this part."""
    schema = offer.definition["input_schema"]
    return _Filler(part, context, schema).run(offer.params)


def _convert(param: Param, span: Span, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Return a span's value as this parameter wants it, or None."""
    role, value = param.role, span.value
    if span.kind == "money":
        value = value[0] if role == "number" else value[1] if role == "currency" else span.text
    if role == "timezone":
        value = _timezone(str(value))
    elif role == "currency":
        value = _currency(str(value), schema)
    elif role == "date":
        value = _date(str(value), span, param)
    elif role == "datetime":
        value = str(value) if "T" in str(value) else f"{value}T00:00:00Z"
        value = value if value[-1] == "Z" or re.search(r"[+-]\d\d:?\d\d$", value) else value + "Z"
    elif role == "time" and schema.get("format") == "time":
        value = f"{value}:00Z"
    elif role in ("id", "text", "ticker") and span.kind in ("number", "money", "percent"):
        value = span.text.strip("# ")
    elif role not in ("number", "boolean") and span.kind in ("date", "time") and schema.get("format") is None:
        value = span.text if role != "time" else value
    return conform(value, schema, root)


def _timezone(text: str) -> str:
    lowered = text.lower()
    return next((zone for zone, places in table("timezones").items() if lowered.split(",")[0] in places), text)


def _currency(text: str, schema: Mapping[str, Any]) -> str:
    return table_code(text) or text


def table_code(text: str) -> str | None:
    """Return the code of a currency named in a text, or None."""
    lowered = text.lower()
    return next(
        (code for code, words in table("currencies").items() if lowered == code.lower() or lowered in words), None
    )


def _date(value: str, span: Span, param: Param) -> str:
    """An ISO date where the schema or its text asks for one, or where one was written; "tomorrow" stays a word else."""
    relative = not any(sign.isdigit() for sign in span.text)
    iso = param.schema.get("format") == "date" or re.search(r"yyyy|iso|\d{4}-\d\d", param.text, re.IGNORECASE)
    return value[:10] if iso or param.pattern is not None or not relative else span.text


class _Filler:
    """Fills one schema from one part: scores every (parameter, value) pair and takes the best first."""

    def __init__(self, part: Part, context: Context, root: Mapping[str, Any]) -> None:
        self.part = part
        self.context = context
        self.root = root
        self.input: dict[str, Any] = {}
        self.sources: dict[str, dict[str, Any]] = {}
        self.used: list[Span] = []
        self.more: tuple[str, tuple[Any, ...]] | None = None

    def run(self, params: Sequence[Param]) -> Filled:
        self._from_spans(params, self.part.spans)
        for param in params:
            if param.name not in self.input:
                self._from_words(param)
        open_ = [param for param in params if param.required and param.name not in self.input]
        for param in open_:
            self._from_facts(param)
        elsewhere = [span for span in self.context.wish if span not in self.part.spans]
        self._from_spans([p for p in open_ if p.name not in self.input], elsewhere, share=0.6)
        self._from_spans(
            [p for p in open_ if p.name not in self.input], self.context.earlier, share=0.6, origin="conversation"
        )
        if not self.input and not any(param.required for param in params):
            self._from_spans(params, elsewhere, share=0.95)
        for param in params:
            if param.name not in self.input and param.required:
                self._from_text(param)
        for param in params:
            if param.name not in self.input and param.required:
                self._inferred(param)
        order = [param.name for param in params if param.name in self.input]
        missing = tuple(param for param in params if param.required and param.name not in self.input)
        return Filled(
            {name: self.input[name] for name in order}, {name: self.sources[name] for name in order}, missing, self.more
        )

    def _put(self, param: Param, value: Any, origin: str, text: str = "", span: Span | None = None) -> bool:
        shaped = conform(value, param.schema, self.root)
        if shaped is None:
            return False
        self.input[param.name] = shaped
        self.sources[param.name] = {"from": origin, "text": text or (span.text if span else "")}
        if span is not None:
            self.sources[param.name]["at"] = [span.start, span.end]
        return True

    # values with a form of their own -----------------------------------------------------------------------------

    def _from_spans(
        self, params: Sequence[Param], spans: Sequence[Span], share: float = 1.0, origin: str = "wish"
    ) -> None:
        pairs = []
        for number, param in enumerate(params):
            for place, span in enumerate(spans):
                score = self._pair(param, span) * share
                if score > 0.3 and self._admits(param, span, score):
                    pairs.append((-score, not param.required, place, number))
        pairs.sort()
        for _, _, place, number in pairs:
            param, span = params[number], spans[place]
            if param.name in self.input or span in self.used:
                continue
            inner = typed(param.schema.get("items"), self.root) if param.many else param.schema
            value = _convert(param, span, inner, self.root)
            if value is None:
                continue
            if param.many:
                self._gather(param, inner, spans, origin)
            elif self._put(param, value, origin, span=span):
                self.used.append(span)
        if origin == "wish" and share == 1.0:
            self._spread_out(params, spans)

    def _admits(self, param: Param, span: Span, score: float) -> bool:
        if param.required:
            return True
        cued = bool(param.before.intersection(span.before[:2]) or set(param.words).intersection(span.before[:2])
                    or param.after.intersection(span.after[:2]))  # fmt: skip
        return score >= OPTIONAL and (param.role not in WEAK_OPTIONAL or cued or fitting(param, span))

    def _pair(self, param: Param, span: Span) -> float:
        base = data()["fits"].get(param.role, {}).get(span.kind, 0.0)
        if param.pattern is not None:
            if fitting(param, span):
                base = 1.2
            elif param.role not in ("currency", "date", "time"):
                base = 0.0
        elif base and fitting(param, span):
            base += 0.2
        if not base:
            return 0.0
        words = set(param.words)
        for distance, word in enumerate(span.before[:3]):
            if word in words or (param.role == "id" and not param.concepts.isdisjoint(concepts_of(word))):
                base += 0.6 - 0.12 * distance
                break
            if word in param.before:
                base += 0.5 - 0.12 * distance
                break
        particle = span.after[0] if span.after and is_hangul(span.text) else ""
        if span.after and (span.after[0] in param.after or particle in param.before):
            base += 0.5
        elif len(span.after) > 1 and span.after[1] in param.after:
            base += 0.25
        elif param.role == "number" and span.after and self._counts_other(param, span.after[0]):
            base -= 0.7
        return base

    @staticmethod
    def _counts_other(param: Param, word: str) -> bool:
        """Whether the word after a number says that it counts something else ("2 days" is no number of guests)."""
        return any(word in (stem(w) for w in words) for words in table("counted").values()) and word not in param.after

    def _gather(self, param: Param, inner: Mapping[str, Any], spans: Sequence[Span], origin: str) -> None:
        found = [span for span in spans if span not in self.used and self._pair(param, span) > 0.5]
        values = [value for span in found if (value := _convert(param, span, inner, self.root)) is not None]
        if values and self._put(param, values, origin, ", ".join(span.text for span in found)):
            self.used.extend(found)

    def _spread_out(self, params: Sequence[Param], spans: Sequence[Span]) -> None:
        """A list of values for a parameter that takes one ("Paris and Rome") asks for a call each."""
        for param in params:
            at = self.sources.get(param.name, {}).get("at")
            if (
                at is None
                or param.many
                or self.more is not None
                or param.role in ("content", "title", "text", "person")
            ):
                continue
            mine = next(span for span in spans if [span.start, span.end] == at)
            others = [s for s in spans if s.group == mine.group and s not in self.used and self._pair(param, s) > 0.3]
            values = [v for s in others if (v := _convert(param, s, param.schema, self.root)) is not None]
            if values:
                self.more = (param.name, tuple(values))
                self.used.extend(others)

    # values told by words ----------------------------------------------------------------------------------------

    def _from_words(self, param: Param) -> None:
        if param.role == "const":
            self._put(param, param.schema["const"], "schema")
        elif param.role == "enum":
            inner = typed(param.schema.get("items"), self.root) if param.many else param.schema
            found = self._options(inner.get("enum", ()))
            if found:
                self._put(param, [o for o, _ in found] if param.many else found[0][0], "wish", found[0][1])
        elif param.role == "boolean":
            self._flag(param)
        elif param.role == "object" and param.schema.get("properties"):
            self._nested(param)
        elif param.many and param.required and param.role in ("text", "query", "content", "title"):
            if items := re.split(r"\s*(?:,|;|\band\b|와 |과 )\s*", content_of(self.part) or ""):
                self._put(param, [item for item in items if item], "wish")

    def _options(self, options: Sequence[Any]) -> list[tuple[Any, str]]:
        """Return the values of an enum that the part names, by their own words first, else by words for the same."""
        stems = {term.stem for term in self.part.terms} | {stem(w.lower()) for w in self.part.mask.split()}
        numbers = {span.value for span in self.part.spans if span.kind == "number"}
        quoted = {str(span.value).casefold() for span in self.part.spans}
        by_word, by_meaning = [], []
        for option in options:
            words = [stem(word) for word in spread(str(option)).lower().split()]
            if option in numbers or str(option).casefold() in quoted or (words and all(w in stems for w in words)):
                by_word.append((option, str(option)))
                continue
            meant = (
                {"_".join(words)}
                | {c for term in terms(spread(str(option))) for c in term.concepts}
                | set(words[:1] if len(words) == 1 else ())
            )
            meant &= set(data()["concepts"])
            hit = next((t for t in self.part.terms if meant.intersection(t.concepts)), None)
            code = table_code(str(option)) if len(str(option)) == 3 else None
            named = next((s for s in self.part.spans if code and s.kind == "currency" and s.value == code), None)
            if hit is not None or named is not None:
                by_meaning.append((option, hit.stem.replace("_", " ") if hit else named.text if named else ""))
        return by_word or by_meaning[: 1 if len(by_meaning) > 1 and len({w for _, w in by_meaning}) == 1 else None]

    def _flag(self, param: Param) -> None:
        stems = [term.stem for term in self.part.terms]
        marks = [
            w
            for w in param.words
            if w not in ("is", "has", "us", "enabl", "includ", "onli", "should", "with", "no", "open")
        ]
        if not marks or not all(mark in stems for mark in marks):
            return
        denied = re.search(
            rf"\b(?:no|not|without|don't|do not)\s+(?:\w+\s+)?{re.escape(marks[0][:4])}", self.part.mask.lower()
        )
        self._put(param, denied is None, "wish", marks[0])

    def _nested(self, param: Param) -> None:
        inner = _Filler(self.part, self.context, self.root)
        inner.used = list(self.used)
        filled = inner.run(params_of(param.schema, self.root))
        if filled.input and (param.required or not filled.missing):
            own = any(source["from"] == "wish" for source in filled.sources.values())
            if (param.required or own) and not filled.missing:
                self._put(param, filled.input, "wish", ", ".join(str(v["text"]) for v in filled.sources.values()))
                self.used = inner.used

    # values from elsewhere ---------------------------------------------------------------------------------------

    def _from_facts(self, param: Param) -> None:
        fact = self.context.facts.find(param)
        if fact is not None and self._put(param, fact.value, "result", f"{fact.tool}: {fact.key}"):
            return

    def _from_text(self, param: Param) -> None:
        """Free text: what to search for, what to say, how to call it."""
        if param.many or param.schema.get("type") not in ("string", None):
            return
        spoken = {"query": query_of, "content": content_of, "title": title_of}.get(param.role)
        text = spoken(self.part, self.used) if spoken else None
        if text is None and param.role == "title" and isinstance(content := self.input.get("body"), str):
            text = content
        if text is None and param.role in ("text", "person", "place", "code"):
            text = self._leftover(param)
        if text:
            self._put(param, text, "wish", text)

    def _leftover(self, param: Param) -> str | None:
        """A phrase after the parameter's own name, or what is asked about when nothing else is."""
        for span in self.part.spans:
            if (
                span not in self.used
                and span.kind == "phrase"
                and param.before.union(param.words).intersection(span.before[:2])
            ):
                self.used.append(span)
                return span.text
        return None if param.role != "text" else query_of(self.part, self.used, bare=True)

    def _inferred(self, param: Param) -> None:
        """What need not be asked for: a default, the plainest of a few options, an unmentioned switch."""
        if "default" in param.schema:
            self._put(param, param.schema["default"], "default")
        elif param.role == "enum" and not param.many:
            options = param.schema["enum"]
            plain = [
                o
                for o in options
                if str(o).lower() in ("normal", "medium", "standard", "general", "other", "celsius", "en")
            ]
            self._put(param, (plain or options)[0], "inferred")
        elif param.role == "boolean":
            self._put(param, False, "inferred")
