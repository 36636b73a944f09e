"""The proof about a streamed response: the order of its events, and its pieces of JSON."""

from course.quiz.proofs import Choice, Sheet, proofs

REPLIES = [[{"type": "tool_use", "name": "get_weather", "input": {"city": "Seoul", "days": 3}}]]
REQUEST = {"tools": ["get_weather"]}


def sheet(kind, **claims):
    return Sheet("an-item", kind, "Which?", tuple(Choice(id, id, claim) for id, claim in claims.items()))


def stream(options):
    return proofs()["stream_gives"](options, replies=REPLIES, request=REQUEST)


def test_events_are_ordered_as_they_come_and_strangers_are_left_out():
    options = sheet("order", end="message_stop", piece="content_block_delta", stranger=None, begin="message_start")
    assert stream(options) == ["begin", "piece", "end"]


def test_the_pieces_are_whole_together_and_not_one_by_one():
    options = sheet(
        "single",
        each={"single": True},
        together={"joined": True, "single": False},
        at_start={"start": {"city": "Seoul"}},
    )
    assert stream(options) == "together"


def test_the_first_piece_is_empty_and_the_stop_reason_is_that_of_the_message():
    options = sheet("single", here={"first": "", "stop_reason": "tool_use"}, there={"stop_reason": "end_turn"})
    assert stream(options) == "here"
