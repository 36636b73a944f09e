"""How the stand-in takes a failed call: try again, mend the argument, use another tool, or report."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from course.mockmodel.offers import Offer, Param
from course.mockmodel.results import parsed
from course.mockmodel.schema import conform
from course.mockmodel.spans import spans
from course.mockmodel.words import table

__all__ = ["RETRIES", "Failure", "found_nothing", "mended", "read_failure"]

RETRIES = 2


@dataclass(frozen=True)
class Failure:
    """An error result, read. kind: `transient`, `denied`, `invalid`, `unclear`. told: its text without JSON."""

    kind: str
    retry: bool
    told: str


FLAG = re.compile(r"\"?(?:is_?)?retryable\"?\s*[:=]\s*\"?(true|false|yes|no)", re.IGNORECASE)
CATEGORY = re.compile(r"\"?error_?category\"?\s*[:=]\s*\"?(\w+)", re.IGNORECASE)
CATEGORIES = {
    "transient": "transient",
    "validation": "invalid",
    "business": "denied",
    "policy": "denied",
    "permission": "denied",
}


@cache
def _signs() -> dict[str, re.Pattern[str]]:
    return {
        kind: re.compile(
            "|".join(rf"(?<!\w){re.escape(word).replace(chr(92) + ' ', '[ -]?')}" for word in words), re.IGNORECASE
        )
        for kind, words in table("errors").items()
    }


def read_failure(text: str) -> Failure:
    """Sort an error text. What it says itself of retrying goes before what its words suggest.

    An unclear one ("Error") is tried again too: nothing in it says that this is useless.
    """
    signs, flag, category = _signs(), FLAG.search(text), CATEGORY.search(text)
    if category is not None and category[1].lower() in CATEGORIES:
        kind = CATEGORIES[category[1].lower()]
    elif signs["retry"].search(text) and not signs["never"].search(text):
        kind = "transient"
    elif signs["denied"].search(text):
        kind = "denied"
    elif signs["invalid"].search(text):
        kind = "invalid"
    else:
        kind = "unclear"
    if flag is not None:
        retry = flag[1].lower() in ("true", "yes")
    else:
        retry = kind in ("transient", "unclear") and not signs["never"].search(text)
    return Failure(kind, retry, _told(text))


def _told(text: str) -> str:
    """The sentence for a person in an error payload, or its first line."""
    document = parsed(text)
    if isinstance(document, Mapping):
        nested = document.get("error")
        inner: Mapping[str, Any] = nested if isinstance(nested, Mapping) else document
        for key in ("message", "description", "detail", "error", "customerMessage", "reason"):
            if isinstance(inner.get(key), str) and inner[key]:
                return str(inner[key])
    return (text.strip().splitlines() or [""])[0][:300]


def found_nothing(text: str) -> bool:
    """Whether a result says that there is nothing: an empty list, a count of nought, words such as "no results"."""
    document = parsed(text)
    if document is not None:
        inner = list(document.values()) if isinstance(document, Mapping) else document
        if isinstance(document, list):
            return not document
        lists = [value for value in inner if isinstance(value, list)]
        return not document or (bool(lists) and not any(lists))
    return not text.strip() or (len(text) < 200 and _signs()["nothing"].search(text) is not None)


MEANT = re.compile(
    r"\b(?:did you mean|do you mean|perhaps)\b:?\s+[\"'`“]?(?P<it>[^\"'`”?\n]{1,80}?)[\"'`”]?\s*(?:\?|\.(?:\s|$)|$)"
    r"|\b(?:try|use|for example|e\.g\.)\b[^\"'`“\n]{0,20}[\"'`“](?P<quoted>[^\"'`”\n]{1,80})[\"'`”]",
    re.IGNORECASE,
)
OPTIONS = re.compile(
    r"\b(?:one of|valid (?:values|options)(?: are)?|allowed(?: values)?(?: are)?|options(?: are)?"
    r"|choose from|expected)\b:?\s*(?P<them>.+)",
    re.IGNORECASE,
)
BOUNDS = re.compile(
    r"\bbetween\s+(-?\d+(?:\.\d+)?)\s+and\s+(-?\d+(?:\.\d+)?)|\b(?:at most|maximum(?: is| of)?|max"
    r"|no more than|<=|up to)\s+(-?\d+(?:\.\d+)?)|\b(?:at least|minimum(?: is| of)?|min|>=)\s+(-?\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
LACKS = re.compile(r"\b(?:missing|required|requires|provide|needs?)\b", re.IGNORECASE)


def mended(offer: Offer, given: Mapping[str, Any], error: str, wish: str, today: date) -> dict[str, Any] | None:
    """Return arguments changed as an error text suggests, or None when it suggests nothing that can be followed."""
    root = offer.definition["input_schema"]
    told = read_failure(error).told
    for param in _suspects(offer, given, told):
        current = given.get(param.name)
        for value in _suggested(param, current, told, wish, today):
            shaped = conform(value, param.schema, root)
            if shaped is not None and shaped != current:
                return {**given, param.name: shaped}
    return None


def _suspects(offer: Offer, given: Mapping[str, Any], told: str) -> Sequence[Param]:
    """The parameters an error text may be about: those it names, else those whose value it repeats, else all."""
    named = [p for p in offer.params if re.search(rf"(?<!\w){re.escape(p.name)}(?!\w)", told)]
    repeated = [
        p for p in offer.params if p.name in given and len(str(given[p.name])) > 1 and str(given[p.name]) in told
    ]
    return named or repeated or [p for p in offer.params if p.name in given]


def _suggested(param: Param, current: Any, told: str, wish: str, today: date) -> list[Any]:
    found: list[Any] = []
    if current is None and LACKS.search(told):
        found += [span.value for span in spans(wish, today) if span.kind == param.role]
    if (options := OPTIONS.search(told)) is not None and isinstance(current, str):
        found += _nearest(current, re.findall(r"[\w°$€-]+(?: [\w-]+)?(?=[\"'`,.\]|)]|\s+or\b|$)", options["them"]))
    if (
        isinstance(current, int | float)
        and not isinstance(current, bool)
        and (bounds := BOUNDS.search(told)) is not None
    ):
        low, high = bounds[1] or bounds[4], bounds[2] or bounds[3]
        limit = (
            high
            if high is not None and current > float(high)
            else low
            if low is not None and current < float(low)
            else None
        )
        if limit is not None:
            found.append(float(limit) if "." in limit else int(limit))
    if isinstance(current, str):
        found += _reformed(current, told, wish, today)
        if (meant := MEANT.search(told)) is not None:
            found.append((meant["it"] or meant["quoted"]).strip())
    return found


def _nearest(current: str, options: Sequence[str]) -> list[str]:
    """The option that begins like the current value, or that it begins like; else the first."""
    options = [option.strip() for option in options if option.strip() and option.strip() not in ("or", "and")]
    low = current.lower()
    alike = [o for o in options if o.lower() == low or low.startswith(o.lower()) or o.lower().startswith(low[:3])]
    return (alike or list(options))[:1]


def _reformed(current: str, told: str, wish: str, today: date) -> list[str]:
    found: list[str] = []
    lowered = told.lower()
    if "yyyy-mm-dd" in lowered or "iso 8601" in lowered or "iso date" in lowered:
        found += [str(span.value)[:10] for span in (*spans(current, today), *spans(wish, today)) if span.kind == "date"]
    if "hh:mm" in lowered:
        found += [str(span.value) for span in spans(current, today) if span.kind == "time"]
    if "uppercase" in lowered or "upper case" in lowered or "capital" in lowered:
        found.append(current.upper())
    if "lowercase" in lowered or "lower case" in lowered:
        found.append(current.lower())
    if "code" in lowered:
        found += [str(span.value) for span in spans(current, today) if span.kind == "currency"]
    return found
