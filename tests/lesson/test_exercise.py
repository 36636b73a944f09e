import json

import pytest

from course.lesson import check, hint
from course.lesson.checks import history_of, sorts
from course.lesson.desk import desk
from course.lesson.exercise import Exercise, Verdict, hint_text, judge, right, wrong
from course.lesson.exercises import UnknownExercise, exercises, find
from course.lesson.record import events
from course.lesson.refusal import Refusal


class Worded(Exercise):
    def say(self, key, /, **values):
        return f"{key} {values}" if values else key


def exercise(check):
    return Worded("e", "90", "s", (), check)


def test_a_right_value_gets_the_reason():
    verdict = judge(exercise(lambda value: right()), 1)
    assert (verdict.ok, verdict.message) == (True, "right")
    assert repr(verdict) == "✓ Right. right"


def test_a_wrong_value_gets_the_reason_the_rule_the_place_and_the_hint():
    verdict = judge(exercise(lambda value: wrong("off", rule="results first", by=2)), 1)
    assert verdict.state == "wrong"
    assert repr(verdict).splitlines() == [
        "✗ Not yet. off {'by': 2}",
        "  Rule: results first.",
        "  Read again: “place”.",
        "  Stuck? Run 'hint(\"e\")' in a new cell.",
    ]


@pytest.mark.parametrize(
    "value", [..., None, [...], {"a": ...}, {"a": {"b": [1, ...]}}, [{"content": [...]}], (1, ...)]
)
def test_dots_anywhere_mean_not_done_yet(value):
    verdict = judge(exercise(lambda value: right()), value)
    assert verdict.state == "open"
    assert "three dots" in repr(verdict)


@pytest.mark.parametrize("value", [0, "", [], {}, False, {"a": None}])
def test_empty_values_are_values(value):
    assert judge(exercise(lambda value: right()), value).ok


def test_what_a_check_raises_becomes_words():
    verdict = judge(exercise(lambda value: value["x"]), "text")
    assert verdict.state == "wrong"
    assert "could not read what you gave it (str): TypeError" in verdict.message


def test_what_a_function_returned_and_no_check_can_read_is_named_so():
    learner: dict = {}
    exec("def answer():\n    return 'Friday'", learner)
    verdict = judge(exercise(lambda function: right(sent=history_of(function()))), learner["answer"])
    assert "what it returned: TypeError: a list of messages is needed" in verdict.message
    assert verdict.message.endswith("and this is a str")


def test_the_verdict_is_html_without_script_and_escaped():
    html = Verdict("e", "wrong", "<script>alert(1)</script>", place="here")._repr_html_()
    assert "<script>" not in html
    assert "✗ Not yet." in html
    assert 'role="status"' in html


def test_hints_come_in_three_steps_and_then_stay_at_the_last():
    told = [str(hint("six-in-order")) for _ in range(4)]
    assert [text.splitlines()[0] for text in told] == [
        "Hint 1 of 3 for six-in-order",
        "Hint 2 of 3 for six-in-order",
        "Hint 3 of 3 for six-in-order",
        "Hint 3 of 3 for six-in-order",
    ]
    assert told[2] == told[3]
    assert len({*told}) == 3


def test_one_hint_can_be_asked_for_by_its_level():
    assert "Hint 3 of 3" in hint("six-in-order", 3)
    with pytest.raises(ValueError, match="4 is none of them"):
        hint_text(find("six-in-order"), 4)


def test_a_hint_shows_itself_without_quotes():
    assert repr(hint("six-in-order")).startswith("Hint 1")


def test_an_unknown_exercise_names_the_nearest():
    with pytest.raises(UnknownExercise, match="six-in-order"):
        check("six-in-ordr", 1)


