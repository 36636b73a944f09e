import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from wire_helpers import HAIKU, HEADERS, OPUS, WEATHER, Says, body, call, document, get, message, post, text

from course.api import Ids, OfflineAPI, Request
from course.mockmodel.model import MockModelError


def test_a_message_has_every_field_the_api_sends():
    got = message(OfflineAPI(Says(text("Hello."))), body(model=OPUS))
    assert got["type"] == "message"
    assert got["role"] == "assistant"
    assert got["model"] == OPUS
    assert got["content"] == [text("Hello.")]
    assert got["stop_reason"] == "end_turn"
    assert [got[name] for name in ("stop_sequence", "stop_details", "container", "diagnostics")] == [None] * 4
    assert got["usage"]["input_tokens"] > 0
    assert got["usage"]["output_tokens"] > 0
    assert got["usage"]["cache_creation"] == {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0}


def test_a_call_gets_an_id_a_caller_and_stops_the_turn():
    got = message(OfflineAPI(Says(call(city="Oslo"))), body(tools=[WEATHER]))
    [block] = got["content"]
    assert block["id"].startswith("toolu_01")
    assert block["caller"] == {"type": "direct"}
    assert got["stop_reason"] == "tool_use"


def test_a_rerun_with_a_fresh_source_of_ids_is_byte_identical():
    def run():
        api = OfflineAPI(Says(text("a"), call(city="Oslo")), ids=Ids(7), clock=lambda: 0.0)
        return [post(api, body(tools=[WEATHER])) for _ in range(3)]

    first, second = run(), run()
    assert [answer.body for answer in first] == [answer.body for answer in second]
    assert [answer.headers for answer in first] == [answer.headers for answer in second]
    assert len({answer.body for answer in first}) == 3


def test_ids_of_another_seed_differ():
    assert Ids(1).new("msg") != Ids(2).new("msg")
    assert Ids(1).new("msg") != Ids(1).new("req")


def test_an_error_carries_its_request_id_in_the_body_and_in_the_header():
    answer = post(OfflineAPI(Says()), {"model": HAIKU})
    got = document(answer)
    assert answer.status == 400
    assert got["type"] == "error"
    assert got["error"]["type"] == "invalid_request_error"
    assert got["request_id"] == answer.headers["request-id"]
    assert got["request_id"].startswith("req_011C")
    assert answer.headers["x-should-retry"] == "false"


def test_a_sound_answer_carries_the_headers_of_the_api():
    answer = post(OfflineAPI(Says(text("a"))), body())
    assert answer.headers["request-id"].startswith("req_")
    assert answer.headers["anthropic-organization-id"]
    assert int(answer.headers["anthropic-ratelimit-requests-remaining"]) > 0
    assert answer.headers["anthropic-ratelimit-tokens-reset"].endswith("Z")


def test_a_query_string_does_not_hide_the_endpoint():
    assert post(OfflineAPI(Says(text("a"))), body(), path="/v1/messages?beta=true").status == 200


def test_an_unknown_path_is_a_404_in_the_envelope():
    answer = get(OfflineAPI(Says()), "/v1/nothing")
    assert answer.status == 404
    assert document(answer)["error"] == {"type": "not_found_error", "message": "Not Found"}


def test_a_wrong_method_is_a_405_in_the_envelope():
    answer = get(OfflineAPI(Says()), "/v1/messages")
    assert answer.status == 405
    assert answer.headers["allow"] == "POST"
    assert document(answer)["type"] == "error"


def test_only_the_key_that_was_asked_for_is_taken():
    api = OfflineAPI(Says(text("a")), key="right")
    bearer = {**{k: v for k, v in HEADERS.items() if k != "x-api-key"}, "authorization": "Bearer right"}
    assert post(api, body(), **{"x-api-key": "right"}).status == 200
    assert api.respond(Request("POST", "/v1/messages", bearer, json.dumps(body()).encode())).status == 200
    assert post(api, body(), **{"x-api-key": "other"}).status == 401


