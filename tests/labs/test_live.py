"""The live run of the overload lab, against the offline API."""

from course.api import OfflineAPI
from course.api.transport import client
from course.labs.live import choose, plan, share
from course.mockmodel import Scripted


def test_the_cost_is_known_before_anything_is_sent_and_grows_with_the_tools():
    few, many = plan("claude-haiku-4-5", 5, count=4), plan("claude-haiku-4-5", 60, count=4)
    assert 0 < few.usd < many.usd
    assert few.input_tokens < many.input_tokens


def test_a_model_without_a_published_price_has_no_cost():
    assert plan("claude-mythos-5-2", 5, count=2).usd is None


def test_each_wish_is_asked_once_with_the_right_tool_among_those_offered():
    what = plan("claude-haiku-4-5", 10, count=3)
    calls = Scripted([[{"type": "tool_use", "name": "orders_get", "input": {"order_id": "ORD-1"}}]])
    choices = list(choose(client(OfflineAPI(calls)), what))
    assert [choice.wish for choice in choices] == list(what.asked)
    for choice in choices:
        assert choice.wish.tool in choice.offered
        assert len(set(choice.offered)) == 10
    assert share(choices) == sum(choice.wish.tool == "orders_get" for choice in choices) / 3


def test_an_answer_without_a_call_is_a_wrong_choice():
    choices = list(
        choose(client(OfflineAPI(Scripted([[{"type": "text", "text": "No."}]]))), plan("claude-haiku-4-5", 5, count=1))
    )
    assert choices[0].chosen is None
    assert not choices[0].right
