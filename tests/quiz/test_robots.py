"""Blind robots: the bounds of chance, and that each robot fires on a bank with the cue it looks for."""

import math
import random
import re

import pytest
from guide import examples

from course.quiz.bagofwords import cross_validated
from course.quiz.bank import load_bank
from course.quiz.robots import ROBOTS, Question, chance_bound, questions, run_robots, shares

WORDS = re.findall(
    r"\w+",
    "amber beacon cedar delta ember fjord grove harbor island jungle kernel lagoon meadow nectar orchid pebble quarry "
    "ribbon saddle timber umbrella valley willow yonder zephyr anchor basket candle dagger engine",
)


def bank(n=200, seed=1, cue=None):
    """A bank of random words; `cue(option, place, is_key)` may leave a trace on an option."""
    draw = random.Random(seed)
    found = []
    for number in range(n):
        key = draw.randrange(4)
        texts = [" ".join(draw.sample(WORDS, 9)) for _ in range(4)]
        if cue:
            texts = [cue(text, place, place == key) for place, text in enumerate(texts)]
        stem = " ".join(draw.sample(WORDS, 20))
        found.append(Question(str(number), str(number), stem, tuple(texts), frozenset([key])))
    return found


def failing(found):
    picks = {"bag_of_words": cross_validated(found)}
    return {row.robot for row in run_robots(found, picks) if row.fails}


@pytest.mark.parametrize(("n", "bound"), [(30, 14), (60, 24), (100, 36), (120, 42), (200, 66), (300, 94)])
def test_the_bound_is_the_99_percent_point_of_chance(n, bound):
    assert chance_bound(bank(n)) == bound
    tail = sum(math.comb(n, hits) * 0.25**hits * 0.75 ** (n - hits) for hits in range(bound, n + 1))
    assert tail <= 0.01 < tail + math.comb(n, bound - 1) * 0.25 ** (bound - 1) * 0.75 ** (n - bound + 1)


def test_select_n_items_have_a_chance_of_their_own():
    pair = Question("a", "a", "", ("a", "b", "c", "d", "e"), frozenset([0, 1]))
    assert pair.chance == pytest.approx(1 / 10)
    assert chance_bound([pair] * 60) < chance_bound(bank(60))


@pytest.mark.parametrize("seed", range(3))
def test_a_bank_of_chance_passes(seed):
    assert failing(bank(seed=seed)) <= set()


@pytest.mark.parametrize(
    ("robot", "cue"),
    [
        ("longest", lambda text, place, key: text + " and more" if key else text),
        ("shortest", lambda text, place, key: text if key else text + " and more"),
        ("no_absolutes", lambda text, place, key: text if key else text + " only"),
        ("most_absolutes", lambda text, place, key: text + " only" if key else text + " onyx"),
        ("most_hedged", lambda text, place, key: text + " usually" if key else text + " unusual"),
        ("most_code", lambda text, place, key: text + " `x`" if key else text + " yxy"),
        ("least_code", lambda text, place, key: text + " yxy" if key else text + " `x`"),
        ("most_digits", lambda text, place, key: text + " 42" if key else text + " xy"),
        ("repeated_sentence", lambda text, place, key: "the same four words " + text if key or not place else text),
        ("bag_of_words", lambda text, place, key: text + " therefore" if key else text + " thereover"),
    ],
)
def test_each_robot_fires_on_its_cue(robot, cue):
    assert robot in failing(bank(cue=cue))


@pytest.mark.parametrize(("robot", "place"), [("first", 0), ("second", 1), ("third", 2), ("fourth", 3)])
def test_a_favourite_place_is_found(robot, place):
    found = [
        Question(q.id, q.group, q.stem, q.options, frozenset([place if int(q.id) % 2 else 3 - place])) for q in bank()
    ]
    assert robot in failing(found)


def test_words_of_the_stem_and_likeness_are_found():
    def echo(question):
        texts = list(question.options)
        [key] = question.key
        texts[key] = " ".join(question.stem.split()[:9])
        return Question(question.id, question.group, question.stem, tuple(texts), question.key)

    assert "stem_words" in failing([echo(question) for question in bank()])

    def blend(question):
        texts = list(question.options)
        [key] = question.key
        texts[key] = " ".join(word for text in texts for word in text.split()[:2])
        return Question(question.id, question.group, question.stem, tuple(texts), question.key)

    assert "most_alike" in failing([blend(question) for question in bank()])


def test_small_sets_are_shown_and_not_judged():
    cue = bank(15, cue=lambda text, place, key: text + " and more" if key else text)
    rows = {row.robot: row for row in run_robots(cue)}
    assert rows["longest"].hits == 15
    assert not rows["longest"].fails


def test_the_classifier_never_sees_a_variant_of_what_it_answers():
    twins = [Question(f"{q.id}{copy}", q.group, q.stem, q.options, q.key) for q in bank(60) for copy in "ab"]
    hits = sum(pick == question.key for pick, question in zip(cross_validated(twins), twins, strict=True))
    assert hits < chance_bound(twins) * 1.3


def test_a_form_is_judged_in_the_order_it_shows():
    item = examples()["single"]
    ids = [option.id for option in item.options]
    [question] = questions([item], {item.id: ids[::-1]})
    assert question.options[0] == item.options[-1].text
    assert [ids[::-1][place] for place in question.key] == ["refused_call"]


def test_shares_count_single_choice_items_only():
    assert shares(questions([examples()["select_n"]])) == {}
    assert shares(bank(4, cue=lambda text, place, key: text + " and more" if key else text))["longest"] == 1


def test_no_robot_beats_chance_on_the_reviewed_items_that_exams_are_made_of():
    found = questions(item for item in load_bank() if item.status == "reviewed")
    assert len(found) >= 200
    rows = run_robots(found, {"bag_of_words": cross_validated(found)})
    assert [row.robot for row in rows if row.fails] == []
    assert {row.robot for row in rows} == {*ROBOTS, "bag_of_words"}
