"""The bank read fast: the copy is the bank, or it is not used."""

import json

import pytest
from synthetic import bank_of, full_bank, item

from course.quiz.bank import load_bank
from course.quiz.kinds import KINDS
from course.quiz.quickbank import quick_bank


@pytest.fixture
def quizzes(tmp_path):
    folder = tmp_path / "quizzes"
    folder.mkdir()
    lay_out(folder, bank_of(*(item(f"k-{kind.replace('_', '-')}", kind) for kind in KINDS)))
    return folder


@pytest.fixture
def cache(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def lay_out(folder, bank):
    rows = [item.model_dump(mode="json", by_alias=True, exclude_unset=True) for item in bank]
    (folder / "bank.yaml").write_text(json.dumps(rows), encoding="utf-8")


def test_the_copy_holds_the_same_items_of_every_kind(quizzes, cache):
    first, second = quick_bank(cache, quizzes), quick_bank(cache, quizzes)
    assert (cache / "bank.json").is_file()
    assert dict(second.items) == dict(first.items) == dict(load_bank(quizzes).items)
    assert second.digest == first.digest


def test_any_change_of_a_file_is_seen(quizzes, cache):
    quick_bank(cache, quizzes)
    lay_out(quizzes, bank_of(item("other")))
    assert list(quick_bank(cache, quizzes).items) == ["other"]
    (quizzes / "more.yaml").write_text("[]")
    assert list(quick_bank(cache, quizzes).items) == ["other"]


@pytest.mark.parametrize("spoilt", ["", "{", "[]", '{"digest": 1}'])
def test_a_spoilt_copy_is_not_used(quizzes, cache, spoilt):
    quick_bank(cache, quizzes)
    (cache / "bank.json").write_text(spoilt)
    assert len(quick_bank(cache, quizzes)) == len(KINDS)


def test_a_copy_whose_items_no_longer_fit_is_not_used(quizzes, cache):
    quick_bank(cache, quizzes)
    kept = json.loads((cache / "bank.json").read_text())
    kept["items"][0]["no_such_field"] = 1
    (cache / "bank.json").write_text(json.dumps(kept))
    assert len(quick_bank(cache, quizzes)) == len(KINDS)


def test_a_bank_with_problems_is_read_from_its_files_each_time(quizzes, cache):
    (quizzes / "worse.yaml").write_text("- id: half\n")
    for _ in range(2):
        assert quick_bank(cache, quizzes).problems
    assert not (cache / "bank.json").exists()


def test_a_home_that_cannot_be_written_costs_time_only(quizzes, tmp_path):
    assert len(quick_bank(tmp_path / "nowhere", quizzes)) == len(KINDS)


def test_a_large_bank_comes_back_whole(tmp_path, cache):
    bank = full_bank()
    lay_out(tmp_path, bank)
    quick_bank(cache, tmp_path)
    assert len(quick_bank(cache, tmp_path)) == len(bank)
