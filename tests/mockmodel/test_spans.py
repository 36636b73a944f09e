"""Values in a text: days, times, numbers, ids, names."""

from datetime import date

import pytest

from course.mockmodel.spans import find_date, spans

TUESDAY = date(2026, 12, 1)


def values(text: str, kind: str) -> list:
    return [span.value for span in spans(text, TUESDAY) if span.kind == kind]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("tomorrow", "2026-12-02"),
        ("the day after tomorrow", "2026-12-03"),
        ("on Friday", "2026-12-04"),
        ("next Friday", "2026-12-11"),
        ("in 3 days", "2026-12-04"),
        ("a week from today", "2026-12-08"),
        ("next week", "2026-12-07"),
        ("this weekend", "2026-12-05"),
        ("last Monday", "2026-11-30"),
        ("on the 5th", "2026-12-05"),
        ("at the end of the month", "2026-12-31"),
        ("on 3 March", "2027-03-03"),
        ("24/12/2026", "2026-12-24"),
        ("12/24/2026", "2026-12-24"),
        ("24.12.2026", "2026-12-24"),
        ("모레", "2026-12-03"),
        ("3일 뒤", "2026-12-04"),
        ("다음 주 금요일", "2026-12-11"),
        ("12월 10일", "2026-12-10"),
    ],
)
def test_a_day_is_read_from_today(text: str, day: str) -> None:
    assert values(f"forecast {text}", "date") == [day]


def test_the_bare_end_of_a_range_of_days_is_a_day() -> None:
    assert values("from 3 to 6 January 2027", "date") == ["2027-01-03", "2027-01-06"]
    assert values("January 3 to 6", "date") == ["2027-01-03", "2027-01-06"]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("at half past nine", "09:30"),
        ("quarter to 5 pm", "16:45"),
        ("at 7pm", "19:00"),
        ("noon", "12:00"),
        ("오후 3시", "15:00"),
    ],
)
def test_a_time_of_day_is_read_as_hours_and_minutes(text: str, time: str) -> None:
    assert values(text, "time") == [time]


def test_an_id_may_carry_a_korean_particle() -> None:
    assert values("LOT7에 입찰해 줘", "id") == ["LOT7"]


def test_a_day_that_does_not_exist_is_no_date() -> None:
    assert values("on 31 February 2027", "date") == []


def test_amounts_of_money_carry_their_currency() -> None:
    assert values("$5 and 250 euros", "money") == [(5, "USD"), (250, "EUR")]


def test_neighbours_in_a_list_share_a_group() -> None:
    found = spans("in Paris, Rome and Oslo, then call Bob", TUESDAY)
    groups = [span.group for span in found if span.kind == "place"]
    assert len(groups) == 3
    assert len(set(groups)) == 1


def test_a_system_prompt_tells_the_day_only_with_a_year() -> None:
    assert find_date("Today is 4 March 2027.") == date(2027, 3, 4)
    assert find_date("It is Monday, 4 March.") is None
