"""What holds for every item and every response, whatever they are."""

import json
import random

import pytest
from guide import changed, examples, records
from hypothesis import given, settings
from hypothesis import strategies as st

from course.quiz.grading import grade, key
from course.quiz.grading.ordering import distance
from course.quiz.public import choice_order, public

CLOSED = ("single", "select_n", "order", "match", "spot_block", "numeric", "open")
IDS = sorted(
    {
        thing["id"]
        for kind in CLOSED
        for field in ("options", "rows", "targets", "rubric")
        for thing in records()[kind].get(field, ())
    }
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-10, 10)
    | st.floats(allow_nan=True)
    | st.sampled_from(IDS)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(st.sampled_from([*IDS, "place", "rule", "text", "points"]), inner, max_size=5)
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(kind=st.sampled_from(CLOSED), response=JSON)
def test_any_json_is_graded_between_zero_and_one_and_exams_give_all_or_nothing(kind, response):
    item = examples()[kind]
    practice, exam = grade(item, response), grade(item, response, mode="exam")
    assert 0 <= practice.score <= 1
    assert exam.score in (0, 1)
    assert (exam.score == 1) == (practice.score == 1)
    assert (practice.verdict == "correct") == (practice.score == 1)
    assert practice.counts <= practice.answered
    json.dumps(practice.model_dump(mode="json"), allow_nan=False)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), kind=st.sampled_from(["single", "select_n", "order", "match"]), data=st.data())
def test_the_order_of_options_in_the_file_changes_no_score(seed, kind, data):
    record = dict(records()[kind])
    field = "targets" if kind == "match" else "options"
    things = [dict(thing) for thing in record[field]]
    if kind == "order":
        belongs = [step["id"] for step in things if step.get("correct", True)]
        for step in things:
            step["after"] = belongs[: belongs.index(step["id"])] if step["id"] in belongs else []
    random.Random(seed).shuffle(things)
    other = changed(kind, **{field: things})
    ids = [thing["id"] for thing in things]
    response = {
        "single": st.sampled_from(ids),
        "select_n": st.permutations(ids).map(lambda found: found[:2]),
        "order": st.permutations(ids),
        "match": st.fixed_dictionaries({row["id"]: st.sampled_from(ids) for row in record.get("rows", ())}),
    }[kind]
    answer = data.draw(response)
    assert grade(other, answer).score == pytest.approx(grade(examples()[kind], answer).score)


@settings(max_examples=60, deadline=None)
@given(given=st.permutations(list("abcdef")), size=st.integers(0, 6))
def test_the_distance_to_a_fixed_order_is_the_steps_outside_the_longest_ordered_part(given, size):
    steps = given[:size]
    before = {step: frozenset("abcdef"[:at]) for at, step in enumerate("abcdef")}
    best = [1] * len(steps)
    for at, step in enumerate(steps):
        best[at] += max((best[earlier] for earlier in range(at) if steps[earlier] < step), default=0)
    assert distance(steps, before) == 6 - max(best, default=0)


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(), kind=st.sampled_from(CLOSED))
def test_options_are_shuffled_by_the_seed_alone_and_steps_never_into_a_valid_order(seed, kind):
    item = examples()[kind]
    order = choice_order(item, seed)
    assert order == choice_order(item, seed)
    view = public(item, order)
    if kind == "order":
        assert grade(item, [id for id in order if id != "on_server"]).score < 1
    if kind in ("single", "select_n", "order"):
        assert [option["id"] for option in view["options"]] == list(order)
    assert grade(item, key(item)).score == 1


def test_different_seeds_give_different_orders():
    item = examples()["single"]
    assert len({choice_order(item, seed) for seed in range(50)}) > 10
    assert {choice_order(item, seed)[0] for seed in range(100)} == {option.id for option in item.options}


def test_an_item_that_is_not_shuffled_keeps_the_order_of_its_file():
    item = changed("single", shuffle=False)
    assert choice_order(item, 5) == tuple(option.id for option in item.options)


def _values(thing):
    if isinstance(thing, dict):
        for name, value in thing.items():
            yield name
            yield from _values(value)
    elif isinstance(thing, list | tuple):
        for value in thing:
            yield from _values(value)
    else:
        yield thing


@pytest.mark.parametrize("kind", records())
def test_a_view_before_the_answer_carries_no_key_no_reason_and_no_claim(kind):
    item = examples()[kind]
    view = json.loads(json.dumps(public(item, choice_order(item, 1))))
    names = {value for value in _values(view) if isinstance(value, str)}
    assert not names & {
        "correct",
        "why",
        "claim",
        "answer",
        "answers",
        "solution",
        "misconception",
        "explanation",
        "proof",
        "mistakes",
        "near",
        "rubric",
        "model_answer",
        "accepts",
        "refuses",
        "cases",
        "after",
    } - {"answer"}
    told = json.dumps(view, ensure_ascii=False)
    for secret in _secrets(records()[kind]):
        assert secret not in told


def _secrets(record):
    """Every reason, explanation, solution and hint of a record, as text."""
    for name, value in record.items():
        if name in ("why", "explanation", "model_answer") and isinstance(value, str):
            yield value
        elif name == "solution" and not isinstance(value, str):
            yield json.dumps(value, ensure_ascii=False)
        elif isinstance(value, list):
            for inner in value:
                if isinstance(inner, dict):
                    yield from _secrets(inner)


def test_a_view_renders_the_authors_texts_with_what_it_is_given():
    view = public(examples()["match"], render=lambda text: f"<{text}>")
    assert view["stem"].startswith("<Match each goal")
    assert view["targets"][0]["text"] == "<`auto`>"
