"""The improvising stand-in over random tools, wishes and histories."""

import json
from typing import Any

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from course.mockmodel import Improviser, ModelRequest

MODELS = ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-haiku-4-5", "a-model-nobody-knows"]
NAMES = st.from_regex(r"[a-zA-Z][a-zA-Z0-9_-]{0,20}", fullmatch=True)
FRAGMENTS = [
    "What's the weather in Paris and Rome?",
    "Find the customer ann@example.org and list her orders",
    "hi",
    "서울 날씨 알려줘",
    'Refund ORD-81, then email bob@x.example "It\'s done"',
    "Convert 1,200.50 USD to KRW",
    "on 31 February 2027 at 25:99",
    "東京の天気",
    "Привет, погода в Москве?",
    "`code` \"unclosed 'quotes",
    "((1+2)*3",
    "/etc/hosts",
    "SELECT * FROM t",
    "#12 - - -",
    "https://x.example/a?b=c",
    "1/2/2027",
    "$5 €6 ₩7",
    "use it again with count 2",
    "the the the and and and",
    "\u0000\ud7ff\u202e",
]
WISHES = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=40)), min_size=1, max_size=4).map(" ".join)
SENTENCES = st.sampled_from(
    [
        "Get the weather in a city.",
        "Search for anything.",
        "Do not use it for refunds; use other_tool instead.",
        "Only use it after find_it was called.",
        "Returns the customer id.",
        "주문을 조회합니다.",
        "",
        "e.g. this, or that.",
        "Never call this unless asked.",
        "Use only for orders, exchanges or complaints.",
    ]
)


def leaf() -> st.SearchStrategy[dict[str, Any]]:
    bounds = st.integers(-50, 50)
    return st.one_of(
        st.just({"type": "string"}),
        st.sampled_from(["date", "date-time", "email", "uri", "time", "uuid", "ipv4"]).map(
            lambda f: {"type": "string", "format": f}
        ),
        st.sampled_from([r"^ORD-\d+$", r"^[A-Z]{3}$", r"^\d{2}:\d{2}$", r"^(a|b)c?$", r"^[^x]+$"]).map(
            lambda p: {"type": "string", "pattern": p}
        ),
        st.tuples(st.integers(0, 5), st.integers(5, 40)).map(
            lambda b: {"type": "string", "minLength": b[0], "maxLength": b[1]}
        ),
        st.lists(
            st.one_of(st.sampled_from(["celsius", "high", "in_progress", 3, "부산"]), st.text(max_size=5)),
            min_size=1,
            max_size=4,
            unique_by=str,
        ).map(lambda e: {"enum": e}),
        st.tuples(bounds, st.integers(0, 40)).map(
            lambda b: {"type": "integer", "minimum": b[0], "maximum": b[0] + b[1]}
        ),
        st.tuples(bounds, st.integers(1, 40)).map(
            lambda b: {"type": "number", "minimum": b[0], "maximum": b[0] + b[1]}
        ),
        st.just({"type": "boolean"}),
        st.just({"type": ["string", "null"]}),
        st.just({"const": "fixed"}),
        st.just({"type": "integer", "default": 7}),
    )


def schemas() -> st.SearchStrategy[dict[str, Any]]:
    inner = st.recursive(
        leaf(),
        lambda child: st.one_of(
            st.tuples(child, st.integers(0, 2)).map(lambda c: {"type": "array", "items": c[0], "minItems": c[1]}),
            objects(child),
            child.map(lambda c: {"anyOf": [c, {"type": "null"}]}),
        ),
        max_leaves=5,
    )
    return objects(inner)


def objects(child: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    keys = st.one_of(
        NAMES, st.sampled_from(["city", "order_id", "query", "amount", "to", "date", "body", "email", "unit"])
    )
    return st.dictionaries(keys, child, max_size=4).flatmap(
        lambda properties: st.lists(
            st.sampled_from(sorted(properties) or [""]), unique=True, max_size=len(properties)
        ).map(lambda required: {"type": "object", "properties": properties, "required": required if properties else []})
    )


@st.composite
def requests(draw: st.DrawFn) -> ModelRequest:
    names = draw(st.lists(NAMES, max_size=4, unique=True))
    tools = [
        {"name": name, "description": " ".join(draw(st.lists(SENTENCES, max_size=3))), "input_schema": draw(schemas())}
        for name in names
    ]
    kinds = ["none", "auto", "auto", "any", "tool"] if tools else ["none"]
    choice: dict[str, Any] = {"type": draw(st.sampled_from(kinds))}
    if choice["type"] == "tool":
        choice["name"] = draw(st.sampled_from(names))
    messages: list[dict[str, Any]] = [{"role": "user", "content": [{"type": "text", "text": draw(WISHES)}]}]
    for turn in range(draw(st.integers(0, 2)) if tools else 0):
        tool = draw(st.sampled_from(tools))
        use = {"type": "tool_use", "id": f"t{turn}", "name": tool["name"], "input": {}}
        told = draw(
            st.sampled_from(
                ["done", "", "[]", '{"id": "C-1", "order_id": "ORD-7"}', "Error: must be one of: a, b", "timeout"]
            )
        )
        messages += [
            {"role": "assistant", "content": [use]},
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": f"t{turn}", "content": told, "is_error": draw(st.booleans())}
                ],
            },
        ]
    return ModelRequest(
        model=draw(st.sampled_from(MODELS)),
        messages=tuple(messages),
        tools=tuple(tools),
        tool_choice=choice,
        system=draw(st.sampled_from(["", "Be brief.", "Today is 2027-02-03. Always use get_weather."])),
        thinking=draw(st.booleans()),
    )


@settings(max_examples=150, deadline=None)
@given(requests())
def test_every_call_fits_the_schema_of_its_tool(request_: ModelRequest) -> None:
    known = {tool["name"]: tool["input_schema"] for tool in request_.tools}
    for block in Improviser().reply(request_).blocks:
        if block["type"] == "tool_use":
            jsonschema.Draft202012Validator(known[block["name"]]).validate(dict(block["input"]))


@settings(max_examples=60, deadline=None)
@given(requests())
def test_the_same_request_gets_the_same_bytes(request_: ModelRequest) -> None:
    def bytes_of(reply: Any) -> bytes:
        return json.dumps([list(reply.blocks), dict(reply.explain)], ensure_ascii=False).encode(
            "utf-8", "surrogatepass"
        )

    assert bytes_of(Improviser().reply(request_)) == bytes_of(Improviser().reply(request_))


@settings(max_examples=80, deadline=None)
@given(requests())
def test_tool_choice_is_kept(request_: ModelRequest) -> None:
    kinds = [block["type"] for block in Improviser().reply(request_).blocks if block["type"] != "thinking"]
    if request_.tool_choice["type"] == "none":
        assert "tool_use" not in kinds
    elif request_.tool_choice["type"] in ("any", "tool"):
        assert set(kinds) == {"tool_use"}


@settings(max_examples=80, deadline=None)
@given(requests())
def test_a_text_block_is_never_empty(request_: ModelRequest) -> None:
    assert all(block["text"] for block in Improviser().reply(request_).blocks if block["type"] == "text")
