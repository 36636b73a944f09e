"""Field errors: which is reported first, where it is, and in which words."""

from itertools import pairwise
from typing import Any

import pytest
from rule_helpers import (
    OPUS,
    assistant,
    body,
    call,
    first,
    found,
    result,
    server_use,
    system,
    text,
    thought,
    told,
    user,
)

# The fields of a request in the order in which the API reports them, each with a value it refuses.
IN_ORDER = {
    "model": 7,
    "tool_choice": "auto",
    "tools": {},
    "messages": "hello",
    "system": 7,
    "thinking": "deep",
    "output_config": "json",
    "cache_control": "on",
    "max_tokens": "many",
    "metadata": "me",
    "stop_sequences": "stop",
    "temperature": "warm",
    "service_tier": "gold",
    "top_k": "few",
    "top_p": "most",
    "stream": "yes",
    "container": 7,
    "inference_geo": 7,
    "no_such_field": 1,
}


@pytest.mark.parametrize(("earlier", "later"), list(pairwise(IN_ORDER)))
def test_of_two_fields_the_one_declared_first_is_reported(earlier, later):
    wrong = {**body(), later: IN_ORDER[later], earlier: IN_ORDER[earlier]}
    broken = first(wrong)
    assert broken is not None
    assert broken.place[0] == earlier


def test_unknown_fields_come_last_and_in_the_order_sent():
    sent = {"zebra": 1, **body(temperature="warm"), "apple": 2}
    assert [broken.place for broken in found(sent)] == [("temperature",), ("zebra",), ("apple",)]


def test_the_members_of_an_array_are_reported_in_their_order():
    sent = body(tools=[{"type": "bash_20250124"}, "no tool", {"name": ""}])
    assert [(b.place, b.message) for b in found(sent)][:4] == [
        (("tools", 0, "name"), "tools.0.bash_20250124.name: Field required"),
        (("tools", 1), "tools.1: Input should be an object"),
        (("tools", 2, "name"), "tools.2.custom.name: String should have at least 1 character"),
        (("tools", 2, "input_schema"), "tools.2.custom.input_schema: Field required"),
    ]


REQUIRED, EXTRA = "Field required", "Extra inputs are not permitted"
STRING, BOOLEAN, ARRAY = (f"Input should be a valid {kind}" for kind in ("string", "boolean", "array"))
INTEGER, NUMBER, OBJECT = (
    "Input should be a valid integer",
    "Input should be a valid number",
    "Input should be an object",
)


def no_tag(tag: str, tags: str = "") -> str:
    return f"Input tag '{tag}' found using 'type' does not match any of the expected tags: {tags}"


def image(**source: str) -> dict[str, Any]:
    return body(user({"type": "image", "source": source}))


def answered(content: Any) -> dict[str, Any]:
    return body("q", assistant(call()), user(result(content=content)))


