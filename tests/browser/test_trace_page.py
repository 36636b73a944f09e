"""The trace view on a blank page with a model but no kernel: all it does, it does here."""

import json

import pytest
import view_samples as samples
from hypothesis import HealthCheck, given, settings
from pages import TRACE, axe, step
from test_payload import mutations

from course.traces import library
from course.widgets import TraceView, export_html
from course.widgets.payload import panel

pytestmark = pytest.mark.browser
GUESS = "Two tool_use blocks in one message"
SCHEMES = ({"color_scheme": "light"}, {"color_scheme": "dark"})
NARROW = {"viewport": {"width": 400, "height": 800}}
FORCED = {"forced_colors": "active"}
WALK = """(panel) => {
  model.set("panels", [panel]);
  const view = document.getElementById("view");
  return panel.steps.map((step, n) => { model.set("index", n); return view.innerText; });
}"""


def quiet():
    """The sample without its prediction."""
    return {**samples.parallel(), "questions": []}


def titles(page):
    return page.locator(".cw-big").all_inner_texts()


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_all_steps_are_reached_forward_and_back(bare):
    page = bare().mount(TraceView(quiet()))
    wanted = [shown["title"] for shown in panel(quiet())["steps"]]
    forward = [titles(page)[0], *(press(page, "Next") or titles(page)[0] for _ in wanted[1:])]
    backward = [titles(page)[0], *(press(page, "Back") or titles(page)[0] for _ in wanted[1:])]
    assert forward == wanted
    assert backward == wanted[::-1]


def test_the_buttons_are_off_at_the_ends(bare):
    page = bare().mount(TraceView(quiet()))
    off = lambda: [one.get_attribute("aria-disabled") for one in page.locator("[data-act]").all()]  # noqa: E731
    assert off() == ["true", "true", "false", "false"]
    press(page, "Last")
    assert off() == ["false", "false", "true", "true"]


def test_the_scrubber_moves_the_view_and_says_where_it_is(bare):
    page = bare().mount(TraceView(quiet()))
    scrubber = page.get_by_role("slider")
    scrubber.focus()
    page.keyboard.press("End")
    assert step(page) == 5
    page.keyboard.press("ArrowLeft")
    assert step(page) == 4
    assert "Step 4 of 5. The app returns 2 results. The result of pair 2 is an error." in scrubber.get_attribute(
        "aria-valuetext"
    )


def test_marks_of_errors_and_parallel_calls_stand_under_their_steps(bare):
    page = bare().mount(TraceView(quiet()))
    assert page.locator(".cw-signs").all_inner_texts() == ["", "∥", "✕ ∥", "✕", ""]
    assert page.locator(".cw-legend").inner_text().split("\n") == ["✕ Error", "∥ Parallel"]


def test_a_click_on_the_map_goes_to_that_step(bare):
    page = bare().mount(TraceView(quiet()))
    page.locator(".cw-hop").nth(2).click(force=True)
    assert step(page) == 3


def test_each_step_is_one_saved_change(bare):
    page = bare().mount(TraceView(quiet()))
    for key in ("ArrowRight", "End", "ArrowRight", "b"):
        page.locator(TRACE).focus()
        page.keyboard.press(key)
    assert [saved["index"] for saved in page.evaluate("model.saved")] == [1, 4]


def test_the_keys_of_the_view_end_there_and_all_others_go_on(bare):
    page = bare().mount(TraceView(quiet()))
    page.evaluate(
        "() => { window.heard = []; document.addEventListener('keydown', (event) => heard.push(event.key)); }"
    )
    page.locator(TRACE).focus()
    for key in ("ArrowRight", "b", "End", "Control+ArrowLeft", "Escape", "Home"):
        page.keyboard.press(key)
    assert page.evaluate("heard") == ["b", "Control", "ArrowLeft", "Escape"]
    assert step(page) == 1


