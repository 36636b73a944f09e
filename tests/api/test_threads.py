import pytest
from wire_helpers import HAIKU, OPUS, WEATHER, Says, body, call, document, message, post, text

from course.api import OfflineAPI
from course.mockmodel.model import Reply

BETA = {"anthropic-beta": "message-threads-2026-08-12"}
CREATE = {"type": "create"}


def answers(request):
    last = request.messages[-1]["content"][-1]
    return Reply((text("Sunny.") if last["type"] == "tool_result" else call(city="Oslo"),))


def started(model=OPUS):
    api = OfflineAPI(Says(write=answers))
    first = message(api, body("Weather?", model=model, tools=[WEATHER], system="Be brief.", thread=CREATE), **BETA)
    return api, first


def onward(first, **fields):
    result = {"type": "tool_result", "tool_use_id": first["content"][0]["id"], "content": "22 degrees"}
    thread = {"type": "continue", "previous_message_id": first["id"]}
    return body({"role": "user", "content": [result]}, **{"model": OPUS, "thread": thread, **fields})


def refused(api, sent):
    answer = post(api, sent, **BETA)
    return answer.status, document(answer)["error"]["details"]["error_code"]


def test_a_thread_leaves_one_cache_marker_to_the_server():
    marked = [{"type": "text", "text": "Hi.", "cache_control": {"type": "ephemeral"}}]
    api = OfflineAPI(Says(write=answers))
    three = {"role": "user", "content": marked * 3}
    assert message(api, body(three, thread=CREATE), **BETA)
    assert refused(api, body({"role": "user", "content": marked * 4}, thread=CREATE)) == (
        400, "thread_unsupported_request",
    )  # fmt: skip


def test_a_thread_goes_on_with_its_history_its_tools_and_its_system_prompt():
    api, first = started()
    second = message(api, onward(first), **BETA)
    assert second["content"] == [text("Sunny.")]
    seen = api.model.asked[-1]
    assert [turn["role"] for turn in seen.messages] == ["user", "assistant", "user"]
    assert [tool["name"] for tool in seen.tools] == ["get_weather"]
    assert seen.system == "Be brief."


def test_a_thread_goes_on_more_than_once_from_its_last_answer():
    api, first = started()
    second = message(api, onward(first), **BETA)
    thread = {"type": "continue", "previous_message_id": second["id"]}
    third = message(api, body("And in Rome?", model=OPUS, thread=thread), **BETA)
    assert third["stop_reason"] == "tool_use"
    assert len(api.model.asked[-1].messages) == 5


def test_an_answer_is_continued_only_once():
    api, first = started()
    message(api, onward(first), **BETA)
    assert refused(api, onward(first)) == (400, "thread_already_continued")


def test_a_refused_turn_leaves_its_thread_as_it_was():
    api, first = started()
    assert post(api, onward(first, max_tokens=-1), **BETA).status == 400
    assert post(api, onward(first), **BETA).status == 200


def test_an_unknown_thread_is_a_404():
    api, first = started()
    thread = {"type": "continue", "previous_message_id": "msg_unknown"}
    assert refused(api, onward(first, thread=thread)) == (404, "thread_not_found")


def test_the_oldest_thread_is_forgotten():
    api = OfflineAPI(Says(write=answers), remember=1)
    first, _ = [message(api, body("Weather?", model=OPUS, tools=[WEATHER], thread=CREATE), **BETA) for _ in range(2)]
    assert refused(api, onward(first)) == (404, "thread_not_found")


@pytest.mark.parametrize("change", [{"system": "Be long."}, {"tools": [{**WEATHER, "name": "other"}]}])
def test_a_thread_keeps_the_system_prompt_and_the_tools_it_began_with(change):
    api, first = started()
    assert refused(api, onward(first, **change)) == (400, "thread_fingerprint_mismatch")


def test_what_cannot_be_threaded_is_named():
    api = OfflineAPI(Says(write=answers))
    sent = body(model=OPUS, thread=CREATE, cache_control={"type": "ephemeral"}, thinking={"type": "adaptive"})
    answer = post(api, sent, **BETA)
    details = {"error_code": "thread_unsupported_request", "unsupported": ["cache_control", "thinking"]}
    assert (answer.status, document(answer)["error"]["details"]) == (400, details)


def test_pairing_is_checked_over_the_whole_thread():
    api, first = started()
    answer = post(api, onward(first) | {"messages": [{"role": "user", "content": "never mind"}]}, **BETA)
    assert answer.status == 400
    assert first["content"][0]["id"] in document(answer)["error"]["message"]


def test_without_its_beta_a_thread_is_an_unknown_field():
    answer = post(OfflineAPI(Says(write=answers)), body(model=HAIKU, thread=CREATE))
    assert document(answer)["error"]["message"] == "thread: Extra inputs are not permitted"


def test_a_refusal_of_the_model_is_not_kept():
    api = OfflineAPI(Says(text("no"), stop_reason="refusal"))
    first = message(api, body(model=OPUS, thread=CREATE), **BETA)
    thread = {"type": "continue", "previous_message_id": first["id"]}
    assert refused(api, body("again", model=OPUS, thread=thread)) == (404, "thread_not_found")
