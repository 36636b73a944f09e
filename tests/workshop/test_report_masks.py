"""What is published gives no small group away: an attacker who tries every possible table finds none."""

from collections import defaultdict
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.workshop.report_masks import LEAST, Count, Row, band, bands, leader, split, telling


def tables(total: int, cells: int) -> Iterator[tuple[int, ...]]:
    """Every way in which `total` people can choose among `cells` options; the first is the right one."""
    if cells == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in tables(total - first, cells - 1):
            yield (first, *rest)


@pytest.mark.parametrize(
    ("total", "cells"), [(10, 2), (23, 2), (10, 4), (12, 4), (13, 4), (16, 4), (19, 4), (24, 4), (13, 5)]
)
def test_no_published_row_of_a_question_fits_only_tables_with_the_same_small_cell(total, cells):
    seen = defaultdict(list)
    for table in tables(total, cells):
        right = split(table[0], total)
        seen[right, bands(right, table[1:], total), leader(right, table[1:])].append(table)
    for published, possible in seen.items():
        for values in zip(*possible, strict=True):
            assert len(set(values)) > 1 or values[0] == 0 or values[0] >= LEAST, (published, possible)


@pytest.mark.parametrize(("options", "most"), [(3, 48), (4, 28)])
def test_bands_and_their_refusal_tell_no_small_count_for_any_number_of_wrong_answers(options, most):
    for total in range(5, most):
        seen = defaultdict(list)
        for table in tables(total, options):
            seen[bands(Count(5, 5), table, total + 5)].append(table)
        for published, possible in seen.items():
            for values in zip(*possible, strict=True):
                assert len(set(values)) > 1 or values[0] == 0 or values[0] >= LEAST, (published, possible)


@pytest.mark.parametrize("total", range(10, 31))
def test_right_or_wrong_of_fewer_than_five_could_be_any_of_five(total):
    seen = defaultdict(set)
    for right in range(total + 1):
        seen[split(right, total)].add(right)
    for shown, possible in seen.items():
        assert shown.exact or len(possible) == LEAST
        assert {shown.low, shown.high} == {min(possible), max(possible)}


def test_below_ten_people_a_question_has_no_figures():
    assert split(9, 9) is None
    assert split(5, 10) == Count(5, 5)


def test_a_subtraction_from_the_total_is_answered_with_no_bands():
    assert bands(Count(7, 7), [9, 4, 0], 20) is None
    assert bands(Count(7, 7), [8, 4, 1], 20) is not None


@given(st.integers(0, 300))
def test_a_band_holds_its_count_and_is_five_wide_or_none(count):
    found = band(count)
    assert found.low <= count <= found.high
    assert found.exact == (count == 0)


@pytest.mark.parametrize(
    ("row", "people", "cells", "told"),
    [
        (Row(13, Count(0, 4), ("a", "b", "c"), None, "a"), Count(5, 9), "abc", True),
        (Row(31, Count(0, 4), ("a", "b", "c"), None, "a"), Count(5, 9), "a", True),
        (Row(25, Count(0, 4), ("a", "b", "c"), None, "a"), Count(5, 9), "a", False),
        (Row(25, Count(0, 4), ("a", "b", "c"), None, "a"), Count(10, 14), "ab", False),
        (Row(11, Count(5, 5), ("a", "b", "c"), None, refused=True), Count(5, 9), "a", True),
        (Row(11, Count(5, 5), ("a", "b", "c"), None, refused=True), Count(10, 14), "az", False),
        (Row(30, Count(20, 20), ("a", "b", "c"), (Count(5, 9), Count(1, 4), Count(0, 0))), Count(5, 9), "a", False),
    ],
)
def test_an_idea_that_would_pin_a_small_count_in_a_row_is_told(row, people, cells, told):
    assert telling([row], {"idea": (people, frozenset(cells))}) == ({"idea"} if told else set())
