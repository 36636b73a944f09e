"""A value found in the text, as a parameter wants it; and what the values of an enum mean."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from course.mockmodel.days import day_count
from course.mockmodel.offers import Param
from course.mockmodel.schema import conform
from course.mockmodel.span import Span
from course.mockmodel.words import data, meanings_of, spread, stem, table

__all__ = ["convert", "counts_other", "meaning", "table_code"]


def convert(param: Param, span: Span, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Return a span's value as this parameter wants it, or None."""
    role, value = param.role, span.value
    if span.kind == "money":
        value = value[0] if role == "number" else value[1] if role == "currency" else span.text
    if role == "unit" and span.kind == "currency" and "currenc" not in param.words:
        value = span.text
    if role == "number" and span.kind == "date":
        value = day_count(span.text)
    if role == "timezone":
        value = _timezone(str(value))
    elif role == "currency":
        value = table_code(str(value)) or str(value)
    elif role == "date":
        value = _date(str(value), span, param)
    elif role == "datetime":
        value = str(value) if "T" in str(value) else f"{value}T00:00:00Z"
        value = value if value[-1] == "Z" or re.search(r"[+-]\d\d:?\d\d$", value) else value + "Z"
    elif role == "time" and schema.get("format") == "time":
        value = f"{value}:00Z"
    elif role in ("id", "text", "ticker") and span.kind in ("number", "money", "percent"):
        value = span.text.strip("# ")
    elif role not in ("number", "boolean") and span.kind in ("date", "time") and schema.get("format") is None:
        value = span.text if role != "time" else value
    return conform(value, schema, root)


@lru_cache(maxsize=2048)
def meaning(option: str) -> tuple[tuple[str, ...], frozenset[str], str | None]:
    """Return the stems of an enum's value, the concepts it stands for, and the currency code it is (or None)."""
    words = tuple(stem(word) for word in spread(option).lower().split())
    own = "_".join(spread(option).lower().split())
    meant = (
        {own}
        if own in data()["concepts"]
        else {c for word in spread(option).lower().split() for c in meanings_of(word)}
    )
    meant |= {own} & set(data()["acts"])
    return words, frozenset(meant), table_code(option) if len(option) == 3 else None


def _timezone(text: str) -> str:
    lowered = text.lower()
    return next((zone for zone, places in table("timezones").items() if lowered.split(",")[0] in places), text)


def table_code(text: str) -> str | None:
    """Return the code of a currency named in a text, or None."""
    lowered = text.lower()
    return next(
        (code for code, words in table("currencies").items() if lowered == code.lower() or lowered in words), None
    )


def _date(value: str, span: Span, param: Param) -> str:
    """An ISO date where the schema or its text asks for one, or where one was written; "tomorrow" stays a word else."""
    relative = not any(sign.isdigit() for sign in span.text)
    iso = param.schema.get("format") == "date" or re.search(r"yyyy|iso|\d{4}-\d\d", param.text, re.IGNORECASE)
    return value[:10] if iso or param.pattern is not None or not relative else span.text


def counts_other(param: Param, word: str) -> bool:
    """Whether the word after a number says that it counts something else ("2 days" is no number of guests)."""
    return word in _counted() and word not in param.after


@cache
def _counted() -> frozenset[str]:
    return frozenset(stem(word) for words in table("counted").values() for word in words)
