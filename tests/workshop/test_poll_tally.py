"""Bars, gain, misconception and advice of a question."""

import pytest
from poll_desk import Play, poll_item

from course.workshop.pollview import public_state
from course.workshop.tally import advice, gain, misled, round_of


def voted(first, second=""):
    """A room whose people chose these letters, one a person, before and after the discussion; "." did not vote."""
    names = [f"p{n}" for n in range(max(len(first), len(second)))]
    play = Play().joins(*names).does("next")
    play.votes(**{name: letter for name, letter in zip(names, first, strict=False) if letter != "."})
    play.does("next", "next", "next")
    play.votes(**{name: letter for name, letter in zip(names, second, strict=False) if letter != "."})
    return play


def gained(play, paired=True):
    return gain(play.room.current, play.room.votes_of(1), play.room.votes_of(2), paired=paired)


def test_bars_count_every_option_even_the_one_nobody_chose():
    play = voted("aab")
    bars = round_of(play.room.current, play.room.votes_of(1)).bars
    assert [(bar.letter, bar.count) for bar in bars] == [("a", 2), ("b", 1), ("c", 0), ("d", 0), ("e", 0)]
    assert [round(bar.share, 3) for bar in bars[:2]] == [0.667, 0.333]


def test_the_bars_of_select_n_add_up_to_its_number():
    play = Play(poll_item("q", (1, 3))).joins("ann", "bo").does("next").votes(ann="bd", bo="bc")
    tally = round_of(play.room.current, play.room.votes_of(1))
    assert sum(bar.share for bar in tally.bars) == 2
    assert (tally.voted, tally.right) == (2, 1)


def test_the_gain_is_of_those_who_voted_twice():
    found = gained(voted("abb.", "aab" + "a"))
    assert (found.people, round(found.before, 3), round(found.after, 3), found.gain) == (
        3,
        0.333,
        0.667,
        pytest.approx(0.5),
    )


def test_the_overall_shares_are_of_everybody_who_voted():
    found = gained(voted("ab..", "aaab"), paired=False)
    assert (found.before, found.after, found.gain) == (0.5, 0.75, 0.5)


def test_a_loss_is_a_negative_gain():
    assert gained(voted("ab", "bb")).gain == -1


def test_where_all_were_right_before_there_is_no_gain():
    assert gained(voted("aa", "ab")).gain is None


def test_where_nobody_voted_twice_there_is_no_gain():
    assert gained(voted("a.", ".a")).gain is None
    state = public_state(voted("a.", ".a").does("next").room, "projector", now=Play().now)
    assert state["result"]["gain"] is None


def test_the_commonest_misconception_is_told_in_words():
    play = voted("bbca")
    found = misled(play.room.current, play.room.votes_of(1))
    assert (found.text, found.count) == ("Claude runs the tool itself.", 3)


def test_a_commoner_wrong_option_without_a_misconception_is_told_in_its_own_words():
    marked = {"misconception": "claude-runs-tools"}
    options = [
        {"id": id, "text": f"To the {id}.", "why": "Since it is so.", "correct": id == "left"}
        | (marked if id == "up" else {})
        for id in ("left", "right", "back", "up")
    ]
    play = Play(poll_item("q", options=options)).joins("ann", "bo", "cy").does("next").votes(ann="c", bo="c", cy="d")
    found = misled(play.room.current, play.room.votes_of(1))
    assert (found.text, found.count) == ("To the back.", 2)


def test_where_all_are_right_nobody_was_misled():
    play = voted("aa")
    assert misled(play.room.current, play.room.votes_of(1)) is None


@pytest.mark.parametrize(
    ("letters", "said"),
    [("", "none"), ("bbba", "reteach"), ("aaabbbbbbb", "discuss"), ("aaab", "discuss"), ("aaaab", "explain")],
)
def test_the_advice_follows_the_share_of_right_first_votes(letters, said):
    assert advice(voted(letters).room) == said


def test_the_thresholds_are_settings():
    play = Play(low=0.0, high=0.5).joins("ann", "bo").does("next").votes(ann="a", bo="b")
    assert advice(play.room) == "discuss"
    assert advice(play.votes(bo="a").room) == "explain"


def test_confidence_is_counted_where_somebody_said_it():
    play = Play().joins("ann", "bo").does("next")
    play.add(play.vote("ann", "a", confidence=3))
    play.add(play.vote("bo", "a", submission="submission-y"))
    assert round_of(play.room.current, play.room.votes_of(1)).sure == (0, 0, 1)


def test_the_end_sums_up_every_question_for_the_teacher():
    play = voted("ab", "aa").does("end")
    rows = public_state(play.room, "teacher", now=play.now)["summary"]
    assert [row["item"] for row in rows] == ["q1", "q2"]
    assert rows[0]["rounds"] == [{"voted": 2, "right": 1}, {"voted": 2, "right": 2}]
    assert (rows[0]["gain"], rows[1]["gain"]) == (1, None)


def test_the_teacher_alone_is_told_which_question_comes_next():
    play = Play().joins("ann")
    coming = {}
    for phase in ("lobby", "vote1", "closed", "discuss", "vote2", "reveal", "explain"):
        assert play.room.phase == phase
        coming[phase] = public_state(play.room, "teacher", now=play.now)["coming"]
        for role in ("participant", "projector"):
            assert "coming" not in public_state(play.room, role, now=play.now, person="ann")
        play.does("next")
    assert {phase: id for phase, id in coming.items() if id} == {"lobby": "q1", "explain": "q2"}
    assert public_state(play.does("end").room, "teacher", now=play.now)["coming"] is None
