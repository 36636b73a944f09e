"""No page but the teacher's learns anything of the key before the reveal, whatever happens in whatever order."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from poll_desk import SECRET, Play, poll_item

from course.workshop.pollview import public_state
from course.workshop.room import ACTIONS, Refused

NAMES = ("ann", "bo", "cy")
PAGES = [("projector", ""), *(("participant", name) for name in (*NAMES, "stranger"))]
HAPPENINGS = st.lists(
    st.one_of(
        st.tuples(st.just("act"), st.sampled_from(ACTIONS)),
        st.tuples(st.just("join"), st.sampled_from(NAMES)),
        st.tuples(
            st.just("vote"), st.tuples(st.sampled_from(NAMES), st.sampled_from(["a", "b", "c", "ab", "bd", "z"]))
        ),
    ),
    max_size=40,
)


def happen(play, what, value):
    try:
        match what:
            case "act":
                play.does(value)
            case "join":
                play.joins(value)
            case "vote":
                play.votes(**{value[0]: value[1]})
    except Refused as refused:
        return refused.reason
    return None


def shown(play):
    return [public_state(play.room, role, now=play.now, person=person) for role, person in PAGES]


@settings(max_examples=80, deadline=None)
@given(HAPPENINGS)
def test_no_order_of_events_leaks_a_reason_or_the_key(happenings):
    play = Play()
    for what, value in happenings:
        happen(play, what, value)
        text = json.dumps(shown(play))
        if not play.room.revealed:
            assert SECRET not in text
            assert not any(word in text for word in ("misled", "correct", '"key"', "bars", "verdict", "q1"))
        elif play.room.phase == "reveal":
            assert SECRET not in text


@settings(max_examples=80, deadline=None)
@given(HAPPENINGS)
def test_rooms_that_differ_only_in_the_key_look_the_same_until_the_reveal(happenings):
    plays = [Play(poll_item("q1", (key,)), poll_item("q2", two)) for key, two in ((0, (1, 3)), (2, (0, 4)))]
    for what, value in happenings:
        refusals = {happen(play, what, value) for play in plays}
        assert len(refusals) == 1
        if plays[0].room.revealed or plays[0].room.phase == "end":
            continue
        assert shown(plays[0]) == shown(plays[1])


@pytest.mark.parametrize("phase", ["vote1", "closed", "discuss", "vote2"])
def test_the_projector_shows_no_bars_before_the_reveal(phase):
    play = Play().joins("ann").does("next").votes(ann="a")
    while play.room.phase != phase:
        play.does("next")
    state = public_state(play.room, "projector", now=play.now)
    assert "result" not in state
    assert (state["joined"], state["voted"]) == (1, 0 if phase == "vote2" else 1)


def test_options_carry_letters_by_place_and_no_ids():
    state = public_state(Play().does("next").room, "participant", now=Play().now)
    assert [option["letter"] for option in state["question"]["options"]] == list("abcde")
    assert all(set(option) == {"letter", "text"} for option in state["question"]["options"])
    assert set(state["question"]) == {"stem", "exhibits", "options", "choose"}


def test_the_reveal_tells_the_key_and_the_explanation_comes_after_it():
    play = Play().joins("ann").does("next").votes(ann="b").does("next", "reveal")
    state = public_state(play.room, "participant", now=play.now, person="ann")
    assert state["result"]["key"] == ["a"]
    assert state["verdict"]["right"] is False
    assert "told" not in state
    state = public_state(play.does("next").room, "participant", now=play.now, person="ann")
    assert SECRET in json.dumps(state["told"])
    assert state["votes"] == {"1": {"letters": ["b"], "confidence": None}}


def test_the_next_question_forgets_the_key_of_the_last():
    play = Play().joins("ann").does("next").votes(ann="a").does("next", "reveal", "next", "next")
    assert "result" not in public_state(play.room, "participant", now=play.now, person="ann")


def test_ending_in_the_middle_reveals_nothing():
    play = Play().joins("ann").does("next").votes(ann="a").does("end")
    assert SECRET not in json.dumps(shown(play))
    state = public_state(play.room, "participant", now=play.now, person="ann")
    assert (state["question"], state["score"]["voted"]) == (None, 1)


def test_the_teacher_sees_bars_key_and_reasons_at_once():
    play = Play().joins("ann", "bo").does("next").votes(ann="b")
    state = public_state(play.room, "teacher", now=play.now)
    assert state["result"]["key"] == ["a"]
    assert SECRET in json.dumps(state["told"])
    assert state["people"] == [{"name": "ann", "voted": True}, {"name": "bo", "voted": False}]
