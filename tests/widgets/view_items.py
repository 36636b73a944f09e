"""One question of every kind for the tests of the quiz view, worded as a learner would meet it."""

from typing import Any

from view_samples import use

from course.quiz.bank import Bank
from course.quiz.kinds import KINDS

SECRET = "SECRET-REASON"
"""Stands in every reason, explanation and model answer, and nowhere else: a page that has it was told too much."""

WHY = f"{SECRET} why it is so."


def bank() -> Bank:
    """Return a bank with one item of each kind."""
    items = [KINDS[kind].model_validate({**_common(kind), **body}) for kind, body in BODIES.items()]
    return Bank({item.id: item for item in items})


def _common(kind: str) -> dict[str, Any]:
    return {
        "id": f"view-{kind.replace('_', '-')}",
        "version": 1,
        "kind": kind,
        "objectives": ["BLK-2"],
        "exam_task": "1.1",
        "difficulty": "exam",
        "hints": ["A nudge with `code`.", "The rule."],
        "explanation": f"{SECRET} What to take away: **results first**.",
        "exam_says": f"{SECRET} the guide.",
        "est_seconds": 60,
    }


def option(id: str, text: str, correct: bool = False) -> dict[str, Any]:
    return {"id": id, "text": text, "correct": correct, "why": WHY}


CALL = use("toolu_01", "get_weather", "Paris")
BODIES: dict[str, dict[str, Any]] = {
    "single": {
        "stem": "A response has `stop_reason: tool_use` and two `tool_use` blocks. What does the app send **next**?",
        "exhibits": [{"kind": "json", "title": "The end of the response", "body": '{"stop_reason": "tool_use"}'}],
        "options": [
            option("both", "One user message with two `tool_result` blocks", True),
            option("two", "Two user messages with one `tool_result` block each"),
            option("first", "The result of the first call; Claude asks again for the other"),
            option("assistant", "An assistant message that holds <b>both</b> results"),
        ],
    },
    "select_n": {
        "stem": "Select TWO that belong in a `tool_result` block.",
        "select_n": 2,
        "options": [
            option("id", "`tool_use_id`", True),
            option("content", "`content`", True),
            option("name", "`name` of the tool"),
            option("schema", "`input_schema`"),
        ],
    },
    "order": {
        "stem": "Put the steps of one tool call in order; leave out what does not belong.",
        "options": [
            option("offer", "The app offers tools and asks", True),
            option("ask", "Claude asks for a call", True),
            option("run", "The app runs the tool", True),
            option("back", "The app returns the result", True),
            option("claude-runs", "Claude runs the tool"),
        ],
    },
    "match": {
        "stem": "Match each stop reason with what the loop does.",
        "rows": [
            {"id": "tool_use", "text": "`tool_use`", "answer": "execute", "why": WHY},
            {"id": "end_turn", "text": "`end_turn`", "answer": "finish", "why": WHY},
            {"id": "pause_turn", "text": "`pause_turn`", "answer": "again", "why": WHY},
        ],
        "targets": [
            {"id": "execute", "text": "Run every call"},
            {"id": "finish", "text": "Show the answer"},
            {"id": "again", "text": "Send the turn back as it is"},
            {"id": "raise", "text": "Raise `max_tokens`"},
        ],
    },
    "spot_block": {
        "stem": "One block breaks a rule. Which block, and which rule?",
        "trace": [
            {"role": "user", "content": "Weather in Paris?"},
            {"role": "assistant", "content": [{"type": "text", "text": "One moment."}, CALL]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_99", "content": "18 °C"}]},
        ],
        "answer": {"places": [[2, 0]], "rule": "pairing.unexpected-result"},
    },
    "repair_json": {
        "stem": "Write the message that returns the result `18 °C` of this call.",
        "given": {"calls": [{key: value for key, value in CALL.items() if key != "type"}]},
        "accept": ["one_user_message", "all_ids_answered"],
        "start": '{"role": "user", "content": []}',
        "solution": {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "toolu_01", "content": "18 °C"}],
        },
    },
    "write_schema": {
        "stem": "Write the `input_schema`: a city is required, nothing else is allowed.",
        "tool": {"name": "get_weather", "description": "Weather of one city."},
        "accepts": [{"input": {"city": "Paris"}, "why": WHY}],
        "refuses": [{"input": {}, "why": WHY}, {"input": {"city": 3}, "why": WHY}],
        "start": '{\n  "type": "object"\n}',
        "solution": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
    "faded_code": {
        "stem": "Fill the gaps so that the loop ends when Claude is done.",
        "code": (
            "def run(client, tools, call, question):\n"
            '    messages = [{"role": "user", "content": question}]\n'
            "    while True:\n"
            '        reply = client.messages.create(model="claude-haiku-5-5", max_tokens=99, messages=messages)\n'
            "        if reply.stop_reason == <<when>>:\n"
            "            <<body>>\n"
        ),
        "holes": [
            {"id": "when", "solution": '"end_turn"', "why": WHY, "choices": ['"tool_use"', '"end_turn"']},
            {"id": "body", "solution": "return reply.content[0].text", "why": WHY},
        ],
        "cases": [
            {
                "name": "ends",
                "replies": [[{"type": "text", "text": "Done."}]],
                "expect": {"returns": "Done."},
                "why": WHY,
            }
        ],
    },
    "numeric": {
        "stem": "Claude makes two calls in one message, then answers. How many requests went out?",
        "answer": 2,
        "unit": "requests",
        "why": WHY,
        "near": [{"value": 3, "why": WHY}],
    },
    "open": {
        "stem": "Say in two sentences why the app, not Claude, runs the tool.",
        "rubric": [{"id": "control", "text": "It names control over I/O."}, {"id": "audit", "text": "It names audit."}],
        "model_answer": f"{SECRET} The app keeps control.",
    },
}
