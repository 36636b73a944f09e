"""Graders that run the answer: JSON against the offline API, schemas against inputs, code in a process of its own."""

import json
import sys

import pytest
from guide import changed, examples, records

from course.quiz.grading import grade, key
from course.quiz.grading.accept import ACCEPT, Written
from course.quiz.grading.process import is_sandboxed, run_apart

RUN = ("repair_json", "write_schema", "faded_code")


def typed(value):
    return value if isinstance(value, str) else json.dumps(value)


@pytest.mark.parametrize("kind", RUN)
def test_the_solution_scores_one_in_both_modes(kind):
    item = examples()[kind]
    for mode in ("practice", "exam"):
        assert grade(item, key(item), mode=mode).verdict == "correct"


@pytest.mark.parametrize("kind", RUN)
def test_a_listed_mistake_is_not_correct_and_its_reason_comes_first(kind):
    item = examples()[kind]
    for mistake in item.mistakes:
        given = mistake.response if kind == "faded_code" else typed(mistake.response)
        result = grade(item, given)
        assert result.verdict in ("partial", "incorrect")
        assert grade(item, given, mode="exam").score == 0
        assert result.parts[0].text == mistake.why
        assert next(part.ref for part in result.parts if part.role == "check" and not part.ok) == mistake.fails


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{'role': 'user'}", "double quotes"),
        ('{"role": "user",}', "no comma behind"),
        ('{"is_error": True}', "small letters"),
        ("{\u201crole\u201d: 1}", "curly quotes"),
        ('{"a": 1, "a": 2}', "'a' stands in one object twice"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": 1} // done', "This is not JSON: line 1, column 10"),
        ("[" * 200 + "]" * 200, "nested deeper"),
        ("[" * 100_000, "longer than"),
        ("3", "an object, or a list"),
        ('{"a": 1', "This is not JSON"),
    ],
)
def test_text_that_is_no_json_is_invalid_and_the_slip_is_named(text, words):
    result = grade(examples()["repair_json"], text)
    assert result.verdict == "invalid"
    assert words in result.parts[0].text.replace("a JSON object", "an object").replace("a list of them", "a list")


def test_a_byte_order_mark_is_no_mistake():
    item = examples()["repair_json"]
    assert grade(item, "\ufeff" + key(item)).score == 1


def test_a_data_structure_in_place_of_text_is_invalid():
    assert grade(examples()["repair_json"], {"role": "user", "content": []}).verdict == "invalid"


def test_the_apis_own_words_are_the_feedback():
    answer = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_c", "content": "x"}]}
    result = grade(examples()["repair_json"], json.dumps(answer))
    said = " ".join(part.text for part in result.parts)
    assert "unexpected `tool_use_id` found in `tool_result` blocks: toolu_c" in said
    assert "No result for toolu_b" in said


def test_a_whole_request_may_be_the_answer():
    item = changed(
        "repair_json",
        write="request",
        given={},
        start="",
        mistakes=[],
        accept=["api_accepts", "all_ids_answered", {"has": {"max_tokens": 100}}],
        solution={"model": "claude-haiku-5-5", "max_tokens": 100, "messages": [{"role": "user", "content": "Hi"}]},
    )
    assert grade(item, key(item)).score == 1
    refused = grade(item, json.dumps({"model": "claude-haiku-5-5", "messages": [{"role": "user", "content": "Hi"}]}))
    assert "max_tokens: Field required" in refused.parts[0].text


def test_a_tool_definition_may_be_the_answer():
    item = changed(
        "repair_json",
        write="definition",
        given={},
        start="",
        mistakes=[],
        accept=["api_accepts", "description_excludes", {"description_has_sentences": 2}, "parameters_described"],
        solution={
            "name": "get_order",
            "description": "Returns one order by its number. Do not use it for invoices.",
            "input_schema": {
                "type": "object",
                "properties": {"number": {"type": "string", "description": "like ORD-1"}},
            },
        },
    )
    assert grade(item, key(item)).score == 1
    bare = grade(item, json.dumps({"name": "get order", "description": "Orders.", "input_schema": {"type": "object"}}))
    assert {part.ref for part in bare.parts if not part.ok} == {
        "api_accepts",
        "description_excludes",
        "description_has_sentences",
        "parameters_described",
    }


