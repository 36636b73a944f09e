"""A poll's room: what may happen when, and what comes of it."""

from datetime import timedelta

import pytest
from poll_desk import NOON, Play, poll_item

from course.workshop.pollview import public_state
from course.workshop.room import PHASES, PollError, Refused, join, move, pseudonym, replay

CYCLE = ("next", "next", "next", "next", "next", "next")


def phases(play, *actions):
    return [play.does(action).room.phase for action in actions]


def test_a_question_goes_through_vote_discussion_vote_reveal_and_explanation():
    play = Play()
    assert phases(play, *CYCLE) == ["vote1", "closed", "discuss", "vote2", "reveal", "explain"]


def test_after_the_last_question_comes_the_end():
    play = Play().does(*CYCLE, *CYCLE)
    assert (play.room.question, play.room.phase) == (1, "explain")
    assert play.does("next").room.phase == "end"
    assert play.room.current is None


def test_a_teacher_may_reveal_without_a_discussion():
    assert phases(Play(), "next", "next", "reveal")[-1] == "reveal"


def test_a_teacher_may_open_a_vote_again_and_nothing_is_lost():
    play = Play().joins("ann").does("next").votes(ann="b").does("next", "reopen")
    assert play.room.phase == "vote1"
    assert play.room.votes_of(1)["ann"].response == "south"


def test_a_teacher_may_leave_a_question_out_but_not_after_its_reveal():
    play = Play().does("next", "skip")
    assert (play.room.question, play.room.phase) == (1, "vote1")
    play.does("next", "reveal")
    with pytest.raises(Refused, match="'skip' is not possible"):
        play.does("skip")


@pytest.mark.parametrize("phase", PHASES)
def test_no_phase_but_the_end_is_a_dead_end(phase):
    assert bool(PHASES[phase]) == (phase != "end")


def test_a_key_cannot_be_revealed_while_the_first_vote_is_open():
    with pytest.raises(Refused):
        Play().does("next", "reveal")


def test_two_teachers_who_press_at_once_move_once():
    play = Play().does("next")
    seen = play.room.step
    assert play.add(move(play.room, "next", step=seen, now=play.now)) is not None
    assert move(play.room, "next", step=seen, now=play.now) is None
    assert play.room.phase == "closed"


def test_a_vote_can_be_changed_until_the_vote_closes():
    play = Play().joins("ann").does("next").votes(ann="a").votes(ann="c")
    assert play.room.votes_of(1)["ann"].response == "east"
    play.does("next")
    with pytest.raises(Refused, match="closed"):
        play.vote("ann", "a")


def test_a_vote_sent_twice_is_one_vote_even_after_the_close():
    play = Play().joins("ann").does("next")
    play.add(play.vote("ann", "a", submission="submission-1"))
    assert play.vote("ann", "a", submission="submission-1") is None
    play.does("next")
    assert play.vote("ann", "a", submission="submission-1") is None


def test_a_vote_for_a_phase_that_has_passed_does_not_count_in_the_next():
    play = Play().joins("ann").does("next")
    seen = play.room.step
    play.does("next", "next", "next")
    with pytest.raises(Refused, match="closed"):
        play.vote("ann", "a", step=seen)


def test_the_two_votes_of_a_question_are_kept_apart():
    play = Play().joins("ann").does("next").votes(ann="a").does("next", "next", "next").votes(ann="b")
    assert [play.room.votes_of(n)["ann"].response for n in (1, 2)] == ["north", "south"]


@pytest.mark.parametrize(
    ("letters", "reason"),
    [
        ("", "blank"),
        ("z", "no_option"),
        ("ab", "invalid"),
        (["ab"], "no_option"),
        ([1], "no_option"),
        ([""], "no_option"),
    ],
)
def test_what_is_no_answer_is_refused(letters, reason):
    play = Play().joins("ann").does("next")
    with pytest.raises(Refused) as refused:
        play.vote("ann", letters)
    assert refused.value.reason == reason


