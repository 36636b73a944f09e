"""Proofs: the bank's keys hold when run, and a proof can't see the key it checks."""

import pytest
from guide import changed, examples, records

from course.quiz.bank import load_bank
from course.quiz.proofs import ProofFailure, agrees, proofs, prove, sheet

BANK = load_bank()


@pytest.mark.parametrize("item", [item for item in BANK if item.status != "retired"], ids=lambda item: item.id)
def test_every_item_of_the_bank_is_proven_where_it_can_be(item):
    assert prove(item).problems == ()


def _flipped(item):
    """The item with another key; None where its kind has no key that can be flipped so simply."""
    match item.kind:
        case "single" | "select_n":
            old = next(option for option in item.options if option.correct)
            new = next(option for option in item.options if not option.correct)
            swap = {old.id: False, new.id: True}
            options = tuple(o.model_copy(update={"correct": swap.get(o.id, o.correct)}) for o in item.options)
            return item.model_copy(update={"options": options})
        case "match":
            row = item.rows[0]
            other = next(target.id for target in item.targets if target.id != row.answer)
            return item.model_copy(update={"rows": (row.model_copy(update={"answer": other}), *item.rows[1:])})
        case "numeric":
            return item.model_copy(update={"answer": 2 * item.answer + 1})
        case "order" if not any(step.after for step in item.options):
            return item.model_copy(update={"options": item.options[::-1]})
    return None


FLIPPED = [flipped for item in BANK if item.proof and item.status != "retired" and (flipped := _flipped(item))]


@pytest.mark.parametrize("item", FLIPPED, ids=lambda item: item.id)
def test_a_flipped_key_of_the_bank_is_caught_by_its_proof(item):
    assert not prove(item).proven


@pytest.mark.parametrize("kind", examples())
def test_the_examples_of_the_guide_are_proven(kind):
    result = prove(examples()[kind])
    assert result.problems == ()
    assert result.proven is (kind != "open")


def test_a_sheet_does_not_tell_the_key():
    seen = sheet(examples()["single"])
    assert {name for choice in seen.choices for name in vars(choice)} == {"id", "text", "claim"}
    assert set(vars(seen)) == {"id", "kind", "stem", "choices", "rows"}


def test_pick_wants_a_claim_from_every_option_and_exactly_one_that_holds():
    seen = sheet(examples()["single"])
    with pytest.raises(ProofFailure, match="4 options hold"):
        seen.pick(lambda claim: True)
    with pytest.raises(ProofFailure, match="0 options hold"):
        seen.pick(lambda claim: False)
    silent = [
        {key: value for key, value in option.items() if key != "claim"} for option in records()["single"]["options"]
    ]
    with pytest.raises(ProofFailure, match="no claim"):
        sheet(changed("single", options=silent)).pick(lambda claim: True)


@pytest.mark.parametrize(
    ("claim", "outcome", "holds"),
    [
        ({"status": 400}, {"status": 400, "message": "x"}, True),
        ({"status": 400}, {"status": 200}, False),
        ({"status": 400}, {}, False),
        ({"message": "toolu_1"}, {"message": "ids: toolu_1."}, True),
        ({"rule": "pairing"}, {"rule": "pairing.x"}, False),
        ({"calls": ["a", "b"]}, {"calls": ["a", "b"]}, True),
        ({"calls": ["a"]}, {"calls": ["a", "b"]}, False),
        ({"ok": 1}, {"ok": True}, False),
        ({"place": None}, {"place": None}, True),
        ("a", "a", True),
    ],
)
def test_a_claim_says_only_what_it_names(claim, outcome, holds):
    assert agrees(claim, outcome) is holds


def test_a_proof_that_breaks_down_is_reported_and_does_not_raise():
    result = prove(changed("single", proof={"name": "api_says", "with": {"no_such_parameter": 1}}))
    assert not result.proven
    assert "broke down" in result.problems[0]


def test_an_unknown_proof_is_reported():
    assert "no proof" in prove(changed("single", proof="nothing")).problems[0]


