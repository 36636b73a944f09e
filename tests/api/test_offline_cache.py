import pytest
from wire_helpers import HAIKU, WEATHER, Says, body, message, text

from course.api import OfflineAPI

LONG = "All about the weather. " * 300
MODEL = "claude-opus-5-5"
MARK = {"cache_control": {"type": "ephemeral"}}
HOUR = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def system(text=LONG, **mark):
    return [{"type": "text", "text": text, **(mark or MARK)}]


def used(api, **fields):
    """Return (read, written, rest) of the input tokens."""
    usage = message(api, body(**{"model": MODEL, "tools": [WEATHER], "system": system(), **fields}))["usage"]
    return usage["cache_read_input_tokens"], usage["cache_creation_input_tokens"], usage["input_tokens"]


def api(clock=lambda: 0.0):
    return OfflineAPI(Says(text("a")), clock=clock)


def test_the_first_request_writes_and_the_second_reads():
    subject = api()
    read, written, rest = used(subject)
    assert read == 0
    assert written > 1000
    assert used(subject) == (written, 0, rest)


def test_a_prompt_that_is_too_short_is_not_cached():
    read, written, _ = used(api(), system=system("short"), model="claude-opus-5-5", tools=[])
    assert (read, written) == (0, 0)


def test_nothing_is_cached_where_nothing_is_marked():
    assert used(api(), system=LONG)[:2] == (0, 0)


def test_the_parts_add_up_to_the_whole_input():
    whole = sum(used(api(), system=LONG))
    assert sum(used(api())) == whole


def test_five_minutes_later_it_is_forgotten_unless_it_was_read():
    clock = Clock()
    subject = api(clock)
    _, written, _ = used(subject)
    clock.now = 200
    assert used(subject)[0] == written
    clock.now = 450
    assert used(subject)[0] == written
    clock.now = 751
    assert used(subject)[0] == 0


def test_an_hour_is_kept_for_an_hour_and_counted_apart():
    clock = Clock()
    subject = api(clock)
    usage = message(subject, body(model=MODEL, system=system(**HOUR)))["usage"]
    assert usage["cache_creation"]["ephemeral_1h_input_tokens"] == usage["cache_creation_input_tokens"] > 0
    assert usage["cache_creation"]["ephemeral_5m_input_tokens"] == 0
    clock.now = 3500
    assert message(subject, body(model=MODEL, system=system(**HOUR)))["usage"]["cache_read_input_tokens"] > 0


TOOLS_LOST = [{"tools": [{**WEATHER, "description": "Other."}]}, {"model": "claude-sonnet-5-5"}]
MESSAGES_LOST = [
    {"tool_choice": {"type": "none"}},
    {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
    {"output_config": {"effort": "low"}},
]


def marked(**fields):
    """Return fields with a breakpoint after the system prompt and one in the messages."""
    turn = {"role": "user", "content": [{"type": "text", "text": LONG, **MARK}]}
    return {"messages": [turn], **fields}


@pytest.mark.parametrize("change", TOOLS_LOST)
def test_another_model_or_definition_loses_everything(change):
    subject = api()
    used(subject, **marked())
    assert used(subject, **marked(**change))[0] == 0


@pytest.mark.parametrize("change", MESSAGES_LOST)
def test_choice_and_effort_lose_the_messages_alone(change):
    subject = api()
    prefix = used(api())[1]
    whole = used(subject, **marked())[1]
    read, written, _ = used(subject, **marked(**change))
    assert read == prefix
    assert written == whole - prefix


def test_another_system_prompt_keeps_the_tools():
    subject = api()
    tools = [{**WEATHER, "description": LONG, **MARK}]
    first = used(subject, tools=tools)
    read, written, _ = used(subject, tools=tools, system=system("Other. " * 600))
    assert 0 < read < first[1]
    assert written > 0


def test_a_web_tool_that_comes_or_goes_keeps_the_tools():
    subject = api()
    tools = [{**WEATHER, "description": LONG, **MARK}]
    used(subject, tools=tools)
    web = {"type": "web_search_20250305", "name": "web_search"}
    read, written, _ = used(subject, tools=[*tools, web])
    assert read > 0
    assert written > 0


def test_a_deferred_tool_more_loses_nothing():
    subject = api()
    search = {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"}
    _, written, rest = used(subject, tools=[WEATHER, search])
    assert used(subject, tools=[WEATHER, search, {**WEATHER, "name": "other", "defer_loading": True}]) == (
        written,
        0,
        rest,
    )


def test_a_conversation_that_grows_reads_what_it_wrote_before():
    subject = api()
    turns = [{"role": "user", "content": LONG}]
    read = []
    for number in range(3):
        got = message(subject, body(model=MODEL, messages=turns, cache_control={"type": "ephemeral"}))
        read.append(got["usage"]["cache_read_input_tokens"])
        turns = [
            *turns,
            {"role": "assistant", "content": got["content"]},
            {"role": "user", "content": f"more {number}"},
        ]
    assert read[0] == 0
    assert 0 < read[1] < read[2]


def test_the_lookback_ends_after_twenty_blocks():
    def asked(count):
        blocks = [text(LONG), *(text(f"line {n}") for n in range(count))]
        return body(model=MODEL, messages=[{"role": "user", "content": blocks}], cache_control={"type": "ephemeral"})

    for more, found in ((15, True), (30, False)):
        subject = api()
        message(subject, asked(0))
        assert bool(message(subject, asked(more))["usage"]["cache_read_input_tokens"]) is found


def test_a_model_that_caches_only_long_prompts_is_given_one():
    assert used(api(), model=HAIKU)[1] == 0
    assert used(api(), model=HAIKU, system=system(LONG * 4))[1] > 4096
