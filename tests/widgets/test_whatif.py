"""What-if: each knob runs the stand-in again, and the traces tell what changed."""

from dataclasses import replace

import ipywidgets
import pytest

from course.facts import forced_model
from course.harness import tool
from course.mockmodel import Scripted, call
from course.traces import steps
from course.widgets import Setting, WhatIf, play
from course.widgets.whatif import KNOBS

WISH = "What is the weather in Paris, and what time is it in Tokyo?"


@tool
def get_weather(city: str) -> str:
    """Current weather of one city."""
    return "18 °C, light rain"


@tool
def get_time(city: str) -> str:
    """Current local time of one city."""
    return "02:14"


BASE = Setting(WISH, (get_weather, get_time))


def labels(trace):
    return [step.label for step in steps(trace)]


def calls(trace):
    return [run.name for run in trace.executions]


def test_as_it_is_both_calls_come_at_once():
    assert labels(play(BASE)) == ["Offer", "Ask", "Execute", "Return", "Continue"]


def test_without_parallel_calls_they_come_one_by_one():
    trace = play(replace(BASE, parallel=False))
    assert trace.exchanges[0].request["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    assert len(trace.exchanges) == 3
    assert calls(trace) == ["get_weather", "get_time"]


def test_choice_none_forbids_calls():
    assert calls(play(replace(BASE, tool_choice="none"))) == []


def test_any_on_every_turn_never_ends_and_the_net_catches_it():
    trace = play(replace(BASE, tool_choice="any", model=forced_model()))
    assert len(trace.exchanges) == 5
    assert trace.exchanges[-1].response.body["stop_reason"] == "tool_use"


def test_a_forced_tool_is_called_first():
    trace = play(replace(BASE, tool_choice="get_time", model=forced_model()))
    assert trace.exchanges[0].request["tool_choice"] == {"type": "tool", "name": "get_time"}
    assert calls(trace)[0] == "get_time"


def test_a_model_that_refuses_to_be_forced_answers_400_and_the_trace_ends_there():
    trace = play(replace(BASE, tool_choice="any"))
    assert [exchange.response.status for exchange in trace.exchanges] == [400]


def test_fewer_tools_on_offer_means_fewer_definitions():
    trace = play(replace(BASE, offered=1))
    assert [one["name"] for one in trace.exchanges[0].request["tools"]] == ["get_weather"]


def test_another_description_and_result_reach_the_request():
    trace = play(replace(BASE, descriptions={"get_time": "Never use."}, results={"get_weather": "hail"}))
    assert trace.exchanges[0].request["tools"][1]["description"] == "Never use."
    assert "hail" in [run.content for run in trace.executions if run.name == "get_weather"]


def test_a_failing_tool_returns_an_error():
    trace = play(replace(BASE, failing=frozenset({"get_time"})))
    assert next(run.is_error for run in trace.executions if run.name == "get_time")


def test_a_script_can_answer_instead_of_the_improviser():
    assert calls(play(BASE, mock=Scripted([call("get_time", city="Oslo"), "Done."]))) == ["get_time"]


def knob(view, name):
    return view._knobs[name]


def test_a_knob_puts_the_changed_run_beside_the_first():
    view = WhatIf(WISH, [get_weather, get_time])
    assert len(view.view.panels) == 1
    knob(view, "parallel").value = False
    assert [shown["title"] for shown in view.view.panels] == ["As it was", "Changed: parallel calls"]
    assert len(view.trace.exchanges) == 3
    assert "requests: 3, calls: 2" in view.view.panels[1]["about"]


def test_several_knobs_add_up_and_are_named():
    view = WhatIf(WISH, [get_weather, get_time])
    knob(view, "offered").value = 1
    knob(view, "tool_choice").value = "none"
    assert view.setting == replace(view.base, offered=1, tool_choice="none")
    assert view.view.panels[1]["title"] == "Changed: tool_choice, how many tools"


def test_result_and_description_speak_of_the_chosen_tool():
    view = WhatIf(WISH, [get_weather, get_time])
    knob(view, "tool").value = "get_time"
    assert knob(view, "description").value == "Current local time of one city."
    knob(view, "result").value = "noon"
    knob(view, "failing").value = True
    knob(view, "tool").value = "get_weather"
    assert knob(view, "result").value == ""
    assert knob(view, "failing").value is False
    assert view.setting == replace(view.base, results={"get_time": "noon"}, failing=frozenset({"get_time"}))


def test_turning_back_shows_one_run_again():
    view = WhatIf(WISH, [get_weather, get_time])
    knob(view, "parallel").value = False
    knob(view, "parallel").value = True
    assert len(view.view.panels) == 1
    assert view.trace is view.before


def test_as_it_was_resets_every_knob():
    view = WhatIf(WISH, [get_weather, get_time])
    knob(view, "result").value = "hail"
    knob(view, "wish").value = "What time is it in Oslo?"
    view.change(view.base)
    assert (knob(view, "result").value, knob(view, "wish").value) == ("", WISH)
    assert view.setting == view.base


def test_functions_become_tools_and_knobs_can_be_left_out():
    def get_tide(port: str) -> str:
        """Tide of one port."""
        return "low"

    view = WhatIf("What is the tide in Brest?", [get_tide], knobs=["result"])
    assert view.setting.tools[0].name == "get_tide"
    panel = next(child for child in view.children if isinstance(child, ipywidgets.Box))
    assert [type(child).__name__ for child in panel.children] == ["Textarea", "Button"]


def test_an_unknown_knob_is_named():
    with pytest.raises(ValueError, match="no knob colour"):
        WhatIf(WISH, [get_weather], knobs=["colour"])


@pytest.mark.parametrize("name", KNOBS)
def test_every_knob_has_a_name_to_be_read_out(name):
    assert knob(WhatIf(WISH, [get_weather]), name).description.strip()
