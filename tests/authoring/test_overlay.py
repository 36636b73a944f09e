import pytest

from course.authoring.build import House, lessons
from course.authoring.errors import SourceError
from course.authoring.notebook import make
from course.authoring.overlay import lay_over, outdated, stamp
from course.authoring.source import parse

KOREAN = '''\
[cells.tiny-section]
of = "{stamp}"
text = """## 한 절

약간의 글."""

[strings.tiny-greet]
"The answer?" = "답은?"

[strings.tiny-exercise]
"your sum" = "여러분의 합"
'''
ENGLISH = "## A section\n\nSome prose."


@pytest.fixture
def korean(house):
    (house.sources / "ko").mkdir()
    (house.sources / "ko" / "90_tiny.toml").write_text(KOREAN.format(stamp=stamp(ENGLISH)), encoding="utf-8")
    return House(house.root, "ko")


def test_prose_and_strings_are_replaced_and_the_rest_stays_english(korean):
    (lesson,) = lessons(korean)
    cells = {cell["id"]: cell["source"] for cell in make(lesson, "learner")["cells"]}
    assert cells["tiny-section"] == "## 한 절\n\n약간의 글."
    assert cells["tiny-greet"] == 'print("답은?")'
    assert cells["tiny-exercise"] == "answer = ...  # 여러분의 합\nanswer"
    assert cells["tiny-task"] == "**Your turn.** Add."


def test_the_other_language_has_folders_of_its_own(korean):
    (lesson,) = lessons(korean)
    places = [korean.place(lesson, e).relative_to(korean.root).as_posix() for e in ("learner", "recall", "solved")]
    assert places == ["notebooks/ko/90_tiny.ipynb", "notebooks/ko/recall/90_tiny.ipynb", "solutions/ko/90_tiny.ipynb"]


def test_a_language_without_an_overlay_is_english(house):
    (lesson,) = lessons(House(house.root, "fr"))
    assert lesson == lessons(house)[0]


def test_a_cell_or_string_that_is_not_there_is_named(tiny_source):
    lesson = parse(tiny_source, "90_tiny")
    with pytest.raises(SourceError, match="tiny-gone: is translated"):
        lay_over(lesson, {"cells": {"tiny-gone": {"of": "", "text": "x"}}})
    with pytest.raises(SourceError, match="'nowhere'"):
        lay_over(lesson, {"strings": {"tiny-greet": {"nowhere": "x"}}})
    with pytest.raises(SourceError, match="no code cell"):
        lay_over(lesson, {"strings": {"tiny-title": {"Tiny": "x"}}})


def test_a_translation_whose_english_changed_is_outdated(tiny_source):
    overlay = {"cells": {"tiny-section": {"of": stamp(ENGLISH), "text": "x"}}}
    assert outdated(parse(tiny_source, "90_tiny"), overlay) == []
    assert outdated(parse(tiny_source.replace("Some", "More"), "90_tiny"), overlay) == ["tiny-section"]