def test_a_body_over_32_mib_is_a_413():
    answer = post(OfflineAPI(Says(text("a"))), b" " * (33 * 1024 * 1024))
    assert answer.status == 413
    assert document(answer) == {"error": {"type": "request_too_large", "message": "Request exceeds the maximum size"}}


def test_what_the_stand_in_raises_is_an_error_without_retry():
    def write(request):
        raise MockModelError("the script has ended")

    answer = post(OfflineAPI(Says(write=write)), body())
    assert answer.status == 500
    assert answer.headers["x-should-retry"] == "false"
    assert "the script has ended" in document(answer)["error"]["message"]


def test_the_model_sees_merged_turns_as_blocks():
    model = Says(text("a"))
    message(OfflineAPI(model), body("one", "two", system=[text("Be brief."), text("Be kind.")]))
    [asked] = model.asked
    assert asked.messages == ({"role": "user", "content": [text("one"), text("two")]},)
    assert asked.system == "Be brief.\nBe kind."
    assert asked.tool_choice == {"type": "none"}


@pytest.mark.parametrize(("model", "thinks"), [(HAIKU, False), (OPUS, True)])
def test_the_model_thinks_by_default_where_the_real_one_does(model, thinks):
    asked = Says(text("a"))
    message(OfflineAPI(asked), body(model=model))
    assert asked.asked[0].thinking is thinks


def test_a_model_of_before_4_6_is_answered_with_its_dated_id():
    assert message(OfflineAPI(Says(text("a"))), body(model=HAIKU))["model"] == "claude-haiku-4-5-20251001"


def test_an_answer_is_explained_by_its_request_id():
    api = OfflineAPI(Says(call(city="Oslo"), explain={"why": "weather"}))
    answer = post(api, body(tools=[WEATHER]))
    told = api.explain(answer.headers["request-id"])
    assert told["answered_by"] == "Says"
    assert told["stand_in"] is True
    assert told["rounds"] == [{"why": "weather"}]
    over_http = get(api, f"/_course/explain/{answer.headers['request-id']}")
    assert document(over_http) == json.loads(json.dumps(told))


def test_a_refusal_is_explained_by_its_rule_and_place():
    api = OfflineAPI(Says())
    result = {"type": "tool_result", "tool_use_id": "toolu_x", "content": "sunny"}
    answer = post(api, body({"role": "user", "content": [result]}))
    told = api.explain(answer.headers["request-id"])
    assert told["rule"].startswith("pairing.")
    assert told["place"] == ["messages", 0, "content", 0]


def test_only_the_last_explanations_are_kept():
    api = OfflineAPI(Says(text("a")), remember=2)
    first, *_, last = [post(api, body()).headers["request-id"] for _ in range(4)]
    assert api.explain(first) is None
    assert api.explain(last)
    assert get(api, f"/_course/explain/{first}").status == 404


def test_without_rules_placeholders_are_answered():
    api = OfflineAPI(Says(text("a")), rules=False)
    sent = {
        "model": "model",
        "max_tokens": 1024,
        "messages": [{"role": "user", "content": "x"}],
        "tools": [{"name": "a"}],
    }
    assert api.respond(Request("POST", "/v1/messages", {}, json.dumps(sent).encode())).status == 200
    assert api.respond(Request("GET", "/v1/models/model_id", {})).status == 200


@pytest.mark.parametrize(
    "sent", [None, [], {}, {"model": 1}, {"model": "m", "messages": [1]}, {"model": "m", "messages": "x"}]
)
def test_without_rules_what_makes_no_sense_is_a_400(sent):
    answer = OfflineAPI(Says(text("a")), rules=False).respond(
        Request("POST", "/v1/messages", {}, json.dumps(sent).encode())
    )
    assert answer.status in (200, 400)


def test_threads_of_a_program_share_one_api():
    api = OfflineAPI(Says(call(city="Oslo")))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: message(api, body(tools=[WEATHER])), range(200)))
    assert len({got["id"] for got in found}) == 200
    assert len({got["content"][0]["id"] for got in found}) == 200