def test_the_raw_json_is_the_body_that_went_out_and_copies_as_it_is(bare):
    page = bare().mount(TraceView(quiet(), start=3))
    body = quiet()["exchanges"][1]["request"]
    assert json.loads(page.locator(".cw-raw pre").inner_text()) == body
    page.evaluate(
        """() => Object.defineProperty(navigator, "clipboard",
          { value: { writeText: async (text) => { window.copied = text; } } })"""
    )
    press(page, "Copy")
    page.get_by_role("button", name="Copy ✓").wait_for()
    assert json.loads(page.evaluate("copied")) == body


def test_without_a_clipboard_the_json_is_selected_to_be_copied_by_hand(bare):
    page = bare().mount(TraceView(quiet()))
    press(page, "Copy")
    page.get_by_role("button", name="Ctrl+C").wait_for()
    assert json.loads(page.evaluate("getSelection().toString()")) == quiet()["exchanges"][0]["request"]


def test_a_badge_leads_from_a_call_to_its_result_and_back(bare):
    page = bare().mount(TraceView(quiet(), start=1))
    page.get_by_role("button", name="Pair 2, the call. Go to its result in step 4").click()
    assert step(page) == 4
    focused = page.evaluate("document.activeElement.textContent")
    assert focused == "2"
    page.get_by_role("button", name="Pair 2, the result. Go to its call in step 2").first.click()
    assert step(page) == 2


def test_a_pair_lights_up_in_the_blocks_and_on_the_map(bare):
    page = bare().mount(TraceView(quiet(), start=3))
    page.locator(".cw-badge").first.focus()
    assert page.locator(".cw-block.cw-lit").count() == 2
    assert [n for n, hop in enumerate(page.locator(".cw-hop").all()) if "cw-lit" in hop.get_attribute("class")] == [
        1,
        2,
        3,
    ]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("orphan", "no call has this id"),
        ("duplicate", "Broken rule"),
        ("missing", "no result answers this call"),
        ("split", "tool_result"),
    ],
)
def test_broken_traces_are_shown_and_named(name, words, bare):
    page = bare().mount(TraceView(samples.BROKEN[name]()))
    seen = ""
    for _ in range(5):
        seen += page.locator(TRACE).inner_text()
        page.locator(TRACE).focus()
        page.keyboard.press("ArrowRight")
    assert words in seen


def test_parallel_calls_have_a_timeline_with_its_numbers(bare):
    page = bare().mount(TraceView(quiet(), start=2))
    rows = [row.inner_text().split() for row in page.locator("tbody tr").all()]
    assert rows == [["1", "get_weather", "0", "ms", "250", "ms"], ["2", "get_time", "10", "ms", "490", "ms"]]
    boxes = [bar.bounding_box() for bar in page.locator(".cw-bars i").all()]
    assert boxes[1]["x"] > boxes[0]["x"]
    assert boxes[1]["width"] > boxes[0]["width"]


def test_tokens_add_up_and_say_whether_they_were_counted(bare):
    page = bare().mount(TraceView(quiet(), start=4))
    assert "33 tokens in this step (as usage says), 1054 so far" in page.locator(TRACE).inner_text()
    page = bare().mount(TraceView(samples.one_by_one()))
    assert "(estimate)" in page.locator(TRACE).inner_text()


def test_next_waits_for_a_prediction_and_hides_what_would_answer_it(bare):
    page = bare().mount(TraceView(samples.parallel()))
    press(page, "Next")
    assert page.get_by_role("group", name="The request has gone out").is_visible()
    assert not page.locator(".cw-two").is_visible()
    assert not page.locator(".cw-hop").nth(1).is_visible()
    assert page.locator(".cw-signs").all_inner_texts() == ["", "?", "", "", ""]
    assert page.locator(".cw-legend").inner_text() == ""
    assert "Claude asks for" not in page.locator(TRACE).inner_text()
    page.locator(TRACE).focus()
    page.keyboard.press("ArrowRight")
    assert step(page) == 2
    page.get_by_text(GUESS).click()
    press(page, "That is my guess")
    assert "Claude asks for" in page.locator(TRACE).inner_text()
    assert f"You said: {GUESS}" in page.locator(TRACE).inner_text()
    assert page.evaluate("model.saved.at(-1).answers") == {"two-calls-who": 1}
    press(page, "Next")
    assert step(page) == 3


