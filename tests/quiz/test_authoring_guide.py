"""The authoring guide says what the code does: every proof, every check and every kind is in it."""

from guide import GUIDE

from course.quiz.grading.accept import ACCEPT
from course.quiz.items import Item
from course.quiz.kinds import KINDS
from course.quiz.proofs import proofs

TEXT = GUIDE.read_text(encoding="utf-8")
PARTICULAR = {"roles_of_a_block", "picker_finds_every_call"}


def test_the_guide_names_every_field_of_the_record():
    assert [name for name in Item.model_fields if f"`{name}`" not in TEXT] == []


def test_the_guide_has_a_section_for_every_kind():
    assert [kind for kind in KINDS if f"### {kind}\n" not in TEXT] == []


def test_the_guide_lists_every_accept_check():
    assert [name for name in ACCEPT if f"`{name}" not in TEXT] == []


def test_the_guide_lists_every_proof_that_works_for_any_item():
    general = {name for name, function in proofs().items() if "*" in _parameters(function)}
    assert [name for name in general if f"`{name}`" not in TEXT] == []


def _parameters(function):
    import inspect

    kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
    return "*" if inspect.Parameter.KEYWORD_ONLY in kinds else ""
