"""The plain cycle: one call, text and thinking before it, several calls, dependent calls."""

from course.facts import forced_model
from course.mockmodel import call, text
from course.traces.scenes.stage import OFF, Play, Stage
from course.traces.scenes.tools import convert, find_customer, get_orders, get_weather
from course.traces.trace import Trace

__all__ = ["PLAYS"]

CITIES = "How is the weather in Oslo, Busan and Lima right now?"
THREE = [call("get_weather", city=city) for city in ("Oslo", "Busan", "Lima")]
SUMMARY = "Oslo has 4 °C and rain, Busan 17 °C and a clear sky, Lima 22 °C and clouds."


def happy_path(stage: Stage) -> Trace:
    script = [call("get_weather", city="Busan"), "It is 17 °C in Busan, with a clear sky."]
    return stage.run(script, "What is the weather like in Busan?", [get_weather], model=forced_model(), thinking=OFF)


def text_before_call(stage: Stage) -> Trace:
    asking = [text("I'll look that up for Oslo."), call("get_weather", city="Oslo")]
    script = [asking, "Take an umbrella: 4 °C and rain."]
    return stage.run(script, "Do I need an umbrella in Oslo?", [get_weather], model=forced_model(), thinking=OFF)


def thinking(stage: Stage) -> Trace:
    thought = {"type": "thinking", "thinking": "One rate answers it. Convert, then round for the reader."}
    script = [[thought, call("convert", amount=250, source="EUR", target="KRW")], "250 euros are about 402,125 won."]
    display = {"type": "adaptive", "display": "summarized"}
    return stage.run(script, "How many won do I get for 250 euros?", [convert, get_weather], thinking=display)


def parallel(stage: Stage) -> Trace:
    return stage.run([THREE, SUMMARY], CITIES, [get_weather], parallel=True)


def one_at_a_time(stage: Stage) -> Trace:
    choice = {"type": "auto", "disable_parallel_tool_use": True}
    return stage.run([*THREE, SUMMARY], CITIES, [get_weather], tool_choice=choice)


def sequential(stage: Stage) -> Trace:
    script = [
        [text("First I need the customer."), call("find_customer", email="noor@example.org")],
        call("get_orders", customer_id="C-1042"),
        "The desk lamp (A-77) is on its way to Noor Haddad.",
    ]
    return stage.run(script, "Where is the last order of noor@example.org?", [find_customer, get_orders])


def second_question(stage: Stage) -> Trace:
    script = [call("get_weather", city="Lima"), "22 °C and cloudy.", call("get_weather", city="Oslo"), "4 °C, rain."]
    return stage.runs(
        script,
        [get_weather],
        lambda _: {"messages": "How is the weather in Lima?"},
        lambda history: {"messages": [*history, {"role": "user", "content": "And in Oslo?"}]},
    )


PLAYS: dict[str, Play] = {
    "happy-path": happy_path,
    "text-before-call": text_before_call,
    "thinking": thinking,
    "parallel": parallel,
    "one-at-a-time": one_at_a_time,
    "sequential": sequential,
    "second-question": second_question,
}