def test_show_me_goes_on_without_a_guess(bare):
    page = bare().mount(TraceView(samples.parallel(), start=1))
    press(page, "Show me")
    assert "Shown without a guess." in page.locator(TRACE).inner_text()
    assert page.evaluate("model.saved.at(-1).answers") == {"two-calls-who": -1}


def test_two_traces_move_under_one_cursor(bare):
    page = bare().mount(TraceView(quiet(), compare=samples.one_by_one()))
    assert len(titles(page)) == 2
    press(page, "Last")
    assert titles(page) == ["Claude answers", "Claude answers"]
    assert "this trace ended here" in page.locator(".cw-panel").nth(0).inner_text()
    assert "Step 8 of 8" in page.locator(".cw-panel").nth(1).inner_text()


def test_other_panels_rebuild_the_view(bare):
    page = bare().mount(TraceView(quiet(), start=4))
    page.evaluate("(panels) => model.set('panels', panels)", [panel(samples.orphan())])
    assert step(page) == 3
    page.evaluate("model.set('panels', [])")
    assert "no exchange" in page.locator("#view").inner_text()


def test_markup_in_a_trace_stays_text(bare):
    evil = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
    page = bare().mount(TraceView(samples.request({"role": "user", "content": evil})))
    assert evil in page.locator(".cw-text").inner_text()
    assert page.evaluate("window.hacked") is None


def test_the_view_can_be_closed(bare):
    page = bare().mount(TraceView(quiet()))
    page.evaluate("close_view()")
    page.evaluate("model.set('index', 3)")
    assert step(page) == 1


@pytest.mark.parametrize("options", [*SCHEMES, NARROW, FORCED], ids=["light", "dark", "narrow", "forced"])
def test_axe_finds_nothing_before_and_after_a_prediction(options, bare):
    page = bare(**options).mount(TraceView(samples.parallel(), start=1))
    assert axe(page, "#view") == []
    press(page, "Show me")
    assert axe(page, "#view") == []


@pytest.mark.parametrize("start", [0, 2, 3, 4])
def test_axe_finds_nothing_at_any_step(start, bare):
    assert axe(bare().mount(TraceView(quiet(), start=start)), "#view") == []


@pytest.mark.parametrize("options", SCHEMES, ids=["light", "dark"])
def test_axe_finds_nothing_in_a_comparison(options, bare):
    page = bare(**options).mount(TraceView(samples.orphan(), compare=samples.one_by_one(), start=2))
    assert axe(page, "#view") == []


def test_at_400_pixels_nothing_is_cut_off(bare):
    page = bare(**NARROW).mount(TraceView(quiet(), compare=samples.one_by_one(), start=3))
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_kinds_of_blocks_differ_without_colour(bare):
    page = bare(**FORCED).mount(TraceView(quiet(), start=3))
    edges = [
        block.evaluate("(node) => { const s = getComputedStyle(node); return s.borderLeftStyle + s.borderLeftWidth; }")
        for block in page.locator(".cw-block").all()
    ]
    text, call, _, result, error = edges
    assert len({text, call, result, error}) == 4


def test_what_a_screen_reader_is_told_of_a_step(bare):
    page = bare().mount(TraceView(quiet(), start=3))
    told = page.locator(TRACE).aria_snapshot()
    for line in (
        'group "Trace, step by step: Two calls in one message"',
        '- button "Back"',
        '- slider "Step"',
        "- status:",
        "Step 4 of 5",
        "Return",
        "App → Claude",
        "The app returns 2 results",
        "The result of pair 2 is an error.",
        '- button "Pair 1, the result. Go to its call in step 2"',
        '- group "Raw JSON of step 4"',
    ):
        assert line in told, line


