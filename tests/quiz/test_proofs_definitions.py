"""Proofs about definitions: what they observe is what a function, a schema, a price row and the laboratory say."""

import pytest
from guide import changed, examples, records

from course.facts import model
from course.quiz.proofs import ProofFailure, proofs, sheet

SOURCE = '''
def get_tide(port: str, days: int = 1) -> str:
    """Get the tides of a port.

    Args:
        port: Port such as Brest.
    """
    return "low"
'''


def claiming(*claims):
    """The guide's single item with these claims, as a proof sees it."""
    pairs = zip(records()["single"]["options"], claims, strict=True)
    return sheet(changed("single", options=[{**option, "claim": claim} for option, claim in pairs]))


def ids():
    """The ids of that item's options, in order."""
    return [option.id for option in examples()["single"].options]


def test_a_default_makes_a_parameter_optional_in_the_definition_of_a_function():
    seen = claiming(
        {"input_schema": {"required": ["port", "days"]}},
        {"input_schema": {"required": ["port"]}, "undescribed": ["days"]},
        {"text": "Search"},
        {"name": "tide"},
    )
    assert proofs()["definition_says"](seen, source=SOURCE) == ids()[1]


def test_a_claim_about_another_function_fails():
    with pytest.raises(ProofFailure, match="0 options hold"):
        proofs()["definition_says"](claiming(*[{"name": "get_wind"}] * 4), source=SOURCE)


def test_inputs_are_counted_by_the_schema():
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    inputs = [{"n": 1}, {"n": "1"}, {}, {"n": 2, "more": True}]
    assert proofs()["inputs_taken"](sheet(examples()["numeric"]), schema=schema, inputs=inputs) == 2


def test_requests_without_tools_add_no_overhead():
    def total(requests):
        return proofs()["overhead_adds_up"](
            sheet(examples()["numeric"]), model_id="claude-opus-5", requests=requests, definitions=100
        )

    assert total({"": 7}) == 0
    assert total({"auto": 2, "": 7}) == 2 * (model("claude-opus-5").overhead["auto"] + 100)


def test_the_laboratory_ranks_good_descriptions_before_single_words():
    seen = claiming(["word", "good"], ["good", "word"], ["good"], ["word"])
    setups = {"good": {"tools": 20}, "word": {"tools": 20, "style": "word"}}
    assert proofs()["lab_ranks"](seen, setups=setups) == ids()[1]
