import pytest

from course.authoring.errors import SourceError
from course.authoring.source import find_sources, parse


def test_a_lesson_is_read_with_ids_tags_objectives_and_misconceptions(tiny_source):
    lesson = parse(tiny_source, "90_tiny")
    assert (lesson.number, lesson.title) == ("90", "Tiny")
    section = lesson.cells[1]
    assert (section.id, section.kind) == ("tiny-section", "markdown")
    assert section.objectives == ("CYC-1", "BLK-2")
    assert section.misconceptions == ("claude-runs-tools",)
    assert lesson.cells[4].tags == ("exercise",)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("# %%", "needs an id"),
        ('# %% id="Big Letters"', "needs an id"),
        ('# %% id="tiny-x" colour="red"', "colour"),
        ('# %% [raw] id="tiny-x"', "raw cell"),
    ],
)
def test_a_header_the_builder_does_not_know_is_named(header, said):
    with pytest.raises(SourceError, match=said):
        parse(f"{header}\n1 + 1\n", "90_tiny")


def test_an_id_used_twice_is_named():
    with pytest.raises(SourceError, match=r"90_tiny, cell tiny-a: another cell"):
        parse('# %% id="tiny-a"\n1\n\n# %% id="tiny-a"\n2\n', "90_tiny")


def test_lessons_are_found_by_number_and_by_name(house):
    for wanted in ("90", "90_tiny", "90_tiny.ipynb"):
        assert [path.stem for path in find_sources(house.sources, (wanted,))] == ["90_tiny"]


def test_a_lesson_that_is_not_there_names_those_that_are(house):
    with pytest.raises(SourceError, match="there are: 90_tiny"):
        find_sources(house.sources, ("03",))
