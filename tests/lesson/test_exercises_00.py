import pytest

from course.lesson import ask, call, check, tool

CONCLUSIONS = {
    "the API refuses a request of this shape": True,
    "Claude would have picked this tool too": False,
    "the SDK builds the request like this": True,
    "Claude would have worded it like this": False,
}


@tool
def films_on(day: str) -> str:
    """Return which films the cinema shows on a day of the week, and at what time."""
    return "Friday: The Lighthouse Keeper, 20:15"


@pytest.mark.parametrize(
    "wish", ["Which films are shown on Sunday?", "what films does the cinema show Monday", "Films on Tuesday, please"]
)
def test_any_question_about_the_films_is_right(wish):
    assert check("start-first-question", ask(wish, tools=[films_on])).ok


def test_a_question_the_tool_cannot_answer_is_told_so():
    verdict = check("start-first-question", ask("Hello!", tools=[films_on], script=["Hello."]))
    assert "without a call" in verdict.message
    assert (
        "without a call"
        not in check(
            "start-first-question", ask("x", script=[call("films_on", day="Friday")], tools=[films_on])
        ).message
    )


def test_a_value_that_is_no_message_is_told_so():
    assert "is a str" in check("start-first-question", "Which films?").message


def test_what_to_trust_names_the_first_wrong_one():
    assert check("start-what-to-trust", CONCLUSIONS).ok
    off = CONCLUSIONS | {"Claude would have picked this tool too": True}
    assert "picked this tool" in check("start-what-to-trust", off).message
