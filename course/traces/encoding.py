"""Bytes as text: what encodings a pasted file may have."""

import re

from course.facts import say

__all__ = ["Unreadable", "decode"]

LIMIT = 50_000_000


class Unreadable(Exception):
    """Nothing can be read out of the input; the message says why and what to do."""


def decode(raw: bytes) -> str:
    """Return bytes as text. Raises Unreadable for an empty or binary file, or one too large."""
    if len(raw) > LIMIT:
        raise Unreadable(say("traces.unreadable.large", size=len(raw), limit=LIMIT))
    text = next((text for codec in _codecs(raw) if (text := _decoded(raw, codec)) is not None), "")
    if raw and (not text or "\0" in text[:4096]):
        raise Unreadable(say("traces.unreadable.binary"))
    return text


def _codecs(raw: bytes) -> tuple[str, ...]:
    """The encodings that bytes may have, the surest first: a Windows editor leaves UTF-16 or a code page behind."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return ("utf-16",)
    head = raw[:400]
    if head and head[1::2].count(0) > len(head) / 4:
        return ("utf-16-le",)
    if head and head[::2].count(0) > len(head) / 4:
        return ("utf-16-be",)
    return ("utf-8-sig",) if b"\0" in raw else ("utf-8-sig", "cp949", "cp1252", "latin-1")


def _decoded(raw: bytes, codec: str) -> str | None:
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError:
        return None
    return text if codec != "cp949" or re.search("[가-힣]{2}", text) else None
