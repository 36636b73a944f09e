"""Server tools in a conversation: their results, who may call what, and code that waits."""

import pytest
from rule_helpers import (
    CODE,
    SEARCH,
    SONNET,
    TOOL,
    assistant,
    body,
    call,
    first,
    result,
    server_result,
    server_use,
    text,
    told,
    tool,
    user,
)

BY_CODE = {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}
RUN = server_use(name="code_execution")
RAN = server_result(name="code_execution")


def coded(*turns, **fields):
    return body(*turns, tools=[CODE, tool(allowed_callers=["code_execution_20260120"])], model=SONNET, **fields)


@pytest.mark.parametrize(
    ("use", "kind"),
    [
        ("web_search", "web_search_tool_result"),
        ("web_fetch", "web_fetch_tool_result"),
        ("code_execution", "code_execution_tool_result"),
        ("bash_code_execution", "bash_code_execution_tool_result"),
        ("tool_search_tool_regex", "tool_search_tool_result"),
        ("tool_search_tool_bm25", "tool_search_tool_result"),
    ],
)
def test_a_server_tool_use_followed_by_another_turn_needs_the_result_of_its_kind(use, kind):
    assert told(body("q", assistant(server_use(name=use)), "r")) == (
        f"messages.1: `{use}` tool use with id `srvtoolu_1` was found without a corresponding `{kind}` block"
    )


@pytest.mark.parametrize(
    "turns",
    [
        ("q", assistant(server_use(), server_result(), text("a")), "r"),
        ("q", assistant(server_use("srvtoolu_1"), server_use("srvtoolu_2"), server_result("srvtoolu_2"),
                        server_result("srvtoolu_1")), "r"),
        ("q", assistant(server_use()), assistant(server_result(), text("a")), "r"),
        ("q", assistant(text("paused"), server_use())),
    ],
)  # fmt: skip
def test_results_of_server_tools_may_come_in_any_order_or_be_pending_at_the_end(turns):
    assert told(body(*turns, tools=[SEARCH])) is None


def test_a_use_that_is_pending_at_the_end_needs_its_tool():
    said = told(body("q", assistant(server_use()), tools=[TOOL]))
    assert said is not None
    assert said.endswith("block but no `web_search` tool was provided")


@pytest.mark.parametrize("name", ["advisor", "web_search", "code_execution"])
def test_a_result_without_its_use_before_it_is_named(name):
    kind = f"{name}_tool_result"
    said = told(body("q", assistant(text("a"), server_result(name=name)), "r"))
    assert said == (
        f"messages.1.content.1: unexpected `tool_use_id` found in `{kind}` blocks: srvtoolu_1. "
        f"Each `{kind}` block must have a corresponding `server_tool_use` block before it."
    )


def test_a_call_from_code_names_a_run_that_came_before():
    turns = ("q", assistant(RUN, call(caller=BY_CODE)), user(result()))
    assert told(coded(*turns, container="container_1")) is None
    other = call(caller={**BY_CODE, "tool_id": "srvtoolu_2"})
    assert told(coded("q", assistant(RUN, other), user(result()), container="container_1")) == (
        "source tool `srvtoolu_2` not found for tool use block `toolu_1`"
    )


def test_a_direct_call_names_no_run():
    assert told(body("q", assistant(call(caller={"type": "direct"})), user(result()), tools=[TOOL])) is None


def test_code_that_waits_needs_its_container():
    broken = first(coded("q", assistant(RUN, call(caller=BY_CODE)), user(result())))
    assert broken is not None
    assert broken.rule == "container.required"
    done = ("q", assistant(RUN, call(caller=BY_CODE)), user(result()), assistant(RAN, text("a")), "r")
    assert told(coded(*done)) is None


def test_results_of_a_search_come_back_with_what_only_the_api_can_read():
    found = {"type": "web_search_result", "title": "T", "url": "https://example.com", "encrypted_content": "Eo4"}
    sent = body("q", assistant(server_use(), {**server_result(), "content": [found]}, text("a")), "r", tools=[SEARCH])
    assert told(sent) is None
    del found["encrypted_content"]
    assert told(sent) == "messages.1.content.1.web_search_tool_result.content.0.encrypted_content: Field required"


def test_code_that_waits_for_several_rounds_is_still_pending_and_missed_when_the_user_goes_on():
    first_round = ("q", assistant(RUN, call("a", caller=BY_CODE)), user(result("a")))
    waiting = (*first_round, assistant(call("b", caller=BY_CODE)), user(result("b")))
    assert told(coded(*waiting, container="container_1")) is None
    gone_on = (*first_round, assistant("So."), "r")
    assert told(coded(*gone_on, container="container_1")) == (
        "messages.1: `code_execution` tool use with id `srvtoolu_1` was found without a corresponding "
        "`code_execution_tool_result` block"
    )
