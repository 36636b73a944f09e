"""Broken by hand, on purpose: one fault each, answered by the offline API as the real one answers it."""

from typing import Any

from course.facts import forced_model
from course.mockmodel import call
from course.traces.scenes.stage import OFF, Body, Play, Stage
from course.traces.scenes.tools import get_weather
from course.traces.trace import Trace

__all__ = ["PLAYS"]

ANSWER = "4 °C in Oslo, 22 °C in Lima."


def _two_cities(stage: Stage) -> Trace:
    script = [[call("get_weather", city="Oslo"), call("get_weather", city="Lima")], ANSWER]
    options = {"model": forced_model(), "thinking": OFF, "parallel": True}
    return stage.run(script, "Compare the weather in Oslo and Lima.", [get_weather], **options)


def _results(body: Body) -> list[Any]:
    return body["messages"][-1]["content"]


def missing_result(stage: Stage) -> Trace:
    def change(body: Body) -> Body:
        del _results(body)[1]
        return body

    return stage.changed(_two_cities(stage), change)


def wrong_id(stage: Stage) -> Trace:
    def change(body: Body) -> Body:
        _results(body)[1]["tool_use_id"] = "toolu_01LimaWeatherTypedByHand"
        return body

    return stage.changed(_two_cities(stage), change)


def duplicate_result(stage: Stage) -> Trace:
    def change(body: Body) -> Body:
        results = _results(body)
        results.append({**results[1], "content": "22 °C, cloudy (second reading)"})
        return body

    return stage.changed(_two_cities(stage), change)


def text_before_result(stage: Stage) -> Trace:
    def change(body: Body) -> Body:
        _results(body).insert(0, {"type": "text", "text": "Here are the results:"})
        return body

    return stage.changed(_two_cities(stage), change)


def wrong_role(stage: Stage) -> Trace:
    def change(body: Body) -> Body:
        results = body["messages"].pop()
        body["messages"][-1]["content"] += results["content"]
        body["messages"].append({"role": "user", "content": "Please go on."})
        return body

    return stage.changed(_two_cities(stage), change)


def tool_role(stage: Stage) -> Trace:
    def change(body: Body) -> Body:
        body["messages"][-1]["role"] = "tool"
        return body

    return stage.changed(_two_cities(stage), change)


def late_result(stage: Stage) -> Trace:
    def change(body: Body) -> Body:
        results = body["messages"].pop()
        body["messages"].append({"role": "user", "content": "One moment, I am looking."})
        body["messages"].append({"role": "assistant", "content": "Take your time."})
        body["messages"].append(results)
        return body

    return stage.changed(_two_cities(stage), change)


def half_a_turn(stage: Stage) -> Trace:
    def change(body: Body) -> Body:
        body["messages"][1]["content"] = "I asked for the weather in two cities."
        return body

    return stage.changed(_two_cities(stage), change)


def split_results(stage: Stage) -> Trace:
    def change(body: Body) -> Body:
        first, second = body["messages"].pop()["content"]
        body["messages"] += [{"role": "user", "content": [first]}, {"role": "user", "content": [second]}]
        return body

    return stage.changed(_two_cities(stage), change, ["", ANSWER])


PLAYS: dict[str, Play] = {
    "missing-result": missing_result,
    "wrong-id": wrong_id,
    "duplicate-result": duplicate_result,
    "text-before-result": text_before_result,
    "wrong-role": wrong_role,
    "tool-role": tool_role,
    "late-result": late_result,
    "half-a-turn": half_a_turn,
    "split-results": split_results,
}
