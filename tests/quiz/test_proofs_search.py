"""Proofs about a long context: what a tool search finds, which old results are cleared."""

import pytest

from course.quiz.proofs import Choice, ProofFailure, Sheet, proofs

PARCEL = {"name": "track", "description": "Find a parcel.", "input_schema": {"type": "object"}}


def claims(kind="single", **by_id):
    return Sheet("an-item", kind, "Which?", tuple(Choice(id, id, claim) for id, claim in by_id.items()))


def test_a_search_tells_what_it_finds():
    options = claims(one={"found": ["track"]}, none={"found": [], "error": None})
    search = proofs()["search_finds"]
    assert search(options, tools=[PARCEL, "refund"], variant="bm25", asked={"query": "parcel"}) == "one"
    assert search(options, tools=[PARCEL, "refund"], variant="bm25", asked={"query": "holiday"}) == "none"


def test_a_search_that_fails_tells_its_error():
    options = claims(broken={"error": "Invalid regular expression pattern: missing ), unterminated subpattern"})
    with pytest.raises(ProofFailure):
        proofs()["search_finds"](options, tools=[PARCEL], variant="regex", asked={"pattern": "track"})


def test_each_option_may_bring_a_search_of_its_own():
    options = claims(
        "select_n",
        upper={"asked": {"pattern": "TRACK"}, "found": ["track"]},
        off={"asked": {"pattern": "^parcel"}, "found": ["track"]},
    )
    assert proofs()["search_finds"](options, tools=[PARCEL], variant="regex") == ["upper"]


def test_a_search_counts_what_it_finds():
    tools = [f"invoice_{number}" for number in range(9)]
    asked = {"pattern": "^invoice_", "limit": 7}
    assert proofs()["search_finds"](claims("numeric"), tools=tools, variant="regex", asked=asked) == 7


def test_a_tool_is_found_by_its_description_and_not_by_an_enum():
    enum = {**PARCEL, "description": "Find it.", "input_schema": {"properties": {"kind": {"enum": ["parcel"]}}}}
    options = claims(said=[PARCEL], valued=[enum])
    assert proofs()["tool_is_found"](options, variant="bm25", asked={"query": "parcel"}) == "said"


def test_the_oldest_results_are_cleared_and_their_blocks_stay():
    uses = ["get_user", "get_log", "get_log", "get_log", "get_log"]
    options = claims(two={"cleared": ["get_user", "get_log"], "results": 5}, none={"cleared": [], "results": 5})
    clear = proofs()["edits_clear"]
    assert clear(options, uses=uses, tokens=120_000, edit={}) == "two"
    assert clear(options, uses=uses, tokens=90_000, edit={}) == "none"
    assert clear(claims("numeric"), uses=uses, tokens=120_000, edit={"exclude_tools": ["get_user"]}) == 1
