"""The overload lab measures what it says it measures."""

import itertools

import numpy as np
import pytest

from course.labs import overload
from course.labs.catalogue import STYLES, services, tools, wishes


def test_the_catalogue_has_at_least_120_tools_over_12_services_and_200_wishes():
    assert len(tools()) >= 120
    assert len(services()) >= 12
    assert len(wishes()) >= 200
    assert len({tool.name for tool in tools()}) == len(tools())


def test_every_wish_names_a_tool_and_every_tool_is_wished_for():
    names = {tool.name for tool in tools()}
    assert {wish.tool for wish in wishes(held=True)} == names
    assert {wish.tool for wish in wishes(held=False)} == names


def test_no_wish_that_scores_is_one_a_learner_may_look_at():
    assert not {wish.text for wish in wishes(held=True)} & {wish.text for wish in wishes(held=False)}


def test_every_definition_is_accepted_by_the_offline_api():
    from course.api.check import violations

    for style in STYLES:
        body = {
            "model": "claude-opus-5-5",
            "max_tokens": 100,
            "tools": [tool.definition(style) for tool in tools()],
            "messages": [{"role": "user", "content": "hi"}],
        }
        assert next(iter(violations(body)), None) is None


def test_the_exact_chance_equals_counting_every_draw():
    """Eight tools; one scores above the right one, two tie with it: count over all ways to draw the others."""
    above, tied = {0}, {1, 2}
    for n in range(1, 9):
        draws = [set(draw) for draw in itertools.combinations(range(7), n - 1)]
        counted = sum(1 / (1 + len(draw & tied)) for draw in draws if not draw & above)
        assert overload._first(1, 2, 8, n) == pytest.approx(counted / len(draws))


def test_rivals_are_counted_above_and_tied_and_never_include_the_right_tool():
    matrix = np.array([[1.0, 1.0, 0.0, 2.0]])
    assert overload._rivals(matrix, np.array([0])) == [(1, 1)]
    assert overload._rivals(matrix, np.array([0]), np.array([[True, True, True, False]])) == [(0, 1)]


def test_a_tie_at_the_edge_of_a_search_counts_by_its_share():
    assert overload._among(4, 3, 5) == 0.25
    assert overload._among(5, 0, 5) == 0.0


@pytest.mark.parametrize("style", STYLES)
def test_accuracy_must_fall_for_scores_that_do_not_depend_on_the_set(style):
    accuracies = [point.accuracy for point in overload.curve("words", style).points]
    assert accuracies == sorted(accuracies, reverse=True)


def test_good_descriptions_beat_look_alikes_and_single_words_at_every_size():
    good, alike, word = (overload.curve("words", style).points for style in STYLES)
    for g, a, w in zip(good, alike, word, strict=True):
        assert g.accuracy > a.accuracy > w.accuracy
        assert g.low <= g.accuracy <= g.high


def test_shorter_descriptions_save_tokens_but_lose_accuracy():
    good, word = overload.curve("words", "good").points[-1], overload.curve("words", "word").points[-1]
    assert word.tokens < good.tokens
    assert word.accuracy < good.accuracy


def test_scoping_to_one_service_beats_offering_everything():
    growth = overload.by_services("words")
    assert overload.scoped("words") == growth.points[0]
    assert growth.points[0].accuracy > growth.points[-1].accuracy


def test_a_search_that_loads_five_finds_the_tool_more_often_than_one_choice_among_all():
    assert overload.search_first("words").accuracy > overload.curve("words").points[-1].accuracy


def test_a_mended_description_changes_the_measurement():
    wish = next(wish for wish in wishes(held=True) if wish.tool == "orders_find")
    before = overload.curve("words", "word", (120,), asked=[wish]).points[0]
    after = overload.curve("words", "word", (120,), asked=[wish], mended={"orders_find": wish.text}).points[0]
    assert after.accuracy > before.accuracy


def test_the_same_seed_gives_the_same_figures():
    assert overload.curve("words") == overload.curve("words")


def test_the_retriever_of_meaning_runs_from_the_weights_in_its_package_and_beats_shared_words():
    words, meaning = overload.curve("words").points, overload.curve("meaning").points
    assert all(m.accuracy > w.accuracy for m, w in zip(meaning, words, strict=True))
