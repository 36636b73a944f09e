"""Guesses come back at the end of a lesson."""

import ast
from pathlib import Path

from course.authoring.lint import called
from course.authoring.source import find_sources, read
from course.lesson import look_back, predict
from course.lesson.lookback import asked

ROOT = Path(__file__).resolve().parents[2]


def guess(id, place, options):
    predict(id, asked()[id].say("ask"), options).choice = place


MODES = ["Call a tool or answer in words", "Call a tool, it has to", "Answer in words only"]


def test_without_guesses_the_answers_stand_alone():
    back = look_back("05")
    assert {row.state for row in back.rows} == {"open"}
    assert "No guess of yours is noted yet" in repr(back)
    assert "○ You force a tool" in repr(back)
    assert "“The call without the sentence”" in repr(back)
    assert "You guessed" not in back._repr_html_()


def test_a_guess_stands_beside_the_answer():
    guess("choice-pre-modes", 0, MODES)
    guess("choice-pre-every", 0, ["All of them", "Some of them", "None of them"])
    back = look_back("05")
    states = {row.asked.id: row.state for row in back.rows}
    assert states["choice-pre-modes"] == "right"
    assert states["choice-pre-every"] == "wrong"
    assert states["choice-pre-explain"] == "open"
    assert "1 of 2" in repr(back)
    assert "You guessed “All of them”. It is “Some of them”." in repr(back)
    assert "(Section “Models that refuse”.)" in repr(back)


def test_a_new_guess_replaces_the_old_one():
    guess("choice-pre-modes", 1, MODES)
    guess("choice-pre-modes", 0, MODES)
    assert look_back("05").rows[0].state == "right"


def test_a_question_of_lesson_00_comes_back_where_it_is_answered():
    guess("start-pre-force", 1, ["All of them", "Some of them", "None of them"])
    (row,) = (row for row in look_back("05").rows if row.guess)
    assert row.asked.id == "start-pre-force"
    assert row.state == "right"


def test_the_page_shows_code_as_code_and_hides_no_words_from_it():
    html = look_back("05")._repr_html_()
    assert "<code>tool_choice</code>" in html
    assert html.count("border-left") == len(look_back("05").rows)


def test_every_question_that_comes_back_is_asked_in_a_lesson():
    cells = [cell for path in find_sources(ROOT / "lessons") for cell in read(path).cells if "pretest" in cell.tags]
    calls = [cell for cell in cells if cell.kind == "code" and called(cell).get("predict")]
    ids = {ast.literal_eval(ast.parse(cell.source).body[0].value.args[0]) for cell in calls}
    assert set(asked()) == ids


def test_teachers_and_learners_get_the_same_answers():
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "instructor").glob("[01]*.md"))
    assert [id for id, one in asked().items() if f"`{id}` {one.say('right')}" not in pages] == []
