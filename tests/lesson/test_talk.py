import subprocess
import sys

import pytest

from course.lesson import MODEL, api, ask, async_client, attempt, call, client, live, run, text_of, tool
from course.lesson.errors import LessonError, NothingAsked
from course.lesson.talk import Refusal


@tool
def tides(harbour: str) -> str:
    """Return the time of the next high tide in a harbour."""
    return "18:40"


def depth(harbour: str) -> str:
    """Return the depth of a harbour in metres."""
    return "9 m"


DEFINITION = {"name": "berths", "description": "Count free berths.", "input_schema": {"type": "object"}}


def test_asking_returns_the_sdks_message():
    import anthropic

    message = ask("When is high tide in Busan?", tools=[tides])
    assert isinstance(message, anthropic.types.Message)
    assert message.model == MODEL
    assert message.stop_reason == "tool_use"


def test_tools_may_be_tools_functions_or_definitions():
    script = [[call("berths"), call("depth", harbour="Busan"), call("tides", harbour="Busan")]]
    message = ask("All three?", tools=[tides, depth, DEFINITION], script=script)
    assert [b.name for b in message.content if b.type == "tool_use"] == ["berths", "depth", "tides"]


def test_a_value_that_is_no_tool_is_named():
    with pytest.raises(NothingAsked, match="int is not a tool"):
        ask("Hm?", tools=[3])


def test_a_value_that_is_no_wish_is_named():
    with pytest.raises(NothingAsked):
        ask(42)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"tools": [tides]},
        {"wish": "Hm?", "tools": ...},
        {"wish": "Hm?", "tools": [...]},
        {"wish": "Hm?", "system": ...},
    ],
)
def test_dots_anywhere_keep_an_exercise_open(arguments):
    assert ask(**arguments) is ...
    assert attempt(**arguments) is ...
    assert text_of(...) == ""


def test_history_and_single_messages_are_taken_as_they_are():
    first = {"role": "user", "content": "Hello"}
    assert text_of(ask(first)) == text_of(ask([first]))


def test_a_script_is_played_by_the_length_of_the_history():
    script = [["I'll look.", call("tides", harbour="Busan")], "At 18:40."]
    message = ask("When?", tools=[tides], script=script)
    assert [block.type for block in message.content if block.type != "thinking"] == ["text", "tool_use"]
    outcome = run(client(script=script), model=MODEL, messages="When?", tools=[tides])
    assert outcome.text == "At 18:40."


def test_a_refusal_comes_back_as_a_value_with_the_apis_words():
    refusal = attempt([{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_x"}]}])
    assert isinstance(refusal, Refusal)
    assert (refusal.status, refusal.type) == (400, "invalid_request_error")
    assert "unexpected `tool_use_id` found in `tool_result` blocks: toolu_x" in refusal.message
    assert repr(refusal).splitlines()[0] == "Refused with 400 invalid_request_error:"
    assert "<code>" in refusal._repr_html_()


def test_an_attempt_that_succeeds_is_the_message():
    assert attempt("Hello").stop_reason == "end_turn"


def test_the_refusals_html_is_escaped():
    assert "<b>" not in Refusal(400, "x", "<b>bold</b>")._repr_html_().split("<code>")[1]


def test_offline_is_the_default_and_said_once(capsys):
    ask("Hello")
    ask("Hello again")
    told = capsys.readouterr().out
    assert told.count("stand-in") == 1
    assert live() is False


def test_going_live_without_a_key_says_what_to_do():
    with pytest.raises(LessonError, match="ANTHROPIC_API_KEY"):
        live(True)
    assert live() is False


def test_with_a_key_one_setting_goes_live_and_back(monkeypatch, capsys):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    assert live(True) is True
    assert "anthropic.com" in str(client().base_url)
    assert "cost money" in capsys.readouterr().out
    live(False)
    assert "anthropic.com" not in str(client().base_url)


def test_the_environment_can_start_a_notebook_live(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.setenv("COURSE_LIVE", "1")
    assert live() is True


def test_a_script_never_goes_live(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    live(True)
    assert text_of(ask("Hello", script=["From the script."])) == "From the script."


def test_the_client_is_shared_and_the_api_stands_behind_it():
    assert client() is client()
    assert api() is api()
    assert client(script=["a"]) is not client()


def test_there_is_an_async_client_too():
    import asyncio

    async def talk():
        made = await async_client().messages.create(
            model=MODEL, max_tokens=64, messages=[{"role": "user", "content": "Hello"}]
        )
        return made.stop_reason

    assert asyncio.run(talk()) == "end_turn"


def test_importing_the_lesson_names_loads_neither_the_sdk_nor_a_widget():
    heavy = "{'anthropic', 'ipywidgets', 'IPython', 'nbformat', 'matplotlib'}"
    code = f"from course.lesson import *; import sys; print([*({heavy} & {{*sys.modules}})])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
