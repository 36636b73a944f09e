import asyncio
from types import SimpleNamespace

import pytest
from jsonschema import Draft202012Validator, ValidationError, validate

from course.labs import mcpshop
from course.lesson import check

WAYS = {
    "a ten-line conversion used by one agent": "tool",
    "a server that reads the files on this laptop": "stdio",
    "one server for forty colleagues, your own harness": "http",
    "a remote server, and no client code of your own": "connector",
}
SERVER = {"type": "url", "url": "https://shop.example.com/mcp", "name": "shop"}
TOOLSET = {"type": "mcp_toolset", "mcp_server_name": "shop"}
OFF = {"default_config": {"enabled": False}}
TRACKER = {
    "type": "http",
    "url": "https://tracker.example.com/mcp",
    "headers": {"Authorization": "Bearer ${TRACKER_TOKEN}"},
}
NOTES = {"command": "python", "args": ["/home/kim/notes_server.py"]}
SCHEMA = {
    "type": "object",
    "properties": {"order_id": {"type": "string"}, "euros": {"type": "number"}, "paid": {"type": "boolean"}},
    "required": ["order_id", "euros", "paid"],
}
ORDER = {"order_id": "ORD-90", "euros": 120.0, "paid": False}


def bridging(rename):
    def bridge(items):
        back = {rename(item.name): item.name for item in items}
        definitions = [
            {"name": rename(item.name), "description": item.description, "input_schema": item.input_schema}
            for item in items
        ]
        return definitions, back

    return bridge


def numbered(items):
    names = [f"shop_{number}" for number, _ in enumerate(items)]
    definitions = [
        {"name": name, "description": item.description, "input_schema": item.input_schema}
        for name, item in zip(names, items, strict=True)
    ]
    return definitions, dict(zip(names, (item.name for item in items), strict=True))


def no_way_back(items):
    return bridging(lambda name: name.replace(".", "-"))(items)[0], {}


def by_validator(schema, data):
    return Draft202012Validator(schema).is_valid(data)


def by_exception(schema, data):
    try:
        validate(data, schema)
    except ValidationError:
        return False
    return True


def by_errors(schema, data):
    return not list(Draft202012Validator(schema).iter_errors(data))


def by_hint(server, item, trusted):
    return not (server in trusted and bool(item.annotations and item.annotations.read_only_hint))


def by_cases(server, item, trusted):
    if server not in trusted:
        return True
    return item.annotations is None or not item.annotations.read_only_hint


def hint_alone(server, item, trusted):
    return not (item.annotations and item.annotations.read_only_hint)


RIGHT = [
    ("mcp-all-pages", (list("abcdefg"),)),
    ("mcp-all-pages", (tuple("gfedcba"),)),
    ("mcp-name-bridge", (bridging(lambda name: name.replace("_", "__").replace(".", "_")),)),
    ("mcp-name-bridge", (bridging(lambda name: name.replace(".", "-")),)),
    ("mcp-name-bridge", (bridging(lambda name: name.replace(".", "__dot__")),)),
    ("mcp-name-bridge", (numbered,)),
    ("mcp-which-way", (WAYS,)),
    ("mcp-which-way", ({case: way.upper() for case, way in WAYS.items()},)),
    *[("mcp-promise-kept", (keeps, SCHEMA, ORDER)) for keeps in (by_validator, by_exception, by_errors)],
    ("mcp-trust-rule", (by_hint,)),
    ("mcp-trust-rule", (by_cases,)),
    ("mcp-one-tool-only", (SERVER, TOOLSET | OFF | {"configs": {"get_order": {"enabled": True}}})),
    (
        "mcp-one-tool-only",
        (SERVER, TOOLSET | OFF | {"configs": {"get_order": {"enabled": True}, "crash": {"enabled": False}}}),
    ),
    ("mcp-config-puzzle", ({"mcpServers": {"tracker": TRACKER}},)),
    ("mcp-config-puzzle", ({"mcpServers": {"tracker": TRACKER | {"headers": {"X-Token": "${TRACKER_TOKEN}"}}}},)),
    (
        "mcp-config-puzzle",
        ({"mcpServers": {"tracker": TRACKER | {"headers": {"Authorization": "Bearer ${TRACKER_TOKEN:-none}"}}}},),
    ),
]

