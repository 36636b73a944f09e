"""Traces for the tests of the views, as documents: sound, parallel, and broken on purpose."""

from typing import Any

MODEL = "claude-haiku-5-5"
WEATHER = {
    "name": "get_weather",
    "description": "Current weather of one city. Use it for the weather now, not for forecasts.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
TIME = {
    "name": "get_time",
    "description": "Current local time of one city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
ASKED = {"role": "user", "content": "What's the weather in Paris, and what time is it in Tokyo?"}


def use(id: str, name: str, city: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": {"city": city}}


def result(id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def message(content: list[Any], stop: str, tokens: tuple[int, int] | None = None) -> dict[str, Any]:
    body = {
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": content,
        "stop_reason": stop,
    }
    if tokens:
        body["usage"] = {"input_tokens": tokens[0], "output_tokens": tokens[1]}
    return body


def request(*messages: Any) -> dict[str, Any]:
    return {"model": MODEL, "max_tokens": 1024, "tools": [WEATHER, TIME], "messages": list(messages)}


def parallel() -> dict[str, Any]:
    """Two calls in one message, run at the same time, one of which fails; with a prediction before step 2."""
    calls = [
        {"type": "text", "text": "I'll look up both."},
        use("toolu_weather_1", "get_weather", "Paris"),
        use("toolu_time_1", "get_time", "Tokyo"),
    ]
    results = [
        result("toolu_weather_1", "18 °C, light rain"),
        result("toolu_time_1", "Clock service timed out. Try again.", is_error=True),
    ]
    turn = {"role": "assistant", "content": calls}
    return {
        "format": "trace/1",
        "id": "two-calls",
        "title": "Two calls in one message",
        "notes": "Paris and Tokyo at once; the clock service is down.",
        "source": "harness",
        "exchanges": [
            {
                "request": request(ASKED),
                "response": {"status": 200, "body": message(calls, "tool_use", (412, 61))},
                "started": 0.0,
                "ended": 0.9,
            },
            {
                "request": request(ASKED, turn, {"role": "user", "content": results}),
                "response": {
                    "status": 200,
                    "body": message(
                        [
                            {
                                "type": "text",
                                "text": "Paris has 18 °C and light rain. The clock service did not answer.",
                            }
                        ],
                        "end_turn",
                        (548, 33),
                    ),
                },
                "started": 1.4,
                "ended": 2.1,
            },
        ],
        "executions": [
            {
                "exchange": 0,
                "tool_use_id": "toolu_weather_1",
                "name": "get_weather",
                "input": {"city": "Paris"},
                "content": "18 °C, light rain",
                "is_error": False,
                "started": 0.9,
                "ended": 1.15,
            },
            {
                "exchange": 0,
                "tool_use_id": "toolu_time_1",
                "name": "get_time",
                "input": {"city": "Tokyo"},
                "content": "Clock service timed out. Try again.",
                "is_error": True,
                "started": 0.91,
                "ended": 1.4,
            },
        ],
        "questions": [
            {
                "step": 1,
                "id": "two-calls-who",
                "ask": "The request has gone out. What comes back?",
                "options": [
                    "The weather and the time",
                    "Two tool_use blocks in one message",
                    "One tool_use block, the second later",
                ],
                "answer": 1,
                "why": "Claude asks; it never runs a tool. Both wishes are independent, so both calls come at once.",
            }
        ],
    }


def one_by_one() -> dict[str, Any]:
    """The same wishes, one call at a time: a longer trace to compare with."""
    first, second = [use("toolu_a", "get_weather", "Paris")], [use("toolu_b", "get_time", "Tokyo")]
    history = [
        ASKED,
        {"role": "assistant", "content": first},
        {"role": "user", "content": [result("toolu_a", "18 °C")]},
    ]
    more = [
        *history,
        {"role": "assistant", "content": second},
        {"role": "user", "content": [result("toolu_b", "02:14")]},
    ]
    return {
        "id": "one-by-one",
        "title": "One call at a time",
        "exchanges": [
            {"request": request(ASKED), "response": {"status": 200, "body": message(first, "tool_use")}, "ended": 0.8},
            {
                "request": request(*history),
                "response": {"status": 200, "body": message(second, "tool_use")},
                "started": 1.0,
                "ended": 1.8,
            },
            {
                "request": request(*more),
                "response": {
                    "status": 200,
                    "body": message([{"type": "text", "text": "Paris 18 °C, Tokyo 02:14."}], "end_turn"),
                },
                "started": 2.0,
                "ended": 2.9,
            },
        ],
        "executions": [
            {
                "exchange": 0,
                "tool_use_id": "toolu_a",
                "name": "get_weather",
                "input": {"city": "Paris"},
                "content": "18 °C",
                "started": 0.8,
                "ended": 1.0,
            },
            {
                "exchange": 1,
                "tool_use_id": "toolu_b",
                "name": "get_time",
                "input": {"city": "Tokyo"},
                "content": "02:14",
                "started": 1.8,
                "ended": 2.0,
            },
        ],
    }


def orphan() -> dict[str, Any]:
    """A request whose result names an id that no call has."""
    return request(
        ASKED,
        {"role": "assistant", "content": [use("toolu_01", "get_weather", "Paris")]},
        {"role": "user", "content": [result("toolu_99", "18 °C")]},
    )


def duplicate() -> dict[str, Any]:
    """One call, answered twice in one message."""
    return request(
        ASKED,
        {"role": "assistant", "content": [use("toolu_01", "get_weather", "Paris")]},
        {"role": "user", "content": [result("toolu_01", "18 °C"), result("toolu_01", "19 °C")]},
    )


def missing() -> dict[str, Any]:
    """A call that nothing answers."""
    return request(
        ASKED,
        {"role": "assistant", "content": [use("toolu_01", "get_weather", "Paris")]},
        {"role": "user", "content": "And?"},
    )


def split() -> dict[str, Any]:
    """Two calls whose results stand in two messages."""
    return request(
        ASKED,
        {
            "role": "assistant",
            "content": [use("toolu_01", "get_weather", "Paris"), use("toolu_02", "get_time", "Tokyo")],
        },
        {"role": "user", "content": [result("toolu_01", "18 °C")]},
        {"role": "user", "content": [result("toolu_02", "02:14")]},
    )


BROKEN = {"orphan": orphan, "duplicate": duplicate, "missing": missing, "split": split}
