"""Rules of pictures and PDF files that a request carries as base64: type, size, edges, pages.

Only the heads of files are read. Limits: Claude API docs, vision and PDF pages, snapshot of 2026-09-26, and the reports
that `rules.toml` names.
"""

import binascii
import re
from base64 import b64decode
from collections.abc import Iterator
from typing import Any, NamedTuple

from course.api.context import Context
from course.api.rules import Place, Violation
from course.facts.models import Model

__all__ = ["check", "dimensions", "sniff"]

MAX_EDGE, MANY, MANY_EDGE, MAX_PAGES = 8000, 20, 2000, 600
SMALL_WINDOW, SMALL_MEDIA, LARGE_MEDIA = 200_000, 100, 600
HEAD = 64 * 1024
KINDS = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))
PAGE = re.compile(rb"/Type\s*/Page(?![a-zA-Z])")


class Medium(NamedTuple):
    """One base64 source: its block, where it stands, and the API's location of the block."""

    kind: str
    source: dict[str, Any]
    place: Place
    loc: str


def sniff(head: bytes) -> str | None:
    """Return the media type of a picture by its first bytes, or None when they are no picture's."""
    for start, kind in KINDS:
        if head.startswith(start):
            return kind
    return "image/webp" if head[:4] == b"RIFF" and head[8:12] == b"WEBP" else None


def dimensions(head: bytes) -> tuple[int, int] | None:
    """Return (width, height) in pixels of a PNG, GIF, JPEG or WebP by its head, or None."""
    kind = sniff(head)
    if kind == "image/png" and len(head) >= 24:
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if kind == "image/gif" and len(head) >= 10:
        return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    if kind == "image/webp" and head[12:16] == b"VP8X" and len(head) >= 30:
        return 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
    return _jpeg(head) if kind == "image/jpeg" else None


def _jpeg(head: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(head) and head[at] == 0xFF:
        mark, length = head[at + 1], int.from_bytes(head[at + 2 : at + 4], "big")
        if 0xC0 <= mark <= 0xCF and mark not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(head[at + 7 : at + 9], "big"), int.from_bytes(head[at + 5 : at + 7], "big")
        at += 2 + length
    return None


def _media(ctx: Context) -> Iterator[Medium]:
    for number, index, block in ctx.blocks("image", "document", "tool_result"):
        loc = f"messages.{number}.content.{index}"
        if block["type"] != "tool_result":
            yield from _medium(block, ctx.turns[number].place(index), loc)
        elif type(content := block.get("content")) is list:
            for part, inner in enumerate(content):
                if type(inner) is dict and inner.get("type") in ("image", "document"):
                    place = (*ctx.turns[number].place(index), "content", part)
                    yield from _medium(inner, place, f"{loc}.tool_result.content.{part}")


def _medium(block: dict[str, Any], place: Place, loc: str) -> Iterator[Medium]:
    source = block.get("source")
    if type(source) is dict:
        yield Medium(block["type"], source, (*place, "source"), loc)


def check(ctx: Context) -> Iterator[Violation]:
    """Yield the broken rules of pictures and PDF files."""
    if not ctx.kinds:
        return
    found = list(_media(ctx))
    images = [medium for medium in found if medium.kind == "image"]
    pages = 0
    for medium in found:
        if medium.source.get("type") != "base64" or type(medium.source.get("data")) is not str:
            continue
        if medium.kind == "image":
            yield from _image(ctx, medium, many=len(images) > MANY)
        elif medium.source.get("media_type") == "application/pdf":
            count = _pages(medium.source["data"])
            yield from _pdf(ctx, medium, count)
            pages += count or 0
    limit = _media_limit(ctx.model)
    if len(images) + pages > limit:
        place = images[-1].place if images else ("messages",)
        yield from ctx.breaks("media.too-much", place, pages=pages, images=len(images), limit=limit)


def _media_limit(model: Model | None) -> int:
    return SMALL_MEDIA if model is not None and model.context <= SMALL_WINDOW else LARGE_MEDIA


def _decode(data: str, most: int | None = None) -> bytes | None:
    """Return the bytes of base64 text, or of its head; None when it is no base64."""
    part = data if most is None else data[: most // 3 * 4]
    try:
        return b64decode(part, validate=True)
    except (binascii.Error, ValueError):
        return None


def _image(ctx: Context, medium: Medium, *, many: bool) -> Iterator[Violation]:
    data, declared = medium.source["data"], medium.source.get("media_type")
    loc, place = f"{medium.loc}.image.source.base64", (*medium.place, "data")
    if not data:
        yield from ctx.breaks("image.empty", place, loc=loc)
        return
    limit = ctx.model.image_bytes if ctx.model else 10 * 1024 * 1024
    if len(data) > limit:
        values = {"megabytes": limit // 1024 // 1024, "bytes": len(data), "limit": limit}
        yield from ctx.breaks("image.bytes", place, loc=loc, **values)
    head = _decode(data, HEAD)
    if head is None:
        yield from ctx.breaks("image.base64", place, loc=loc)
        return
    actual = sniff(head)
    if actual is None:
        yield from ctx.breaks("image.unreadable", place)
        return
    if actual != declared:
        yield from ctx.breaks(
            "image.type-mismatch", (*medium.place, "media_type"), loc=loc, declared=declared, actual=actual
        )
    size = dimensions(head)
    if size and max(size) > MAX_EDGE:
        yield from ctx.breaks("image.edge", place, loc=loc)
    elif size and many and max(size) > MANY_EDGE:
        yield from ctx.breaks("image.edge-many", place, loc=loc)


def _pages(data: str) -> int | None:
    raw = _decode(data)
    return len(PAGE.findall(raw)) if raw is not None and raw.lstrip()[:5] == b"%PDF-" else None


def _pdf(ctx: Context, medium: Medium, count: int | None) -> Iterator[Violation]:
    loc, place = f"{medium.loc}.pdf.source.base64.data", (*medium.place, "data")
    if not medium.source["data"]:
        yield from ctx.breaks("pdf.empty", place, loc=f"{medium.loc}.document.source.base64")
    elif count is None:
        yield from ctx.breaks("pdf.invalid", place, loc=loc)
    elif count > MAX_PAGES:
        yield from ctx.breaks("pdf.pages", place, loc=loc, limit=MAX_PAGES)
