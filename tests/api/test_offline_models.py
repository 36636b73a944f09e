import pytest
from wire_helpers import Says, document, get

from course.api import OfflineAPI
from course.facts.models import models


def api():
    return OfflineAPI(Says())


def ids(query=""):
    return [entry["id"] for entry in document(get(api(), f"/v1/models{query}"))["data"]]


def test_the_list_gives_what_is_served_newest_first():
    page = document(get(api(), "/v1/models?limit=1000"))
    dates = [entry["created_at"] for entry in page["data"]]
    assert dates == sorted(dates, reverse=True)
    assert {entry["lifecycle"] for entry in page["data"]} == {"active", "deprecated"}
    assert page["has_more"] is False
    assert (page["first_id"], page["last_id"]) == (page["data"][0]["id"], page["data"][-1]["id"])


def test_retired_models_are_listed_when_they_are_asked_for():
    assert "claude-sonnet-4-5-20250929" in ids("?lifecycle=retired")
    assert "claude-sonnet-4-5-20250929" not in ids("?limit=1000")


def test_pages_follow_one_another():
    whole = ids("?limit=1000")
    first = document(get(api(), "/v1/models?limit=3"))
    assert first["has_more"] is True
    second = document(get(api(), f"/v1/models?limit=3&after_id={first['last_id']}"))
    assert [entry["id"] for entry in second["data"]] == whole[3:6]
    back = document(get(api(), f"/v1/models?limit=2&before_id={second['first_id']}"))
    assert [entry["id"] for entry in back["data"]] == whole[1:3]
    assert back["has_more"] is True


@pytest.mark.parametrize("query", ["limit=0", "limit=1001", "limit=many", "after_id=nobody"])
def test_a_query_that_makes_no_sense_is_a_400(query):
    assert get(api(), f"/v1/models?{query}").status == 400


@pytest.mark.parametrize("name", ["claude-opus-5-5", "claude-haiku-4-5", "claude-haiku-4-5-20251001"])
def test_one_model_is_found_by_id_and_by_alias(name):
    got = document(get(api(), f"/v1/models/{name}"))
    assert got["type"] == "model"
    assert got["max_tokens"] == models()[name].max_output
    assert got["line"] in name


def test_capabilities_are_those_of_the_facts():
    got = document(get(api(), "/v1/models/claude-opus-5-5"))["capabilities"]
    assert got["thinking"]["types"]["adaptive"]["supported"] is True
    assert got["thinking"]["types"]["enabled"]["supported"] is False
    assert got["effort"]["xhigh"]["supported"] is True


def test_an_unknown_model_is_a_404():
    answer = get(api(), "/v1/models/claude-nobody")
    assert answer.status == 404
    assert document(answer)["error"] == {"type": "not_found_error", "message": "model: claude-nobody"}
