"""Answers in a form that the wish prescribes: XML tags to fill, or the rest of a JSON object that was begun for it."""

import json
import re

__all__ = ["filled_form", "rest_of_json"]

PAIR = re.compile(r"<(?P<tag>[a-zA-Z][\w-]{0,40})>(?P<inside>[^<>]{0,200})</(?P=tag)>")
NAMED = re.compile(
    r"(?:\b(?:in|inside|within|between|with|using)\b|\binto\b)[^.<>\n]{0,40}<(?P<tag>[a-zA-Z][\w-]{0,40})>"
)
ASKS = re.compile(
    r"\b(?:output|respond|reply|answer|return|format|put|write|give|provide|enclose|place)\b", re.IGNORECASE
)
FEWEST_OPTIONS = 2


def filled_form(wish: str, said: str) -> str | None:
    """Return `said` in the tags that a wish asks for, or None when it asks for none.

    A tag that lists options ("PASS, FAIL or UNSURE") gets the first of them.
    """
    found: dict[str, str] = {}
    for match in PAIR.finditer(wish):
        if ASKS.search(wish[max(0, match.start() - 300) : match.start()]):
            found.setdefault(match["tag"], match["inside"])
    for match in NAMED.finditer(wish):
        if ASKS.search(wish[max(0, match.start() - 120) : match.end()]):
            found.setdefault(match["tag"], "")
    if not found:
        return None
    return "\n".join(f"<{tag}>{_option(inside) or said}</{tag}>" for tag, inside in found.items())


def _option(inside: str) -> str:
    words = [word.strip(" .'\"[]") for word in re.split(r",|/|\||\bor\b", inside)]
    short = [word for word in words if word and len(word.split()) <= 2]
    return short[0] if len(short) == len([word for word in words if word]) >= FEWEST_OPTIONS else ""


def rest_of_json(prefill: str, said: str) -> str | None:
    """Return the rest of a JSON object that the last turn has begun with a brace, or None when it has not."""
    return json.dumps({"answer": said}, ensure_ascii=False)[1:] if prefill.rstrip().endswith("{") else None
