"""A notebook that somebody else saved, one that is opened again, and Notebook 7."""

import json

import pytest
from pages import TRACE, step, until

pytestmark = pytest.mark.browser
TITLES = ("Claude asks for", "The app runs 2 calls", "The app returns 2 results", "Claude answers")


def test_an_untrusted_notebook_shows_every_step_and_says_how_to_get_the_view(lab):
    lab.open("still.ipynb")
    lab.run_all()
    lab.page.wait_for_selector(TRACE)
    lab.command("docmanager:save")
    lab.shut()
    book = json.loads((lab.root / "still.ipynb").read_text(encoding="utf-8"))
    book["cells"][-1]["source"] = "# changed by someone else"
    (lab.root / "untrusted.ipynb").write_text(json.dumps(book), encoding="utf-8")
    lab.open("untrusted.ipynb")
    lab.page.wait_for_selector(".jp-OutputArea-output:has-text('The app returns 2 results')")
    text = lab.page.locator(".jp-Notebook").last.inner_text()
    for title in TITLES:
        assert title in text
    assert "run this cell" in text
    lab.shut()


def test_a_saved_notebook_that_is_opened_again_shows_every_step(lab):
    lab.open("still.ipynb")
    picture = lab.page.locator(".cw-still")
    picture.wait_for()
    assert picture.is_visible()
    for title in TITLES:
        assert title in picture.inner_text()
    lab.run_all()
    lab.page.wait_for_selector(TRACE)
    assert not lab.page.locator(".cw-still").is_visible()
    lab.shut()


def test_notebook_7_shows_the_view_and_steps(lab):
    lab.open_notebook7("seven.ipynb")
    lab.errors.clear()
    lab.run_all()
    lab.page.wait_for_selector(TRACE)
    lab.page.locator(TRACE).get_by_role("button", name="Last").click()
    assert step(lab.page) == 5
    assert until(lab, "print(view.index)", "4") == "4"
    assert lab.external == []
    # The widget manager says this of the page just left, whenever it gets round to it (ipywidgets#3823).
    assert [error for error in lab.errors if "widget model not found" not in error] == []
