"""The quiz view on a blank page, with Python behind it: every kind by keyboard, and no key before the answer."""

import random

import pytest
import view_items
from pages import axe

from course.facts import say
from course.quiz.practice import Session
from course.quiz.selection import Selection
from course.quiz.store import Store
from course.widgets import PredictView, QuizView

pytestmark = pytest.mark.browser
BANK = view_items.bank()


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "history.sqlite") as store:
        yield store


def quiz(store, *kinds):
    items = tuple(f"view-{kind.replace('_', '-')}" for kind in kinds)
    return QuizView(Session(BANK, store, Selection(items=items), count=len(items), rng=random.Random(1)))


def given(store):
    return [event.data["response"] for event in store.events() if event.kind == "answered"]


def told(page):
    """Answer by keyboard; return the verdict."""
    page.get_by_role("button", name="Answer", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Next question").wait_for()
    return page.locator(".cw-verdict .cw-big").inner_text()


def space(page, locator):
    locator.focus()
    page.keyboard.press("Space")


def answer_single(page):
    space(page, page.get_by_role("radio", name="One user message with two tool_result blocks"))


def answer_select_n(page):
    for name in ("tool_use_id", "content"):
        space(page, page.get_by_role("checkbox", name=name, exact=True))
    assert "2 of 2 chosen" in page.locator(".cw-quiz").inner_text()


def answer_order(page):
    space(page, page.get_by_role("button", name="Leave out: Claude runs the tool"))
    wanted = [
        "The app returns the result",
        "The app runs the tool",
        "Claude asks for a call",
        "The app offers tools and asks",
    ]
    for text in wanted:
        for _ in range(4):
            space(page, page.get_by_role("button", name=f"Up: {text}"))
    assert "now place 1 of 5" in page.locator(".cw-quiz").inner_text()


def answer_match(page):
    for row, target in (("tool_use", "Run"), ("end_turn", "Show"), ("pause_turn", "Send")):
        page.get_by_role("combobox", name=row).focus()
        page.keyboard.type(target)


def answer_spot_block(page):
    space(page, page.get_by_role("radio", name="message 2, block 0"))
    space(page, page.get_by_role("radio", name=say("quiz.kinds.rule.pairing.unexpected-result")))


def write(page, name, text):
    page.get_by_role("textbox", name=name, exact=True).focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def answer_repair_json(page):
    content = '[{"type": "tool_result", "tool_use_id": "toolu_01", "content": "18 °C"}]'
    write(page, "your JSON", f'{{"role": "user", "content": {content}}}')


def answer_write_schema(page):
    properties = '{"city": {"type": "string"}}'
    write(page, "your JSON", f'{{"type": "object", "properties": {properties}, "required": ["city"]}}')


def answer_faded_code(page):
    page.get_by_role("combobox", name="gap when").focus()
    page.keyboard.type('"end')
    write(page, "gap body", "return reply.content[0].text")


def answer_numeric(page):
    write(page, "your number", "2")


@pytest.mark.parametrize("kind", [kind for kind in view_items.BODIES if kind != "open"])
def test_every_kind_is_answered_by_keyboard_alone_and_kept(kind, bare, store):
    page = bare().attach(quiz(store, kind))
    assert view_items.SECRET not in page.content()
    globals()[f"answer_{kind}"](page)
    assert told(page) == "Correct.", given(store)
    assert view_items.SECRET in page.locator(".cw-verdict").inner_text()
    assert len(given(store)) == 1


def test_an_open_answer_is_compared_and_marked_by_its_writer(bare, store):
    page = bare().attach(quiz(store, "open"))
    write(page, "your answer", "The app keeps control.")
    page.keyboard.press("Control+Enter")
    page.get_by_text("Now compare").wait_for()
    space(page, page.get_by_role("checkbox", name="It names control over I/O."))
    assert told(page).startswith("Partly right")
    assert given(store) == [{"text": "The app keeps control.", "points": ["control"]}]


def test_a_wrong_answer_is_told_in_the_order_that_helps(bare, store):
    page = bare().attach(quiz(store, "single"))
    space(page, page.get_by_role("radio", name="Two user messages"))
    assert told(page) == "Not right."
    text = page.locator(".cw-verdict").inner_text()
    order = ["Not right.", "why it fails", "The right answer", "What to take away", "The exam guide says", "Read again"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_the_way_through_a_session_by_keyboard(bare, store):
    page = bare().attach(quiz(store, "single", "numeric"))
    for _ in range(2):
        if page.get_by_role("textbox", name="your number").count():
            answer_numeric(page)
        else:
            answer_single(page)
        told(page)
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Next question").wait_for(state="detached")
    assert "2 of 2 right." in page.locator(".cw-quiz").inner_text()


def test_the_focus_goes_along_to_the_next_question(bare, store):
    page = bare().attach(quiz(store, "single", "numeric"))
    page.get_by_role("button", name="Skip").click()
    page.get_by_text("Question 2 of 2").wait_for()
    assert page.evaluate("document.activeElement.textContent").startswith("Question 2 of 2")


def test_nothing_answered_is_said_and_what_was_typed_stays(bare, store):
    page = bare().attach(quiz(store, "single"))
    page.get_by_role("button", name="Answer", exact=True).click()
    page.get_by_text("Nothing answered yet.").wait_for()
    space(page, page.get_by_role("radio", name="Two user messages"))
    page.get_by_role("button", name="Hint (2 left)").click()
    page.get_by_text("A nudge with code.").wait_for()
    assert page.get_by_role("radio", name="Two user messages").is_checked()
    assert given(store) == []


def test_confidence_flag_note_and_report_reach_the_session(bare, store):
    page = bare().attach(quiz(store, "single"))
    page.get_by_role("button", name="Flag").click()
    page.locator("[aria-pressed=true]").wait_for()
    page.get_by_text("Note or report").click()
    write(page, "your note on this question", "Look again.")
    page.get_by_role("button", name="Save note").click()
    page.get_by_role("button", name="Report this question").click()
    page.locator("pre:has-text('Look again.')").wait_for()
    page.get_by_role("radio", name="sure", exact=True).click()
    answer_single(page)
    told(page)
    answered = next(event for event in store.events() if event.kind == "answered")
    assert answered.data["confidence"] == 3
    assert [event.data["text"] for event in store.events("noted")] == ["Look again."]


def test_markup_in_an_option_stays_text(bare, store):
    page = bare().attach(quiz(store, "single"))
    assert page.get_by_text("An assistant message that holds <b>both</b> results").is_visible()


def test_without_a_kernel_the_page_says_so(bare, store):
    page = bare(locale="en-GB").mount(quiz(store, "single"))
    page.clock.install()
    page.get_by_role("button", name="Answer", exact=True).click()
    assert "Checking" in page.locator(".cw-quiz").inner_text()
    page.clock.fast_forward(5000)
    assert "run this cell again" in page.locator(".cw-quiz").inner_text()


@pytest.mark.parametrize("kind", view_items.BODIES)
def test_axe_finds_nothing_before_and_after_the_answer(kind, bare, store):
    scheme = "dark" if kind in ("order", "match", "spot_block", "faded_code") else "light"
    page = bare(color_scheme=scheme).attach(quiz(store, kind))
    assert axe(page, "#view") == []
    if kind != "open":
        globals()[f"answer_{kind}"](page)
        told(page)
        assert axe(page, "#view") == []


def test_at_400_pixels_no_question_is_cut_off(bare, store):
    page = bare(viewport={"width": 400, "height": 800}).mount(quiz(store, "single"))
    for kind in view_items.BODIES:
        page.evaluate("(question) => model.set('question', question)", quiz(store, kind).question)
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, kind


def test_what_a_screen_reader_is_told_of_a_question(bare, store):
    page = bare().attach(quiz(store, "single"))
    before = page.locator(".cw-quiz").aria_snapshot()
    for line in (
        "What does the app send",
        '- radio "One user message with two tool_result blocks"',
        '- button "Answer"',
    ):
        assert line in before, line
    answer_single(page)
    told(page)
    after = page.locator(".cw-quiz").aria_snapshot()
    assert "- status: Correct." in after or "- status:\n" in after
    assert "Correct." in after


def test_a_prediction_is_made_by_keyboard_and_can_be_waived(bare):
    view = PredictView("who", "Who runs `the tool`?", ["Claude", "the app"], answer=1, why="A model runs nothing.")
    page = bare().mount(view)
    assert axe(page, "#view") == []
    assert "A model runs nothing." not in page.content()
    space(page, page.get_by_role("radio", name="Claude"))
    page.keyboard.press("Enter")
    page.get_by_text("Noted.").wait_for()
    assert page.evaluate("model.saved.at(-1).choice") == 0
    page.evaluate("model.set('verdict', { right: false, answer: 'the app', why: 'A model runs nothing.' })")
    assert "Not so. You said: Claude. It is: the app. A model runs nothing." in page.locator("#view").inner_text()
    page = bare().mount(view)
    page.get_by_role("button", name="Show me").click()
    assert page.evaluate("model.saved.at(-1).choice") == -1
    open_view = PredictView("who", "Who runs `the tool`?", ["Claude", "the app"])
    page = bare().mount(open_view)
    page.get_by_role("button", name="No guess").click()
    page.get_by_text("No guess made. To make one, run this cell again.").wait_for()