def test_hangul_is_drawn_with_letters_of_its_own(bare):
    words = {"role": "user", "content": "파리의 날씨와 도쿄의 시각을 알려 주세요"}
    page = bare().mount(TraceView(samples.request(words)))
    shapes = page.evaluate(
        """() => { const font = getComputedStyle(document.querySelector(".cw-text")).font;
          return [..."가나\\u{10fffd}"].map((letter) => {
            const canvas = document.createElement("canvas");
            const pen = canvas.getContext("2d");
            pen.font = font;
            pen.fillText(letter, 9, 30);
            return canvas.toDataURL(); }); }"""
    )
    assert len(set(shapes)) == 3
    assert words["content"] in page.locator(".cw-text").inner_text()


@pytest.fixture(scope="module")
def fuzzed(chromium):
    from pages import Bare

    page = Bare(chromium)
    page.mount(TraceView(quiet()))
    yield page
    page.close()


@given(mutations())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_mutation_of_a_trace_is_shown_at_every_step(fuzzed, document):
    shown = json.loads(json.dumps(panel(document)))
    texts = fuzzed.page.evaluate(WALK, shown)
    assert len(texts) == len(shown["steps"])
    for one, text in zip(shown["steps"], texts, strict=True):
        assert " ".join(one["title"].split()) in " ".join(text.split()) or "Before you look" in text
        assert "cannot be shown in words" not in text
    assert fuzzed.errors == []


def test_every_sample_trace_is_shown_without_a_sound(bare):
    page = bare().mount(TraceView(quiet()))
    for name in library.samples():
        shown = json.loads(json.dumps(panel(library.sample(name))))
        texts = page.evaluate(WALK, shown)
        for one, text in zip(shown["steps"], texts, strict=True):
            assert one["title"] in text or "Before you look" in text, name


@pytest.mark.parametrize("spoiled", [{"blocks": None}, {"marks": 3}, {"raw": None}, {"tools": {}}, {"timing": None}])
def test_a_step_that_a_newer_or_older_version_saved_is_shown_as_it_is(spoiled, bare):
    view = TraceView(quiet())
    shown = panel(quiet())
    shown["steps"][1].update(spoiled)
    page = bare().mount(view)
    page.evaluate("(panels) => model.set('panels', panels)", [shown])
    page.locator(TRACE).focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(TRACE).inner_text()
    page.keyboard.press("ArrowRight")
    assert "The app runs 2 calls" in page.locator(TRACE).inner_text()


def test_an_exported_page_works_offline_and_opens_at_a_step(bare, tmp_path):
    file = export_html(samples.parallel(), tmp_path / "trace.html", compare=samples.one_by_one())
    view = bare()
    view.page.goto(f"{file.as_uri()}#step=4")
    assert step(view.page) == 4
    assert view.page.locator("#still").count() == 0
    press(view.page, "Back")
    assert view.page.evaluate("location.hash") == "#step=3"
    press(view.page, "Back")
    view.page.get_by_text("The weather and the time").click()
    press(view.page, "That is my guess")
    assert f"Not so. You said: The weather and the time. It is: {GUESS}." in view.page.locator(TRACE).inner_text()
    assert axe(view.page, "body") == []


def test_markup_in_an_exported_trace_ends_no_script(bare, tmp_path):
    evil = "</script><script>window.hacked = 1</script>"
    document = {**samples.parallel(), "title": evil, "notes": evil, "questions": []}
    view = bare()
    view.page.goto(export_html(document, tmp_path / "trace.html").as_uri())
    assert step(view.page) == 1
    assert view.page.title() == evil
    assert view.page.evaluate("window.hacked") is None


def test_an_exported_page_without_scripts_shows_every_step(bare, tmp_path):
    file = export_html({**samples.parallel(), "title": "</script><b>x"}, tmp_path / "trace.html")
    view = bare(java_script_enabled=False)
    view.page.goto(file.as_uri())
    text = view.page.locator("#still").inner_text()
    for shown in panel(samples.parallel())["steps"]:
        assert shown["title"] in text
