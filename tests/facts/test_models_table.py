"""The table of models: values that exist, and rows that do not contradict themselves."""

import re

import pytest

from course.facts import models

MODELS = [model for name, model in models().items() if name == model.id]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)
LEVELS = ("low", "medium", "high", "xhigh", "max")


@every_model
def test_fields_have_values_that_exist(model):
    assert model.sampling in ("both", "either", "fixed")
    assert set(model.thinking) <= {"adaptive", "between_tools", "disabled", "enabled"}
    assert model.thinking_default in ("on", "off")
    assert model.status in ("current", "deprecated", "retired")
    assert list(model.effort) == [level for level in LEVELS if level in model.effort]
    assert model.image_bytes in (5 * 1024 * 1024, 10 * 1024 * 1024)
    assert all(
        re.fullmatch(r"(bash|browser_toolset|computer|computer_toolset|text_editor)_20\d{6}", tool)
        for tool in model.client_tools
    )


@every_model
def test_a_default_is_one_of_the_values(model):
    assert model.default_effort == "" or model.default_effort in model.effort
    assert model.thinking_default == "off" or "adaptive" in model.thinking


@every_model
def test_the_output_fits_the_context(model):
    assert 0 < model.max_output < model.context
    assert not model.window_sum or model.context == 200_000


@every_model
def test_answers_name_the_model_by_an_id_that_is_known(model):
    assert models()[model.served_id] is model


def test_before_claude_4_6_answers_name_the_date():
    assert models()["claude-haiku-4-5"].served_id == "claude-haiku-4-5-20251001"
    assert models()["claude-opus-5-5"].served_id == "claude-opus-5-5"


def test_models_without_a_disabled_setting_think_unless_told_otherwise():
    always = [model for model in MODELS if "disabled" not in model.thinking]
    assert always
    assert all(model.thinking_default == "on" for model in always)


def test_the_overhead_of_a_forced_choice_is_known_only_where_it_can_be_forced():
    assert all("any" not in model.overhead for model in MODELS if not model.forced)
