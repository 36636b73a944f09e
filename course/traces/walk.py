"""From a trace to its steps: the one view model behind every view.

Each exchange is one request step (Offer or Return) and one answer step (Ask or Continue), with an Execute step between
the calls and their results. History that a request brings along and that was not seen before, as in a pasted
`messages` array, is laid out turn by turn in the same way. Anything readable as JSON gives steps; nothing raises.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from course.facts import say
from course.traces.blocks import Pairs, blocks_of, compact
from course.traces.loose import Loose, content_of, document_of, has, items, kinds, role_of, seconds
from course.traces.titles import (
    called,
    differences,
    named,
    offered,
    request_title,
    request_words,
    results_marks,
    tally,
)
from course.traces.view import Block, Label, Mark, Step, Timing

__all__ = ["steps"]

Json = Any


def steps(trace: Any) -> tuple[Step, ...]:
    """Return the steps of a Trace, of a trace document, of a request body or of a `messages` array."""
    document = document_of(trace)
    walk = _Walk(document)
    return tuple(replace(step, index=index) for index, step in enumerate(_marked(list(walk.steps()), walk)))


class _Walk:
    def __init__(self, document: Mapping[str, Json]) -> None:
        self.exchanges = [Loose(raw, number) for number, raw in enumerate(items(document.get("exchanges")))]
        self.executions: dict[int, list[Mapping[str, Json]]] = {}
        self.stray: list[Json] = []
        for run in items(document.get("executions")):
            where = run.get("exchange") if isinstance(run, Mapping) else None
            if isinstance(where, int) and 0 <= where < len(self.exchanges):
                self.executions.setdefault(where, []).append(run)
            else:
                self.stray.append(run)
        self.pairs = Pairs()
        before: list[Json] = []
        for exchange in self.exchanges:
            self.pairs.note(map(content_of, exchange.messages[_common(before, exchange.messages) :]))
            before = exchange.messages
            if exchange.message is not None:
                self.pairs.note([exchange.message["content"]])
        for runs in self.executions.values():
            self.pairs.note([{"type": "tool_result", "tool_use_id": run.get("tool_use_id")}] for run in runs)

    def steps(self) -> Iterator[Step]:
        before: Loose | None = None
        for exchange in self.exchanges:
            yield from self._request(exchange, before)
            yield from self._answer(exchange)
            before = exchange
        for run in self.stray:
            yield self._odd(run, "traces.notice.execution")

    # requests ---------------------------------------------------------------------------------------------------

    def _request(self, exchange: Loose, before: Loose | None) -> Iterator[Step]:
        if not isinstance(exchange.request, Mapping):
            yield self._odd(exchange.raw, "traces.notice.exchange")
            return
        if not exchange.request and before is None and exchange.answer is not None:
            return
        known = 0 if before is None or exchange.threaded else _common(before.messages, exchange.messages)
        marks: list[Mark] = []
        if before is not None and not exchange.threaded and known < len(before.messages):
            marks.append(Mark("notice", say("traces.mark.history", number=known)))
        if before is not None and (names := differences(before, exchange)):
            marks.append(Mark("notice", say("traces.mark.fields", names=names)))
        fresh = list(enumerate(exchange.messages))[known:]
        echoed = before is not None and before.message is not None and fresh and role_of(fresh[0][1]) == "assistant"
        pending: list[tuple[int, Json, bool]] = []
        for position, (number, message) in enumerate(fresh):
            echo = bool(echoed and position == 0)
            if echo and before is not None and before.message is not None:
                if kinds(content_of(message)) != kinds(before.message["content"]):
                    marks.append(Mark("notice", say("traces.mark.changed")))
            elif role_of(message) == "assistant" and position < len(fresh) - 1:
                if pending:
                    yield from self._sent(exchange, pending, history=True)
                    pending = []
                yield self._said(exchange, message, number)
                continue
            pending.append((number, message, echo))
        over = exchange.answer is None and pending and role_of(pending[-1][1]) == "assistant" and not pending[-1][2]
        last = pending.pop() if over else None
        ran = self.executions.get(before.number) if before is not None else None
        yield from self._sent(exchange, pending, history=False, marks=tuple(marks), inferred=not ran)
        if last is not None:
            yield self._said(exchange, last[1], last[0])

    def _sent(
        self,
        exchange: Loose,
        turns: Sequence[tuple[int, Json, bool]],
        *,
        history: bool,
        marks: tuple[Mark, ...] = (),
        inferred: bool = True,
    ) -> Iterator[Step]:
        """Yield the step that carries `turns` to Claude; before it, the execution its results speak of."""
        blocks = tuple(
            block
            for number, message, echo in turns
            for block in blocks_of(
                role_of(message), content_of(message), ("messages", number, "content"), self.pairs, echo=echo
            )
        )
        results = [block for block in blocks if block.pairing == "result" and block.role == "user" and not block.echo]
        if inferred and results:
            yield self._concluded(exchange, results)
        fresh = [block for block in blocks if not block.echo]
        returns = any(block.kind == "tool_result" for block in fresh) or (blocks and not fresh)
        label: Label = "Return" if returns else "Offer"
        first = not turns or turns[0][0] == 0
        tools = offered(exchange, set() if history else self._chosen(exchange)) if first or not history else ()
        raw: Json = [message for _, message, _ in turns] if history else exchange.request
        counted = None if history else exchange.usage("input_tokens")
        yield Step(
            index=0,
            label=label,
            sender="app",
            receiver="claude",
            title=request_title(label, blocks, tools, history or exchange.bare),
            words=request_words(label, blocks, tools, exchange, history),
            raw=raw,
            blocks=blocks,
            added=tuple(message for _, message, _ in turns),
            tools=tools,
            tokens=counted if counted is not None else estimate(raw),
            counted=counted is not None,
            marks=marks + results_marks(results),
            exchange=exchange.number,
            started=exchange.started,
            ended=exchange.started,
            recorded=not history,
        )

    def _chosen(self, exchange: Loose) -> set[str]:
        content = exchange.message["content"] if exchange.message is not None else []
        return called(content)

    # answers ----------------------------------------------------------------------------------------------------

    def _said(self, exchange: Loose, message: Json, number: int) -> Step:
        """An assistant turn of the history."""
        blocks = blocks_of("assistant", content_of(message), ("messages", number, "content"), self.pairs)
        return self._claude(exchange, blocks, message, None, estimate(content_of(message)), False, recorded=False)

    def _answer(self, exchange: Loose) -> Iterator[Step]:
        message = exchange.message
        if message is not None:
            blocks = blocks_of("assistant", message["content"], ("response", "content"), self.pairs)
            count = exchange.usage("output_tokens")
            tokens = estimate(message["content"]) if count is None else count
            yield self._claude(exchange, blocks, message, message.get("stop_reason"), tokens, count is not None)
            runs = self.executions.get(exchange.number)
            if runs:
                yield self._executed(exchange, runs)
        elif exchange.answer is not None:
            yield self._refused(exchange)

    def _claude(
        self,
        exchange: Loose,
        blocks: tuple[Block, ...],
        raw: Json,
        reason: Any,
        tokens: int,
        counted: bool,
        *,
        recorded: bool = True,
    ) -> Step:
        calls = [block for block in blocks if block.kind == "tool_use"]
        label: Label = "Ask" if calls else "Continue"
        marks = (Mark("parallel", say("traces.mark.parallel", count=len(calls))),) if len(calls) > 1 else ()
        key = reason if isinstance(reason, str) and reason in REASONS else ("tool_use" if calls else "end_turn")
        names = tally([named(block) for block in calls])
        return Step(
            index=0,
            label=label,
            sender="claude",
            receiver="app",
            title=say(f"traces.answer.{key}.title", names=names, count=len(calls)),
            words=say(f"traces.answer.{key}.words", names=names, count=len(calls)),
            raw=raw,
            blocks=blocks,
            tools=offered(exchange, {str(b.raw.get("name")) for b in calls}) if calls else (),
            tokens=tokens,
            counted=counted,
            marks=marks,
            exchange=exchange.number,
            status=exchange.status if recorded else None,
            started=exchange.started,
            ended=exchange.ended,
            recorded=recorded,
        )

    def _refused(self, exchange: Loose) -> Step:
        error = exchange.answer.get("error") if isinstance(exchange.answer, Mapping) else None
        text = error.get("message") if isinstance(error, Mapping) else None
        kind = error.get("type") if isinstance(error, Mapping) else None
        text = text if isinstance(text, str) else compact(exchange.answer)
        returns = any(has(content_of(message), "tool_result") for message in exchange.messages[-1:])
        status = exchange.status or "?"
        return Step(
            index=0,
            label="Return" if returns else "Offer",
            sender="claude",
            receiver="app",
            title=say("traces.refused.title", status=status, kind=kind or "?"),
            words=say("traces.refused.words"),
            raw=exchange.answer,
            marks=(Mark("error", text),),
            exchange=exchange.number,
            status=exchange.status,
            started=exchange.started,
            ended=exchange.ended,
        )

    # executions -------------------------------------------------------------------------------------------------

    def _executed(self, exchange: Loose, runs: Sequence[Mapping[str, Json]]) -> Step:
        blocks: list[Block] = []
        timing = []
        for number, run in enumerate(runs):
            id, place = run.get("tool_use_id"), ("executions", exchange.number, number)
            call = {"type": "tool_use", "id": id, "name": run.get("name"), "input": run.get("input")}
            result = {"type": "tool_result", "tool_use_id": id, "content": run.get("content")}
            if run.get("is_error") is True:
                result["is_error"] = True
            pair = blocks_of("tool", [call, result], place, self.pairs)
            blocks += pair
            badge = pair[0].badge
            timing.append(Timing(str(run.get("name")), badge, seconds(run.get("started")), seconds(run.get("ended"))))
        step = self._execute_step(exchange, tuple(blocks), list(runs), tuple(timing), recorded=True)
        if all(run.get("ran") is False for run in runs):
            names = tally([time.name for time in timing])
            title, words = say("traces.execute.refused.title", names=names), say("traces.execute.refused.words")
            return replace(step, title=title, words=words, timing=())
        return step

    def _concluded(self, exchange: Loose, results: Sequence[Block]) -> Step:
        """The execution that must have taken place, because its results are here."""
        return self._execute_step(exchange, tuple(results), [b.raw for b in results], (), recorded=False)

    def _execute_step(
        self, exchange: Loose, blocks: tuple[Block, ...], raw: Json, timing: tuple[Timing, ...], *, recorded: bool
    ) -> Step:
        failed = [block for block in blocks if block.is_error]
        count = sum(block.kind != "tool_use" for block in blocks)
        overlap = any(a.started < b.ended and b.started < a.ended for a, b in itertools.pairwise(timing))
        names = tally([time.name for time in timing])
        key = "recorded" if recorded else "concluded"
        many = "many" if count > 1 else "one"
        marks = [Mark("error", say("traces.mark.failed", badge=block.badge)) for block in failed]
        if overlap:
            marks.append(Mark("parallel", say("traces.mark.overlap", count=count)))
        return Step(
            index=0,
            label="Execute",
            sender="app",
            receiver="tool",
            title=say(f"traces.execute.{key}.{many}_title", names=names, count=count),
            words=say(f"traces.execute.{key}.{'together' if overlap else many}_words", names=names, count=count),
            raw=raw,
            blocks=blocks,
            marks=tuple(marks),
            timing=timing,
            exchange=exchange.number,
            started=min((time.started for time in timing), default=exchange.ended),
            ended=max((time.ended for time in timing), default=exchange.ended),
            recorded=recorded,
        )

    def _odd(self, raw: Json, key: str) -> Step:
        return Step(
            index=0,
            label="Offer",
            sender="app",
            receiver="claude",
            title=say("traces.odd.title"),
            words=say(key),
            raw=raw,
            blocks=(Block("?", "?", compact(raw), raw, notice=say(key)),),
            marks=(Mark("notice", say(key)),),
        )


def estimate(value: Any) -> int:
    """Return about how many tokens a value takes as text."""
    from course.api.tokens import tokens

    return tokens(value if isinstance(value, str) else compact(value), None)


REASONS = {
    "tool_use",
    "end_turn",
    "max_tokens",
    "stop_sequence",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
}


def _common(before: Sequence[Json], after: Sequence[Json]) -> int:
    """Return how many leading messages are the same."""
    for number, (old, new) in enumerate(zip(before, after, strict=False)):
        if old is not new and old != new:
            return number
    return min(len(before), len(after))


def _marked(found: list[Step], walk: _Walk) -> list[Step]:
    """Add a mark for every broken rule of a request that the API did not accept."""
    from course.traces.rules import broken_rules

    shows: dict[tuple[int, Any], int] = {}
    carries: dict[int, int] = {}
    for index, step in enumerate(found):
        if step.label == "Execute" or (step.sender == "claude" and step.recorded):
            continue
        if step.recorded:
            carries[step.exchange] = index
        shows.update({(step.exchange, b.place[1]): index for b in step.blocks if b.place[:1] == ("messages",)})
    marks: dict[int, list[Mark]] = {}
    for exchange in walk.exchanges:
        if exchange.accepted or exchange.number not in carries or not isinstance(exchange.request, Mapping):
            continue
        for broken in broken_rules(exchange.request):
            message = broken.place[1] if broken.place[:1] == ("messages",) and len(broken.place) > 1 else None
            at = shows.get((exchange.number, message), carries[exchange.number])
            marks.setdefault(at, []).append(Mark("broken", broken.message, broken.rule, broken.place))
    for index, more in marks.items():
        found[index] = replace(found[index], marks=(*found[index].marks, *more))
    return found
