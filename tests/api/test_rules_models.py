"""What a model accepts is read from the table of models: every model is asked for everything it has and lacks."""

import pytest
from rule_helpers import HAIKU, OPUS, SONNET, TOOL, assistant, body, found, system, told, user

from course.facts.models import Model, models

MODELS = [model for name, model in models().items() if name == model.id]
LEVELS = ("low", "medium", "high", "xhigh", "max")
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)


def rules_of(model: Model, *turns, **fields) -> set[str]:
    return {broken.rule for broken in found(body(*turns, model=model.id, **fields))}


@every_model
def test_a_plain_request_is_accepted(model):
    assert rules_of(model) == set()


@every_model
@pytest.mark.parametrize("choice", [{"type": "any"}, {"type": "tool", "name": "get_weather"}])
def test_a_forced_choice_is_accepted_where_the_model_takes_it(model, choice):
    broken = rules_of(model, tools=[TOOL], tool_choice=choice)
    assert broken == (set() if model.forced else {"choice.forced-unsupported"})


@every_model
def test_a_prefill_is_accepted_where_the_model_takes_it(model):
    broken = rules_of(model, "q", assistant("The answer"))
    assert broken == (set() if model.prefill else {"prefill.unsupported"})


@every_model
def test_the_output_limit_is_the_model_s(model):
    assert rules_of(model, max_tokens=model.max_output) == set()
    assert rules_of(model, max_tokens=model.max_output + 1) == {"max-tokens.too-many"}


@pytest.mark.parametrize("model", [m for m in MODELS if m.thinking != ("disabled",)], ids=lambda model: model.id)
@pytest.mark.parametrize("kind", ["adaptive", "between_tools", "disabled", "enabled"])
def test_a_kind_of_thinking_is_accepted_where_the_model_has_it(model, kind):
    asked = {"type": kind, "budget_tokens": 1024} if kind == "enabled" else {"type": kind}
    broken = rules_of(model, thinking=asked, max_tokens=2000)
    assert bool(broken) == (kind not in model.thinking)


@pytest.mark.parametrize("model", [m for m in MODELS if m.thinking == ("disabled",)], ids=lambda model: model.id)
@pytest.mark.parametrize("kind", ["adaptive", "between_tools"])
def test_a_model_that_can_not_think_refuses_the_newer_kinds(model, kind):
    assert len(rules_of(model, thinking={"type": kind})) == 1


@every_model
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_of_effort_is_accepted_where_the_model_has_it(model, level):
    broken = rules_of(model, output_config={"effort": level})
    if level in model.effort:
        assert broken == set()
    else:
        assert broken >= {"effort.level" if model.effort else "effort.unsupported"}


@every_model
def test_sampling_parameters_are_accepted_as_the_model_takes_them(model):
    alone = rules_of(model, temperature=0.5)
    together = rules_of(model, temperature=1, top_p=1)
    assert alone == ({"sampling.fixed"} if model.sampling == "fixed" else set())
    assert together == {"fixed": {"sampling.fixed"}, "either": {"sampling.both"}, "both": set()}[model.sampling]


@every_model
def test_a_temperature_of_one_is_the_default_and_accepted(model):
    assert rules_of(model, temperature=1) == rules_of(model, temperature=1.0) == set()


@every_model
def test_system_turns_are_accepted_where_the_model_takes_them(model):
    broken = rules_of(model, "q", system("Be brief."))
    assert broken == (set() if model.system_turns else {"system-turn.unsupported"})


@every_model
def test_every_alias_of_a_model_is_a_model(model):
    assert all(told(body(model=alias)) is None for alias in model.aliases)


@pytest.mark.parametrize("name", ["claude-opus-9", "gpt-4", "claude-haiku-4-5 ", "Claude-Haiku-4-5"])
def test_any_other_name_is_not_found(name):
    assert [(b.status, b.error_type, b.message) for b in found(body(model=name))][:1] == [
        (404, "not_found_error", f"model: {name}")
    ]


def test_field_errors_come_before_the_name_of_the_model_and_turns_after_it():
    sent = body("q", user(), model="claude-opus-9", max_tokens="many")
    assert [broken.rule for broken in found(sent)][:2] == ["field.integer", "model.unknown"]


def test_a_beta_raises_the_output_limit():
    old = "claude-3-7-sonnet-20250219"
    assert told(body(model=old, max_tokens=128_000)) is not None
    assert told(body(model=old, max_tokens=128_000), betas=("output-128k-2025-02-19",)) is None


