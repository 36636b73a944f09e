"""The diagnosis: what is found, in which order, with which words; and the report of it."""

import copy
import json

import pytest

from course.traces import diagnose, report_html, report_text, sample
from course.traces.told import about, rule_of

TOOLS = [
    {
        "name": "get_weather",
        "description": "Get the current weather of a city: temperature and sky, as one short line.",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string", "description": "Its name."}}},
    }
]


def call(id, **input):
    return {"type": "tool_use", "id": id, "name": "get_weather", "input": input}


def result(id, content="4 C", **more):
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def finding_words(rule, part):
    return about(rule, part, ())


def body(*turns, **more):
    messages = [{"role": ("user", "assistant")[n % 2], "content": turn} for n, turn in enumerate(turns)]
    return {"model": "claude-opus-5-5", "max_tokens": 1000, "tools": TOOLS, "messages": messages, **more}


def rules(found):
    return [finding.rule for finding in found.broken]


def habits(given):
    return [finding.rule.removeprefix("habit.") for finding in diagnose(given).findings if finding.severity == "habit"]


SOUND = body("Weather?", [call("t1", city="Oslo")], [result("t1")])


def test_a_sound_conversation_has_no_finding_and_no_copy():
    found = diagnose(SOUND)
    assert found.sound
    assert found.findings == ()
    assert found.mended is None


def test_a_finding_names_rule_place_exact_words_reason_and_mend():
    found = diagnose(body("Weather?", [call("t1")], "Thanks."))
    (finding,) = found.broken
    assert (finding.rule, finding.place) == ("pairing.missing-result", ("messages", 1, "content", 0))
    assert finding.where == "message 1 (assistant), block 0 (tool_use)"
    assert ": `tool_use` ids were found without `tool_result` blocks immediately after: t1." in finding.error
    assert (finding.status, finding.error_type, finding.reported) == (400, "invalid_request_error", True)
    assert "very next user message" in finding.why
    assert "tool_result" in finding.mend
    assert finding.mechanical


def test_all_faults_are_listed_the_most_fundamental_first():
    given = body("Weather?", [call("t1")], [result("t9")], max_tokens="many", tool_choice={"type": "any"})
    assert rules(diagnose(given)) == [
        "field.integer",
        "pairing.unexpected-result",
        "pairing.missing-result",
        "choice.forced-unsupported",
    ]


def test_a_consequence_says_that_it_is_one():
    found = diagnose(body("Weather?", [call("t1")], [result("t9")]))
    assert "follows from" in found.broken[1].why
    assert "follows from" not in found.broken[0].why
    assert [finding.follows for finding in found.broken] == [False, True]
    assert report_text(found).startswith("Broken: 1 fault against the rules of the API, and 1 that follows from it.")


def test_what_follows_from_several_faults_is_counted_apart():
    bad = [call("t1"), call("t2")]
    found = diagnose(body("Weather?", bad, [result("t 1")]))
    assert [finding.rule for finding in found.broken][:2] == ["field.pattern", "pairing.unexpected-result"]
    assert [finding.follows for finding in found.broken][:2] == [False, True]
    assert "1 fault against" in report_text(found)


def test_the_title_fits_the_place_and_not_only_the_rule():
    odd_id = diagnose(body("Weather?", [call("t1")], [result("t 1")])).broken[0]
    assert (odd_id.rule, odd_id.message) == ("field.pattern", "The id in a result has characters that are not allowed.")
    data = diagnose(body("Weather?", [call("t1")], [result("t1") | {"content": {"degrees": 4}}])).broken[0]
    assert "content of a result" in data.message
    assert "json.dumps" in data.mend
    nothing = diagnose([{"role": "user", "content": {"text": "hi"}}]).broken[0]
    assert "content of a message" in nothing.message


def test_every_field_rule_has_a_title_of_its_own():
    from course.api.rules import rules as every
    from course.traces.told import about

    plain = about("field.none", "what", ())
    lacking = [id for id in every() if id.startswith("field.") and id != "field.shape"]
    assert [id for id in lacking if about(id, "what", ()) in (plain, about("field.shape", "what", ()))] == []


def test_the_api_s_own_error_marks_the_finding_it_speaks_of():
    given = sample("wrong-id")
    found = diagnose(given)
    assert [finding.reported for finding in found.broken] == [True, False]
    assert found.broken[0].error == given.exchanges[-1].response.body["error"]["message"]