WORDS = [
    (body(max_tokens=True), "max_tokens", INTEGER),
    (body(max_tokens=10.0), "max_tokens", INTEGER),
    (body(max_tokens=None), "max_tokens", INTEGER),
    (body(temperature=True), "temperature", NUMBER),
    (body(temperature=-0.5), "temperature", "range: 0..1"),
    (body(top_p=2), "top_p", "range: 0..1"),
    (body(top_k=0.5), "top_k", INTEGER),
    (body(stop_sequences=["a", 1]), "stop_sequences.1", STRING),
    (body(metadata={"user": "u"}), "metadata.user", EXTRA),
    (body(metadata={"user_id": 5}), "metadata.user_id", STRING),
    (body(system=["be brief"]), "system.0", "Input does not match the expected shape."),
    (body(system=[{"type": "text"}]), "system.0.text", REQUIRED),
    (body(system=[{"type": "image", "text": "a"}]), "system.0.type", "Input should be 'text'"),
    (body(cache_control={"type": "forever"}), "cache_control", no_tag("forever", "'ephemeral'")),
    (
        body(cache_control={"type": "ephemeral", "ttl": "2h"}),
        "cache_control.ephemeral.ttl",
        "Input should be '5m' or '1h'",
    ),
    (body(thinking={"type": "enabled"}), "thinking.enabled.budget_tokens", REQUIRED),
    (body(thinking={"type": "on"}), "thinking", no_tag("on", "'adaptive', 'between_tools', 'disabled', 'enabled'")),
    (
        body(thinking={"type": "adaptive", "display": "all"}),
        "thinking.adaptive.display",
        "Input should be 'summarized' or 'omitted'",
    ),
    (body(thinking={"type": "disabled", "budget_tokens": 2000}), "thinking.disabled.budget_tokens", EXTRA),
    (body(output_config={"format": {"type": "json_schema"}}), "output_config.format.schema", REQUIRED),
    (
        body(output_config={"format": {"type": "json", "schema": {"type": "string"}}}),
        "output_config.format.type",
        "Input should be 'json_schema'",
    ),
    (body(output_config={"efort": "low"}), "output_config.efort", EXTRA),
    (body(container={"id": 7}), "container.ContainerParams.id", STRING),
    (body(tool_choice={}), "tool_choice.type", REQUIRED),
    (body(tool_choice={"type": "tool"}), "tool_choice.tool.name", REQUIRED),
    (body(tool_choice={"type": "auto", "name": "a"}), "tool_choice.auto.name", EXTRA),
    (
        body(tool_choice={"type": "none", "disable_parallel_tool_use": True}),
        "tool_choice.none.disable_parallel_tool_use",
        EXTRA,
    ),
    (
        body(tool_choice={"type": "any", "disable_parallel_tool_use": "yes"}),
        "tool_choice.any.disable_parallel_tool_use",
        BOOLEAN,
    ),
    (body({"role": "user"}), "messages.0.content", REQUIRED),
    (body({"content": "hi"}), "messages.0.role", REQUIRED),
    (body({"role": 7, "content": "hi"}), "messages.0.role", STRING),
    (body({"role": "user", "content": 7}), "messages.0.content", ARRAY),
    (body(user(text(), "more")), "messages.0.content.1", OBJECT),
    (body(user({})), "messages.0.content.0.type", REQUIRED),
    (body(user({"type": None})), "messages.0.content.0", no_tag("None")),
    (body("q", assistant(text(), text(7))), "messages.1.content.1.text.text", STRING),
    (body("q", assistant(call(id=5)), user(result())), "messages.1.content.0.tool_use.id", STRING),
    (
        body("q", assistant(call(name="")), user(result())),
        "messages.1.content.0.tool_use.name",
        "String should have at least 1 character",
    ),
    (body("q", assistant(call(inputs={})), user(result())), "messages.1.content.0.tool_use.inputs", EXTRA),
    (
        body("q", assistant(call(caller={"type": "direct", "tool_id": "x"})), user(result())),
        "messages.1.content.0.tool_use.caller.direct.tool_id",
        EXTRA,
    ),
    (
        body("q", assistant(call()), user(result(is_error="no"))),
        "messages.2.content.0.tool_result.is_error",
        BOOLEAN,
    ),
    (answered(7), "messages.2.content.0.tool_result.content", ARRAY),
    (answered(["18"]), "messages.2.content.0.tool_result.content.0", OBJECT),
    (answered([text(None)]), "messages.2.content.0.tool_result.content.0.text.text", STRING),
    (answered([{"type": "tool_use"}]), "messages.2.content.0.tool_result.content.0", no_tag("tool_use")),
    (
        body("q", assistant(call()), user(result("a b"))),
        "messages.2.content.0.tool_result.tool_use_id",
        "String should match pattern '^[a-zA-Z0-9_-]+$'",
    ),
    (
        body("q", assistant(server_use(id="toolu_1"))),
        "messages.1.content.0.server_tool_use.id",
        "String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
    ),
    (image(type="base64", data=""), "messages.0.content.0.image.source.base64.media_type", REQUIRED),
    (image(type="path"), "messages.0.content.0.image.source", no_tag("path", "'base64', 'file', 'url'")),
    (image(type="url"), "messages.0.content.0.image.source.url.url", REQUIRED),
    (
        body(user({"type": "document", "source": {"type": "base64", "data": "", "media_type": "text/html"}})),
        "messages.0.content.0.document.source.base64.media_type",
        "Input should be 'application/pdf'",
    ),
    (
        body(user({"type": "search_result", "source": "s", "title": "t"})),
        "messages.0.content.0.search_result.content",
        REQUIRED,
    ),
    (body("q", assistant({"type": "redacted_thinking"})), "messages.1.content.0.redacted_thinking.data", REQUIRED),
    (body("q", assistant(thought(None))), "messages.1.content.0.thinking.signature.str", STRING),
    (body("q", system(7), model=OPUS), "messages.1.content.0", OBJECT),
]


@pytest.mark.parametrize(("sent", "loc", "words"), WORDS, ids=[f"{loc}: {words[:40]}" for _, loc, words in WORDS])
def test_a_field_error_is_told_in_the_api_s_words(sent, loc, words):
    said = told(sent)
    assert said is not None
    assert said == f"{loc}: {words}" or (words.endswith("tags: ") and said.startswith(f"{loc}: {words}"))


@pytest.mark.parametrize("value", [None, True, 7, "text", [], [{}]])
def test_a_body_that_is_no_request_object_is_told_without_a_path(value):
    broken = first(value)
    assert broken is not None
    assert (broken.place, broken.message[0].isupper()) == ((), True)


@pytest.mark.parametrize(
    "fields",
    [
        {"metadata": None},
        {"stop_sequences": None},
        {"inference_geo": None, "container": None},
        {"output_config": {"effort": None, "format": None, "task_budget": None}},
        {"tools": [{"name": "a", "input_schema": {"type": "object", "properties": None, "required": None}}]},
    ],
)
def test_null_stands_for_an_optional_field_that_is_left_out(fields):
    assert told(body(**fields)) is None


