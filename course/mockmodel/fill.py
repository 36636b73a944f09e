"""Arguments for a call: from the part of the wish, from results and the rest of the conversation, by the schema."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from course.mockmodel.convert import meaning
from course.mockmodel.frames import further_calls
from course.mockmodel.freetext import (
    beside,
    content_of,
    counted_things,
    expression_of,
    items_of,
    query_of,
    rest_of,
    thing_of,
    title_of,
)
from course.mockmodel.offers import Offer, Param, params_of, typed
from course.mockmodel.pairing import aspect, assign, pair, value_of
from course.mockmodel.results import Facts
from course.mockmodel.schema import conform
from course.mockmodel.span import Span, split_lists, split_places, split_sums
from course.mockmodel.wish import Part
from course.mockmodel.words import spread, stem, terms, tokens

__all__ = ["Context", "Filled", "fill", "refers_back"]


@dataclass(frozen=True)
class Context:
    """What else may supply a value: the whole wish, results so far, earlier turns (latest first), the latest result."""

    wish: Sequence[Span] = ()
    facts: Facts = field(default_factory=Facts)
    earlier: Sequence[Span] = ()
    latest: str = ""


@dataclass(frozen=True)
class Filled:
    """Arguments found. sources: parameter -> where its value came from. missing: required parameters without a value.
    others: further calls of the same tool, each as the arguments in which it differs."""

    input: Mapping[str, Any]
    sources: Mapping[str, Mapping[str, Any]]
    missing: tuple[Param, ...] = ()
    others: tuple[Mapping[str, Any], ...] = ()


def fill(offer: Offer, part: Part, context: Context) -> Filled:
    """Find the arguments of one call of `offer` for this part."""
    schema = offer.definition["input_schema"]
    return _Filler(part, context, schema, offer.stems.keys()).run(offer.params)


ENOUGH = 0.5  # how well each value must fit a parameter that takes many
ASKS = re.compile(r"^\W*(?:what|which|how|is|are|does|do|can)\b", re.IGNORECASE)
SWITCHES = frozenset(
    stem(word) for word in ("on", "enabled", "enable", "active", "power", "powered", "switch", "state")
)
SWITCHED = re.compile(
    r"\b(?:turn|switch|put|power|leave|keep)\w*\b(?:[^.!?\n]{0,40}?)\b(?:(?P<on>on)|off)\b"
    r"|\b(?:(?P<enable>enable|activate)|disable|deactivate)\b|켜|꺼|끄",
    re.IGNORECASE,
)
NAMING = frozenset(["text", "person", "name"])  # roles that may hold a name
LEADING = frozenset(["for", "by", "with", "as"])
EACH = re.compile(r"\b(?:all|each|every|both)\b|모두|각각|모든", re.IGNORECASE)
BACK = re.compile(
    r"\b(?:its|the|that|this|those|their)\s+(?:contents?|text|results?|summary|answer|output|data|translation)\b"
    r"|\b(?:write|send|save|post|translate|summari[sz]e|read|store)\s+(?:it|this|that|them)\b|그\s*(?:내용|결과)",
    re.IGNORECASE,
)


def refers_back(part: Part, param: Param) -> bool:
    """Whether a text that a parameter wants is what an earlier call brings: "write its content to …"."""
    return param.role in ("content", "query", "text") and BACK.search(part.mask) is not None


class _Filler:
    """Fills one schema from one part: scores every (parameter, value) pair and takes the best first."""

    def __init__(self, part: Part, context: Context, root: Mapping[str, Any], known: Collection[str]) -> None:
        self.part = part
        self.context = context
        self.root = root
        self.known = known
        self.input: dict[str, Any] = {}
        self.sources: dict[str, dict[str, Any]] = {}
        self.used: set[tuple[int, str]] = set()
        self.others: list[dict[str, Any]] = []

    def run(self, params: Sequence[Param]) -> Filled:
        spans = split_places(self.part.spans) if any(p.role == "region" for p in params) else self.part.spans
        if not any(p.many or p.role in ("array", "object") for p in params):
            spans = split_lists(spans)
        if not any(p.role in ("expression", "code", "query", "text") for p in params):
            spans = split_sums(spans)
        self._from_spans(params, spans)
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
        self._leftover(params)
        order = [param.name for param in params if param.name in self.input]
        missing = tuple(param for param in params if param.required and param.name not in self.input)
        return Filled(
            {name: self.input[name] for name in order},
            {name: self.sources[name] for name in order},
            missing,
            tuple(self.others),
        )

    def _leftover(self, params: Sequence[Param]) -> None:
        """Give the one name that nothing took to the one optional parameter that may hold it: "… for Mona"."""
        names = [s for s in self.part.spans if s.kind in ("name", "quoted") and (s.start, "") not in self.used]
        open_ = [
            p for p in params if not p.required and p.name not in self.input and p.role in ("text", "person", "name")
        ]
        plain = [p for p in open_ if p.pattern is None and not p.many and p.schema.get("format") is None]
        if (
            len(names) == 1
            and len(plain) == 1
            and names[0].before[:1]
            and names[0].before[0] in ("for", "by", "with", "as")
        ):
            span = names[0]
            if self._put(plain[0], span.value, "wish", span=span):
                self.used.add(aspect(plain[0], span))

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
        found = assign(params, spans, self.root, used=self.used, share=share)
        for param in params:
            if param.name in found:
                self._take(param, found[param.name][0], spans, origin)
        if origin == "wish" and share == 1.0:
            self.others = further_calls(params, found, spans, self.used, self.part.text, self.root)
            for row in self.others:
                self.used.update(
                    aspect(p, s) for p in params for s in spans if p.name in row and s.group in self._groups(p)
                )

    def _groups(self, param: Param) -> set[int]:
        at = self.sources[param.name].get("at")
        return {span.group for span in self.part.spans if at == [span.start, span.end]}

    def _take(self, param: Param, span: Span, spans: Sequence[Span], origin: str) -> None:
        """Put a value in; a parameter that takes many gets all of the list that the value stands in."""
        row = [span]
        if param.many and span.kind != "list":
            listed = [
                s for s in spans if s.group == span.group and len([t for t in spans if t.group == span.group]) > 1
            ]
            row = listed or [s for s in spans if aspect(param, s) not in self.used and pair(param, s) > ENOUGH]
        values = [value for s in row if (value := value_of(param, s, self.root)) is not None]
        whole = values[0] if values and (not param.many or span.kind == "list") else values
        if values and self._put(param, whole, origin, ", ".join(s.text for s in row), span):
            self.used.update(aspect(param, s) for s in row)

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
                listed = not param.many and not self.others and self._listed([word for _, word in found])
                self.others = [{param.name: option} for option, _ in found[1:]] if listed else self.others
        elif param.role == "boolean":
            self._flag(param)
        elif param.role == "object" and param.schema.get("properties"):
            self._nested(param)
        elif param.many and param.role == "object":
            self._rows(param)
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
        """Return the values of an enum that the part names: by their own words, else by words for the same.

        Words that the tool is about ("task" for set_task_status) name a value only when no other word does.
        """
        stems = {term.stem for term in self.part.terms} | {stem(w.lower()) for w in self.part.mask.split()}
        written = {str(span.value).casefold() for span in self.part.spans}
        written |= {word.lower() for word, _, _ in tokens(self.part.mask)}
        by_word, by_stem, by_meaning, by_subject = [], [], [], []
        for option in options:
            text = str(option)
            words, meant, code = meaning(text)
            if text.casefold() in written or all(word in written for word in spread(text).lower().split()):
                by_word.append((option, text))
                continue
            if words and all(word in stems for word in words):
                by_stem.append((option, text))
            hits = [t for t in self.part.terms if not meant.isdisjoint((*t.concepts, *t.acts))]
            named = next((s for s in self.part.spans if code and s.kind == "currency" and s.value == code), None)
            telling = [t for t in hits if t.stem not in self.known]
            if named is not None or telling:
                by_meaning.append(
                    (option, telling[0].stem.replace("_", " ") if telling else named.text if named else "")
                )
            elif hits:
                by_subject.append((option, hits[0].stem.replace("_", " ")))
        found = by_meaning or by_subject
        one_word = len(found) > 1 and len({word for _, word in found}) == 1
        return by_word or found[: 1 if one_word else None] or by_stem

    def _flag(self, param: Param) -> None:
        if not SWITCHES.isdisjoint(param.words) and (told := SWITCHED.search(self.part.mask)) is not None:
            self._put(param, bool(told["on"] or told["enable"] or told.group() == "켜"), "wish", told.group())
            return
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
        inner = _Filler(self.part, self.context, self.root, self.known)
        inner.used = set(self.used)
        filled = inner.run(params_of(param.schema, self.root))
        if filled.input and (param.required or not filled.missing):
            own = any(source["from"] == "wish" for source in filled.sources.values())
            if (param.required or own) and not filled.missing:
                self._put(param, filled.input, "wish", ", ".join(str(v["text"]) for v in filled.sources.values()))
                self.used = inner.used

    def _rows(self, param: Param) -> None:
        """A list of things with their numbers: "2 pizzas and 3 colas"."""
        inner = params_of(typed(param.schema.get("items"), self.root), self.root)
        number = next((p for p in inner if p.role == "number"), None)
        noun = next((p for p in inner if p.role not in ("number", "boolean", "object", "array", "const")), None)
        counted = counted_things(self.part)
        if number is None or noun is None or not counted:
            return
        rows = [{noun.name: thing, number.name: count} for count, thing in counted]
        if all(p.name in (noun.name, number.name) for p in inner if p.required):
            self._put(param, rows, "wish", ", ".join(thing for _, thing in counted))

    # values from elsewhere ---------------------------------------------------------------------------------------

    def _from_facts(self, param: Param) -> None:
        fact = self.context.facts.find(param)
        if fact is None or not self._put(param, fact.value, "result", f"{fact.tool}: {fact.key}"):
            return
        if not self.others and not param.many and EACH.search(self.part.mask):
            rest = [f.value for f in self.context.facts.all if (f.tool, f.key) == (fact.tool, fact.key) and f != fact]
            shaped = [v for value in rest if (v := conform(value, param.schema, self.root)) is not None]
            self.others = [{param.name: value} for value in dict.fromkeys(shaped)]

    def _from_text(self, param: Param) -> None:
        """Free text: what to search for, what to say, how to call it."""
        if param.many or param.schema.get("type") not in ("string", None):
            return
        if self.context.latest and refers_back(self.part, param):
            self._put(param, self.context.latest, "result", "the latest result")
            return
        if refers_back(self.part, param):
            return
        if param.role == "expression" and (formula := expression_of(self.part)):
            self._put(param, formula, "wish", formula)
            return
        spoken = {"query": query_of, "content": content_of, "title": title_of, "name": title_of}.get(param.role)
        text = spoken(self.part, self._used_spans()) if spoken else None
        if text is None and param.role == "title" and isinstance(content := self.input.get("body"), str):
            text = content
        if text is None and param.role in ("text", "person", "place", "code", "name"):
            text = self._led_to(param)
        if text:
            self._put(param, text, "wish", text)
        elif param.role == "text":
            used = self._used_spans()
            rest = rest_of(self.part, used, self.known)
            thing = thing_of(self.part, used)
            if thing is None or ASKS.match(self.part.text) or all(term.stem in self.known for term in terms(thing)):
                thing = rest
            if thing:
                self._put(param, thing, "rest of the wish", thing)

    def _used_spans(self) -> list[Span]:
        starts = {start for start, _ in self.used}
        return [span for span in self.part.spans if span.start in starts]

    def _led_to(self, param: Param) -> str | None:
        """A word beside the parameter's own name, or a phrase after a word that leads to it."""
        if named := beside(self.part, param.words, param.concepts):
            return named
        for span in self.part.spans:
            led = param.before.union(param.words).intersection(span.before[:2])
            if aspect(param, span) not in self.used and span.kind == "phrase" and led:
                self.used.add(aspect(param, span))
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
