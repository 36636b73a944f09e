"""The live poll in a real browser: the whole cycle by keyboard on phone, teacher's screen and projector."""

import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from pages import axe

sys.path.insert(0, str(Path(__file__).parents[1] / "workshop"))

from poll_desk import SECRET
from poll_server import serving

pytestmark = pytest.mark.browser

ASKED = ("--items", "q1,q2")
PHONE = {"viewport": {"width": 320, "height": 640}, "is_mobile": True, "has_touch": True}
WALL = {"viewport": {"width": 1920, "height": 1080}}
DESK = {"viewport": {"width": 1280, "height": 800}}
ROUTE = ("vote1", "closed", "discuss", "vote2", "reveal", "explain")


class People:
    """Browser pages of a poll, each with cookies of its own. `errors` and `external` must stay empty."""

    def __init__(self, browser, server):
        self.browser, self.server = browser, server
        self.contexts, self.errors, self.external = [], [], []

    def page(self, url, **options):
        context = self.browser.new_context(reduced_motion="reduce", **options)
        self.contexts.append(context)
        context.route("**/*", self._route)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        page.goto(url)
        return page

    def _route(self, route):
        if route.request.url.startswith(self.server.url):
            route.continue_()
        else:
            self.external.append(route.request.url)
            route.abort()

    def phone(self, name, **options):
        """A phone that joins, by keyboard alone."""
        page = self.page(self.server.url, **(PHONE | options))
        page.get_by_role("button", name="Join").wait_for()
        for text in (self.server.code.lower(), name):
            page.keyboard.press("Tab")
            page.keyboard.type(text)
        page.keyboard.press("Enter")
        page.get_by_text("You are in.").wait_for()
        return page

    def teacher(self, **options):
        page = self.page(self.server.teacher, **(DESK | options))
        page.get_by_role("button", name="Open the first question").wait_for()
        return page

    def wall(self):
        page = self.page(self.server.projector, **WALL)
        page.get_by_text("here").wait_for()
        return page


@pytest.fixture
def poll(chromium, tmp_path):
    with serving(tmp_path, *ASKED, "--port", "0") as server:
        people = People(chromium, server)
        yield people
        for context in people.contexts:
            context.close()
    assert people.external == []
    assert people.errors == []


def shows(page, phase):
    page.locator("header strong", has_text=re.compile(f"^{TITLES[phase]}$")).wait_for()


TITLES = {
    "vote1": "First vote", "closed": "First vote closed", "discuss": "Discuss", "vote2": "Second vote",
    "reveal": "Result", "explain": "Explanation",
}  # fmt: skip


def choose(page, place):
    """Vote for the option at this place (from 0) with Tab, arrows and Enter."""
    page.get_by_role("radio").first.wait_for()
    for _ in range(20):
        if page.evaluate("document.activeElement.name") == "letter":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    for _ in range(place):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_text("Stored: ").first.wait_for()


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_whole_cycle_by_keyboard_with_nothing_for_axe_and_no_key_before_the_reveal(poll):
    teacher, wall = poll.teacher(), poll.wall()
    phones = [poll.phone("Ann"), poll.phone("Bo", color_scheme="dark")]
    pages = [teacher, wall, *phones]
    for phase in ROUTE:
        teacher.keyboard.press("r" if phase == "reveal" else "Space")
        for page in pages:
            shows(page, phase)
        if phase.startswith("vote"):
            for place, page in enumerate(phones):
                choose(page, place if phase == "vote1" else 1)
        for page in pages:
            assert axe(page, "body") == [], phase
            assert fits(page), phase
        assert wall.evaluate("document.documentElement.scrollHeight <= innerHeight"), phase
        for page in (wall, *phones):
            assert page.locator(".result").count() == (phase in ("reveal", "explain")), phase
            assert (SECRET in page.content()) == (phase == "explain"), phase
        assert teacher.locator(".result").count() == 1
    table = wall.get_by_role("table").inner_text()
    assert "First vote" in table
    assert "1 (50 %)" in table
    assert "2 (100 %)" in table
    teacher.keyboard.press("Space")
    shows(phones[0], "vote1")
    assert phones[0].get_by_text("Choose 2 answers").is_visible()


