"""What a number of right answers is worth."""

from datetime import date, timedelta
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.facts import load
from course.quiz.scores import (
    Sitting,
    Tally,
    estimate,
    facts_are_stale,
    pass_chance,
    readiness,
    scaled,
    tally,
    wilson,
)

STRICT, MILD = 44 / 60, 42 / 60


def test_the_interval_at_42_of_60_is_the_published_one():
    low, high = wilson(42, 60)
    assert (round(low, 2), round(high, 2)) == (0.57, 0.80)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_share_and_stays_between_0_and_1(counts):
    right, total = counts
    low, high = wilson(right, total)
    assert 0 <= low <= right / total + 1e-9
    assert right / total - 1e-9 <= high <= 1


def test_an_interval_narrows_with_more_answers():
    few, many = wilson(7, 10), wilson(70, 100)
    assert many[1] - many[0] < few[1] - few[0]


def test_nothing_answered_says_nothing():
    assert wilson(0, 0) == (0.0, 1.0)
    assert Tally().share == 0
    assert Tally().interval is None


@pytest.mark.parametrize("pass_share", [STRICT, MILD])
def test_the_scale_is_anchored_at_none_the_pass_mark_and_all(pass_share):
    assert [scaled(share, pass_share) for share in (0, pass_share, 1)] == [100, 720, 1000]


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_better_share_never_scales_lower(one, other):
    low, high = sorted((one, other))
    assert scaled(low, MILD) <= scaled(high, MILD)
    assert scaled(low, STRICT) <= scaled(low, MILD)


def test_42_of_60_is_a_pass_under_one_guess_and_not_under_the_other():
    result = estimate(Tally(42, 60))
    assert result.band == (692, 720)
    assert result.needs == (44, 42)
    assert result.span[0] < 692
    assert result.span[1] > 720


def test_the_chance_of_passing_agrees_with_counting_by_hand():
    a, b, items, need = 43, 19, 60, 42

    def beta(x, y):
        return 1 / (comb(x + y - 2, x - 1) * (x + y - 1))

    by_hand = sum(comb(items, k) * beta(k + a, items - k + b) / beta(a, b) for k in range(need, items + 1))
    assert pass_chance(42, 60, need, items) == pytest.approx(by_hand, rel=1e-9)


@given(st.integers(0, 59))
def test_one_more_right_answer_never_lowers_the_chance(right):
    assert pass_chance(right, 60, 42, 60) <= pass_chance(right + 1, 60, 42, 60) + 1e-12


def test_chances_run_from_hopeless_to_safe():
    assert pass_chance(20, 60, 42, 60) < 0.001
    assert 0.4 < pass_chance(42, 60, 42, 60) < 0.6
    assert pass_chance(58, 60, 42, 60) > 0.99
    assert pass_chance(0, 0, 0, 60) == pytest.approx(1)


def test_few_answers_get_counts_and_neither_interval_nor_scale():
    assert Tally(5, 7).interval is None
    assert Tally(5, 8).interval is not None
    mini = estimate(Tally(9, 10))
    assert (mini.band, mini.span, mini.chance) == (None, None, None)
    assert mini.needs == (8, 7)


def test_marks_are_counted():
    assert tally([True, False, True]) == Tally(2, 3)
    assert Tally(1, 2) + Tally(2, 3) == Tally(3, 5)


def sat(right: int, total: int, *, unseen: float = 1.0, domains: dict[int, Tally] | None = None) -> Sitting:
    every = {number: Tally(right // 5, total // 5) for number in range(1, 6)}
    return Sitting("a", "loop-and-tools", date(2026, 12, 1), Tally(right, total), unseen, domains or every)


@pytest.mark.parametrize(
    "sittings",
    [[], [sat(60, 60)], [sat(60, 60), sat(60, 60, unseen=0.5)], [sat(10, 10), sat(10, 10)]],
    ids=["none", "one", "one seen before", "two too short"],
)
def test_nobody_is_called_ready_before_two_unseen_forms(sittings):
    judged = readiness(sittings)
    assert not judged.ready
    assert not judged.judged
    assert judged.words == "How ready you are cannot be said yet."
    assert "takes 2 forms of at least 30 questions" in judged.reasons[0]


def test_two_strong_unseen_forms_make_ready():
    assert readiness([sat(50, 60), sat(50, 60)]).ready


def test_the_lower_end_of_the_interval_decides_not_the_percentage():
    judged = readiness([sat(45, 60), sat(45, 60)])
    assert not judged.ready
    assert "lower end must reach 70%" in judged.reasons[1]


def test_a_weak_domain_holds_readiness_back():
    domains = {1: Tally(20, 20), 2: Tally(5, 10)}
    judged = readiness([sat(55, 60, domains=domains), sat(55, 60, domains=domains)])
    assert not judged.ready
    assert any("Domain 2: 10 of 20 is below 60%" in reason for reason in judged.reasons)


def test_domains_that_were_never_asked_are_named():
    domains = {2: Tally(28, 30)}
    judged = readiness([sat(28, 30, domains=domains), sat(29, 30, domains=domains)])
    assert judged.ready
    assert "Domains 1, 3, 4, 5 were not asked" in judged.reasons[-1]


def test_only_the_last_two_unseen_forms_count():
    assert readiness([sat(10, 60), sat(52, 60), sat(52, 60)]).ready


def test_exam_facts_grow_stale_by_the_day_they_say():
    exam = load("exam")
    last = exam["checked_on"] + timedelta(days=exam["stale_after_days"])
    assert not facts_are_stale(last)
    assert facts_are_stale(last + timedelta(days=1))
