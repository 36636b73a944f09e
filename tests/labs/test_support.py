"""The capstone's back end and its warehouse."""

import asyncio

import pytest

from course.labs.support import Backend, Failure, warehouse


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
    assert caught.value.as_json() == Failure.no_order("ORD-1").as_json()


def test_a_service_that_is_down_is_transient_and_worth_a_retry():
    shop = Backend(down=("order",))
    with pytest.raises(Failure) as caught:
        shop.order("ORD-81")
    assert (caught.value.category, caught.value.retryable) == ("transient", True)
    shop.close()


@pytest.mark.parametrize(
    ("name", "arguments", "failed", "words"),
    [
        ("stock.count", {"article": "lamp"}, False, "12 in stock"),
        ("stock.count", {"article": "boat"}, True, "no article boat"),
        ("stock.reserve", {"article": "sofa", "pieces": 2}, False, "2 reserved"),
        ("stock.reserve", {"article": "sofa", "pieces": 3}, True, "Only 2 pieces are left"),
    ],
)
def test_the_warehouse_answers_and_refuses_with_words(name, arguments, failed, words):
    from mcp import Client

    async def answer():
        async with Client(warehouse()) as server:
            return await server.call_tool(name, arguments)

    got = asyncio.run(answer())
    assert got.is_error is failed
    assert words in got.content[0].text
