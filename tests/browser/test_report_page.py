"""The cohort report in a browser: found by axe to be in order in every scheme, readable on a phone and on paper."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "workshop"))

from classroom import bank_of, class_bank, files, line, made_report, one_file, seeded
from pages import axe

from course.workshop.report_html import as_html

pytestmark = pytest.mark.browser
SCHEMES = [
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"forced_colors": "active"},
    {"viewport": {"width": 390, "height": 800}},
]


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """A report with every table, Korean words, and a question that looks like HTML."""
    folder = tmp_path_factory.mktemp("class")
    bank = bank_of(
        *class_bank(
            12, stem="도구 호출은 몇 번 일어납니까? <b>Which</b> one holds, and why does the other one not hold at all?"
        )
    )
    files(folder, seeded(36, bank, noise=0.3))
    votes = [
        line(f"p{n}", "q0", "right" if n < right else "red", source="poll", try_number=vote)
        for vote, right in ((1, 3), (2, 20))
        for n in range(36)
    ]
    (folder / "poll.jsonl").write_text(one_file(votes, by="poll", learner=None, history=None), encoding="utf-8")
    path = folder / "report.html"
    path.write_text(as_html(made_report(folder, bank)), encoding="utf-8")
    return path.as_uri()


def opened(bare, page_file, **options):
    page = bare(**options).page if options else bare().page
    page.goto(page_file)
    return page


@pytest.mark.parametrize("options", SCHEMES, ids=str)
def test_axe_finds_nothing(bare, page_file, options):
    page = opened(bare, page_file, bypass_csp=True, **options)
    assert page.locator("table").count() >= 7
    assert axe(page, "html") == []


def test_no_page_scrolls_sideways_on_a_phone(bare, page_file):
    page = opened(bare, page_file, viewport={"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    first = page.locator("td.share").first.bounding_box()
    assert first["x"] + first["width"] <= 390


def test_a_table_that_is_too_wide_is_scrolled_with_the_keyboard(bare, page_file):
    page = opened(bare, page_file, viewport={"width": 390, "height": 800})
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "scroll"
    page.keyboard.press("ArrowRight")
    # Playwright's own waiting evaluates a string in the page, which the page's policy forbids.
    moved = any(page.evaluate("document.activeElement.scrollLeft") > 0 or page.wait_for_timeout(50) for _ in range(100))
    assert moved


def test_a_bar_is_as_long_as_its_number_and_the_number_stands_there(bare, page_file):
    page = opened(bare, page_file, viewport={"width": 1100, "height": 900})
    for cell in page.locator("#objectives td.share").all():
        share = float(cell.inner_text().split("%")[0]) / 100
        bar, full = (cell.locator(name).bounding_box()["width"] for name in (".bar", ".full"))
        assert full / bar == pytest.approx(share, abs=0.03)


def test_nothing_runs_and_nothing_is_fetched(bare, page_file):
    page = opened(bare, page_file, viewport={"width": 1100, "height": 900})
    assert page.locator("script, img, link, iframe, b").count() == 0
    assert "<b>Which</b>" in page.locator("#items").inner_text()


def test_on_paper_the_tables_are_whole(bare, page_file):
    page = opened(bare, page_file, viewport={"width": 800, "height": 900})
    page.emulate_media(media="print")
    assert page.evaluate("[...document.querySelectorAll('.scroll')].every((box) => box.scrollWidth <= 800)")