WRONG = [
    ("mcp-all-pages", (list("abc"),), "first page only"),
    ("mcp-all-pages", (list("abcabcabc"),), "twice"),
    ("mcp-all-pages", (list("abcdef"),), "1 names are still missing"),
    ("mcp-name-bridge", (bridging(lambda name: name),), "no valid name"),
    ("mcp-name-bridge", (bridging(lambda name: name.replace(".", "_")),), "same name"),
    ("mcp-name-bridge", (lambda items: ([], {}),), "0 definitions for four"),
    ("mcp-name-bridge", (no_way_back,), "way back"),
    ("mcp-which-way", (dict.fromkeys(WAYS, "http"),), "3 not right yet"),
    ("mcp-promise-kept", (lambda schema, data: True, SCHEMA, ORDER), "price in words"),
    ("mcp-promise-kept", (lambda schema, data: False, SCHEMA, ORDER), "should pass"),
    ("mcp-promise-kept", (lambda schema, data: isinstance(data["euros"], float), SCHEMA, ORDER), "KeyError"),
    ("mcp-trust-rule", (hint_alone,), "not trusted"),
    ("mcp-trust-rule", (lambda server, item, trusted: server not in trusted,), "without a question"),
    ("mcp-trust-rule", (lambda server, item, trusted: True,), "asks even"),
    ("mcp-one-tool-only", (SERVER, TOOLSET | {"default_config": {"enabled": True}}), "every tool of the server"),
    ("mcp-one-tool-only", (SERVER, TOOLSET | OFF), "Enabled are: none"),
    ("mcp-one-tool-only", (SERVER, TOOLSET | OFF | {"configs": {"crash": {"enabled": True}}}), "Enabled are: crash"),
    ("mcp-one-tool-only", (SERVER, TOOLSET | {"default_config": False}), "API refuses"),
    ("mcp-config-puzzle", ({"mcpServers": {"tracker": TRACKER, "my-notes": NOTES}},), "still in the shared file"),
    ("mcp-config-puzzle", ({"mcpServers": {"tracker": TRACKER, "kims": NOTES}},), "somebody's own machine"),
    ("mcp-config-puzzle", ({"mcpServers": {}},), "should stay"),
    (
        "mcp-config-puzzle",
        ({"mcpServers": {"tracker": TRACKER | {"headers": {"Authorization": "Bearer sk-9f2e77"}}}},),
        "still in the file",
    ),
    ("mcp-config-puzzle", ({"mcpServers": {"tracker": TRACKER | {"headers": {}}}},), "Where does the token come from"),
    (
        "mcp-config-puzzle",
        ({"mcpServers": {"tracker": TRACKER | {"headers": {}, "env": {"T": "${TRACKER_TOKEN}"}}}},),
        "in a header",
    ),
    ("mcp-config-puzzle", ({"mcpServers": {"tracker": TRACKER | {"url": "http://localhost"}}},), "address"),
]


@pytest.mark.parametrize(("exercise", "values"), RIGHT)
def test_every_right_answer_is_accepted(exercise, values):
    verdict = check(exercise, *values)
    assert verdict.ok, verdict


@pytest.mark.parametrize(("exercise", "values", "said"), WRONG)
def test_a_wrong_answer_is_told_why(exercise, values, said):
    verdict = check(exercise, *values)
    assert verdict.state == "wrong"
    assert said.lower() in verdict.message.lower(), verdict
    assert verdict.place


# results of a real server ---------------------------------------------------------------------------------------------