def test_a_checked_exercise_and_a_hint_are_in_the_store_and_an_open_one_is_not():
    check("six-in-order", ...)
    check("six-in-order", "abc")
    check("six-in-order", "cefdab")
    hint("six-in-order")
    checked = events(("exercise_checked",))
    assert [event.data["passed"] for event in checked] == [False, True]
    assert checked[0].data["lesson"] == "01"
    assert [event.data["level"] for event in events(("hint_used",))] == [1]
    assert desk().verdicts["six-in-order"].ok


def test_a_store_that_cannot_be_written_does_not_stop_a_lesson(tmp_path, monkeypatch):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder is wanted")
    monkeypatch.setenv("COURSE_HOME", str(blocked))
    assert check("six-in-order", "cefdab").ok


def test_every_exercise_says_what_it_must():
    for found in exercises().values():
        for level in (1, 2, 3):
            assert len(hint_text(found, level)) >= 10, found.id
        assert found.say("place")
        assert found.say("right")


# words ---------------------------------------------------------------------------------------------------------------


def test_code_is_code_in_a_notebook_and_quoted_in_plain_text():
    verdict = judge(exercise(lambda value: wrong("put it into `content` & run")), 1)
    assert "<code>content</code> &amp; run" in verdict._repr_html_()
    assert "put it into 'content' & run" in repr(verdict)


def test_a_hint_shows_its_code_as_code():
    assert "<code>call.input</code>" in hint("six-run-the-call", 1)._repr_html_()
    shape = hint("six-round-trip", 3)
    assert "<pre><code>history = [...the question...]\nasked = " in shape._repr_html_()
    assert "```" not in repr(shape)
    assert "\nhistory = [...the question...]" in repr(shape)


def test_what_the_learners_function_raises_is_told_with_its_line():
    def function():
        return {}["key"]

    verdict = judge(exercise(lambda function: function()), function)
    assert verdict.message == "Your code raised KeyError: 'key' (in the line `return {}[\"key\"]`)."


def test_a_refusal_given_as_the_answer_is_told_with_its_rule():
    verdict = judge(
        exercise(lambda value: right()), Refusal(400, "invalid_request_error", "max_tokens: Field required")
    )
    assert verdict.state == "wrong"
    assert verdict.rule == "max_tokens: Field required"
    assert "required field is missing" in verdict.meaning


def test_a_rule_in_the_courses_own_words_needs_no_explanation():
    verdict = judge(exercise(lambda value: wrong("off", rule="results first")), 1)
    assert (verdict.rule, verdict.meaning) == ("results first", "")


def test_a_table_is_judged_whatever_the_case_and_spaces():
    check_table = sorts({"run it": "app", "word it": "claude", "safe": True, "step": 4}, "rows")
    assert check_table({"run it": " App", "word it": "CLAUDE", "safe": True, "step": "4"}) == right()
    found = check_table({"run it": "claude", "word it": "claude", "safe": False})
    assert (found.key, found.values) == ("off", {"count": 3, "rows": "run it; safe; step"})


# the same kinds of fault, everywhere ---------------------------------------------------------------------------------


def test_a_hard_coded_input_is_not_accepted():
    assert not check("loop-whole-input", lambda pieces: {"harbour": "Mokpo"}).ok
    assert check("loop-whole-input", lambda pieces: json.loads("".join(pieces))).ok


def test_a_check_can_run_again_without_a_fresh_cell():
    ledger, moved, log, paid = {}, [], [], {}

    def refund(order_id, amount, key):
        if key not in ledger:
            moved.append((order_id, amount))
            ledger[key] = f"receipt {len(moved)}"
        return ledger[key]

    def execute(data, customer, key, pay):
        amount = data.get("amount")
        if not isinstance(amount, int | float) or amount <= 0:
            return {"status": "failure"}
        if data["order_id"] != "ORD-8":
            return {"status": "denied"}
        if key not in paid:
            log.append(key)
            pay(data["order_id"], amount)
            paid[key] = {"status": "success"}
        return paid[key]

    for _ in range(2):
        assert check("err-once-only", refund, moved).ok
        assert check("safe-execute-refund", execute, log).ok
