import pytest

from course.labs.catalogue import tools
from course.lesson import ask, check

EVERY = [tool.definition() for tool in tools()]
DEFERRED = [{**definition, "defer_loading": True} for definition in EVERY]
BM25 = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}
REGEX = {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"}
ALWAYS = {"orders_get", "customers_find"}
OFFER = [tool if tool["name"] in ALWAYS else {**tool, "defer_loading": True} for tool in EVERY]
WISH = "Where is the parcel of ORD-81?"
USES = {
    "five MCP servers, 55,000 tokens of definitions": True,
    "six tools, all used in each conversation": False,
    "200 internal tools, each asked for now and then": True,
    "four tools with one parameter each": False,
}
FITS = {
    "add up 50 reports, only the sum matters": True,
    "one weather look-up": False,
    "filter 10,000 log lines for five": True,
    "a tool that must be strict": False,
}
EDIT = {
    "type": "clear_tool_uses_20250919",
    "trigger": {"type": "input_tokens", "value": 50_000},
    "keep": {"type": "tool_uses", "value": 5},
    "exclude_tools": ["customers_find"],
}


def reference(name):
    return {"type": "tool_reference", "tool_name": name}


def by_words(words):
    hits = [tool for tool in EVERY if all(word in tool["description"].lower() for word in words.lower().split())]
    return [reference(tool["name"]) for tool in hits[:3]]


def by_loop(words):
    found = []
    for tool in EVERY:
        if set(words.lower().split()) <= set(tool["description"].lower().replace(",", " ").replace(".", " ").split()):
            found.append(reference(tool["name"]))
    return found[:3]


def by_search(words):
    from course.api.search import search

    return search("tool_search_tool_bm25", {"query": words, "limit": 3}, EVERY)["tool_references"]


def names_only(words):
    return [block["tool_name"] for block in by_words(words)]


def with_a_word(words):
    return [*by_words(words), {"type": "text", "text": "Here."}]


def all_of_them(words):
    return [reference(tool["name"]) for tool in EVERY if words in tool["description"]]


RIGHT = [
    ("find-some-in-sight", ([BM25, *OFFER],)),
    ("find-some-in-sight", ([*OFFER, REGEX],)),
    ("find-some-in-sight", ((BM25, *({**tool, "defer_loading": tool["name"] not in ALWAYS} for tool in EVERY)),)),
    ("find-pattern", ("^travel_book_",)),
    ("find-pattern", ("travel_book",)),
    ("find-pattern", ("book_(flight|hotel)",)),
    ("find-pattern", ("TRAVEL_BOOK_.*",)),
    ("find-own-search", (by_words,)),
    ("find-own-search", (by_loop,)),
    ("find-own-search", (by_search,)),
    ("find-use-it", (USES,)),
    ("find-from-code", (FITS,)),
    ("find-clear-old", (EDIT,)),
    ("find-clear-old", (EDIT | {"exclude_tools": ("customers_find",), "clear_tool_inputs": False},)),
]

WRONG = [
    ("find-some-in-sight", (OFFER,), "search tool is missing"),
    ("find-some-in-sight", (DEFERRED,), "API refuses"),
    ("find-some-in-sight", ([BM25, *DEFERRED],), "should stay in sight"),
    ("find-some-in-sight", ([BM25, *EVERY],), "118 more are in sight"),
    ("find-some-in-sight", ([BM25, *(tool for tool in EVERY if tool["name"] in ALWAYS)],), "does not mean left out"),
    ("find-pattern", ("book",), "also finds"),
    ("find-pattern", ("^travel_",), "also finds"),
    ("find-pattern", ("travel_book_hotel",), "does not find travel_book_flight"),
    ("find-pattern", ("(travel",), "missing )"),
    ("find-pattern", ("travel_book_*_nothing",), "does not find"),
    ("find-own-search", (names_only,), "list of blocks"),
    ("find-own-search", (with_a_word,), "besides tool_reference"),
    ("find-own-search", (all_of_them,), "at most three"),
    ("find-own-search", (lambda words: [],), "gives nothing"),
    ("find-own-search", (lambda words: [reference("vouchers")],), "no tool of this request"),
    ("find-own-search", (lambda words: [reference("orders_get")],), "should find orders_apply_voucher"),
    ("find-use-it", (dict.fromkeys(USES, True),), "2 not right yet"),
    ("find-from-code", (FITS | {"a tool that must be strict": True},), "must be strict"),
    ("find-clear-old", (EDIT | {"trigger": 50_000},), "50,000 input tokens"),
    ("find-clear-old", (EDIT | {"trigger": {"type": "tool_uses", "value": 50_000}},), "50,000 input tokens"),
    ("find-clear-old", (EDIT | {"keep": 5},), "Five tool uses"),
    ("find-clear-old", (EDIT | {"exclude_tools": "customers_find"},), "only tool that is never"),
]


@pytest.mark.parametrize(("exercise", "values"), RIGHT)
def test_every_right_answer_is_accepted(exercise, values):
    verdict = check(exercise, *values)
    assert verdict.ok, verdict


@pytest.mark.parametrize(("exercise", "values", "said"), WRONG)
def test_a_wrong_answer_is_told_why(exercise, values, said):
    verdict = check(exercise, *values)
    assert verdict.state == "wrong"
    assert said.lower() in f"{verdict.message} {verdict.rule}".lower(), verdict
    assert verdict.place


# the answer to a search -----------------------------------------------------------------------------------------------


@pytest.fixture
def found():
    return ask(WISH, tools=[BM25, *DEFERRED])


def result(id, content="In Daejeon, arrives tomorrow."):
    return {"type": "tool_result", "tool_use_id": id, "content": content}


def ids(found):
    return {block.type: block.id for block in found.content if block.type in ("tool_use", "server_tool_use")}


@pytest.mark.parametrize("words", ["It is in DAEJEON.", [{"type": "text", "text": "daejeon"}], '{"at": "Daejeon"}'])
def test_one_result_for_the_call_is_right_in_every_form(found, words):
    reply = {"role": "user", "content": [result(ids(found)["tool_use"], words)]}
    assert check("find-answer-the-call", WISH, found, reply).ok


def test_who_answers_the_search_or_says_nothing_is_told(found):
    both = [result(id) for id in ids(found).values()]
    for content, said in (
        (both, "not yours to answer"),
        ([result(ids(found)["server_tool_use"])], "not yours to answer"),
        ([{"type": "text", "text": "Daejeon"}], "refuse this message"),
        ("Daejeon", ""),
        ([result(ids(found)["tool_use"], "Tomorrow.")], "where the parcel is"),
    ):
        verdict = check("find-answer-the-call", WISH, found, {"role": "user", "content": content})
        assert verdict.state == "wrong"
        assert said in verdict.message
