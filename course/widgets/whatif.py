"""What if? Knobs over one run of the stand-in; the run as it was and the run as it would be stand side by side."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import anywidget
import ipywidgets

from course.facts import models, say
from course.harness import Tool, tool
from course.mockmodel import MockModel
from course.traces import Trace, steps
from course.widgets.assets import script, style
from course.widgets.setting import Setting, play
from course.widgets.trace import TraceView
from course.widgets.view import display_with

__all__ = ["KNOBS", "WhatIf"]

KNOBS = ("wish", "model", "tool_choice", "offered", "parallel", "tool", "description", "result", "failing")
MODES = ("auto", "any", "none")


class Guard(anywidget.AnyWidget):
    """Shows nothing. Inside a box of class `cw-guard` it keeps JupyterLab's one-key shortcuts off the knobs."""

    _esm = script("guard")
    _css = style("knobs")


class WhatIf(ipywidgets.VBox):
    """A run of the stand-in, and knobs that change it.

    wish: the user's words. tools: Tools or functions. knobs: which to show, of KNOBS; description, result and failing
    speak of the tool that the knob `tool` names. as_it_was: fields of the Setting to begin with (model, tool_choice …).
    mock: who answers (default: the improviser, a stand-in and not Claude).

    `setting` is what the knobs say now, `trace` the run they lead to, `view` the trace view with both runs.
    """

    def __init__(
        self,
        wish: str,
        tools: Sequence[Tool | Callable[..., Any]],
        *,
        knobs: Sequence[str] = KNOBS,
        mock: MockModel | None = None,
        **as_it_was: Any,
    ) -> None:
        if unknown := sorted(set(knobs) - set(KNOBS)):
            raise ValueError(say("widgets.whatif.no_knob", names=", ".join(unknown), known=", ".join(KNOBS)))
        self._mock, self._loading = mock, False
        self._tools = {one.name: one for one in (one if isinstance(one, Tool) else tool(one) for one in tools)}
        self.base = self.setting = Setting(wish, tuple(self._tools.values()), **as_it_was)
        self.before = self.trace = self._played(self.base, say("widgets.whatif.before"))
        self.view = TraceView(self.before)
        self._knobs = _knobs(self.base)
        self._load()
        for knob in self._knobs.values():
            knob.observe(self._turned, "value")
        reset = ipywidgets.Button(description=say("widgets.whatif.reset"))
        reset.on_click(lambda _: self.change(self.base))
        shown = [self._knobs[name] for name in KNOBS if name in knobs]
        panel = ipywidgets.Box([*shown, reset])
        panel.add_class("cw-knobs")
        super().__init__([Guard(), ipywidgets.Label(say("widgets.whatif.about")), panel, self.view])
        self.add_class("cw-guard")

    def _ipython_display_(self) -> None:
        display_with(self._repr_mimebundle_(), self.view.plain(), self.view.stand_in())

    def change(self, setting: Setting) -> None:
        """Run again under `setting`, and show the new run beside the old one; the knobs follow."""
        self.setting = setting
        self._load()
        differs = [
            say(f"widgets.whatif.{field.name}")
            for field in fields(Setting)
            if getattr(setting, field.name) != getattr(self.base, field.name)
        ]
        if not differs:
            self.trace = self.before
            self.view.show(self.before)
            return
        self.trace = self._played(setting, say("widgets.whatif.after", what=", ".join(differs)))
        self.view.show(self.before, self.trace)

    def _played(self, setting: Setting, title: str) -> Trace:
        run = play(setting, mock=self._mock, title=title)
        tokens = sum(step.tokens for step in steps(run))
        notes = say("widgets.whatif.sums", requests=len(run.exchanges), calls=len(run.executions), tokens=tokens)
        return run.model_copy(update={"notes": notes})

    def _turned(self, change: Mapping[str, Any]) -> None:
        if self._loading:
            return
        if change["owner"] is self._knobs["tool"]:
            self._load()
            return
        self.change(self._read())

    def _read(self) -> Setting:
        """Return what the knobs say."""
        said = {name: knob.value for name, knob in self._knobs.items()}
        name = said["tool"]
        failing = self.setting.failing - {name}
        return replace(
            self.setting,
            **{field: said[field] for field in ("wish", "tool_choice", "parallel", "model")},
            offered=said["offered"] if said["offered"] < len(self._tools) else None,
            descriptions=_with(self.setting.descriptions, name, said["description"], self._tools[name].description),
            results=_with(self.setting.results, name, said["result"], ""),
            failing=failing | {name} if said["failing"] else failing,
        )

    def _load(self) -> None:
        """Set the knobs to what the setting says."""
        name, setting = self._knobs["tool"].value, self.setting
        values = {
            "wish": setting.wish,
            "description": setting.descriptions.get(name, self._tools[name].description),
            "result": setting.results.get(name, ""),
            "failing": name in setting.failing,
            "tool_choice": setting.tool_choice,
            "parallel": setting.parallel,
            "model": setting.model,
            "offered": setting.offered or len(self._tools),
        }
        self._loading = True
        try:
            for field, value in values.items():
                self._knobs[field].value = value
        finally:
            self._loading = False


def _with(kept: Mapping[str, str], name: str, value: str, default: str) -> dict[str, str]:
    """Return `kept` with `value` for `name`, or without `name` where the value is the default."""
    rest = {key: text for key, text in kept.items() if key != name}
    return rest if value == default else {**rest, name: value}


def _knobs(setting: Setting) -> dict[str, Any]:
    """Return the knobs by name. Core ipywidgets only, and no sliders: those have no accessible name."""
    names = [one.name for one in setting.tools]
    served = {model.id: model.name for model in models().values()}
    makes: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
        "wish": (ipywidgets.Text, {"continuous_update": False}),
        "tool": (ipywidgets.Dropdown, {"options": names}),
        "description": (ipywidgets.Textarea, {"continuous_update": False, "rows": 2}),
        "result": (
            ipywidgets.Textarea,
            {"continuous_update": False, "rows": 2, "placeholder": say("widgets.whatif.own")},
        ),
        "failing": (ipywidgets.Checkbox, {"indent": False}),
        "tool_choice": (ipywidgets.Dropdown, {"options": [*MODES, *names]}),
        "parallel": (ipywidgets.Checkbox, {"indent": False}),
        "model": (ipywidgets.Dropdown, {"options": [(name, id) for id, name in served.items()]}),
        "offered": (ipywidgets.BoundedIntText, {"value": len(names), "min": 1, "max": len(names)}),
    }
    made = {}
    for name, (make, options) in makes.items():
        made[name] = make(description=say(f"widgets.whatif.knob.{name}"), **options)
        if make is not ipywidgets.Checkbox:
            made[name].style.description_width = "8em"
    made["wish"].add_class("cw-wide")
    return made
