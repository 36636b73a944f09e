"""The tools of the sample traces: small, asynchronous, with answers that never change."""

import asyncio

from course.harness import ToolError, tool

__all__ = ["book_room", "convert", "find_customer", "get_orders", "get_stock", "get_weather"]

WEATHER = {"Oslo": "4 °C, rain", "Busan": "17 °C, clear", "Lima": "22 °C, cloudy"}
RATES = {("EUR", "KRW"): 1608.5, ("EUR", "NOK"): 11.62}


@tool
async def get_weather(city: str) -> str:
    """Get the current weather of one city: temperature and sky. Not for forecasts.

    Args:
        city: Name of the city in English, e.g. Busan.
    """
    await asyncio.sleep(0.3 + 0.1 * len(city))
    return WEATHER.get(city, "no station there")


@tool
async def convert(amount: float, source: str, target: str) -> dict:
    """Convert an amount of money at today's rate.

    Args:
        amount: The amount in the source currency.
        source: Currency code to convert from, e.g. EUR.
        target: Currency code to convert to, e.g. KRW.
    """
    await asyncio.sleep(0.4)
    return {"amount": round(amount * RATES[source, target], 2), "currency": target}


@tool
async def find_customer(email: str) -> dict:
    """Find a customer by e-mail address. Returns the customer id that get_orders needs.

    Args:
        email: The full e-mail address.
    """
    await asyncio.sleep(0.5)
    return {"customer_id": "C-1042", "name": "Noor Haddad"}


@tool
async def get_orders(customer_id: str) -> list:
    """List the orders of one customer, newest first. Needs the id that find_customer returns.

    Args:
        customer_id: Id such as C-1042.
    """
    await asyncio.sleep(0.7)
    return [{"order": "A-77", "item": "desk lamp", "state": "on its way"}]


@tool
async def get_stock(product: str) -> str:
    """Tell how many pieces of a product are in stock.

    Args:
        product: Product number, e.g. P-9.
    """
    await asyncio.sleep(2.0)
    raise ToolError("The stock service did not answer within 2 s. This is temporary: try once more.")


@tool
async def book_room(room: str, day: str, hours: int) -> str:
    """Book a meeting room for some hours of one day. Returns the booking, or why it is not possible.

    Args:
        room: Name of the room.
        day: Day as YYYY-MM-DD.
        hours: How many hours, 1 to 8.
    """
    await asyncio.sleep(0.4)
    return f"{room} is booked on {day} for {hours} h"
