"""What the checks of lesson 07 accept, and how they tell a wrong answer."""

import pytest

from course.harness import Deny, ToolError
from course.lesson import check
from course.lesson.exercises.lesson_07 import ACTS, KINDS


@pytest.mark.parametrize(
    "words",
    [
        "The order service did not answer within 3 seconds. Try again once.",
        "Timeout while reaching the order database, please retry in a minute.",
        "The look-up took too long. Ask the user to come back later.",
    ],
)
def test_useful_words_may_be_anybodys_own(words):
    assert check("err-useful-words", words).ok


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("The operation failed, please try again later, thank you.", "does not say what happened"),
        ("The order service is down. It will not come back today at all.", "does not say what to do"),
        ("TimeoutError: timed out", "A few words more"),
        ("The database postgres://x did not answer. Retry later.", "still holds 'postgres://'"),
        ("Traceback: the order service did not answer. Retry.", "parts of the stack trace"),
    ],
)
def test_what_useful_words_lack_is_told(words, said):
    assert said in check("err-useful-words", words).message


def kinds(*given):
    return check("err-four-kinds", dict(zip(KINDS, given, strict=True)))


def test_kinds_are_taken_in_any_case_and_policy_is_business():
    assert kinds("Transient ", "validation", "policy", "permission", "transient").ok
    assert "somebody else could make" in kinds("transient", "validation", "business", "business", "transient").message


def searching(on_error):
    def search(word, index):
        try:
            return index.find(word)
        except ConnectionError as error:
            return on_error(error)

    return search


def raising(words):
    def on_error(error):
        raise ToolError(words or str(error))

    return on_error


def test_an_outage_raised_with_words_is_right():
    assert check("err-empty-or-failed", searching(raising("The index is down, nothing was searched; try later."))).ok


@pytest.mark.parametrize(
    ("search", "said"),
    [
        (searching(lambda error: []), "as if it had looked"),
        (searching(lambda error: "The index could not be reached."), "as if it had looked"),
        (searching(raising("")), "repeats the host's name"),
        (searching(raising("failed")), "needs a sentence"),
        (lambda word, index: index.find(word), "goes through as it is"),
        (lambda word, index: index.find(word) or "nothing", "must give an empty answer"),
    ],
)
def test_a_search_that_hides_or_leaks_is_told(search, said):
    assert said in check("err-empty-or-failed", search).message


def gate(count=2, same=lambda r, call: r.is_error and (r.call.name, r.call.input) == (call.name, call.input), no=None):
    def asked(call, done):
        if sum(same(result, call) for result in done) >= count:
            return Deny("It failed twice. Tell the user.") if no is None else no

    return asked


def test_a_gate_that_counts_the_same_failed_call_is_right():
    assert check("err-no-third-time", gate()).ok


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (gate(count=1), "denies too early"),
        (gate(count=3), "still lets the third pass"),
        (gate(same=lambda r, call: r.is_error), "different inputs for the same call"),
        (gate(same=lambda r, call: r.is_error and r.call.input == call.input), "a call of another tool"),
        (gate(same=lambda r, call: (r.call.name, r.call.input) == (call.name, call.input)), "successes as failures"),
        (gate(same=lambda r, call: r.call == call), "still lets the third pass"),
        (gate(no="no"), "It returned str"),
        (gate(no=Deny("no")), "what Claude should do instead"),
        (lambda call, done: False, "a value of the kind bool"),
    ],
)
def test_a_gate_that_counts_otherwise_is_told(asked, said):
    assert said in check("err-no-third-time", asked).message


def answering(type="tool_result", is_error=True, names=", ".join, guard=True):
    def answer(call, tools):
        result = {"type": type, "tool_use_id": call.id}
        if guard and call.name not in tools:
            failed = {"is_error": True} if is_error else {}
            return {**result, "content": f"There is no tool {call.name}. Available: {names(tools)}", **failed}
        return {**result, "content": [{"type": "text", "text": tools[call.name](**call.input)}]}

    return answer


@pytest.mark.parametrize("names", [", ".join, list])
def test_both_calls_answered_in_any_form_of_the_api_is_right(names):
    assert check("err-unknown-tool", answering(names=names)).ok


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (answering(type="text"), "does not take your two results"),
        (answering(is_error=False), "not marked with is_error"),
        (answering(names=lambda tools: "get_order"), "Name all the tools"),
        (answering(guard=False), "raise KeyError"),
        (lambda call, tools: None, "gets no tool_result"),
    ],
)
def test_an_answer_that_breaks_a_rule_is_told(answer, said):
    assert said in check("err-unknown-tool", answer).message


def refunding(known):
    ledger, moved = {}, []

    def refund(order_id, amount, key):
        if (done := known(ledger, moved, order_id, key)) is not ...:
            return done
        moved.append((order_id, amount))
        ledger[key] = f"receipt R-{len(moved)}"
        return ledger[key]

    return refund, moved


def test_the_same_key_acts_once_and_the_check_leaves_no_trace():
    refund, moved = refunding(lambda ledger, moved, order, key: ledger.get(key, ...))
    moved.append(("ORD-81", 49))
    for _ in range(2):
        assert check("err-once-only", refund, moved).ok
    assert moved == [("ORD-81", 49)]


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (lambda ledger, moved, order, key: ..., "moved the money twice"),
        (lambda ledger, moved, order, key: None if key in ledger else ..., "needs the same receipt"),
        (lambda ledger, moved, order, key: "receipt R-1", "No money moved"),
        (lambda ledger, moved, order, key: "receipt R-1" if moved else ..., "A new key is a new wish"),
    ],
)
def test_a_refund_that_is_not_idempotent_is_told(known, said):
    assert said in check("err-once-only", *refunding(known)).message


HANDED = {
    "status": "partial",
    "results": {"prices.csv": "49 euros", "stock.csv": "12 lamps"},
    "missing": ["reviews.csv"],
    "tried": "twice, timed out",
    "suggestion": "go on without reviews",
}


@pytest.mark.parametrize(
    "change", [{}, {"tried": 2}, {"missing": "reviews.csv"}, {"suggestion": ["retry later", "go on"]}]
)
def test_a_hand_up_may_be_worded_in_many_ways(change):
    assert check("err-partial-results", {**HANDED, **change}).ok


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"results": {}}, "two good results"),
        ({"missing": []}, "reviews.csv is missing"),
        ({"status": "success"}, "as if all went well"),
        ({"tried": "yes"}, "what was tried"),
        ({"suggestion": "none"}, "what the coordinator could do"),
    ],
)
def test_what_a_hand_up_lacks_is_told(change, said):
    assert said in check("err-partial-results", {**HANDED, **change}).message


def test_who_acts_is_taken_in_any_case():
    assert check("err-who-retries", {row: who.upper() for row, who in ACTS.items()}).ok
    assert (
        "2 not right yet"
        in check("err-who-retries", dict(zip(ACTS, ["sdk", "sdk", "claude", "sdk"], strict=True))).message
    )
