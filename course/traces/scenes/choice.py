"""tool_choice, and inputs that are missing."""

from course.facts import forced_model, models
from course.mockmodel import Improviser, call, text
from course.traces.scenes.stage import OFF, Play, Stage
from course.traces.scenes.tools import book_room, get_weather
from course.traces.trace import Trace

__all__ = ["PLAYS"]

EXPLAIN = "Tell me in one sentence what you are about to do, then get the weather in Busan."
ANY = {"type": "any"}


def forced_choice(stage: Stage) -> Trace:
    script = [
        [text("I am about to look at Busan's weather."), call("get_weather", city="Busan")],
        "17 °C and a clear sky in Busan.",
    ]
    options = {"model": forced_model(), "thinking": OFF}
    named = {"type": "tool", "name": "get_weather"}
    return stage.runs(
        script,
        [get_weather],
        lambda _: {"messages": EXPLAIN, "tool_choice": named, "max_iterations": 1, **options},
        lambda history: {"messages": history, **options},
    )


def forced_refused(stage: Stage) -> Trace:
    return stage.run([""], EXPLAIN, [get_weather], tool_choice=ANY)


def forced_every_turn(stage: Stage) -> Trace:
    script = [call("get_weather", city=city) for city in ("Busan", "Busan", "Busan", "Busan")]
    options = {"model": forced_model(), "thinking": OFF, "tool_choice": ANY, "max_iterations": 4}
    return stage.run(script, "What is the weather like in Busan?", [get_weather], **options)


def missing_asked(stage: Stage) -> Trace:
    return stage.run(Improviser(), "Please book the room Maple for 2 hours.", [book_room])


def missing_guessed(stage: Stage) -> Trace:
    guessing = next(m.id for m in models().values() if m.traits.get("missing") == "guess" and m.status == "current")
    return stage.run(Improviser(), "Please book the room Maple for 2 hours.", [book_room], model=guessing, thinking=OFF)


PLAYS: dict[str, Play] = {
    "forced-choice": forced_choice,
    "forced-refused": forced_refused,
    "forced-every-turn": forced_every_turn,
    "missing-asked": missing_asked,
    "missing-guessed": missing_guessed,
}
