"""The files of the poll's pages: their words exist and are used, and texts stay texts."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from course.facts.text import table
from course.workshop import pages

STATIC = Path(pages.__file__).parent / "static"
SCRIPTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js")))
PREFIXES = ("phase_", "wait_", "next_", "sure_", "advice_")


def test_every_word_a_script_asks_for_exists_and_every_word_is_asked_for():
    words = set(table("workshop.page")) - {"script_off"}
    quoted = set(re.findall(r'"([a-z_0-9]+)"', SCRIPTS))
    asked = set(re.findall(r'\bt\("([a-z_0-9]+)"', SCRIPTS))
    assert asked <= words
    assert {word for word in words - quoted if not word.startswith(PREFIXES)} == set()


@pytest.mark.parametrize("name", pages.PAGES)
def test_a_page_carries_its_words_as_data_and_one_script(name):
    page = pages.page(name, address='http://x/"><script>alert(1)</script>')
    assert page.count("<script") == 1
    told = json.loads(unescape(re.search(r'data-told="([^"]*)"', page)[1]))
    assert told["words"]["join"] == "Join"
    assert told["address"].endswith("</script>")


@pytest.mark.parametrize("name", ["vote.js", "poll.css", "icon.svg"])
def test_assets_have_their_media_type(name):
    text, kind = pages.asset(name)
    assert text
    assert kind.endswith({"vote.js": "javascript", "poll.css": "css", "icon.svg": "svg+xml"}[name])


@pytest.mark.parametrize("name", ["", "common.js", "page.html", "../pages.py", "vote.css", "vote.js.map"])
def test_nothing_else_is_served(name):
    assert pages.asset(name) is None


def test_scripts_never_parse_markup_nor_set_styles_by_attribute():
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|style:", SCRIPTS)