def _answer(*blocks, role="user", failed=None):
    given = {} if failed is None else {"failed": failed}
    calls = (
        {"type": "tool_use", "id": "a", "name": "x", "input": {}},
        {"type": "tool_use", "id": "b", "name": "x", "input": {}},
    )
    return Written({"role": role, "content": list(blocks)}, {}, calls, given)


def _result(id, content="fine", **more):
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


TEXT = {"type": "text", "text": "hello"}


@pytest.mark.parametrize(
    ("check", "answer", "passes"),
    [
        ("one_user_message", _answer(), True),
        ("one_user_message", _answer(role="assistant"), False),
        ("one_user_message", Written([{"role": "user"}, {"role": "user"}], {}), False),
        ("all_ids_answered", _answer(_result("a"), _result("b")), True),
        ("all_ids_answered", _answer(_result("b"), _result("a")), True),
        ("all_ids_answered", _answer(_result("a")), False),
        ("all_ids_answered", _answer(_result("a"), _result("b"), _result("c")), False),
        ("all_ids_answered", _answer(_result("a"), _result("b"), _result("b")), False),
        ("results_before_text", _answer(_result("a"), TEXT), True),
        ("results_before_text", _answer(TEXT, _result("a")), False),
        ("results_before_text", _answer(_result("a"), TEXT, _result("b")), False),
        ("error_is_marked", _answer(_result("a"), _result("b", is_error=True)), True),
        ("error_is_marked", _answer(_result("a"), _result("b")), False),
        ("error_is_marked", _answer(_result("a", is_error=True), _result("b", is_error=True)), False),
        ("error_is_marked", _answer(_result("a", is_error="true"), _result("b")), False),
        ("error_is_marked", _answer(_result("a", is_error=True), _result("b"), failed=["b"]), False),
        ("error_is_marked", _answer(_result("a"), _result("b", is_error=True), failed=["b"]), True),
        ("no_error_marked", _answer(_result("a"), _result("b", is_error=False)), True),
        ("no_error_marked", _answer(_result("a", is_error=True)), False),
        ("error_says_what_to_do", _answer(_result("a", "The service is busy; try again in 5 s.", is_error=True)), True),
        (
            "error_says_what_to_do",
            _answer(_result("a", [{"type": "text", "text": "Busy now, try again later."}], is_error=True)),
            True,
        ),
        ("error_says_what_to_do", _answer(_result("a", "failed", is_error=True)), False),
        (
            "error_says_what_to_do",
            _answer(_result("a", 'Traceback: File "x.py", line 3, try again', is_error=True)),
            False,
        ),
        ("error_says_what_to_do", _answer(_result("a", "fine, use it as it is")), False),
        ("no_internals", _answer(_result("a", "fine")), True),
        ("no_internals", _answer(_result("a", "postgres://app:hunter2@db/prod is down")), False),
        ("no_internals", _answer(_result("a", "KeyError('x') at 0x7f3a")), False),
    ],
)
def test_accept_checks(check, answer, passes):
    said = ACCEPT[check](answer)
    assert (said == "") is passes, said


@pytest.mark.parametrize("name", ACCEPT)
def test_no_check_breaks_down_on_strange_shapes(name):
    extra = {"result_says": "x", "has": {"a": 1}, "has_no": "a"}
    for value in (
        {},
        [],
        {"role": 3, "content": 7},
        {"content": ["x", None]},
        [[1]],
        {"messages": 3},
        {"input_schema": []},
    ):
        arguments = (extra[name],) if name in extra else ()
        assert isinstance(ACCEPT[name](Written(value, value if isinstance(value, dict) else {}), *arguments), str)


def test_a_schema_that_accepts_everything_gets_nothing():
    result = grade(examples()["write_schema"], '{"type": "object"}')
    assert (result.score, result.verdict) == (0.0, "incorrect")