def test_an_error_without_its_request_is_explained_by_its_words():
    said = "messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_9. "
    said += "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    found = diagnose({"type": "error", "error": {"type": "invalid_request_error", "message": said}})
    (finding,) = found.broken
    assert (finding.rule, finding.place) == ("pairing.missing-result", ("messages", 4))
    assert finding.error == said


@pytest.mark.parametrize("kind", ["rate_limit_error", "overloaded_error", "authentication_error", "billing_error"])
def test_errors_that_are_not_about_the_conversation_say_so(kind):
    found = diagnose({"type": "error", "error": {"type": kind, "message": "something"}})
    assert not found.sound
    assert found.broken[0].error_type == kind
    assert found.broken[0].mend


def test_every_rule_of_the_api_has_words_of_its_own_or_of_its_family():
    from course.api.rules import rules as table

    plain = {finding_words("no.such.rule", part) for part in ("what", "why", "mend")}
    for rule in table():
        words = [finding_words(rule, part) for part in ("what", "why", "mend")]
        assert all(words), rule
        assert not set(words) & plain, rule


def test_a_message_is_traced_to_the_most_specific_rule():
    assert rule_of("tools: Tool names must be unique.") == "tools.names"
    assert rule_of("max_tokens: Field required") == "field.required"
    assert rule_of("no such message at all") == ""


def test_a_bare_array_is_not_blamed_for_what_a_request_would_add():
    history = SOUND["messages"]
    assert diagnose(history).sound
    assert diagnose([*history, {"role": "assistant", "content": "4 degrees."}]).sound
    assert rules(diagnose(history[:2])) == ["pairing.missing-result"]


def test_a_body_without_max_tokens_is_blamed():
    given = {key: value for key, value in SOUND.items() if key != "max_tokens"}
    assert rules(diagnose(given)) == ["field.required"]


def test_what_only_the_newest_version_refuses_is_a_note():
    given = {**SOUND, "model": "claude-haiku-4-5", "temperature": 0.5}
    found = diagnose(given)
    assert found.sound
    assert [finding.severity for finding in found.findings] == ["note"]
    assert not diagnose(given, version="2026-10-21").sound


def test_every_request_of_a_trace_that_was_not_accepted_is_judged():
    trace = sample("missing-result").model_dump(mode="json")
    trace["exchanges"].append(copy.deepcopy(trace["exchanges"][-1]))
    found = diagnose(trace)
    assert [finding.exchange for finding in found.broken] == [1, 2]


@pytest.mark.parametrize("name", ["missing-result", "wrong-id", "duplicate-result", "late-result", "tool-role"])
def test_a_broken_sample_is_diagnosed_mended_and_then_sound(name):
    found = diagnose(sample(name))
    assert not found.sound
    assert found.actions
    assert found.left == ()
    assert diagnose(found.mended).sound


# habits -------------------------------------------------------------------------------------------------------------


def test_results_split_over_messages():
    given = body("Weather?", [call("t1"), call("t2")], [result("t1")])
    given["messages"].append({"role": "user", "content": [result("t2")]})
    assert habits(given) == ["split-results"]


def test_text_right_behind_results():
    assert habits(body("Weather?", [call("t1")], [result("t1"), {"type": "text", "text": "Go on."}])) == [
        "text-after-results"
    ]


@pytest.mark.parametrize("text", ["Error: no such city", "Traceback", "HTTP 503 from upstream", '{"error": "x"}'])
def test_an_error_text_without_is_error(text):
    assert "unflagged-error" in habits(body("Weather?", [call("t1")], [result("t1", text)]))
    assert "unflagged-error" not in habits(body("Weather?", [call("t1")], [result("t1", text, is_error=True)]))


@pytest.mark.parametrize("text", ["18 C, no errors", '{"error": null, "t": 4}', "Errors are rare here", "404 rooms"])
def test_a_result_that_only_mentions_errors_is_none(text):
    assert habits(body("Weather?", [call("t1")], [result("t1", text)])) == []


def test_stack_traces_in_results():
    text = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: 1'
    assert "stack-trace" in habits(body("Weather?", [call("t1")], [result("t1", text, is_error=True)]))


