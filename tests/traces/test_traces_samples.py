"""The sample library: complete, reproducible, broken exactly as declared."""

import pytest

from course.facts import load
from course.traces import NoSuchSample, sample, samples, steps
from course.traces.doctor import diagnose
from course.traces.library import SAMPLES, document
from course.traces.rules import broken_rules
from course.traces.scenes import PLAYS, play


def objectives():
    """Return the ids of the syllabus, wherever they stand in its file."""
    found, stack = set(), [load("syllabus")]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            found |= set(node)
            found |= {value for key, value in node.items() if key == "id" and isinstance(value, str)}
            stack += node.values()
        elif isinstance(node, list):
            stack += node
    return found


def test_there_are_at_least_twenty_four_and_each_has_a_scene():
    assert len(samples()) >= 24
    assert set(samples()) == set(PLAYS)


@pytest.mark.parametrize("name", sorted(PLAYS))
def test_playing_the_scene_again_gives_the_same_document(name):
    kept = (SAMPLES / f"{name}.json").read_text(encoding="utf-8")
    assert document(play(name)) == kept, (
        "the scene changed: run `python -m course.traces.scenes` and read the difference"
    )


@pytest.mark.parametrize("name", sorted(PLAYS))
def test_a_sample_breaks_exactly_the_rules_it_declares(name):
    trace = sample(name)
    last = trace.exchanges[-1]
    broken = list(dict.fromkeys(violation.rule for violation in broken_rules(last.request)))
    if trace.breaks:
        assert set(broken) == set(trace.breaks)
        assert broken[0] == trace.breaks[0]
        assert last.response.status == 400
        assert {finding.rule for finding in diagnose(trace, fix=False).broken} == set(trace.breaks)
    else:
        assert last.response.status == 200
        assert diagnose(trace, fix=False).sound


@pytest.mark.parametrize("name", sorted(PLAYS))
def test_a_sample_has_title_notes_objectives_of_the_syllabus_and_one_or_two_questions(name):
    trace = sample(name)
    assert trace.id == name
    assert trace.title
    assert trace.notes
    assert set(trace.objectives) <= objectives()
    assert 1 <= len(trace.questions) <= 2
    assert len({question.id for question in trace.questions}) == len(trace.questions)


def test_hand_broken_samples_say_so():
    for name in samples():
        trace = sample(name)
        if trace.source == "hand-broken":
            assert "purpose" in trace.notes or "by hand" in trace.notes


def test_parallel_and_one_at_a_time_answer_the_same_question_with_half_the_requests():
    together, apart = sample("parallel"), sample("one-at-a-time")
    assert together.exchanges[0].request["messages"] == apart.exchanges[0].request["messages"]
    assert (len(together.exchanges), len(apart.exchanges)) == (2, 4)


def test_a_guessed_input_is_in_the_call_and_an_asked_one_is_not_called():
    assert [step.label for step in steps(sample("missing-asked"))] == ["Offer", "Continue"]
    assert "day" in sample("missing-guessed").executions[0].input


def test_the_cut_call_is_not_executed():
    trace = sample("max-tokens-in-call")
    assert trace.exchanges[0].response.body["stop_reason"] == "max_tokens"
    assert [run.exchange for run in trace.executions] == [1]


def test_an_unknown_name_is_answered_with_near_ones():
    with pytest.raises(NoSuchSample, match="wrong-id"):
        sample("wrong-ids")