def test_schema_credit_is_the_product_of_both_shares():
    item = examples()["write_schema"]
    nearly = json.loads(key(item))
    nearly["properties"]["hour"].pop("maximum")
    assert grade(item, json.dumps(nearly)).score == pytest.approx(4 / 5)
    nearly["required"].append("day")
    assert grade(item, json.dumps(nearly)).score == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ('{"type": "objekt"}', "objekt"),
        ("true", "a schema is an object"),
        ('[{"type": "object"}]', "object"),
        ('{"type": "array"}', "The API refuses it"),
        ('{"anyOf": [{"type": "object"}]}', "The API refuses it"),
        ('{"type": "object", "properties": {"hour": {"$ref": "https://example.com/hour.json"}}}', "nothing is fetched"),
    ],
)
def test_what_is_no_input_schema_scores_zero_and_says_why(schema, words):
    result = grade(examples()["write_schema"], schema)
    assert result.score == 0
    assert words in " ".join(part.text for part in result.parts)


def test_a_pattern_that_runs_for_ever_is_stopped():
    item = changed(
        "write_schema",
        tool={},
        accepts=[{"input": {"a": "b"}, "why": "fine"}],
        refuses=[{"input": {"a": "a" * 40 + "!"}, "why": "too long"}],
        solution=None,
        mistakes=[],
    )
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}
    result = grade(item, json.dumps(schema))
    assert result.score == 0
    assert "stopped after 2 seconds" in result.parts[0].text


def test_code_that_does_not_parse_or_leaves_a_hole_is_invalid():
    item = examples()["faded_code"]
    assert grade(item, {"stop": "x =", "which": "y"}).verdict == "invalid"
    assert "still empty: which" in grade(item, {"stop": "True"}).parts[0].text
    assert grade(item, {"stop": "True", "which": "reply", "more": "1"}).verdict == "invalid"
    assert grade(item, "while True").verdict == "invalid"


def test_a_loop_without_end_is_stopped_by_the_number_of_requests():
    item = examples()["faded_code"]
    result = grade(item, {"stop": "False", "which": 'reply.content if block.type == "tool_use"'})
    assert result.score < 1
    assert any(
        "script" in part.text.lower() or "requests" in part.text or "refuse" in part.text.lower()
        for part in result.parts
    )


def test_code_that_spins_is_stopped_by_the_clock():
    code = "def run(client, tools, call, question):\n    while <<forever>>:\n        pass\n    return ''\n"
    item = changed(
        "faded_code",
        code=code,
        mistakes=[],
        holes=[{"id": "forever", "solution": "False", "why": "It ends."}],
        cases=[{"name": "ends", "replies": ["x"], "expect": {"returns": ""}, "why": "It must end."}],
    )
    assert grade(item, {"forever": "False"}).score == 1
    result = grade(item, {"forever": "True"})
    assert result.score == 0
    assert "stopped after" in result.parts[0].text


def test_what_the_code_prints_or_raises_stays_inside():
    code = "def run(client, tools, call, question):\n    print('x' * 1000)\n    <<body>>\n"
    item = changed(
        "faded_code",
        code=code,
        mistakes=[],
        holes=[{"id": "body", "solution": "return 'done'", "why": "It returns."}],
        cases=[{"name": "returns", "replies": ["x"], "expect": {"returns": "done"}, "why": "It must return."}],
    )
    assert grade(item, {"body": "return 'done'"}).score == 1
    assert "ValueError: no" in grade(item, {"body": "raise ValueError('no')"}).parts[0].text
    assert grade(item, {"body": "raise SystemExit(0)"}).score == 0


def test_a_tool_that_fails_is_seen_by_the_code():
    record = records()["faded_code"]
    case = {
        **record["cases"][0],
        "results": {"get_time": {"raises": "clock broken"}},
        "expect": {"executed": ["get_time"], "returns": "x"},
    }
    result = grade(changed("faded_code", cases=[case], mistakes=[]), key(examples()["faded_code"]))
    assert "RuntimeError: clock broken" in result.parts[0].text


@pytest.mark.skipif(sys.platform != "linux", reason="memory limits are enforced on Linux")
def test_a_process_apart_is_limited_in_memory():
    done = run_apart("builtins:eval", "len(bytearray(3_000_000_000))")
    assert not done.ok
    assert "MemoryError" in done.problem


def test_a_process_apart_gives_back_json_and_names_exceptions():
    assert run_apart("operator:add", 2, 3).value == 5
    assert "ZeroDivisionError" in run_apart("operator:truediv", 1, 0).problem
    assert run_apart("builtins:print", "noise").ok
    assert isinstance(is_sandboxed(), bool)
