"""Slides: what stands on one, what goes to the notes, what never shows."""

import json
from pathlib import Path

import pytest

from course.authoring.source import find_sources, parse, read
from course.workshop.deck import page
from course.workshop.slides import columns

ROOT = Path(__file__).parents[2]
LESSON = """# %% [markdown] id="t-title" tags=["title"]
# # Calls
#
# First thing said. Second thing said.

# %% id="t-import"
from course.lesson import *

# %% [markdown] id="t-part"
# ## One call
#
# A call has an id. The id comes back with the result.
#
# | field | what |
# |---|---|
# | id | the name of the call |

# %% [markdown] id="t-ask" tags=["task"]
# **Predict.** How many blocks come?

# %% id="t-guess"
predict("t-how-many", "Blocks:", ["one", "two"])

# %% id="t-run"
print("a block")

# %% id="t-do" tags=["exercise"]
answer = 1  # BEGIN
# BEGIN SOLUTION
answer = 42
# OPEN
# answer = ...
# END SOLUTION
check("t-answer", answer)

# %% id="t-quiz"
quiz("05")
"""


def deck(source=LESSON, **outputs):
    lesson = parse(source, "05_calls")
    cells = [{"id": cell.id, "outputs": outputs.get(cell.id.replace("-", "_"), [])} for cell in lesson.cells]
    return columns(lesson, {"cells": cells})


def slides(found):
    return [slide for column in found for slide in column]


def texts(slide):
    return [piece.text for piece in slide.pieces]


def test_a_section_is_a_column_and_the_title_is_its_own():
    assert [column[0].title.split(" (")[0] for column in deck()] == ["Calls", "One call"]


def test_of_a_paragraph_the_first_sentence_is_shown_and_the_whole_is_in_the_notes():
    (title,) = deck()[0]
    assert texts(title) == ["First thing said."]
    assert title.notes == "First thing said. Second thing said."


def test_a_sentence_does_not_end_inside_of_code():
    told = LESSON.replace("First thing said.", 'It goes on with `"is_error": True` here.')
    (title,) = deck(told)[0]
    assert texts(title) == ['It goes on with `"is_error": True` here.']


def test_a_table_is_shown_and_not_repeated_in_the_notes():
    first = deck()[1][0]
    assert texts(first)[1].startswith("| field")
    assert "| field" not in first.notes


def test_a_prediction_stands_alone_with_the_words_that_lead_to_it():
    asked = next(slide for slide in slides(deck()) if slide.title == "Predict")
    assert texts(asked) == ["**Predict.** How many blocks come?", "**Blocks:**\n\n1. one\n2. two"]


def test_an_output_is_shown_with_its_code_and_the_greeting_of_the_first_request_is_not():
    greeting = (
        "Offline: a stand-in answers here, not Claude, behind the rules of the real API. live(True) asks Claude.\n"
    )
    printed = [{"output_type": "stream", "name": "stdout", "text": [greeting, "a block\n"]}]
    shown = next(slide for slide in slides(deck(t_run=printed)) if 'print("a block")' in texts(slide))
    assert texts(shown) == ['print("a block")', "a block"]


def test_a_solution_is_in_the_notes_and_on_no_slide():
    turn = next(slide for slide in slides(deck()) if slide.title == "Your turn")
    assert "42" in turn.notes
    assert all("42" not in text for slide in slides(deck()) for text in texts(slide))


def test_a_long_output_is_cut_and_says_how_much_is_missing():
    printed = [{"output_type": "stream", "name": "stdout", "text": "".join(f"row {n}\n" for n in range(40))}]
    shown = next(slide for slide in slides(deck(t_run=printed)) if 'print("a block")' in texts(slide))
    assert texts(shown)[1].splitlines()[-1] == "… 27 more lines in the notebook"


def test_a_view_is_shown_by_its_still_picture_only():
    view = [
        {"output_type": "display_data", "data": {"text/plain": ["Interactive trace"]}},
        {"output_type": "display_data", "data": {"text/html": ['<div class="cw-still">steps</div>'], "text/plain": []}},
    ]
    shown = next(slide for slide in slides(deck(t_run=view)) if 'print("a block")' in texts(slide))
    assert texts(shown)[1:] == ['<div class="cw-still">steps</div>']


def test_slides_that_share_a_title_are_numbered():
    long = LESSON.replace(
        "# ## One call", "# ## One call\n#\n" + "\n#\n".join(f"# - point {'x' * 300} {n}" for n in range(8))
    )
    titles = [slide.title for slide in deck(long)[1] if slide.title.startswith("One call")]
    assert titles[0] == f"One call (1 of {len(titles)})"


def test_text_from_a_lesson_is_text_on_the_page():
    html = page(
        deck(LESSON.replace("First thing said.", "A <script>alert(1)</script> & more.")), lesson="05", title="a<b>"
    )
    assert "<script>alert(1)" not in html
    assert "a&lt;b&gt;" in html


@pytest.mark.parametrize("path", find_sources(ROOT / "lessons"), ids=lambda path: path.stem)
def test_every_lesson_makes_a_deck_that_asks_for_nothing_outside_itself(path):
    lesson = read(path)
    solution = json.loads((ROOT / "solutions" / f"{lesson.name}.ipynb").read_text(encoding="utf-8"))
    html = page(columns(lesson, solution), lesson=lesson.number, title=lesson.title)
    assert ' src="http' not in html
    assert "@import" not in html
    assert "BEGIN SOLUTION" not in html
    assert html == page(columns(lesson, solution), lesson=lesson.number, title=lesson.title)