@pytest.mark.parametrize(
    "secret", ["sk-ant-api03-abcdefghijklmnop", "password=hunter2!", "postgres://u:pw@db/x", "AKIAABCDEFGHIJKLMNOP"]
)
def test_secrets_in_results_are_found_and_not_repeated(secret):
    found = diagnose(body("Weather?", [call("t1")], [result("t1", f"conf {secret} end")]))
    assert [finding.rule for finding in found.findings] == ["habit.secret"]
    assert secret not in json.dumps(found.as_dict()["findings"])
    assert secret not in report_text(found)


def test_the_same_call_again_and_again():
    turns = ["Weather?"]
    for n in range(3):
        turns += [[call(f"t{n}", city="Oslo")], [result(f"t{n}")]]
    assert habits(body(*turns)) == ["repeated-call"]
    assert habits(body(*turns[:5])) == []


def test_only_the_first_call_answered():
    found = diagnose(body("Weather?", [call("t1"), call("t2"), call("t3")], [result("t1")]))
    assert "habit.first-call-only" in [finding.rule for finding in found.findings]


def test_blocks_in_a_string():
    given = body("Weather?", "Hm.", json.dumps([result("t1")]))
    assert habits(given) == ["blocks-as-string"]


def test_an_enormous_result():
    assert habits(body("Weather?", [call("t1")], [result("t1", "x" * 100_001)])) == ["large-result"]


def tool(name, description, **properties):
    return {"name": name, "description": description, "input_schema": {"type": "object", "properties": properties}}


def test_tools_that_read_alike_are_thin_undescribed_too_many_or_write_unasked():
    long = "Looks up the current state of one single {} in the warehouse, by its number."
    assert habits(body("Hi", tools=[tool("a", long.format("parcel")), tool("b", long.format("parcel"))])) == [
        "look-alikes"
    ]
    assert habits(body("Hi", tools=[tool("a", "Short.")])) == ["thin-description"]
    assert habits(body("Hi", tools=[tool("a", long.format("x"), city={"type": "string"})])) == ["undescribed-parameter"]
    assert habits(body("Hi", tools=[tool("delete_file", "Removes a file from the disk, for good and always.")])) == [
        "write-without-confirmation"
    ]
    assert (
        habits(body("Hi", tools=[tool("delete_file", "Removes a file for good. Ask the user to confirm it first.")]))
        == []
    )
    words = [
        "red",
        "green",
        "blue",
        "black",
        "white",
        "grey",
        "pink",
        "brown",
        "gold",
        "teal",
        "plum",
        "sand",
        "rust",
        "amber",
        "ivory",
        "olive",
    ]
    many = [tool(f"t_{w}", f"Paints {w} {w}ish {w}est {w}ly things, nothing else {w}.") for w in words]
    assert habits(body("Hi", tools=many)) == ["many-tools"]
    assert habits(body("Hi", tools=[*many[:3], *({**t, "defer_loading": True} for t in many[3:])])) == []


def test_habits_break_no_rule():
    assert diagnose(body("Weather?", [call("t1")], [result("t1", "Error: x")])).sound


# the report ---------------------------------------------------------------------------------------------------------


def test_the_report_says_all_of_it_in_eighty_columns():
    found = diagnose('{"messages": ' + json.dumps(body("Weather?", [call("t1")], [result("t9")])["messages"]) + ",}")
    text = report_text(found)
    assert all(len(line) <= 80 for line in text.splitlines())
    for words in ("Broken: 1 fault", "Read as: a messages array", "comma before a closing", "Why:", "Mend:", "--fix"):
        assert words in text
    assert "Sound" in report_text(diagnose(SOUND))


def test_the_report_in_html_is_escaped_and_has_no_script():
    given = body("Weather?", [{**call("t1"), "name": "<script>x</script>"}], "no")
    html = report_html(diagnose(given))
    assert "<script" not in html
    assert "Broken" in html
    assert diagnose(given)._repr_html_() == html


def test_a_long_list_is_cut_and_says_so():
    turns = ["Hi"]
    for n in range(30):
        turns += [[call(f"t{n}")], "no"]
    found = diagnose(body(*turns))
    assert len(found.broken) == 30
    assert "… and 10 more" in report_text(found)


def test_the_data_form_is_json():
    found = diagnose(sample("wrong-id"))
    data = json.loads(json.dumps(found.as_dict()))
    assert data["sound"] is False
    assert [finding["rule"] for finding in data["findings"]][:1] == ["pairing.unexpected-result"]