def test_a_trace_without_a_fault_or_with_two_is_reported():
    trace = records()["spot_block"]["trace"]
    sound = [*trace[:2], {**trace[2], "content": trace[2]["content"][:2]}]
    item = changed("spot_block", trace=sound, answer={"places": [[2, 1]], "rule": "pairing.duplicate-result"})
    assert "nothing wrong" in prove(item).problems[0]
    apart = [
        *trace,
        {"role": "assistant", "content": "Fine."},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_z", "content": "x"}]},
    ]
    assert "more than one place" in prove(changed("spot_block", trace=apart)).problems[0]


def test_a_mistake_that_passes_or_is_refused_by_another_check_is_reported():
    solution = {"response": records()["repair_json"]["solution"], "fails": "api_accepts", "why": "None."}
    assert "mistake 1 passes" in prove(changed("repair_json", mistakes=[solution])).problems[0]
    wrong = {**records()["repair_json"]["mistakes"][0], "fails": "api_accepts"}
    assert "refused by 'error_is_marked' first" in prove(changed("repair_json", mistakes=[wrong])).problems[0]


def test_every_proof_says_what_it_runs():
    for name, function in proofs().items():
        assert function.__doc__, name


def test_facts_are_looked_up():
    options = [
        {**option, "claim": value}
        for option, value in zip(records()["single"]["options"], (700, 720, 750, 800), strict=True)
    ]
    item = changed("single", options=options, proof={"name": "fact_is", "with": {"fact": "exam.pass_scaled"}})
    assert prove(item).proven
    missing = prove(changed("single", options=options, proof={"name": "fact_is", "with": {"fact": "exam.nothing"}}))
    assert "exam.toml has no nothing" in missing.problems[0]


def test_schemas_are_tried_on_inputs():
    schemas = [{"type": "string"}, {"type": "integer"}, {"type": "object"}, {"enum": [3]}]
    options = [
        {**option, "claim": schema} for option, schema in zip(records()["single"]["options"], schemas, strict=True)
    ]
    item = changed(
        "single", options=options, proof={"name": "schema_fits", "with": {"accepts": [3, 4], "refuses": ["3"]}}
    )
    assert prove(item).proven


def test_the_improviser_is_asked_for_its_choice():
    tools = [
        {"name": name, "description": text, "input_schema": {"type": "object"}}
        for name, text in (
            ("get_weather", "Get the weather forecast for a city."),
            ("get_invoice", "Get an invoice by its number."),
        )
    ]
    claims = (
        {"tools": tools[1:]},
        {"tools": tools},
        {"tools": []},
        {"tools": tools[:1], "tool_choice": {"type": "none"}},
    )
    options = [{**option, "claim": claim} for option, claim in zip(records()["single"]["options"], claims, strict=True)]
    wishes = [{"say": "What is the weather in Busan?", "calls": ["get_weather"]}]
    item = changed("single", options=options, proof={"name": "improviser_chooses", "with": {"wishes": wishes}})
    assert prove(item).problems == ()


@pytest.mark.parametrize(
    ("call", "right"),
    [
        (
            {"name": "get_weather", "arguments": {"city": "Busan"}},
            {"channel": "result", "is_error": False, "text": "rain"},
        ),
        ({"name": "get_weather"}, {"channel": "result", "is_error": True, "text": "Field required"}),
        ({"name": "offline"}, {"is_error": True, "text": "station offline"}),
        ({"name": "report"}, {"is_error": False, "structured": True}),
        (None, {"tools": ["get_weather", "offline", "report"]}),
    ],
)
def test_an_mcp_server_is_asked(call, right):
    tools = {
        "get_weather": {"arguments": {"city": "str"}, "returns": "rain"},
        "offline": {"raises": "station offline"},
        "report": {"output": "dict", "returns": {"rain": True}},
    }
    claims = (right, {"channel": "protocol"}, {"tools": []}, {"text": "snow in July"})
    options = [{**o, "claim": claim} for o, claim in zip(records()["single"]["options"], claims, strict=True)]
    keyed = [{**option, "correct": at == 0} for at, option in enumerate(options)]
    item = changed("single", options=keyed, proof={"name": "mcp_says", "with": {"tools": tools, "call": call}})
    assert prove(item).problems == ()
