"""The fact files agree with themselves."""

import tomllib
from pathlib import Path

import pytest

from course.facts import FactError, default_model, forced_model, load, model, models, say
from course.facts.syllabus import disagreements, misconceptions, objectives, tasks
from course.facts.text import names

TEXT = Path(__file__).parents[2] / "course" / "facts" / "text"


def test_the_default_models_are_in_the_table_and_the_forced_one_accepts_force():
    assert not model(default_model()).forced
    assert model(forced_model()).forced


def test_an_alias_is_the_same_model():
    for entry in models().values():
        assert all(model(alias) is entry for alias in entry.aliases)


def test_an_unknown_model_is_named_in_the_error():
    with pytest.raises(FactError, match="no-such-model"):
        model("no-such-model")


def test_objectives_name_exam_tasks_that_exist_or_are_beyond_the_exam():
    for objective in objectives().values():
        assert set(objective.exam) <= set(tasks())
        assert not (objective.exam and objective.beyond)


def test_misconceptions_name_objectives_that_exist():
    numbers = [entry.number for entry in misconceptions().values()]
    assert numbers == list(range(1, len(numbers) + 1))
    for entry in misconceptions().values():
        assert entry.objectives
        assert set(entry.objectives) <= set(objectives())


def test_domain_items_sum_to_the_exam_and_follow_the_percentages():
    exam = load("exam")
    assert sum(d["items"] for d in exam["domain"]) == exam["items"]
    assert sum(d["percent"] for d in exam["domain"]) == 100
    for domain in exam["domain"]:
        assert abs(domain["items"] - domain["percent"] / 100 * exam["items"]) < 1


def test_every_fact_file_carries_a_date_it_was_checked():
    for name in ("models", "exam", "syllabus"):
        assert load(name)["checked_on"].isoformat() >= "2026-12-01"


def test_a_missing_string_is_an_error_and_a_missing_translation_falls_back_to_english():
    with pytest.raises(FactError, match=r"cli\.no\.such"):
        say("cli.no.such")
    assert say("cli.verbs.lab", lang="xx") == say("cli.verbs.lab", lang="en")


def test_no_language_has_a_string_that_english_lacks():
    def keys(node, prefix=""):
        for key, value in node.items():
            yield from keys(value, f"{prefix}{key}.") if isinstance(value, dict) else [f"{prefix}{key}"]

    for path in TEXT.glob("*/*.toml"):
        english = set(keys(tomllib.loads((TEXT / "en" / path.name).read_text(encoding="utf-8"))))
        assert set(keys(tomllib.loads(path.read_text(encoding="utf-8")))) <= english, path


def test_each_disagreement_has_two_voices_and_objectives_that_exist():
    for entry in disagreements().values():
        assert len(entry.says) >= 2
        assert set(entry.objectives) <= set(objectives())


@pytest.mark.parametrize(("key", "found"), [("guesses.05.nobody", ()), ("nowhere", ()), ("lesson.predict", ("noted",))])
def test_names_under_a_key(key, found):
    assert names(key) == found
