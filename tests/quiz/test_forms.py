"""Assembling forms: what a blueprint asks for, what a form holds, and what is said when the bank can't fill it."""

from collections import Counter
from datetime import UTC, datetime
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic import bank_of, full_bank, item

from course.quiz.blueprint import Blueprint, blueprint, blueprints, largest_remainder
from course.quiz.errors import FormError
from course.quiz.forms import assemble, gaps
from course.quiz.robots import questions, run_robots

SITTABLE = ("mini", "domain2", "loop-and-tools")
BANK = full_bank()


def plan(items: int = 4, tasks: tuple[str, ...] = ("2.1", "2.2"), **fields: object) -> Blueprint:
    parts = [{"tasks": [task], "share": 1} for task in tasks]
    record = {"id": "test", "title": "Test", "about": "A test.", "items": items, "minutes": 5, "parts": parts}
    return Blueprint.model_validate(record | fields)


@given(st.integers(0, 200), st.lists(st.integers(1, 50), min_size=1, max_size=12))
def test_largest_remainder_gives_out_everything_and_stays_within_one(total, shares):
    counts = largest_remainder(total, shares)
    assert sum(counts) == total
    assert all(abs(count - total * share / sum(shares)) < 1 for count, share in zip(counts, shares, strict=True))


def test_the_whole_exam_splits_as_the_guide_says():
    assert blueprint("full").counts() == (16, 11, 12, 12, 9)


def test_the_domain_2_form_gives_each_of_its_five_tasks_six_items():
    chosen = blueprint("domain2")
    assert chosen.counts() == (6, 6, 6, 6, 6)
    assert (chosen.scenarios, chosen.drawn, chosen.minutes) == ((1, 3, 4), 3, 60)


@pytest.mark.parametrize(("mix", "several"), [("60:0", 0), ("50:10", 10), ("45:15", 15), (None, 10)])
def test_the_mix_of_kinds_is_a_setting(mix, several):
    assert blueprint("loop-and-tools").select_n_count(mix) == several


def test_an_unknown_mix_or_form_names_those_there_are():
    with pytest.raises(FormError, match=r"there are: 60:0, 50:10, 45:15"):
        blueprint("mini").select_n_count("10:50")
    with pytest.raises(FormError, match=r"there are: domain2, full, loop-and-tools, mini"):
        blueprint("maxi")


def test_a_blueprint_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "odd.yaml").write_text("id: odd\nitems: none\n")
    with pytest.raises(FormError, match=r"odd\.yaml can't be read"):
        blueprints(tmp_path)


def concepts_clash(form) -> bool:
    items = [BANK.item(entry.item) for entry in form.entries]
    ids = {item.id for item in items}
    return len({item.group for item in items}) < len(items) or any(ids & set(item.not_with) for item in items)


@pytest.mark.parametrize("name", SITTABLE)
def test_500_seeded_forms_are_feasible_and_balanced(name):
    chosen = blueprint(name)
    runs = {"mini": 300, "domain2": 140, "loop-and-tools": 60}[name]
    places = Counter()
    for seed in range(runs):
        form = assemble(chosen, BANK, seed)
        parts = Counter(entry.part for entry in form.entries)
        assert [parts[part.name] for part in chosen.parts] == list(chosen.counts())
        kinds = Counter(BANK.item(entry.item).kind for entry in form.entries)
        assert kinds["select_n"] == chosen.select_n_count()
        assert len(form.entries) == chosen.items
        assert not concepts_clash(form)
        keys = [entry.order.index("right") for entry in form.entries if len(entry.order) == 4]
        assert max(Counter(keys).values()) - min(Counter(keys).get(place, 0) for place in range(4)) <= 1
        assert max(len(list(run)) for _, run in groupby(keys)) <= 3
        places.update(keys)
        if chosen.drawn:
            scenarios = [entry.scenario for entry in form.entries]
            assert len(list(groupby(scenarios))) == chosen.drawn
            assert max(Counter(scenarios).values()) - min(Counter(scenarios).values()) <= 4
    assert max(places.values()) < 1.2 * min(places.values())


def test_no_blind_robot_beats_chance_on_a_form():
    for seed in range(10):
        form = assemble(blueprint("loop-and-tools"), BANK, seed)
        orders = {entry.item: entry.order for entry in form.entries}
        rows = run_robots(questions([BANK.item(entry.item) for entry in form.entries], orders))
        assert not [row.robot for row in rows if row.fails]


def test_a_bank_that_looks_can_pass_makes_no_form():
    def telling(id, task):
        options = [{"id": "right", "text": "The right answer is a good deal longer than all others.", "correct": True}]
        options += [
            {"id": name, "text": f"The short answer {name} {id}.", "correct": False} for name in ("a", "b", "c")
        ]
        for row in options:
            row["why"] = "Because."
        return item(id, exam_task=task, options=options)

    bank = bank_of(*(telling(f"i{number}", "2.1") for number in range(30)))
    with pytest.raises(FormError, match=r"guessing by looks beat chance \(.*longest"):
        assemble(plan(20, ("2.1",)), bank, 1, mix="60:0")