def test_what_a_screen_reader_is_told_when_a_vote_opens_and_is_stored(poll):
    teacher, phone = poll.teacher(), poll.phone("Ann")
    teacher.keyboard.press("Space")
    shows(phone, "vote1")
    assert phone.get_by_role("status").inner_text() == "First vote"
    assert phone.evaluate("document.activeElement.textContent").startswith("Where does the needle")
    choose(phone, 0)
    assert "Stored: A" in phone.get_by_role("status").inner_text()
    snapshot = phone.locator("main").aria_snapshot()
    assert '- radio "A The needle points' in snapshot
    assert 'group "How sure are you? (optional)"' in snapshot


def test_a_vote_can_be_changed_and_survives_a_reload(poll):
    teacher, phone = poll.teacher(), poll.phone("Ann")
    teacher.keyboard.press("Space")
    choose(phone, 1)
    phone.get_by_role("button", name="Change my vote").wait_for()
    phone.get_by_role("radio").nth(3).check()
    phone.get_by_role("button", name="Change my vote").click()
    phone.get_by_text("Stored: D").first.wait_for()
    phone.reload()
    phone.get_by_role("radio").nth(3).wait_for()
    assert phone.get_by_role("radio").nth(3).is_checked()


def test_a_phone_that_had_scrolled_shows_from_the_top_which_vote_is_open(poll):
    teacher, phone = poll.teacher(), poll.phone("Ann", viewport={"width": 320, "height": 300})
    teacher.keyboard.press("Space")
    shows(phone, "vote1")
    phone.evaluate("scrollTo(0, 200)")
    for before, phase in pairwise(ROUTE[:4]):
        shows(teacher, before)  # a key pressed on a page that is behind is refused
        teacher.keyboard.press("Space")
        shows(phone, phase)
        assert phone.evaluate("scrollY") == 0, phase
        assert phone.evaluate("document.activeElement.tagName") in ("H1", "BODY"), phase


def test_the_teacher_sees_what_comes_next_and_is_told_what_a_key_cannot_do_now(poll):
    teacher = poll.teacher()
    assert teacher.get_by_text("Next question: q1").is_visible()
    teacher.keyboard.press("Space")
    shows(teacher, "vote1")
    assert teacher.get_by_text("Next question").is_hidden()
    teacher.keyboard.press("r")
    teacher.get_by_text("The vote is still open: close it first").wait_for()
    shows(teacher, "vote1")


def test_a_phone_that_comes_back_to_the_way_in_finds_its_seat(poll):
    phone = poll.phone("Ann")
    phone.goto(poll.server.url)
    phone.get_by_text("You are in this room as Ann.").wait_for()
    phone.get_by_role("link", name="Go on").click()
    phone.get_by_text("You are in.").wait_for()


def test_a_wrong_code_is_told_and_what_was_typed_stays(poll):
    phone = poll.page(poll.server.url, **PHONE)
    phone.get_by_label("Room code").fill("XXXXXX")
    phone.get_by_label("Your name in this room").fill("Ann")
    phone.keyboard.press("Enter")
    phone.get_by_text("There is no room with this code.").wait_for()
    assert phone.get_by_label("Your name in this room").input_value() == "Ann"
    assert axe(phone, "body") == []
    poll.errors[:] = [error for error in poll.errors if "403" not in error]


def test_a_name_is_shown_as_text_whatever_is_in_it(poll):
    teacher = poll.teacher()
    poll.phone("<img src=x onerror=a>")
    teacher.get_by_text("People (1)").click()
    assert teacher.get_by_text("<img src=x onerror=a>").is_visible()
    assert teacher.locator("img").count() == 0


def test_the_teachers_keys_can_be_switched_off_and_buttons_keep_their_own(poll):
    teacher = poll.teacher()
    teacher.get_by_label("Keys: space").uncheck()
    teacher.locator("h1").click()
    teacher.keyboard.press("Space")
    teacher.wait_for_timeout(300)
    assert teacher.get_by_role("button", name="Open the first question").is_visible()
    teacher.get_by_label("Keys: space").check()
    teacher.get_by_role("button", name="End the poll").focus()
    teacher.keyboard.press("Space")
    teacher.get_by_text("Really end it?").wait_for()
    teacher.get_by_role("button", name="No, go on").click()
    teacher.get_by_role("button", name="Open the first question").click()
    shows(teacher, "vote1")


def test_the_teacher_can_hide_the_bars_from_who_looks_at_the_same_screen(poll):
    teacher = poll.teacher()
    teacher.keyboard.press("Space")
    shows(teacher, "vote1")
    teacher.get_by_role("button", name="Hide bars").click()
    assert teacher.locator(".result").count() == 0
    assert axe(teacher, "body") == []
    teacher.reload()
    teacher.get_by_role("button", name="Show bars").click()
    assert teacher.locator(".result").count() == 1


