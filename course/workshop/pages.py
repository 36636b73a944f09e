"""The pages of the poll: one skeleton, a script and the words for each; every text reaches the page as text.

A page's script is made of parts, as in the notebook views, whose `dom.js` it shares. Words come from the strings of
this room; scripts hold none.
"""

import json
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from types import MappingProxyType

from course.facts import language
from course.facts.text import say, table
from course.widgets.assets import script

__all__ = ["PAGES", "asset", "page"]

HERE = Path(__file__).parent / "static"
PAGES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "join": ("common", "join"),
        "vote": ("common", "question", "vote"),
        "teacher": ("common", "question", "leave", "teacher"),
        "projector": ("common", "question", "leave", "projector"),
    }
)
"""The parts of each page's script."""


def page(name: str, **data: str) -> str:
    """Return a page as HTML; `data` is what its script is told besides the words."""
    told = json.dumps({"words": table("workshop.page"), **data}, ensure_ascii=False)
    values = {
        "lang": language(),
        "name": name,
        "title": say(f"workshop.title.{name}"),
        "data": told,
        "script_off": say("workshop.page.script_off"),
    }
    return _skeleton().safe_substitute({key: escape(value) for key, value in values.items()})


@cache
def _skeleton() -> Template:
    return Template((HERE / "page.html").read_text(encoding="utf-8"))


@cache
def asset(name: str) -> tuple[str, str] | None:
    """Return text and media type of `vote.js`, `poll.css`, `icon.svg` and their like; None for any other name."""
    stem, _, kind = name.partition(".")
    if kind == "js" and stem in PAGES:
        parts = [(HERE / f"{part}.js").read_text(encoding="utf-8") for part in PAGES[stem]]
        return "\n".join([script("dom"), *parts]), "text/javascript"
    if name == "poll.css":
        return (HERE / name).read_text(encoding="utf-8"), "text/css"
    if name == "icon.svg":
        return (HERE / name).read_text(encoding="utf-8"), "image/svg+xml"
    return None
