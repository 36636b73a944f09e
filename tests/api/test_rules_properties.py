"""What holds for every request: any JSON value is judged without an exception; breaking one rule of a sound
conversation has that rule reported first, at its place."""

import json
from copy import deepcopy
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from rule_examples import EXAMPLES
from rule_helpers import HAIKU, OPUS, TOOL, assistant, at, body, call, first, found, result, text, thought, user

from course.api.rules import VERSIONS, rules

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 70_000) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
VERSION = st.sampled_from(VERSIONS)
LARGE = ("image.bytes", "pdf.pages", "media.too-much")
BROKEN = [example for rule, example in EXAMPLES.items() if example.body is not None and rule not in LARGE]


def _places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(deeper for key, member in members for deeper in _places(member, (*place, key)))]


@st.composite
def mangled(draw: st.DrawFn) -> Any:
    """A request that breaks one rule, with up to three of its values replaced, doubled or taken away."""
    sent = deepcopy(draw(st.sampled_from(BROKEN)).body)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(_places(sent)[:200]))
        if not place:
            return draw(JSON)
        holder, key = at(sent, place[:-1]), place[-1]
        how = draw(st.sampled_from(["replace", "copy", "delete"]))
        if how == "replace":
            holder[key] = draw(JSON)
        elif how == "delete":
            del holder[key]
        elif isinstance(holder, list):
            holder.insert(key, deepcopy(holder[key]))
    return sent


def _judged(sent: Any, version: str) -> None:
    for broken in found(sent, version=version):
        assert broken.rule in rules()
        assert broken.message
        assert "{" not in rules()[broken.rule].template or "{loc}" not in broken.message
        at(sent, broken.place[:-1])


@given(JSON, VERSION)
def test_any_value_is_judged(value, version):
    _judged(value, version)


@given(
    st.dictionaries(st.sampled_from(["model", "messages", "max_tokens", "tools", "system", "thinking"]), JSON), VERSION
)
def test_any_fields_are_judged(fields, version):
    _judged({**body(), **fields}, version)


@given(mangled(), VERSION)
def test_any_mangled_request_is_judged_and_a_place_leads_to_what_holds_the_fault(sent, version):
    _judged(sent, version)


@given(mangled())
def test_a_request_is_left_as_it_is_and_judged_the_same_twice(sent):
    before = json.dumps(sent)
    assert found(sent) == found(sent)
    assert json.dumps(sent) == before


@st.composite
def conversations(draw: st.DrawFn) -> dict[str, Any]:
    """A sound conversation of one to five rounds: some with calls, some with texts beside them."""
    turns: list[Any] = []
    for number in range(draw(st.integers(1, 5))):
        turns.append(draw(st.sampled_from([user(text(f"question {number}")), user(f"question {number}")])))
        ids = [f"toolu_{number}{letter}" for letter in "abc"[: draw(st.integers(0, 3))]]
        if ids:
            before = [text("Let me see.")] if draw(st.booleans()) else []
            turns.append(assistant(*before, *[call(id) for id in ids]))
            turns.append(user(*[result(id) for id in draw(st.permutations(ids))]))
        turns.append(assistant(f"answer {number}"))
    return body(*turns, "and?", tools=[TOOL], model=draw(st.sampled_from([HAIKU, OPUS])))


def _blocks(sent: Any, kind: str) -> list[tuple[int, int]]:
    return [
        (index, number)
        for index, turn in enumerate(sent["messages"])
        for number, block in enumerate(turn["content"] if isinstance(turn["content"], list) else ())
        if block["type"] == kind
    ]


@given(conversations(), VERSION)
def test_a_sound_conversation_is_accepted(sent, version):
    assert first(sent, version=version) is None


@given(conversations(), st.data())
def test_a_result_taken_away_is_missed_at_its_call(sent, data):
    results = _blocks(sent, "tool_result")
    assume(results)
    turn, number = data.draw(st.sampled_from(results))
    gone = sent["messages"][turn]["content"].pop(number)
    if not sent["messages"][turn]["content"]:
        sent["messages"][turn]["content"] = "never mind"
    broken = first(sent)
    assert broken is not None
    assert broken.rule == "pairing.missing-result"
    assert broken.message.startswith(f"messages.{turn}: ")
    assert f"after: {gone['tool_use_id']}. " in broken.message
    assert at(sent, broken.place)["id"] == gone["tool_use_id"]


@given(conversations(), st.data())
def test_a_result_of_no_call_is_unexpected_at_its_place(sent, data):
    results = _blocks(sent, "tool_result")
    assume(results)
    turn = data.draw(st.sampled_from(results))[0]
    sent["messages"][turn]["content"].append(result("toolu_other"))
    last = len(sent["messages"][turn]["content"]) - 1
    broken = first(sent)
    assert broken is not None
    assert broken.rule == "pairing.unexpected-result"
    assert broken.message.startswith(f"messages.{turn}.content.{last}: ")
    assert broken.place == ("messages", turn, "content", last)


@given(conversations(), st.data())
def test_a_result_sent_twice_is_named(sent, data):
    results = _blocks(sent, "tool_result")
    assume(results)
    turn, number = data.draw(st.sampled_from(results))
    sent["messages"][turn]["content"].append(deepcopy(sent["messages"][turn]["content"][number]))
    broken = first(sent)
    assert broken is not None
    assert broken.rule == "pairing.duplicate-result"


@given(conversations(), st.data())
def test_an_id_used_twice_is_named_at_the_second_call(sent, data):
    calls = _blocks(sent, "tool_use")
    assume(len(calls) > 1)
    turn, number = data.draw(st.sampled_from(calls[1:]))
    again = sent["messages"][calls[0][0]]["content"][calls[0][1]]["id"]
    own = sent["messages"][turn]["content"][number]["id"]
    sent["messages"][turn]["content"][number]["id"] = again
    for block in sent["messages"][turn + 1]["content"]:
        block["tool_use_id"] = again if block["tool_use_id"] == own else block["tool_use_id"]
    broken = first(sent)
    assert broken is not None
    assert (broken.rule, broken.place) == ("pairing.duplicate-id", ("messages", turn, "content", number))


BREAKS = {
    "field.required": lambda block: block.pop("text", None) or block.pop("id", None) or block.pop("tool_use_id"),
    "field.extra": lambda block: block.update(colour="red"),
    "field.tag": lambda block: block.update(type="audio"),
}


@given(conversations(), st.sampled_from(sorted(BREAKS)), st.data())
def test_a_field_error_of_one_block_comes_before_all_else(sent, rule, data):
    blocks = _blocks(sent, "text") + _blocks(sent, "tool_use") + _blocks(sent, "tool_result")
    assume(blocks)
    turn, number = data.draw(st.sampled_from(blocks))
    BREAKS[rule](sent["messages"][turn]["content"][number])
    sent["messages"].append(assistant(call("toolu_last")))
    broken = first(sent)
    assert broken is not None
    assert broken.rule == rule
    assert broken.place[:4] == ("messages", turn, "content", number)


@given(conversations(), st.data())
def test_a_thought_in_a_user_turn_is_named(sent, data):
    turns = [i for i, turn in enumerate(sent["messages"]) if turn["role"] == "user"]
    turn = data.draw(st.sampled_from(turns))
    content = sent["messages"][turn]["content"]
    sent["messages"][turn]["content"] = [*([text(content)] if isinstance(content, str) else content), thought()]
    broken = first(sent)
    assert broken is not None
    assert broken.message == f"messages.{turn}.content: thinking blocks may only be in `assistant` messages"
