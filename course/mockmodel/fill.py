"""Arguments for a call: from the part of the wish, from results and the rest of the conversation, by the schema."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from course.mockmodel.choice import fitting
from course.mockmodel.convert import convert, counts_other, meaning
from course.mockmodel.results import Facts
from course.mockmodel.freetext import beside, content_of, items_of, query_of, thing_of, title_of
from course.mockmodel.offers import Offer, Param, params_of, typed
from course.mockmodel.schema import conform
from course.mockmodel.spans import Span
from course.mockmodel.wish import Part
from course.mockmodel.words import concepts_of, data, is_hangul, stem

__all__ = ["Context", "Filled", "fill", "refers_back"]

OPTIONAL = 0.9  # a value for an optional parameter must fit at least this well
WEAK_OPTIONAL = {"text", "query", "content", "title", "person", "id", "number"}  # these need a word that names them


@dataclass(frozen=True)
class Context:
    """What else may supply a value: the whole wish, results so far, earlier turns (latest first), the latest result."""

    wish: Sequence[Span] = ()
    facts: Facts = field(default_factory=Facts)
    earlier: Sequence[Span] = ()
    latest: str = ""


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


EACH = re.compile(r"\b(?:all|each|every|both)\b|모두|각각|모든", re.IGNORECASE)
BACK = re.compile(
    r"\b(?:its|the|that|this|those|their)\s+(?:contents?|text|results?|summary|answer|output|data|translation)\b"
    r"|\b(?:write|send|save|post|translate|summari[sz]e|read|store)\s+(?:it|this|that|them)\b|그\s*(?:내용|결과)",
    re.IGNORECASE,
)


def refers_back(part: Part, param: Param) -> bool:
    """Whether a text that a parameter wants is what an earlier call brings: "write its content to …"."""
    return param.role in ("content", "query", "text") and BACK.search(part.mask) is not None


FROM = (("from",), ("sourc",), ("bas",))


def _after_number(span: Span) -> bool:
    """Whether a unit stands right after its number: "26.2 miles" is what is converted from."""
    return span.kind == "money" or (bool(span.before) and span.before[0].isdigit())


class _Filler:
    """Fills one schema from one part: scores every (parameter, value) pair and takes the best first."""

    def __init__(self, part: Part, context: Context, root: Mapping[str, Any]) -> None:
        self.part = part
        self.context = context
        self.root = root
        self.input: dict[str, Any] = {}
        self.sources: dict[str, dict[str, Any]] = {}
        self.used: list[Span] = []
        self.money: set[str] = set()
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
            if param.name in self.input or self._taken(param, span):
                continue
            inner = typed(param.schema.get("items"), self.root) if param.many else param.schema
            value = convert(param, span, inner, self.root)
            if value is None:
                continue
            if param.many:
                self._gather(param, inner, spans, origin)
            elif self._put(param, value, origin, span=span):
                self.used.append(span)
                self.money.update((param.role,) if span.kind == "money" else ())
        if origin == "wish" and share == 1.0:
            self._spread_out(params, spans)

    def _taken(self, param: Param, span: Span) -> bool:
        """Whether a value has been used; an amount of money serves once as a number and once as a currency."""
        if span.kind == "money":
            return span in self.used and param.role in self.money
        return span in self.used

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
        base += self._led(param, span)
        if param.role in ("unit", "currency") and param.words[:1] in FROM and _after_number(span):
            base += 0.5
        particle = span.after[0] if span.after and is_hangul(span.text) else ""
        if particle in param.before:
            base += 0.5
        elif param.role == "number" and span.after:
            if span.after[0] in param.after:
                base += 0.5
            elif span.after[1:] and span.after[1] in param.after:
                base += 0.25
            elif counts_other(param, span.after[0]):
                base -= 0.7
        return base

    @staticmethod
    def _led(param: Param, span: Span) -> float:
        """What the words before a value say for a parameter: its own name, and a word that tells the direction."""
        named = led = 0.0
        for distance, word in enumerate(span.before[:3]):
            own = word in param.words or (param.role == "id" and not param.concepts.isdisjoint(concepts_of(word)))
            if own and not named:
                named = 0.6 - 0.12 * distance
            elif word in param.before and not led:
                led = 0.5 - 0.12 * distance
        return named + led

    def _gather(self, param: Param, inner: Mapping[str, Any], spans: Sequence[Span], origin: str) -> None:
        found = [span for span in spans if span not in self.used and self._pair(param, span) > 0.5]
        values = [value for span in found if (value := convert(param, span, inner, self.root)) is not None]
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
            values = [v for s in others if (v := convert(param, s, param.schema, self.root)) is not None]
            if values:
                self.more = (param.name, tuple(values))
                self.used.extend(others)

    # values told by words ----------------------------------------------------------------------------------------

    def _from_words(self, param: Param) -> None:
        if param.role == "const":
            inner = typed(param.schema.get("items"), self.root) if param.many else param.schema
            self._put(param, [inner["const"]] if param.many else inner["const"], "schema")
        elif param.role == "enum":
            inner = typed(param.schema.get("items"), self.root) if param.many else param.schema
            found = self._options(inner.get("enum", ()))
            if found and self._put(param, [o for o, _ in found] if param.many else found[0][0], "wish", found[0][1]):
                self.sources[param.name]["option"] = True
                listed = not param.many and self.more is None and self._listed([word for _, word in found])
                self.more = (param.name, tuple(o for o, _ in found[1:])) if listed else self.more
        elif param.role == "boolean":
            self._flag(param)
        elif param.role == "object" and param.schema.get("properties"):
            self._nested(param)
        elif param.many and param.role not in ("number", "email", "object", "array"):
            items = items_of(self.part, param.words)
            if not items and param.required:
                items = items_of(self.part, ("with", "of", "contain", "using", "for", "like", "are"))
            if items:
                self._put(param, items, "wish", ", ".join(items))

    def _listed(self, words: Sequence[str]) -> bool:
        """Whether these words stand in one list: "the latency and the cpu"."""
        pattern = r"(?:\w{0,3}\s|,|\sand\s|\sor\s|\sthe\s|와|과|하고|\s)*".join(
            re.escape(word.split("_")[0]) for word in words
        )
        return len(words) > 1 and re.search(pattern, self.part.mask, re.IGNORECASE) is not None

    def _options(self, options: Sequence[Any]) -> list[tuple[Any, str]]:
        """Return the values of an enum that the part names, by their own words first, else by words for the same."""
        stems = {term.stem for term in self.part.terms} | {stem(w.lower()) for w in self.part.mask.split()}
        said = {str(span.value).casefold() for span in self.part.spans}
        by_word, by_meaning = [], []
        for option in options:
            words, meant, code = meaning(str(option))
            if str(option).casefold() in said or (words and all(w in stems for w in words)):
                by_word.append((option, str(option)))
                continue
            hit = next((t for t in self.part.terms if not meant.isdisjoint(t.concepts)), None)
            named = next((s for s in self.part.spans if code and s.kind == "currency" and s.value == code), None)
            if hit is not None or named is not None:
                by_meaning.append((option, hit.stem.replace("_", " ") if hit else named.text if named else ""))
        one_word = len(by_meaning) > 1 and len({word for _, word in by_meaning}) == 1
        return by_word or by_meaning[: 1 if one_word else None]

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
        if fact is None or not self._put(param, fact.value, "result", f"{fact.tool}: {fact.key}"):
            return
        if self.more is None and not param.many and EACH.search(self.part.mask):
            others = [f.value for f in self.context.facts.all if (f.tool, f.key) == (fact.tool, fact.key) and f != fact]
            shaped = [v for value in others if (v := conform(value, param.schema, self.root)) is not None]
            self.more = (param.name, tuple(dict.fromkeys(shaped))) if shaped else None

    def _from_text(self, param: Param) -> None:
        """Free text: what to search for, what to say, how to call it."""
        if param.many or param.schema.get("type") not in ("string", None):
            return
        if self.context.latest and refers_back(self.part, param):
            self._put(param, self.context.latest, "result", "the latest result")
            return
        if refers_back(self.part, param):
            return
        spoken = {"query": query_of, "content": content_of, "title": title_of, "name": title_of}.get(param.role)
        text = spoken(self.part, self.used) if spoken else None
        if text is None and param.role == "title" and isinstance(content := self.input.get("body"), str):
            text = content
        if text is None and param.role in ("text", "person", "place", "code", "name"):
            text = self._led_to(param)
        if text:
            self._put(param, text, "wish", text)
        elif param.role == "text" and (rest := thing_of(self.part, self.used)):
            self._put(param, rest, "rest of the wish", rest)

    def _led_to(self, param: Param) -> str | None:
        """A word beside the parameter's own name, or a phrase after a word that leads to it."""
        if named := beside(self.part, param.words, param.concepts):
            return named
        for span in self.part.spans:
            led = param.before.union(param.words).intersection(span.before[:2])
            if span not in self.used and span.kind == "phrase" and led:
                self.used.append(span)
                return span.text
        return None

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
