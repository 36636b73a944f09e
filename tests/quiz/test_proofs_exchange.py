"""Proofs that need more than one request: changes that bring an outcome, the prompt cache, the SDK's retries."""

import pytest

from course.quiz.proofs import Choice, Sheet, proofs

TWO = {"type": "tool_use", "name": "print_label", "input": {}}


def claims(kind="single", **by_id):
    return Sheet("an-item", kind, "Which?", tuple(Choice(id, id, claim) for id, claim in by_id.items()))


def test_the_change_is_picked_with_which_every_case_comes_out():
    cases = [
        {"want": {"calls": ["print_label"]}, "replies": [[TWO, TWO]]},
        {"want": {"calls": []}, "replies": ["You're welcome."]},
    ]
    options = claims(
        at_most={"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
        exactly={"tool_choice": {"type": "any", "disable_parallel_tool_use": True}},
        free={"tool_choice": {"type": "auto"}},
    )
    found = proofs()["patch_gives"](options, request={"model": "forced", "tools": ["print_label"]}, cases=cases)
    assert found == "at_most"


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({}, "whole"),
        ({"tool_choice": {"type": "none"}}, "front"),
        ({"system": "Other rules."}, "tools"),
        ({"tools": ["b", "a"]}, "nothing"),
    ],
)
def test_a_change_keeps_the_part_of_the_cache_in_front_of_it(change, kept):
    options = claims(
        whole={"kept": ["tools", "system", "messages"]},
        front={"kept": ["tools", "system"]},
        tools={"kept": ["tools"]},
        nothing={"kept": []},
    )
    request = {"model": "forced", "tools": ["a", "b"], "tool_choice": {"type": "auto"}}
    assert proofs()["cache_keeps"](options, request=request, change=change) == kept


@pytest.mark.parametrize(("fault", "attempts"), [("529:1", 2), ("529:9", 3), ("401:1", 1)])
def test_the_sdk_repeats_what_may_pass(fault, attempts):
    assert proofs()["sdk_does"](claims("numeric"), fault=fault, value="attempts") == attempts


def test_each_option_may_name_a_fault_of_its_own():
    options = claims("select_n", rate={"fault": "429:1", "retries": 1}, login={"fault": "401:1", "retries": 1})
    assert proofs()["sdk_does"](options) == ["rate"]