def test_the_output_limit_is_told_with_the_full_name_of_the_model():
    assert told(body(model=HAIKU, max_tokens=64_001)) == (
        "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5-20251001"
    )


def test_levels_of_effort_are_listed_in_alphabetical_order():
    assert told(body(model="claude-opus-4-5", output_config={"effort": "max"})) == (
        "This model does not support effort level 'max'. Supported levels: high, low, medium."
    )


@pytest.mark.parametrize("level", ["xhigh", "max"])
def test_deep_effort_needs_thinking(level):
    sent = body(model="claude-opus-4-8", thinking={"type": "disabled"}, output_config={"effort": level})
    assert told(sent) == (
        f"output_config.effort '{level}' is not supported when thinking is disabled on this model. "
        "Use effort 'high' or below, or enable thinking."
    )
    assert told({**sent, "output_config": {"effort": "high"}}) is None


def test_a_budget_of_thinking_is_part_of_the_output_unless_thinking_is_interleaved():
    sent = body(thinking={"type": "enabled", "budget_tokens": 3000}, max_tokens=3000)
    assert told(sent) == "`max_tokens` must be greater than `thinking.budget_tokens`."
    assert told(sent, betas=("interleaved-thinking-2025-05-14",)) is None


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"temperature": 0}, "sampling.temperature-thinking"),
        ({"top_p": 0.9}, "sampling.top-p-thinking"),
        ({"top_k": 4}, "sampling.top-k-thinking"),
    ],
)
def test_thinking_fixes_the_sampling_parameters(fields, rule):
    thinking = {"type": "enabled", "budget_tokens": 1024}
    assert rule in {broken.rule for broken in found(body(thinking=thinking, max_tokens=2000, **fields))}
    adaptive = body(model=SONNET, thinking={"type": "adaptive"}, **fields)
    assert rule in {broken.rule for broken in found(adaptive)}
    assert told(body(thinking={"type": "disabled"}, **fields)) is None


@pytest.mark.parametrize("thinking", [{"temperature": 1}, {"top_p": 0.95}])
def test_thinking_leaves_the_values_that_change_nothing(thinking):
    asked = {"type": "enabled", "budget_tokens": 1024}
    assert told(body(thinking=asked, max_tokens=2000, **thinking)) is None


def test_a_tool_of_another_generation_is_refused_with_those_the_model_takes():
    screen = {"name": "computer", "display_width_px": 800, "display_height_px": 600}
    betas = ("computer-use-2025-11-24",)
    sent = body(tools=[{**screen, "type": "computer_20251124"}], model="claude-sonnet-4-6")
    assert told(sent, betas=betas) is None
    assert told({**sent, "model": HAIKU}, betas=betas) == (
        "'claude-haiku-4-5-20251001' does not support tool types: computer_20251124. "
        "Did you mean one of bash_20250124, computer_20250124, text_editor_20250728?"
    )
    assert "computer_toolset_20260801" in (told({**sent, "model": OPUS}, betas=betas) or "")


VERSIONED = {
    "bash_20250124": {"name": "bash"},
    "text_editor_20250124": {"name": "str_replace_editor"},
    "text_editor_20250429": {"name": "str_replace_based_edit_tool"},
    "text_editor_20250728": {"name": "str_replace_based_edit_tool"},
    "computer_toolset_20260801": {},
    "browser_toolset_20260801": {},
}


@every_model
@pytest.mark.parametrize("kind", VERSIONED)
def test_a_version_of_a_client_tool_is_accepted_where_the_model_takes_it(model, kind):
    broken = rules_of(model, tools=[{"type": kind, **VERSIONED[kind]}])
    assert broken == (set() if kind in model.client_tools else {"tool.type-unsupported"})


@every_model
def test_tool_search_is_accepted_where_the_model_takes_it(model):
    search = {"type": "tool_search_tool_bm25", "name": "tool_search_tool_bm25"}
    assert rules_of(model, tools=[search]) == (set() if model.tool_search else {"tool.type-unsupported"})


def test_all_the_types_a_model_does_not_take_are_named():
    tools = [{"type": kind, **VERSIONED[kind]} for kind in ("text_editor_20250124", "browser_toolset_20260801")]
    said = told(body(tools=tools))
    assert said is not None
    assert "does not support tool types: text_editor_20250124, browser_toolset_20260801. Did" in said