def test_the_focus_stays_on_the_button_that_led_to_the_next_phase(poll):
    teacher = poll.teacher()
    teacher.get_by_role("button", name="Open the first question").focus()
    for title in ("vote1", "closed", "discuss"):
        teacher.keyboard.press("Enter")
        shows(teacher, title)
    assert teacher.evaluate("document.activeElement.textContent") == "Open the second vote"


def test_too_few_choices_are_told_and_nothing_is_stored(poll):
    teacher, phone = poll.teacher(), poll.phone("Ann")
    teacher.keyboard.press("Space")
    shows(teacher, "vote1")
    teacher.get_by_role("button", name="Leave this question out").click()
    phone.get_by_role("checkbox").first.check()
    phone.get_by_role("button", name="Vote").click()
    phone.locator("#line:has-text('2')").wait_for()
    assert teacher.get_by_text("0 of 1 have voted").is_visible()
    phone.get_by_role("checkbox").nth(1).check()
    phone.get_by_role("button", name="Vote").click()
    phone.get_by_text("Stored: A, B").first.wait_for()
    poll.errors[:] = [error for error in poll.errors if "400" not in error]


def test_without_the_token_the_teachers_page_asks_for_it(poll):
    page = poll.page(f"{poll.server.url}/teacher", **DESK)
    page.get_by_label("Teacher's token").fill("wrong")
    page.keyboard.press("Enter")
    page.get_by_text("This is not the teacher's token.").wait_for()
    assert axe(page, "body") == []
    poll.errors[:] = [error for error in poll.errors if "403" not in error]
    page.get_by_label("Teacher's token").fill(poll.server.teacher.partition("#")[2])
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Open the first question").wait_for()


def test_the_token_does_not_stay_in_the_address(poll):
    assert "#" not in poll.teacher().url


def test_print_on_the_wall_shrinks_until_a_long_question_fits(chromium, tmp_path):
    from poll_desk import bank_with, poll_item

    long = poll_item("q1", stem="Which needle points where it should? " * 30)
    with serving(tmp_path, "--items", "q1", "--port", "0", bank=bank_with(long)) as server:
        people = People(chromium, server)
        teacher, wall = people.teacher(), people.wall()
        teacher.keyboard.press("Space")
        shows(wall, "vote1")
        assert wall.evaluate("document.documentElement.scrollHeight <= innerHeight")
        for context in people.contexts:
            context.close()


def test_pages_outlive_a_crash_of_the_server_and_the_vote_sent_meanwhile_is_stored(chromium, tmp_path):
    with serving(tmp_path, *ASKED, "--port", "0") as server:
        people = People(chromium, server)
        teacher, phone = people.teacher(), people.phone("Ann")
        teacher.keyboard.press("Space")
        shows(phone, "vote1")
        server.kill()
        phone.get_by_text("No connection.").wait_for()
        assert axe(phone, "body") == []
        phone.get_by_role("radio").nth(2).check()
        phone.get_by_role("button", name="Vote").click()
        phone.get_by_text("Not stored yet").wait_for()
    with serving(tmp_path, *ASKED) as again:
        assert again.url == server.url
        phone.get_by_text("Stored: C").first.wait_for()
        teacher.get_by_text("1 of 1 have voted").wait_for()
        teacher.keyboard.press("Space")
        shows(phone, "closed")
        assert phone.get_by_text("Your first vote: C").is_visible()
        for context in people.contexts:
            context.close()


@pytest.mark.parametrize("option", [{"forced_colors": "active"}, {"color_scheme": "dark"}])
def test_bars_differ_in_pattern_in_every_colour_scheme(poll, option):
    teacher = poll.teacher(**option)
    phone = poll.phone("Ann")
    for phase in ROUTE[:5]:
        teacher.keyboard.press("Space")
        for page in (teacher, phone):
            shows(page, phase)
        if phase.startswith("vote"):
            choose(phone, 0)
    image = "(kind) => getComputedStyle(document.querySelector(`td .bar.${kind} i`)).backgroundImage"
    assert "gradient" in teacher.evaluate(image, "first")
    assert teacher.evaluate(image, "second") == "none"
    assert axe(teacher, "body") == []