def session(server, *calls):
    """What a client gets of this server: its tools, and an answer for each (name, arguments)."""
    from mcp import Client

    async def ask():
        async with Client(server) as client:
            return (await client.list_tools()).tools, *[await client.call_tool(*each) for each in calls]

    return asyncio.run(ask())


@pytest.fixture(scope="module")
def answers():
    _, good, bad = session(mcpshop.shop(), ("get_order", {"order_id": "ORD-90"}), ("get_order", {"order_id": "X"}))
    return good, bad


def result(id, answer, **more):
    return {"type": "tool_result", "tool_use_id": id, "content": answer.content[0].text, **more}


def flagged(id, answer):
    return result(id, answer, is_error=answer.is_error)


def in_blocks(id, answer):
    texts = [{"type": "text", "text": part.text} for part in answer.content]
    return result(id, answer, content=texts) | ({"is_error": True} if answer.is_error else {})


def test_results_are_accepted_with_text_or_blocks(answers):
    assert check("mcp-carry-the-error", flagged, *answers).ok
    assert check("mcp-carry-the-error", in_blocks, *answers).ok


@pytest.mark.parametrize(
    ("to_result", "said"),
    [
        (lambda id, answer: result(id, answer), "not marked"),
        (lambda id, answer: result(id, answer, is_error=True), "success is marked"),
        (lambda id, answer: flagged("toolu_1", answer), "ids"),
        (lambda id, answer: flagged(id, answer) | {"content": "failed"}, "is lost"),
        (lambda id, answer: flagged(id, answer) | ({"content": "No."} if answer.is_error else {}), "needs those words"),
        (lambda id, answer: answer.content[0].text, "must return a block"),
    ],
)
def test_what_a_result_lacks_is_named(answers, to_result, said):
    assert said in check("mcp-carry-the-error", to_result, *answers).message


# a server of one's own ------------------------------------------------------------------------------------------------

HOURS = {"Monday": "9 to 18", "Saturday": "10 to 16"}


def desk(function, **more):
    from mcp.server import MCPServer

    server = MCPServer("desk", log_level="CRITICAL")
    server.add_tool(function, **more)
    calls = [("opening_hours", {"day": day}) for day in ("Monday", "Someday")]
    return check("mcp-own-server", *session(server, *calls))


def failing(words):
    from mcp.server.mcpserver.exceptions import ToolError

    raise ToolError(words)


def opening_hours(day: str) -> str:
    """Return the opening hours of a weekday."""
    return HOURS[day] if day in HOURS else failing(f"{day} is no day we know: {', '.join(HOURS)}.")


def masked(day: str) -> str:
    """Return the opening hours of a weekday."""
    return HOURS[day]


def polite(day: str) -> str:
    """Return the opening hours of a weekday."""
    return HOURS.get(day, "That day is not known.")


def undescribed(day: str) -> str:
    return HOURS[day]


def numbered_day(day: int) -> str:
    """Return the opening hours of a weekday."""
    return list(HOURS.values())[day]


def curt(day: str) -> str:
    """Return the opening hours of a weekday."""
    return HOURS.get(day) or failing("No.")


def test_a_server_of_ones_own_is_accepted():
    assert desk(opening_hours).ok
    assert desk(opening_hours, name="opening_hours", description="Opening hours on one day of the week.").ok


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (masked, "masked"),
        (polite, "came as an answer"),
        (undescribed, "docstring"),
        (numbered_day, "annotated as str"),
        (curt, "says too little"),
    ],
)
def test_what_a_server_lacks_is_named(function, said):
    verdict = desk(function, name="opening_hours")
    assert verdict.state == "wrong"
    assert said in verdict.message, verdict


def test_a_server_without_its_tool_is_told():
    nothing = SimpleNamespace(is_error=True, content=[SimpleNamespace(text="Unknown tool: opening_hours")])
    assert "offers: none" in check("mcp-own-server", [], nothing, nothing).message
