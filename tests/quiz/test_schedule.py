"""When a concept is due again."""

from datetime import date, timedelta

import pytest
from clocks import START
from hypothesis import given
from hypothesis import strategies as st

from course.quiz.history import Answer
from course.quiz.schedule import cards, longest_interval, rating

TODAY = START.date()


def gave(verdict: str = "correct", *, item: str = "a", day: float = 0, **fields: object) -> Answer:
    at = START + timedelta(days=day)
    record = {"seq": 0, "key": f"{item}{day}", "at": at, "item": item, "attempt": "t", "mode": "practice"}
    return Answer(**record, response="x", item_version=1, verdict=verdict, **fields)


def card(*answers: Answer, exam: date | None = None, group: str = "g"):
    return cards(answers, lambda item: group, exam_date=exam, today=TODAY)[group]


@pytest.mark.parametrize(
    ("answer", "new_variant", "expected"),
    [
        (gave("incorrect"), False, "Again"),
        (gave("partial", score=0.8), False, "Again"),
        (gave("correct"), False, "Good"),
        (gave("correct", confidence=1), True, "Hard"),
        (gave("correct", hints=1, confidence=3), True, "Hard"),
        (gave("correct", confidence=3), True, "Easy"),
        (gave("correct", confidence=3), False, "Good"),
        (gave("blank"), False, None),
        (gave("invalid"), False, None),
    ],
)
def test_what_an_answer_is_worth(answer, new_variant, expected):
    assert rating(answer, new_variant=new_variant) == expected


def test_a_right_answer_comes_back_later_than_a_wrong_one_and_each_time_later():
    wrong, once = card(gave("incorrect")), card(gave())
    assert wrong.due < once.due
    gap = once.due - once.last
    later = (once.due - START).total_seconds() / 86400
    twice = card(gave(), gave(day=later))
    assert twice.due - twice.last > gap


def test_a_hint_brings_a_concept_back_sooner():
    assert card(gave(hints=1)).due < card(gave()).due


def test_a_missed_concept_is_due_the_next_day_and_not_the_same_day():
    missed = card(gave("incorrect"))
    assert not missed.is_due(START)
    assert missed.is_due(START + timedelta(days=1))


def test_it_is_due_from_the_start_of_its_day():
    learned = card(gave())
    morning = learned.due.replace(hour=0, minute=0)
    assert learned.is_due(morning)
    assert not learned.is_due(morning - timedelta(seconds=1))


def test_variants_share_one_card():
    shared = card(gave("incorrect", item="a"), gave(item="b", day=1))
    assert (shared.reviews, shared.lapses, set(shared.items)) == (2, 1, {"a", "b"})
    assert shared.last_right


def test_a_blank_answer_moves_nothing():
    assert cards([gave("blank")], lambda item: "g", today=TODAY) == {}


@pytest.mark.parametrize(("days", "longest"), [(30, 10), (3, 1), (1, 1), (0, 36_500), (-5, 36_500)])
def test_an_exam_date_caps_the_interval_at_a_third_of_what_is_left(days, longest):
    assert longest_interval(TODAY + timedelta(days=days), TODAY) == longest


def test_an_exam_date_shortens_intervals():
    history = [gave(day=day) for day in (0, 3, 15, 60)]
    free, pressed = card(*history), card(*history, exam=TODAY + timedelta(days=15))
    assert free.due - free.last > timedelta(days=5)
    assert pressed.due - pressed.last <= timedelta(days=5)


@given(st.lists(st.sampled_from(["correct", "incorrect", "partial", "blank"]), min_size=1, max_size=12))
def test_the_same_history_gives_the_same_card_whatever_order_it_is_read_in(verdicts):
    history = [gave(verdict, day=day) for day, verdict in enumerate(verdicts)]
    one = cards(history, lambda item: "g", today=TODAY)
    assert one == cards(reversed(history), lambda item: "g", today=TODAY)
    assert all(card.due > card.last for card in one.values())
