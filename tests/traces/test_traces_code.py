"""Habits in code: found by syntax, never by running it."""

import json
from textwrap import dedent

import pytest

from course.traces import diagnose

GOOD = """
import anthropic
client = anthropic.Anthropic()
messages = [{"role": "user", "content": "Hi"}]
for turn in range(10):
    answer = client.messages.create(model=MODEL, max_tokens=1000, tools=TOOLS, messages=messages)
    messages.append({"role": "assistant", "content": answer.content})
    if answer.stop_reason != "tool_use":
        break
    results = []
    for block in answer.content:
        if block.type == "tool_use":
            try:
                results.append({"type": "tool_result", "tool_use_id": block.id, "content": run(block)})
            except Exception as error:
                results.append({"type": "tool_result", "tool_use_id": block.id, "content": "failed", "is_error": True})
    messages.append({"role": "user", "content": results})
"""


def found(code):
    return [(finding.rule.removeprefix("code."), finding.place[1]) for finding in diagnose(dedent(code)).findings]


def test_a_sound_loop_has_no_finding():
    assert found(GOOD) == []


@pytest.mark.parametrize(
    ("code", "name", "line"),
    [
        (
            "import x\nwhile n < 5:\n    n += 1\n    a = client.messages.create(model=m)\n    if done(a): break",
            "no-stop-reason",
            2,
        ),
        (
            "import x\nfor i in y:\n    a = client.messages.create()\n    print(a.stop_reason)\n"
            "    for b in a.content:\n        if b.type == 'text':\n            break",
            "text-ends-loop",
            6,
        ),
        (
            "import x\nwhile True:\n    a = c.messages.create()\n    if a.stop_reason == 'end_turn': break",
            "no-limit",
            2,
        ),
        ("import x\nif 'done' in answer.content[i].text:\n    stop()", "decides-by-words", 2),
        ("import x\nt = answer.content[0].text", "by-position", 2),
        ("import x\nt = answer.content[-1]", "by-position", 2),
        ("import x\nc = next(b for b in a.content if b.type == 'tool_use')", "first-call-only", 2),
        (
            "import x\nfor b in a.content:\n    if b.type == 'tool_use':\n        run(b)\n        break",
            "first-call-only",
            3,
        ),
        ("import x\nm = {'role': 'assistant', 'content': [{'type': 'tool_result'}]}", "result-role", 2),
        ("import x\nm = {'role': 'tool', 'content': out}", "result-role", 2),
        ("import x\nm.append({'role': 'assistant', 'content': block.text})", "turn-not-whole", 2),
        (
            "import x\nfor b in calls:\n    m.append({'role': 'user', 'content': [{'type': 'tool_result'}]})",
            "one-message-per-result",
            3,
        ),
        ("import x\ntry:\n    run('tool_use')\nexcept Exception:\n    pass", "error-dropped", 4),
        ("import traceback\nt = 'tool_use'\ns = traceback.format_exc()", "stack-trace", 3),
    ],
)
def test_each_habit_is_named_with_its_line(code, name, line):
    assert (name, line) in found(code)


def test_a_notebook_is_read_cell_by_cell_and_magics_are_passed_over():
    cells = [
        {"cell_type": "markdown", "source": "# Title"},
        {"cell_type": "code", "source": ["%pip install x\n", "import x\n", "t = a.content[0]"]},
    ]
    notebook = json.dumps({"nbformat": 4, "cells": cells})
    assert found(notebook) == [("by-position", 3)]


def test_code_is_never_run(tmp_path):
    target = tmp_path / "ran"
    diagnose(f"import pathlib\npathlib.Path({str(target)!r}).touch()")
    assert not target.exists()


def test_a_program_is_sound_since_it_breaks_no_rule():
    diagnosis = diagnose("import x\nt = answer.content[0].text")
    assert diagnosis.sound
    assert diagnosis.kind == "code"
