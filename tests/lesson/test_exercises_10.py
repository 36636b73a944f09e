import json

import pytest

from course.labs.workspace import Workspace
from course.lesson import ask, check
from course.mockmodel import Reply

RUNS = {
    "your own get_order": "client",
    "bash_20250124": "client",
    "web_search_20250305": "server",
    "tool_search_tool_bm25_20251119": "server",
    "memory_20250818": "client",
}
FIRST = {
    "find everybody who calls rounded()": "Grep",
    "list all test files": "Glob",
    "understand src/orders.py as a whole": "Read",
    "change one unique line": "Edit",
    "find where the text 'connection refused' is printed": "Grep",
}
WEB = {"type": "web_search_20250305", "name": "web_search"}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "tide Mokpo"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
QUESTION = {"role": "user", "content": "When is high tide in Mokpo?"}


def block(item, **fields):
    return {"type": "tool_use", "id": item["call_id"], "name": item["name"], **fields}


def parsed(item):
    return block(item, input=json.loads(item["arguments"]))


def parsed_with_words(item):
    try:
        arguments = json.loads(item["arguments"])
    except json.JSONDecodeError as error:
        raise ValueError(f"the arguments of {item['name']} are no JSON") from error
    return dict(type="tool_use", id=item["call_id"], name=item["name"], input=arguments)


def parsed_with_caller(item):
    return parsed(item) | {"caller": {"type": "direct"}}


def unparsed(item):
    return block(item, input=item["arguments"])


def swallowing(item):
    try:
        return parsed(item)
    except ValueError:
        return block(item, input={})


def renamed(item):
    return parsed(item) | {"id": f"toolu_{item['call_id']}"}


def still_theirs(item):
    return parsed(item) | {"type": "function_call"}


def as_text(item):
    return json.dumps(parsed(item))


def by_its_id(item):
    return parsed(item) | {"id": item["id"]}


def edited(*edits, write=None):
    place = Workspace()
    for edit in edits:
        place.edit(*edit)
    if write:
        place.write(*write)
    return place


DATES = Workspace().files["src/dates.py"]

RIGHT = [
    ("whose-code", (RUNS,)),
    ("whose-code", ({name: f" {who.upper()}" for name, who in RUNS.items()},)),
    ("whose-to-claude", (parsed,)),
    ("whose-to-claude", (parsed_with_words,)),
    ("whose-to-claude", (parsed_with_caller,)),
    ("whose-useful-failure", ("The seats could not be looked up. Try again once; then tell the user.",)),
    ("whose-useful-failure", ("Looking up the seats failed. Do not retry; inform the customer.",)),
    ("whose-useful-failure", ("The seat look-up is down at the moment. It may work in a few minutes.",)),
    ("whose-useful-failure", ("Could not look up the seats. Call once more in a minute.",)),
    ("whose-first-tool", (FIRST,)),
    ("whose-first-tool", ({task: tool.lower() for task, tool in FIRST.items()},)),
    ("whose-one-edit", (edited(("src/dates.py", "TIMEOUT = 5", "TIMEOUT = 30")),)),
    ("whose-one-edit", (edited(("src/dates.py", "TIMEOUT = 5\nRETRIES", "TIMEOUT = 30\nRETRIES")),)),
    ("whose-one-edit", (edited(write=("src/dates.py", DATES.replace("TIMEOUT = 5", "TIMEOUT = 30"))),)),
]

WRONG = [
    ("whose-code", (RUNS | {"bash_20250124": "server"},), "bash_20250124"),
    ("whose-code", (RUNS | {"web_search_20250305": "client"},), "web_search"),
    ("whose-code", (dict.fromkeys(RUNS, "client"),), "2 not right yet"),
    ("whose-to-claude", (unparsed,), "still a string"),
    ("whose-to-claude", (swallowing,), "must raise ValueError"),
    ("whose-to-claude", (renamed,), "call_id"),
    ("whose-to-claude", (still_theirs,), "function_call"),
    ("whose-to-claude", (as_text,), "must return a block"),
    ("whose-to-claude", (by_its_id,), "KeyError"),
    ("whose-useful-failure", ("An error occurred while running the tool. Please try again.",), "general sentence"),
    ("whose-useful-failure", ("The database db-7 is down, try again later.",), "names the host"),
    ("whose-useful-failure", ("Failed.",), "few words more"),
    ("whose-useful-failure", ("Something went wrong with the seats here.",), "what to do now"),
    ("whose-first-tool", (FIRST | {"list all test files": "Grep"},), "list all test files"),
    ("whose-first-tool", (FIRST | {"change one unique line": "Write"},), "change one unique line"),
    ("whose-first-tool", (dict.fromkeys(FIRST, "Read"),), "4 not right yet"),
    ("whose-one-edit", (Workspace(),), "Nothing has changed"),
    ("whose-one-edit", (edited(write=("src/dates.py", DATES.replace("= 5", "= 30"))),), "RETRIES"),
    ("whose-one-edit", (edited(write=("src/dates.py", "TIMEOUT = 30\n")),), "not as wanted"),
    ("whose-one-edit", (edited(("src/money.py", "TIMEOUT = 5", "TIMEOUT = 30")),), "not as wanted"),
]


@pytest.mark.parametrize(("exercise", "values"), RIGHT)
def test_every_right_answer_is_accepted(exercise, values):
    verdict = check(exercise, *values)
    assert verdict.ok, verdict


@pytest.mark.parametrize(("exercise", "values", "said"), WRONG)
def test_a_wrong_answer_is_told_why(exercise, values, said):
    verdict = check(exercise, *values)
    assert verdict.state == "wrong"
    assert said.lower() in verdict.message.lower(), verdict
    assert verdict.place


# a paused turn --------------------------------------------------------------------------------------------------------


@pytest.fixture
def paused():
    return ask(QUESTION["content"], tools=[WEB], script=[Reply((SEARCH, FOUND), "pause_turn")])


def claude(content):
    return {"role": "assistant", "content": content}


def test_a_paused_turn_goes_back_in_every_form_the_sdk_gives_it(paused):
    for turn in (
        claude(paused.content),
        claude([block.to_dict() for block in paused.content]),
        claude([block.model_dump() for block in paused.content]),
        paused,
    ):
        verdict = check("whose-go-on", [QUESTION, turn], paused)
        assert verdict.ok, verdict


def test_a_paused_turn_that_is_changed_or_followed_is_refused(paused):
    answer = {"type": "tool_result", "tool_use_id": "srvtoolu_1", "content": "10:20"}
    whole = claude(paused.content)
    for messages, said in (
        ([QUESTION], "paused turn"),
        ([whole], "should be two"),
        ([QUESTION, whole, {"role": "user", "content": "Go on."}], "follows the paused turn"),
        ([QUESTION, whole, {"role": "user", "content": [answer]}], "follows the paused turn"),
        ([QUESTION, claude(paused.content[:1])], "not what came"),
        ([QUESTION, claude("I was searching.")], "not what came"),
    ):
        verdict = check("whose-go-on", messages, paused)
        assert verdict.state == "wrong"
        assert said in verdict.message, verdict