def test_a_select_n_question_takes_exactly_its_number_in_any_order():
    play = Play(poll_item("q", (1, 3))).joins("ann").does("next")
    with pytest.raises(Refused, match="2"):
        play.vote("ann", "b")
    assert play.vote("ann", "db").data["response"] == ["south", "west"]


@pytest.mark.parametrize(
    "more", [{"confidence": 4}, {"confidence": True}, {"submission": "short"}, {"submission": "x y z x y z"}]
)
def test_a_vote_with_an_odd_confidence_or_id_is_refused(more):
    play = Play().joins("ann").does("next")
    with pytest.raises(Refused, match="not a vote"):
        play.vote("ann", "a", **more)


def test_nobody_votes_without_a_seat():
    with pytest.raises(Refused, match="Join again"):
        Play().does("next").vote("nobody", "a")


def test_late_people_come_in_and_vote_in_the_second_round():
    play = Play().joins("ann").does("next").votes(ann="a").does("next", "next", "next").joins("late").votes(late="b")
    assert set(play.room.votes_of(2)) == {"late"}


def test_a_name_that_is_taken_gets_a_number():
    play = Play().joins("Ann", "ann", "ANN ")
    assert [person.name for person in play.room.people.values()] == ["Ann", "ann 2", "ANN 3"]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ann \t Lee\n", "Ann Lee"),
        ("\u202egnp.exe", "gnp.exe"),
        ("a\u200bb\x00c\x1b[31md", "abcd"),
        ("<b>x</b>", "<b>x</b>"),
        ("\u212bsa", "\u00c5sa"),
        ("x" * 99, "x" * 24),
        ("홍길동", "홍길동"),
        ("\U000e0041\u2066\u2069", ""),
    ],
)
def test_a_pseudonym_is_what_can_be_shown_of_it(typed, shown):
    assert pseudonym(typed) == shown


def test_a_name_that_shows_nothing_is_refused():
    with pytest.raises(Refused, match="name"):
        Play().joins(" \u200b\u202e ")


def test_a_full_room_says_so():
    with pytest.raises(Refused, match="2 people"):
        Play(capacity=2).joins("a", "b", "c")


def test_nobody_joins_a_poll_that_has_ended():
    with pytest.raises(Refused, match="ended"):
        Play().does("end").joins("ann")


def test_a_room_is_the_same_when_it_is_folded_from_its_events_again():
    play = Play().joins("ann", "bo").does("next").votes(ann="a", bo="b").does("next", "next", "next").votes(ann="b")
    again = replay(play.events, play.bank)
    assert again == play.room
    states = [public_state(room, "teacher", now=play.now) for room in (play.room, again)]
    assert states[0] == states[1]


def test_a_room_whose_question_has_changed_cannot_go_on():
    play = Play()
    other = poll_item("q1", options=[*play.bank.items["q1"].model_dump()["options"][:4]])
    with pytest.raises(PollError, match="q1"):
        replay(play.events, type(play.bank)({"q1": other, "q2": play.bank.items["q2"]}))


def test_no_events_are_no_room():
    with pytest.raises(PollError, match="no room"):
        replay([], Play().bank)


def test_the_clock_of_a_discussion_runs_from_its_start_and_stops_at_nothing():
    play = Play(discuss=90).does("next", "next", "next")
    began = play.room.since
    left = [public_state(play.room, "projector", now=began + timedelta(seconds=s))["left"] for s in (0, 30, 500)]
    assert left == [90, 60, 0]


def test_without_a_clock_nothing_is_left():
    assert public_state(Play(discuss=0).does("next", "next", "next").room, "participant", now=NOON)["left"] is None


def test_a_seat_is_only_a_digest_in_the_events():
    event = join(Play().room, "Ann", person="p", seat="digest", now=NOON)
    assert event.data == {"person": "p", "name": "Ann", "seat": "digest"}
