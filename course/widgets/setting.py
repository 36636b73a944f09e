"""Run a stand-in through the harness under given settings, and return the trace: what a what-if compares.

No SDK, no network, no widget: the harness talks to the offline API in this process.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from course.api import OfflineAPI
from course.facts import default_model
from course.harness import Tool, ToolError, run
from course.mockmodel import Improviser, MockModel
from course.quiz.offline import Client, RequestRefused
from course.traces import Recorder, Trace

__all__ = ["Setting", "play"]

MOST_REQUESTS = 5


@dataclass(frozen=True)
class Setting:
    """What a run depends on.

    offered: how many of `tools`, from the front; None is all. tool_choice: auto, any, none, or the name of a tool.
    descriptions, results: by tool name, in place of the tool's own. failing: names of tools whose result is an error.
    """

    wish: str
    tools: tuple[Tool, ...]
    model: str = field(default_factory=default_model)
    tool_choice: str = "auto"
    parallel: bool = True
    offered: int | None = None
    descriptions: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    failing: frozenset[str] = frozenset()

    def request(self) -> dict[str, Any]:
        """Return the fields of the request that `tool_choice` and `parallel` stand for."""
        if not self.tools or (self.tool_choice == "auto" and self.parallel):
            return {}
        kind = self.tool_choice if self.tool_choice in ("auto", "any", "none") else "tool"
        choice: dict[str, Any] = {"type": kind}
        if kind == "tool":
            choice["name"] = self.tool_choice
        if not self.parallel and kind != "none":
            choice["disable_parallel_tool_use"] = True
        return {"tool_choice": choice}

    def changed_tools(self) -> list[Tool]:
        """Return the tools on offer, with the descriptions and results of this setting."""
        return [self._changed(tool) for tool in self.tools[: self.offered]]

    def _changed(self, tool: Tool) -> Tool:
        tool = replace(tool, description=self.descriptions.get(tool.name, tool.description))
        if tool.name not in self.results and tool.name not in self.failing:
            return tool
        original, given = tool.function, self.results.get(tool.name)

        def answer(**input: Any) -> Any:
            value = original(**input) if given is None else given
            if tool.name in self.failing:
                raise ToolError(value)
            return value

        return replace(tool, function=answer)


def play(
    setting: Setting, *, mock: MockModel | None = None, clock: Callable[[], float] = time.perf_counter, **about: Any
) -> Trace:
    """Return the trace of one run. An error of the API is its last exchange; at most five requests are made.

    mock: who answers (default: the improviser). about: title, notes … of the trace.
    """
    recorder = Recorder(clock=clock)
    client = Client(OfflineAPI(mock or Improviser()))
    try:
        run(
            client,
            model=setting.model,
            messages=setting.wish,
            tools=setting.changed_tools(),
            max_tokens=1024,
            max_iterations=MOST_REQUESTS,
            parallel=setting.parallel,
            recorder=recorder,
            **setting.request(),
        )
    except RequestRefused:
        return recorder.trace(**about)
    return recorder.trace(**about)