def test_a_role_that_there_is_not_is_reported_before_what_is_wrong_with_messages_before_it():
    sent = body({"role": "user"}, {"role": "tool", "content": "a", "name": "b"})
    assert [broken.message.split(" ")[0] for broken in found(sent)] == [
        "messages:",
        "messages.0.content:",
        "messages.1.name:",
    ]


def test_counting_tokens_takes_no_sampling_fields_and_no_limit():
    sent = body(max_tokens=...)
    assert told(sent, counting=True) is None
    assert told({**sent, "max_tokens": 5}, counting=True) == "max_tokens: Extra inputs are not permitted"
    assert told({**sent, "stream": True}, counting=True) == "stream: Extra inputs are not permitted"


@pytest.mark.parametrize("name", ["temperature", "top_p", "top_k"])
def test_the_newer_version_knows_no_sampling_fields(name):
    sent = body(**{name: 1})
    assert told(sent) is None
    assert told(sent, version="2026-10-21") == f"{name}: Extra inputs are not permitted"


@pytest.mark.parametrize(
    ("field", "value", "beta"),
    [
        ("context_management", {"edits": []}, "context-management-2025-06-27"),
        ("speed", "standard", "fast-mode-2026-02-01"),
        ("thread", "thread_1", "message-threads-2026-08-12"),
        ("user_profile_id", "p", "user-profiles-2026-09-04"),
    ],
)
def test_a_field_of_a_beta_is_unknown_without_its_header(field, value, beta):
    sent = body(**{"model": "claude-opus-5", field: value})
    assert told(sent) == f"{field}: Extra inputs are not permitted"
    assert told(sent, betas=(beta,)) is None
    assert told(sent, betas=("files-api-2025-04-14",)) == f"{field}: Extra inputs are not permitted"


CLEARING = "clear_tool_uses_20250919"
EDIT_WORDS = [
    (
        {"type": "clear_everything"},
        "",
        no_tag("clear_everything", f"'clear_thinking_20251015', '{CLEARING}', 'compact_20260112'"),
    ),
    (
        {"type": CLEARING, "trigger": {"type": "input_tokens"}},
        f".{CLEARING}.trigger.input_tokens.value",
        REQUIRED,
    ),
    ({"type": CLEARING, "clear_tool_inputs": "all"}, f".{CLEARING}.clear_tool_inputs", BOOLEAN),
    ({"type": CLEARING, "kep": 3}, f".{CLEARING}.kep", EXTRA),
]


@pytest.mark.parametrize(("edit", "loc", "words"), EDIT_WORDS)
def test_an_edit_of_the_context_has_a_shape_too(edit, loc, words):
    sent = body(context_management={"edits": [edit]})
    assert told(sent, betas=("context-management-2025-06-27",)) == f"context_management.edits.0{loc}: {words}"


@pytest.mark.parametrize(
    "edit",
    [
        {"type": "clear_tool_uses_20250919", "clear_tool_inputs": ["a"], "keep": {"type": "tool_uses", "value": 3}},
        {"type": "clear_tool_uses_20250919", "exclude_tools": None, "clear_tool_inputs": True},
        {"type": "clear_tool_uses_20250919", "trigger": {"type": "tool_uses", "value": 9}},
    ],
)
def test_an_edit_of_the_context_that_is_sound_is_accepted(edit):
    assert told(body(context_management={"edits": [edit]}), betas=("context-management-2025-06-27",)) is None


@pytest.mark.parametrize("keep", ["all", {"type": "all"}, {"type": "thinking_turns", "value": 2}])
def test_the_thinking_to_keep_is_all_or_some_turns(keep):
    thinking = {"type": "enabled", "budget_tokens": 1024}
    edits = [{"type": "clear_thinking_20251015", "keep": keep}]
    sent = body(context_management={"edits": edits}, thinking=thinking, max_tokens=2000)
    assert told(sent, betas=("context-management-2025-06-27",)) is None


def test_a_directive_of_a_system_turn_may_say_when_it_ends():
    sent = body("q", {**system("Be brief."), "clear_at": "next_user_message"}, model=OPUS)
    betas = ("mid-conversation-system-clear-at-2026-10-01",)
    assert told(sent) == "messages.1.clear_at: Extra inputs are not permitted"
    assert told(sent, betas=betas) is None


@pytest.mark.parametrize(("tokens", "accepted"), [(49_999, False), (50_000, True)])
def test_compaction_sets_in_at_fifty_thousand_tokens_at_the_earliest(tokens, accepted):
    edit = {"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": tokens}}
    said = told(body(context_management={"edits": [edit]}, model=OPUS), betas=("compact-2026-01-12",))
    assert (said is None) == accepted
    assert accepted or said.endswith("Input should be greater than or equal to 50000")
