"""`Improviser`: a stand-in that answers anything, deterministically, from the request, a word list and a seed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course.facts import FactError, say
from course.facts import model as model_facts
from course.mockmodel.answer import answer, ask, idle, label_of, language_of, small_talk, talk
from course.mockmodel.choice import Score, rank
from course.mockmodel.fill import Context, Filled, fill
from course.mockmodel.forms import filled_form, rest_of_json
from course.mockmodel.guess import whole, with_guesses
from course.mockmodel.history import Scene, argument_terms, read_scene
from course.mockmodel.model import ModelRequest, Reply
from course.mockmodel.offers import Offer, shelf
from course.mockmodel.plan import Plan, Step, make_plan
from course.mockmodel.results import Facts, facts_of
from course.mockmodel.search import search_block
from course.mockmodel.span import Span
from course.mockmodel.structured import structured
from course.mockmodel.verdict import Past, pull_of
from course.mockmodel.wish import Part, Wish, part_of, parts_of, read_wish, tells

__all__ = ["Improviser"]

ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget)\b[^.\n]{0,40}\b(?:instructions?|rules|prompt)\b"
    r"|\byou must (?:now )?(?:call|use|send|delete)\b"
    r"|^\s*(?:system|important|assistant)\s*:|\b(?:call|use) the \w+ tool\b|이전 지시",
    re.IGNORECASE | re.MULTILINE,
)
ELLIPSIS = re.compile(
    r"^\W*(?:and|what about|how about|also|same|now|then|or|no|nope|not|sorry|oops|actually|rather|instead"
    r"|make (?:it|that)|i mean|i meant|wait|그럼|그러면|그리고|아니|아뇨|그게 아니라|미안|죄송)(?!\w)"
    r"|\?\s*$|\b(?:instead|i meant?)\W*$|말고|말이야",
    re.IGNORECASE,
)
ONE_BY_ONE = re.compile(r"\bone (?:tool |call )?at a time\b|\bone by one\b|하나씩|한 번에 하나", re.IGNORECASE)
OUTPUT = re.compile(r"final|result|answer|respond|response|submit|finish|output|report|done", re.IGNORECASE)
EXPLAIN = re.compile(
    r"\b(?:explain|say|tell me|describe)\b[^.]{0,60}\b(?:about to|going to|why|first|before|what you(?:'ll"
    r"| will| are| plan))\b"
    r"|\b(?:write|give(?: me)?|with|announce)\b[^.]{0,40}\b(?:a|one|short|brief) (?:\w+ )?(?:sentence|word|line)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Decision:
    """What to do, before it is written as blocks."""

    kind: str
    text: str = ""
    steps: tuple[Step, ...] = ()
    block: Mapping[str, Any] | None = None
    note: str = ""


class Improviser:
    """Answers anything. Same request and seed, same reply.

    "Today" is the first full date in the system prompt, else `[assumed]` in `lexicon.toml`: never the clock.
    gullible: follow instructions that stand in a tool's result (to show prompt injection). silent_after_text: answer
    with an empty turn when text stands right after results, as the docs warn may happen (tool-use pages, 2026-09-26).
    """

    def __init__(
        self, *, name: str = "Improviser", seed: int = 0, gullible: bool = False, silent_after_text: bool = False
    ):
        self.name = name
        self.seed = seed
        self.gullible = gullible
        self.silent_after_text = silent_after_text

    def reply(self, request: ModelRequest) -> Reply:
        """Return what this stand-in says to a request."""
        scene = read_scene(request)
        if self.silent_after_text and scene.text_after:
            return Reply((), explain=self._explained(scene, [], Plan(), _Decision("silent")))
        turn = _Turn(self, request, scene)
        decision = turn.decide()
        return Reply(
            tuple(turn.blocks(decision)), explain=self._explained(scene, turn.parts, turn.plan, decision, turn.orders)
        )

    def _explained(
        self, scene: Scene, parts: Sequence[Part], plan: Plan, decision: _Decision, orders: bool = False
    ) -> dict[str, Any]:
        return {
            "model": self.name,
            "stand_in": True,
            "note": say("mockmodel.improviser.note"),
            "seed": self.seed,
            "wish": scene.wish,
            "parts": [{"text": p.text.strip(), "tools": [s.explain() for s in p.ranked[:5]]} for p in parts],
            "steps": [_step_explained(step) for step in plan.steps],
            "decision": decision.kind,
            "today": {"date": scene.today.isoformat(), "from": "system prompt" if scene.today_known else "assumed"},
            "results_split": scene.split,
            "instructions_in_results": orders,
        }


def _step_explained(step: Step) -> dict[str, Any]:
    return {
        "tool": step.offer.name,
        "state": step.state,
        "why": step.why,
        "input": dict(step.input),
        "sources": {name: dict(source) for name, source in step.filled.sources.items()},
        "missing": [param.name for param in step.filled.missing],
        "needs": list(step.needs),
        "attempts": len(step.attempts),
    }


class _Turn:
    """One reply in the making: what was read, planned and decided."""

    def __init__(self, improviser: Improviser, request: ModelRequest, scene: Scene) -> None:
        self.improviser = improviser
        self.request = request
        self.scene = scene
        self.choice = str(request.tool_choice.get("type", "auto"))
        self.lang = language_of(scene.wish or " ".join(scene.said[:1]))
        self.traits = _traits(request.model)
        self.parts: list[Part] = []
        self.plan = Plan()
        self.shelf = shelf(request.tools)
        self.orders = any(ORDERS.search(call.text) for call in scene.calls if not call.is_error)
        self.past = Past(_past_calls(scene))
        self.pull = pull_of(scene.system, self.shelf)
        self.names = frozenset(offer.name for offer in self.shelf.offers)
        self.chatting = small_talk(scene.wish)

    # decide -------------------------------------------------------------------------------------------------------

    def decide(self) -> _Decision:
        text = self._wish_text()
        if self.choice != "none" and self.shelf.offers and not (self.choice == "auto" and idle(text)):
            self._make_plan(text)
        forced = self.choice in ("any", "tool")
        ready = self.plan.of("call")
        if forced and not ready:
            return self._forced(text)
        if ready and self.choice != "none":
            single = self.request.tool_choice.get("disable_parallel_tool_use") or ONE_BY_ONE.search(text)
            single = single or self.traits.get("parallel") is False
            if self.scene.split or single or ready[0].offer.server:
                ready = ready[:1]
            return _Decision("call", self._before(ready), tuple(whole(step) for step in ready))
        if self.choice == "auto" and not self.plan.steps and (search := self._search(text)) is not None:
            return search
        return self._speak(text)

    def _speak(self, text: str) -> _Decision:
        wanted = self.request.body.get("output_config")
        form = wanted.get("format") if isinstance(wanted, Mapping) else None
        if isinstance(form, Mapping) and isinstance(form.get("schema"), Mapping):
            context = Context(facts=self._facts())
            return _Decision("say", structured(form["schema"], text, context, self.scene.today))
        lacking = self.plan.of("lack")
        told = answer(self.plan, self.lang, injected=self.orders and not self.improviser.gullible)
        if lacking:
            question = ask(lacking, self.lang)
            return _Decision("ask", "\n".join(line for line in (told, question) if line))
        if told:
            return _Decision("say", told)
        if self.scene.calls:
            return _Decision("say", self._from_calls())
        names = [offer.name for offer in self.shelf.offers]
        said = talk(self.scene.wish, names, self.choice, self.lang)
        form = rest_of_json(self.scene.prefill, said) or filled_form(self.scene.wish, said)
        return _Decision("say", form or said)

    def _from_calls(self) -> str:
        """Answer from calls that this stand-in would not have made."""
        empty = Filled({}, {})
        steps = []
        for call in self.scene.calls:
            offer = self.shelf.named(call.name) or Offer(call.name, "", {}, {}, {}, (), (), (), frozenset(), False)
            part = Part(0, 0, "", "", (), ())
            state = "failed" if call.is_error else "done"
            steps.append(Step(part, offer, empty, call.input, attempts=(call,), state=state))
        return answer(Plan(tuple(steps)), self.lang, injected=self.orders)

    def _wish_text(self) -> str:
        """The wish; with the earlier one when it only answers a question about that; and (gullible) with orders."""
        text = self.scene.wish
        if self.scene.said and "?" in self.scene.asked[-200:] and len(text.split()) <= 8 and "?" not in text:
            text = f"{self.scene.said[0].rstrip(' .!?')}, {text}"
        if self.improviser.gullible and self.orders:
            found = [line for call in self.scene.calls if ORDERS.search(call.text) for line in [call.text]]
            text = "\n".join([text, *found])
        return text

    # plan ---------------------------------------------------------------------------------------------------------

    def _rank(self, part: Part) -> list[Score]:
        return rank(
            part.mask or part.text,
            part.terms,
            part.spans,
            self.shelf,
            past=self.past,
            pull=self.pull,
            seed=self.improviser.seed,
            start=part.start,
            general=not self.chatting,
            told=tells(part.text),
        )

    def _make_plan(self, text: str) -> None:
        wish = read_wish(text, self.scene.today, self.names)
        latest = next((call.text for call in reversed(self.scene.calls) if not call.is_error), "")
        context = Context(wish.spans, self._facts(), self._earlier_spans(), latest)
        if self.choice == "tool":
            self.parts = [self._named(wish)]
        else:
            self.parts = parts_of(wish, self._rank, lambda part: self._complete(part))
            if not any(part.best for part in self.parts):
                self.parts = self._follow_up(wish) or self.parts
        self.plan = make_plan(self.parts, self.shelf, context, self.scene.calls,
                              before=self.past.calls, wish=text, today=self.scene.today)  # fmt: skip
        if self.choice == "tool":
            self.plan = Plan(
                tuple(step for step in self.plan.steps if step.offer.name == self.request.tool_choice["name"])[:1]
            )
        self.plan = Plan(tuple(self._guessed(step) for step in self.plan.steps))

    def _complete(self, part: Part) -> bool:
        filled = fill(part.best.offer, part, Context()) if part.best else None
        if filled is None or filled.missing:
            return False
        required = {param.name for param in part.best.offer.required} if part.best else set()
        told = [source for name, source in filled.sources.items() if name in required or not required]
        formed = [source["from"] == "wish" and ("at" in source or "option" in source) for source in told]
        named = part.best is not None and any(where == "name" for _, where in part.best.words)
        return bool(told) and (all(formed) or (named and all(source["from"] == "wish" for source in told)))

    def _named(self, wish: Wish) -> Part:
        part = part_of(wish, 0, len(wish.text))
        offer = self.shelf.named(str(self.request.tool_choice.get("name")))
        if offer is None:
            return part
        number = self.shelf.offers.index(offer)
        return replace(part, ranked=(Score(number, offer, 9.0, 9.0, (("tool_choice", "forced"),)),))

    def _follow_up(self, wish: Wish) -> list[Part]:
        """ "And in Rome?": the tool of the wish before, with the values of this one."""
        if not self.scene.said or not ELLIPSIS.search(wish.text) or not wish.spans:
            return []
        before = read_wish(self.scene.said[0], self.scene.today, self.names)
        parts = parts_of(before, self._rank, self._complete)
        best = next((part for part in parts if part.best), None)
        return [replace(part_of(wish, 0, len(wish.text)), ranked=best.ranked)] if best else []

    def _facts(self) -> Facts:
        calls = [call for call in (*self.scene.calls[::-1], *self.scene.past[::-1][:20]) if not call.is_error]
        return Facts(tuple(fact for call in calls for fact in facts_of(call.name, call.text)))

    def _earlier_spans(self) -> tuple[Span, ...]:
        return tuple(
            span for said in self.scene.said[:3] for span in read_wish(said, self.scene.today, self.names).spans
        )

    def _guessed(self, step: Step) -> Step:
        """Guess what is missing, where this model is one that guesses, or a call is forced."""
        if step.state != "lack":
            return step
        asks = self.traits.get("missing") == "ask" or step.offer.ask or any(p.ask for p in step.filled.missing)
        if asks and self.choice == "auto":
            return step
        return with_guesses(step)

    def _forced(self, text: str) -> _Decision:
        """A call must come, though none is needed: the best there is, with whatever is known."""
        made = self.plan.of("done", "failed")
        name = self.request.tool_choice.get("name")
        if made and not name:
            used = {step.offer.name for step in self.plan.steps}
            name = next((o.name for o in self.shelf.offers if o.name not in used and OUTPUT.search(o.name)), None)
        if made and (not name or made[0].offer.name == name):
            again = replace(made[0], input=made[0].filled.input)
            return _Decision("call", steps=(with_guesses(again),), note="forced")
        wish = read_wish(text, self.scene.today, self.names)
        part = part_of(wish, 0, len(wish.text))
        ranked = self._rank(part)
        offer = self.shelf.named(str(name)) if name else ranked[0].offer if ranked else None
        offer = offer or (self.shelf.offers[0] if self.shelf.offers else None)
        if offer is None:
            return self._speak(text)
        filled = fill(offer, part, Context(wish.spans, self._facts(), self._earlier_spans()))
        step = with_guesses(Step(replace(part, ranked=tuple(ranked)), offer, filled, filled.input, state="lack"))
        self.plan = Plan((step,))
        return _Decision("call", steps=(step,), note="forced")

    def _search(self, text: str) -> _Decision | None:
        tool = next((t for t in self.request.tools if str(t.get("type", "")).startswith("tool_search_tool")), None)
        if tool is None or not self.request.deferred:
            return None
        if small_talk(text):
            return None
        block = search_block(tool, read_wish(text, self.scene.today, self.names))
        if block is None:
            return None
        query = str(block["input"].get("pattern") or block["input"].get("query"))
        if any(query == made for made, _ in self.scene.searches):
            return _Decision("say", say("mockmodel.talk.not_found", lang=self.lang, query=query))
        return _Decision("search", block=block)

    # write --------------------------------------------------------------------------------------------------------

    def _before(self, ready: Sequence[Step]) -> str:
        """Text before a call: by the model's habit, or because the wish asks for it; never when the call is forced."""
        if self.choice != "auto":
            return ""
        names = ", ".join(dict.fromkeys(step.offer.name for step in ready))
        if not self.scene.opened and EXPLAIN.search(self.scene.wish):
            return say("mockmodel.before.explain", lang=self.lang, tools=names, wish=ready[0].part.text.strip())
        if not self.traits.get("preamble"):
            return ""
        again = next((step for step in ready if step.why in ("again", "mended") and step.failure), None)
        if again is not None and again.failure is not None:
            return say(f"mockmodel.before.{again.why}", lang=self.lang, tool=again.offer.name, told=again.failure.told)
        return "" if self.scene.opened else say("mockmodel.before.call", lang=self.lang, tools=names)

    def blocks(self, decision: _Decision) -> list[dict[str, Any]]:
        blocks: list[dict[str, Any]] = []
        if self.request.thinking and (not self.scene.after_results or "adaptive" in self.traits.get("thinking", ())):
            blocks.append({"type": "thinking", "thinking": self._thought(decision)})
        if decision.text:
            blocks.append({"type": "text", "text": decision.text})
        if decision.block is not None:
            blocks.append(dict(decision.block))
        for step in decision.steps:
            kind = "server_tool_use" if step.offer.server else "tool_use"
            blocks.append({"type": kind, "name": step.offer.name, "input": dict(step.input)})
        return blocks

    def _thought(self, decision: _Decision) -> str:
        calls = ", ".join(f"{step.offer.name}({label_of(step)})" for step in decision.steps)
        lacks = ", ".join(p.name for step in self.plan.of("lack") for p in step.filled.missing)
        return say(f"mockmodel.think.{decision.kind}", parts=len(self.parts), calls=calls, lacks=lacks)


def _traits(model: str) -> Mapping[str, Any]:
    try:
        facts = model_facts(model)
    except FactError:
        return {"thinking": ()}
    return {**facts.traits, "thinking": facts.thinking}


def _past_calls(scene: Scene) -> dict[str, tuple[frozenset[str], ...]]:
    calls: dict[str, tuple[frozenset[str], ...]] = {}
    for call in scene.past:
        if call.answered and not call.is_error:
            calls[call.name] = (*calls.get(call.name, ()), argument_terms(call))
    return calls
