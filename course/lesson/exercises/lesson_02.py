"""The exercises of lesson 02, blocks and pairing."""

from collections.abc import Callable, Mapping
from typing import Any

from course.lesson.checks import blocks, first_broken, history_of, message, prose, results_of, sorts
from course.lesson.exercise import Exercise, Finding, right, wrong
from course.traces.plain import plain

__all__ = ["EXERCISES"]

WRITERS = {"text": "both", "thinking": "assistant", "tool_use": "assistant", "tool_result": "user"}
THINKING = {"type": "thinking", "thinking": "", "signature": "c2lnbmF0dXJl"}
QUESTION = {"role": "user", "content": "Are there seats?"}


def _call(id: str, day: str = "Friday") -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "seats_left", "input": {"day": day}}


def _text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def _result(id: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": "12 seats"}


def pick_calls(function: Callable[[Any], Any]) -> Finding:
    """The function finds every call in four messages: none, one after text, two after thinking, one before text."""
    cases = {
        "none": (message(_text("Hello."), stop_reason="end_turn"), []),
        "after_text": (message(_text("Let me look."), _call("toolu_1")), ["toolu_1"]),
        "two": (message(THINKING, _call("toolu_1"), _call("toolu_2", "Saturday")), ["toolu_1", "toolu_2"]),
        "in_the_middle": (message(_text("First."), _call("toolu_1"), _text("Then.")), ["toolu_1"]),
    }
    answers = {name: function(given) for name, (given, _) in cases.items()}
    if all(answer is None or answer is ... for answer in answers.values()):
        return wrong("nothing_yet")
    for name, (_, ids) in cases.items():
        found = plain(list(answers[name] or []))
        if not all(isinstance(block, Mapping) for block in found):
            return wrong("no_blocks", found=found)
        if [block.get("id") for block in found] != ids:
            return wrong(name, found=len(found))
    return right()


def answer_both(both: Any, asked: Any) -> Finding:
    """One user message: a result for each call, then the user's words."""
    turn = plain(both)
    history = [QUESTION, {"role": "assistant", "content": plain(asked)["content"]}, turn]
    if turn.get("role") != "user":
        return wrong("role", role=turn.get("role"))
    if refused := first_broken(history):
        return wrong("refused", rule=refused)
    return right() if "adult" in prose(turn) else wrong("words_lost")


def right_role(ported: Any) -> Finding:
    """The history is sound and still has its results and the user's words."""
    turns = history_of(ported)
    if refused := first_broken(turns):
        return wrong("refused", rule=refused)
    if len(list(results_of(turns))) < 2:
        return wrong("results_lost")
    return right() if "adult" in prose(turns[-1]) else wrong("words_lost")


def failed_result(failed: Any, asked: Any) -> Finding:
    """A marked error for Saturday, whose content is a list with words."""
    block = plain(failed)
    calls = {call["input"]["day"]: call["id"] for call in blocks(asked, "tool_use")}
    if block.get("type") != "tool_result" or block.get("tool_use_id") != calls["Saturday"]:
        return wrong("other_call", id=block.get("tool_use_id"))
    answers = {"role": "user", "content": [_result(calls["Friday"]), block]}
    if refused := first_broken([QUESTION, {"role": "assistant", "content": plain(asked)["content"]}, answers]):
        return wrong("refused", rule=refused)
    if block.get("is_error") is not True:
        return wrong("not_marked")
    if not isinstance(block.get("content"), list):
        return wrong("no_list", kind=type(block.get("content")).__name__)
    words = " ".join(part.get("text", "") for part in block["content"])
    return right() if len(words.split()) >= 3 else wrong("no_words")


def whole_turn(function: Callable[[Any, Any], Any]) -> Finding:
    """The function keeps every block of Claude's turn and appends the results."""
    given = message(THINKING, _text("Let me look."), _call("toolu_1"))
    results = [_result("toolu_1")]
    turns = function(given, results)
    if turns is None or turns is ...:
        return wrong("nothing_yet")
    turns = history_of(list(turns))
    roles = [turn["role"] for turn in turns]
    if roles != ["assistant", "user"]:
        return wrong("roles", roles=", ".join(roles))
    kinds = [block.get("type") for block in blocks(turns[0])]
    if missing := [kind for kind in ("thinking", "text", "tool_use") if kind not in kinds]:
        return wrong("not_whole", kinds=", ".join(missing))
    if blocks(turns[0], "thinking") != [THINKING]:
        return wrong("thinking_changed")
    unsigned = {"role": "assistant", "content": [block for block in blocks(turns[0]) if block["type"] != "thinking"]}
    refused = first_broken([QUESTION, unsigned, turns[1]])
    return wrong("refused", rule=refused) if refused else right()


def read_the_trace(place: Any, rule: Any) -> Finding:
    """The faulty block is the result in message 4; the rule is b."""
    spot = tuple(place) if isinstance(place, (list, tuple)) else (place,)
    if spot[:1] == (3,):
        return wrong("the_call")
    if spot[:1] == (2,):
        return wrong("the_first_result")
    if spot != (4, 0):
        return wrong("elsewhere", place=spot)
    letter = str(rule).strip().lower().strip(".()")
    return right() if letter == "b" else wrong(f"rule_{letter}" if letter in {"a", "c", "d"} else "rule_other")


def mend_the_trace(mend: Any, mended: Any) -> Finding:
    """The chosen mend is b, and the conversation is sound with both of Claude's calls untouched."""
    letter = str(mend).strip().lower().strip(".()")
    if letter in {"a", "c", "d"}:
        return wrong(f"mend_{letter}")
    turns = history_of(mended)
    if refused := first_broken(turns):
        return wrong("refused", rule=refused)
    calls = [block["id"] for turn in turns for block in blocks(turn, "tool_use")]
    if calls != ["toolu_a", "toolu_b"]:
        return wrong("calls_changed")
    contents = [str(block.get("content")) for block in results_of(turns)]
    return right() if any("paid on" in text for text in contents) else wrong("result_lost")


EXERCISES = (
    Exercise("pair-who-writes", "02", "pair-blocks", ("BLK-1",), sorts(WRITERS, "kinds")),
    Exercise("pair-pick-calls", "02", "pair-select", ("BLK-6",), pick_calls),
    Exercise("pair-answer-both", "02", "pair-rule", ("BLK-2",), answer_both),
    Exercise("pair-right-role", "02", "pair-roles", ("BLK-3",), right_role),
    Exercise("pair-failed-result", "02", "pair-forms", ("BLK-4",), failed_result),
    Exercise("pair-whole-turn", "02", "pair-whole", ("BLK-5",), whole_turn),
    Exercise("pair-read-the-trace", "02", "pair-puzzle", ("BLK-7",), read_the_trace),
    Exercise("pair-mend-the-trace", "02", "pair-puzzle", ("BLK-7",), mend_the_trace),
)