def test_one_seed_makes_one_form_and_another_seed_another():
    chosen = blueprint("domain2")
    assert assemble(chosen, BANK, "a") == assemble(chosen, BANK, "a")
    assert assemble(chosen, BANK, "a").entries != assemble(chosen, BANK, "b").entries


def test_a_form_survives_json():
    form = assemble(blueprint("mini"), BANK, 1)
    assert type(form).model_validate_json(form.model_dump_json()) == form


def test_items_never_met_come_first_and_then_those_met_longest_ago():
    chosen = blueprint("domain2")
    first = assemble(chosen, BANK, 1)
    seen = {entry.item: datetime(2026, 12, 1, tzinfo=UTC) for entry in first.entries}
    second = assemble(chosen, BANK, 1, seen=seen)
    assert (first.unseen, second.unseen) == (30, 30)
    assert not {entry.item for entry in first.entries} & {entry.item for entry in second.entries}
    bank = bank_of(*(item(f"i{number}", exam_task="2.1") for number in range(3)))
    seen = {f"i{number}": datetime(2026, 12, 1 + number, tzinfo=UTC) for number in range(3)}
    form = assemble(plan(2, ("2.1",)), bank, 1, seen=seen, mix="60:0")
    assert {entry.item for entry in form.entries} == {"i0", "i1"}
    assert form.unseen == 0


def test_a_shared_form_does_not_depend_on_what_its_sitter_has_met():
    seen = {entry.item: datetime(2026, 12, 1, tzinfo=UTC) for entry in assemble(blueprint("mini"), BANK, 7).entries}
    shared = assemble(blueprint("mini"), BANK, 7, seen=seen, fresh=False)
    assert {entry.item for entry in shared.entries} == set(seen)
    assert shared.unseen == 0


def test_what_the_full_exam_lacks_is_said_part_by_part():
    missing = {gap.part: (gap.need, gap.have) for gap in gaps(blueprint("full"), BANK) if gap.part}
    assert missing == {"3.*": (12, 0)}
    with pytest.raises(FormError, match=r"'full' can't be filled(.|\n)*domain 3: 12 needed, 0 there"):
        assemble(blueprint("full"), BANK, 1)


def test_drafts_retired_and_easy_items_stay_out_and_drafts_are_mentioned():
    bank = bank_of(
        item("ok", exam_task="2.1"),
        item("draft", exam_task="2.1", status="draft"),
        item("old", exam_task="2.1", status="retired"),
        item("easy", exam_task="2.1", difficulty="easy"),
    )
    [gap, *_] = gaps(plan(2, ("2.1",)), bank, "60:0")
    assert (gap.need, gap.have, gap.drafts) == (2, 1, 1)
    assert "1 more are drafts" in str(gap)


def test_variants_of_one_concept_count_once():
    bank = bank_of(item("a", exam_task="2.1"), item("b", exam_task="2.1", variant_of="a"))
    assert gaps(plan(2, ("2.1",)), bank, "60:0")[0].have == 1


def test_too_few_of_a_kind_are_named_by_kind():
    bank = bank_of(*(item(f"i{number}", exam_task="2.1") for number in range(20)))
    with pytest.raises(FormError, match="kind select_n: 2 needed, 0 there"):
        assemble(plan(12, ("2.1",)), bank, 1)


def test_enough_items_that_exclude_each_other_are_told_from_too_few():
    bank = bank_of(
        item("a", exam_task="2.1", not_with=["b"]),
        item("b", exam_task="2.2"),
    )
    with pytest.raises(FormError, match="too many exclude each other"):
        assemble(plan(2), bank, 1, mix="60:0")


def test_items_outside_the_drawn_scenarios_stay_out():
    bank = bank_of(*(item(f"i{n}", exam_task="2.1", scenario=(2, 5, None, 1)[n % 4]) for n in range(16)))
    framed = plan(4, ("2.1",), scenarios=[1, 3], drawn=2)
    form = assemble(framed, bank, 1, mix="60:0")
    assert {entry.scenario for entry in form.entries} == {1}


def test_options_that_must_not_be_shuffled_keep_their_order():
    bank = bank_of(*(item(f"i{number}", exam_task="2.1", shuffle=False) for number in range(8)))
    form = assemble(plan(4, ("2.1",)), bank, 1, mix="60:0")
    assert {entry.order for entry in form.entries} == {("right", "red", "green", "blue")}


def test_the_keys_of_a_select_n_item_are_never_just_the_first_ones():
    for seed in range(30):
        form = assemble(blueprint("mini"), BANK, seed)
        assert all(set(entry.order[:2]) != {"right", "also"} for entry in form.entries if len(entry.order) == 5)
