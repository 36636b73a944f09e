"""The trace view: walk through a tool conversation, one step at a time."""

from collections.abc import Callable
from typing import Any

import traitlets

from course.facts import say
from course.widgets.assets import script, style
from course.widgets.payload import keys, panel, traced
from course.widgets.predict import Prediction, verdict
from course.widgets.view import View

__all__ = ["TraceView"]


class TraceView(View):
    """A trace, or two of them under one cursor.

    trace, compare: a Trace, its JSON document, a request body, a `messages` array, or an Outcome of the harness.
    start: the first step shown, from 0. on_answer: told of every prediction a step asked for.

    `index` is the step shown; setting it moves the view. `answers` holds the predictions: the number of the option by
    question id, -1 where the learner asked to be shown.
    """

    _esm = script("dom", "state", "ask", "score", "step", "trace")
    _css = style("view", "trace")

    panels = traitlets.List(traitlets.Dict()).tag(sync=True)
    index = traitlets.Int(0).tag(sync=True)
    answers = traitlets.Dict().tag(sync=True)
    verdicts = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        trace: Any,
        start: int = 0,
        compare: Any = None,
        *,
        on_answer: Callable[[Prediction], None] | None = None,
    ) -> None:
        self._on_answer = on_answer
        self._take(trace, compare)
        super().__init__("widgets.trace", panels=self._panels(), index=start)

    def show(self, trace: Any, compare: Any = None) -> None:
        """Show another trace in the same place; the step stays where it was, as far as there is one."""
        self._take(trace, compare)
        self.panels = self._panels()
        self.index = self.index

    def still(self) -> str:
        """Return every step as HTML without script, for both traces."""
        from course.traces import to_html

        return "".join(to_html(trace) for trace in self._traces)

    def plain(self) -> str:
        """Return one line that says what is here."""
        first = self.panels[0]
        return say("widgets.fallback.plain", title=first["title"], count=len(first["steps"]))

    def _take(self, trace: Any, compare: Any) -> None:
        self._traces = [traced(item) for item in (trace, compare) if item is not None]
        self._keys = keys(self._traces[0]) if self._traces else {}

    def _panels(self) -> list[dict[str, Any]]:
        return [panel(trace) for trace in self._traces]

    @traitlets.validate("index")
    def _within(self, proposal: Any) -> int:
        total = max((len(shown["steps"]) for shown in self.panels), default=1)
        return max(0, min(proposal["value"], total - 1))

    @traitlets.observe("answers")
    def _answered(self, change: Any) -> None:
        for id, choice in change["new"].items():
            if id in self.verdicts or id not in self._keys:
                continue
            options = next(ask["options"] for ask in self.panels[0]["asks"] if ask["id"] == id)
            prediction = Prediction.of(id, options, choice, self._keys[id]["answer"])
            self.verdicts = {**self.verdicts, id: verdict(prediction, options, self._keys[id])}
            if self._on_answer is not None:
                self._on_answer(prediction)
