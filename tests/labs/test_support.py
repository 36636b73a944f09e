"""The capstone's back end and its hidden cases."""

import pytest

from course.api import OfflineAPI
from course.api.transport import client
from course.facts import default_model
from course.harness import tool
from course.labs.support import Agent, Backend, Failure, cases, grade
from course.mockmodel import Improviser, Scripted


@pytest.fixture
def shop():
    backend = Backend()
    yield backend
    backend.close()


def test_the_same_key_pays_once(shop):
    for _ in range(3):
        shop.refund("ORD-81", 20.0, "key")
    assert shop.refunds() == [("ORD-81", 20.0)]


def test_what_does_not_exist_is_a_validation_failure_and_not_worth_a_retry(shop):
    with pytest.raises(Failure) as caught:
        shop.order("ORD-1")
    assert (caught.value.category, caught.value.retryable) == ("validation", False)


def test_a_service_that_is_down_is_transient_and_worth_a_retry():
    shop = Backend(down=("order",))
    with pytest.raises(Failure) as caught:
        shop.order("ORD-81")
    assert (caught.value.category, caught.value.retryable) == ("transient", True)
    shop.close()


def test_the_cases_vary_with_the_seed_and_repeat_with_it():
    assert [case.wish for case in cases(1)] == [case.wish for case in cases(1)]
    assert [case.wish for case in cases(1)] != [case.wish for case in cases(2)]


def test_a_naive_agent_fails_the_cases_that_need_rules():
    def naive(shop, customer):
        @tool
        def get_customer(email: str) -> dict:
            """Find a customer."""
            return shop.customer(email)

        @tool
        def lookup_order(order_id: str) -> dict:
            """Return one order by its number."""
            return shop.order(order_id)

        @tool
        def process_refund(order_id: str, euros: float, reason: str) -> dict:
            """Pay back."""
            return shop.refund(order_id, euros, f"{len(shop.refunds())}")

        return [get_customer, lookup_order, process_refund]

    def connected(script):
        return client(OfflineAPI(Improviser() if script is None else Scripted(list(script))))

    failed = {result.name for result in grade(Agent(naive), connected, default_model()) if not result.passed}
    assert "somebody else's order" in failed
    assert "a refund above the limit" in failed
    assert "the same refund twice" in failed
    assert "a refund before the customer was looked up" in failed
    assert "a plain refund in the right order" not in failed
