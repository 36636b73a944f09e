"""Any mutation of a trace renders: a key dropped, renamed or of another type breaks no view."""

import copy
import json
import random

import pytest

from course.traces import Unreadable, diagnose, report_text, sample, steps, to_html, to_markdown, to_text

ODD = [None, True, 0, -1, 1.5, "", "x", [], {}, [None], {"a": 1}, [["b"]], {"type": "tool_use"}, "\x00\u202e"]


def places(node, path=()):
    """Yield the path of every member of a document."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def mutated(document, path, how, value):
    document = copy.deepcopy(document)
    node = document
    for key in path[:-1]:
        node = node[key]
    if how == "drop":
        del node[path[-1]]
    elif how == "rename" and isinstance(node, dict):
        node[f"{path[-1]}_"] = node.pop(path[-1])
    else:
        node[path[-1]] = value
    return document


@pytest.mark.parametrize("name", ["happy-path", "wrong-id", "tool-search", "max-tokens-in-call"])
def test_any_mutation_of_a_trace_renders(name):
    chance = random.Random(name)
    document = sample(name).model_dump(mode="json")
    found = list(places(document))
    for path in chance.sample(found, min(90, len(found))):
        how = chance.choice(["drop", "rename", "retype"])
        broken = mutated(document, path, how, chance.choice(ODD))
        shown = steps(broken)
        assert all(isinstance(block.words, str) for step in shown for block in step.blocks), (path, how)


@pytest.mark.parametrize("view", [to_html, to_markdown, to_text])
def test_every_view_shows_a_mutated_trace(view):
    chance = random.Random(7)
    document = sample("error-recovery").model_dump(mode="json")
    found = list(places(document))
    for path in chance.sample(found, 15):
        for value in chance.sample(ODD, 2):
            assert view(mutated(document, path, "retype", value))


@pytest.mark.parametrize("name", ["wrong-id", "tool-search", "support-case", "tool-role"])
def test_the_doctor_survives_any_mutation_and_what_it_mends_is_sound(name):
    chance = random.Random(name)
    document = sample(name).model_dump(mode="json")
    found = list(places(document))
    for path in chance.sample(found, 40):
        broken = mutated(document, path, chance.choice(["drop", "rename", "retype"]), chance.choice(ODD))
        try:
            diagnosis = diagnose(broken)
        except Unreadable:
            continue
        assert json.dumps(diagnosis.as_dict())
        assert report_text(diagnosis)
        if diagnosis.mended is not None and not diagnosis.left:
            assert diagnose(diagnosis.mended, fix=False).sound, path


def test_a_role_that_is_not_even_equal_to_itself_ends_no_loop_late():
    messages = [{"role": float("nan"), "content": "Hi"}]
    assert not diagnose({"messages": messages}).sound
    assert steps(messages)
