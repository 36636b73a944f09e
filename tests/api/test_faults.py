import json
from pathlib import Path

import pytest
from wire_helpers import Says, body, document, events, message, parsed, post, text

from course.api import Faults, OfflineAPI, Response, Stream, StreamCut
from course.api.faults import FaultError, kinds


def api(schedule=""):
    return OfflineAPI(Says(text("word " * 30)), faults=schedule)


def statuses(subject, count):
    return [post(subject, body()).status for _ in range(count)]


def chunks(answer):
    """Return the chunks of a stream until it ends or is cut, and whether it was cut."""
    assert isinstance(answer, Stream)
    got = []
    try:
        for chunk in answer.chunks:
            got.append(chunk)
    except StreamCut:
        return got, True
    return got, False


def test_faults_come_by_count_and_then_stop():
    assert statuses(api("529:2"), 4) == [529, 529, 200, 200]


def test_a_schedule_is_played_step_by_step():
    assert statuses(api("429, ok:2, 500"), 5) == [429, 200, 200, 500, 200]


def test_a_star_means_for_ever():
    assert set(statuses(api("504:*"), 20)) == {504}


def test_a_schedule_can_be_set_later():
    subject = api()
    subject.faults = Faults("529")
    assert statuses(subject, 2) == [529, 200]


def test_faults_reach_every_endpoint():
    assert post(api("500"), body(), path="/v1/messages/count_tokens").status == 500


@pytest.mark.parametrize("name", [name for name, fault in kinds().items() if fault.act == "answer"])
def test_an_injected_error_comes_in_the_envelope(name):
    answer = post(api(name), body())
    fault = kinds()[name]
    assert answer.status == fault.status
    assert document(answer)["error"]["type"] == fault.type
    assert answer.headers["request-id"] == document(answer)["request_id"]
    assert answer.headers["x-should-retry"] == (
        "true" if fault.status in (408, 409, 429) or fault.status > 499 else "false"
    )


def test_a_rate_limit_says_when_to_come_back():
    answer = post(api("429"), body())
    assert answer.headers["retry-after-ms"] == "20"
    assert answer.headers["retry-after"] == "1"


def test_a_rate_limit_by_tokens_names_the_model():
    assert "model: claude-haiku-4-5)" in document(post(api("tokens"), body()))["error"]["message"]


def test_a_slow_answer_waits_before_its_first_byte():
    got, _ = chunks(post(api("slow=2.5"), body()))
    assert got[0][0] == 2.5
    assert json.loads(b"".join(chunk for _, chunk in got))["type"] == "message"


def test_a_slow_stream_waits_before_its_first_event_only():
    got, _ = chunks(post(api("slow=2.5"), body(stream=True)))
    assert [wait for wait, _ in got if wait] == [2.5]
    assert parsed(b"".join(chunk for _, chunk in got))[-1]["type"] == "message_stop"


def test_a_dripping_stream_waits_before_each_event():
    got, _ = chunks(post(api("drip=0.1"), body(stream=True)))
    assert {wait for wait, _ in got} == {0.1}


def test_a_cut_stream_breaks_the_connection():
    got, cut = chunks(post(api("cut"), body(stream=True)))
    assert cut
    assert parsed(b"".join(chunk for _, chunk in got))[-1]["type"] == "content_block_delta"


def test_a_truncated_stream_ends_without_its_last_events():
    got, cut = chunks(post(api("truncate"), body(stream=True)))
    assert not cut
    assert "message_stop" not in [event["type"] for event in parsed(b"".join(chunk for _, chunk in got))]


def test_an_error_in_mid_stream_is_the_last_event():
    found = events(post(api("overloaded"), body(stream=True)))
    assert found[0]["type"] == "message_start"
    assert found[-1] == {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


def test_a_whole_answer_can_be_cut_too():
    got, cut = chunks(post(api("cut"), body()))
    assert cut
    with pytest.raises(ValueError, match=r"."):
        json.loads(b"".join(chunk for _, chunk in got))


def test_a_mid_stream_error_without_a_stream_is_the_status():
    assert post(api("overloaded"), body()).status == 529


def test_a_disturbance_leaves_a_refusal_alone():
    assert post(api("cut"), {"model": "x"}).status in (400, 404)


def test_a_request_can_ask_for_its_own_fault():
    subject = api()
    assert post(subject, body(), **{"x-course-fault": "529"}).status == 529
    assert post(subject, body()).status == 200


def test_a_fault_asked_for_by_count_ends_with_the_retries():
    subject = api()
    tries = [post(subject, body(), **{"x-course-fault": "529:2", "x-stainless-retry-count": str(n)}) for n in range(3)]
    assert [answer.status for answer in tries] == [529, 529, 200]


@pytest.mark.parametrize("schedule", ["5x", "529:many", "slow=long", "=3"])
def test_a_schedule_that_makes_no_sense_is_refused_with_what_there_is(schedule):
    with pytest.raises(FaultError):
        Faults(schedule)
    answer = post(api(), body(), **{"x-course-fault": schedule})
    assert isinstance(answer, Response)
    assert answer.status == 400


def test_a_fault_is_explained():
    subject = api("529")
    assert subject.explain(post(subject, body()).headers["request-id"]) == {"outcome": "fault", "fault": "529"}


def test_the_stand_in_is_not_asked_when_the_fault_comes_first():
    subject = api("529")
    post(subject, body())
    assert subject.model.asked == []
    message(subject, body())
    assert len(subject.model.asked) == 1


def test_a_module_that_documents_the_faults_names_each():
    import course.api.faults

    told = Path(course.api.faults.__file__).read_text(encoding="utf-8").split('"""')[1]
    assert [name for name in kinds() if name not in told] == []


def test_an_organization_without_oauth_is_told_with_its_code():
    refused = document(post(OfflineAPI(Says(text("fine")), faults="oauth"), body()))
    assert refused["error"]["type"] == "permission_error"
    assert refused["error"]["details"] == {"error_code": "oauth_not_allowed_for_organization"}
