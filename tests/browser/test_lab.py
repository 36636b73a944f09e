"""The views in a real JupyterLab, offline: mouse, keys, kernel, themes, trust, and nothing leaks."""

import pytest
from pages import KEYS, TRACE, axe, step, until

pytestmark = pytest.mark.browser
ASLEEP = """() => new Promise((asleep) => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const code = "import time; print('asleep', flush=True); time.sleep(120)";
  const future = kernel.requestExecute({ code });
  window.awake = false;
  future.done.then(() => { window.awake = true; }, () => {});
  future.onIOPub = (message) => { if (message.header.msg_type === "stream") asleep(1); };
})"""
FOCUSABLE = "button, input:not([type=hidden]), select, textarea, summary, [tabindex]"


@pytest.fixture(scope="module")
def views(lab):
    """The notebook with every view, run."""
    lab.open("views.ipynb")
    lab.run_all()
    for selector in (TRACE, ".cw-card", ".cw-quiz", ".cw-knobs"):
        lab.page.wait_for_selector(selector)
    yield lab
    lab.shut()


def press(views, name):
    views.page.locator(TRACE).first.get_by_role("button", name=name).click()


def home(views):
    views.page.locator(TRACE).first.focus()
    views.page.keyboard.press("Home")
    assert step(views.page) == 1


def test_a_click_shows_the_next_step_and_python_follows(views):
    home(views)
    press(views, "Next")
    assert step(views.page) == 2
    assert until(views, "print(view.index)", "1") == "1"
    press(views, "Last")
    assert step(views.page) == 5
    assert until(views, "print(view.index)", "4") == "4"
    press(views, "First")
    assert step(views.page) == 1


def test_python_moves_the_view(views):
    views.ask("view.index = 2")
    views.page.wait_for_selector(f'{TRACE}[data-step="3"]')


def test_arrow_keys_step_wherever_the_focus_is_inside(views):
    views.page.locator(f"{TRACE} .cw-title").first.click()
    for key, shown in (("Home", 1), ("ArrowRight", 2), ("End", 5), ("ArrowLeft", 4)):
        views.page.keyboard.press(key)
        assert step(views.page) == shown


def test_a_prediction_reaches_python_and_its_answer_comes_back(views):
    home(views)
    press(views, "Next")
    trace = views.page.locator(TRACE).first
    trace.get_by_text("One tool_use block, the second later").click()
    trace.get_by_role("button", name="That is my guess").click()
    trace.get_by_text("Not so.").wait_for()
    assert "Both wishes are independent" in trace.inner_text()
    assert until(views, "print(view.answers)", "{'two-calls-who': 2}") == "{'two-calls-who': 2}"


def test_no_key_on_any_focusable_changes_a_cell(views):
    views.watch_cells()
    before = views.cells()
    for box in (TRACE, ".cw:has(.cw-card)", ".cw-quiz", ".cw-guard"):
        count = views.page.locator(box).first.locator(FOCUSABLE).count()
        assert count > 2
        for number in range(count):
            target = views.page.locator(box).first.locator(FOCUSABLE).nth(number)
            if not target.is_visible():
                continue
            name = target.evaluate("(node) => node.outerHTML.slice(0, 90)")
            for key in KEYS:
                target.focus()
                views.page.keyboard.press(key)
            assert views.cells() == before, f"a key on {name} changed a cell"


def test_a_question_is_answered_by_keyboard_and_kept(views):
    page = views.page
    quiz = page.locator(".cw-quiz").first
    before = int(views.ask("print(len([e for e in store.events() if e.kind == 'answered']))"))
    quiz.locator(".cw-dim").first.focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") in ("radio", "checkbox") or page.evaluate(
            "document.activeElement.closest('.cw-order') !== null"
        ):
            break
    if page.evaluate("document.activeElement.type") == "checkbox":
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    quiz.get_by_role("button", name="Answer", exact=True).focus()
    page.keyboard.press("Enter")
    quiz.get_by_role("button", name="Next question").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Next question"
    assert int(views.ask("print(len([e for e in store.events() if e.kind == 'answered']))")) == before + 1


def test_a_knob_runs_the_stand_in_again_and_both_runs_stand_side_by_side(views):
    views.ask("what.change(what.base)")
    box = views.page.locator(".cw-guard").first
    box.get_by_label("parallel calls allowed").click()
    box.locator(".cw-pair").wait_for()
    text = box.inner_text()
    assert "As it was" in text
    assert "Changed: parallel calls" in text
    assert until(views, "print(what.setting.parallel)", "False") == "False"
    box.get_by_role("button", name="As it was").click()
    box.locator(".cw-pair").wait_for(state="detached")


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_axe_finds_nothing_in_either_theme(views, theme):
    views.theme(theme)
    views.ask("what.change(what.base)")
    for box in (TRACE, ".cw:has(> div > strong)", ".cw-quiz", ".cw-guard"):
        if views.page.locator(box).count():
            assert axe(views.page, box) == [], box


def test_the_still_picture_is_out_of_the_way_while_the_view_is_live(views):
    hidden = views.page.locator(".cw-still")
    assert hidden.count() == 4
    assert not any(hidden.nth(number).is_visible() for number in range(4))


def test_the_view_works_while_the_kernel_is_busy_and_after_it_restarted(views):
    home(views)
    views.page.evaluate(ASLEEP)
    press(views, "Last")
    assert step(views.page) == 5
    assert views.page.evaluate("awake") is False
    views.page.evaluate("jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart().then(() => 1)")
    home(views)
    press(views, "Next")
    assert step(views.page) == 2


def test_nothing_was_asked_of_the_network_and_no_script_failed(views):
    assert views.external == []
    assert views.errors == []
