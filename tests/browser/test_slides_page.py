"""A deck in a real browser: it opens from a file, fits its slides, and is usable by keyboard."""

import json
from pathlib import Path

import pytest
from pages import axe

from course.authoring.source import find_sources, read
from course.workshop.deck import page as html
from course.workshop.slides import columns

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
TOO_HIGH = """async () => {
  const found = [];
  for (const slide of Reveal.getSlides()) {
    const { h, v } = Reveal.getIndices(slide);
    Reveal.slide(h, v);
    await new Promise((done) => requestAnimationFrame(done));
    if (slide.scrollHeight > 760) found.push([h, v, slide.scrollHeight]);
  }
  return found;
}"""


@pytest.fixture(scope="session")
def decks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slides")
    for path in find_sources(ROOT / "lessons"):
        lesson = read(path)
        solution = json.loads((ROOT / "solutions" / f"{lesson.name}.ipynb").read_text(encoding="utf-8"))
        text = html(columns(lesson, solution), lesson=lesson.number, title=lesson.title)
        (folder / f"{lesson.number}.html").write_text(text, encoding="utf-8")
    return folder


def opened(bare, path, **options):
    view = bare(viewport={"width": 1280, "height": 720}, **options)
    view.page.goto(path.as_uri())
    view.page.wait_for_selector(".reveal.ready")
    return view


@pytest.mark.parametrize("number", [f"{n:02}" for n in range(15)])
def test_every_slide_of_a_lesson_fits_the_screen_or_nearly(bare, decks, number):
    view = opened(bare, decks / f"{number}.html")
    assert view.page.evaluate(TOO_HIGH) == []
    assert (view.errors, view.external) == ([], [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_slides_have_no_fault_that_axe_can_find(bare, decks, scheme):
    view = opened(bare, decks / "05.html", color_scheme=scheme)
    for place in ("0, 0", "2, 0", "2, 3"):
        view.page.evaluate(f"Reveal.slide({place})")
        assert axe(view.page, "body") == []


def test_the_keyboard_moves_through_the_deck(bare, decks):
    view = opened(bare, decks / "05.html")
    count = view.page.evaluate("Reveal.getTotalSlides()")
    for _ in range(count):
        view.page.keyboard.press("Space")
    assert view.page.evaluate("Reveal.isLastSlide()")
    view.page.keyboard.press("Home")
    assert view.page.evaluate("Reveal.getIndices().h") == 0


def test_s_opens_the_notes_of_the_speaker(bare, decks):
    view = opened(bare, decks / "05.html")
    with view.page.expect_popup() as popup:
        view.page.keyboard.press("s")
    notes = popup.value
    notes.wait_for_function("document.body.innerText.includes('So far Claude decided')")
