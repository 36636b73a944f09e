"""A deck of slides as one HTML file that carries reveal.js with it: it opens from a stick, without a network."""

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from course.facts import say
from course.facts.text import language
from course.workshop.slides import Piece, Slide, parser

__all__ = ["page"]

HERE = Path(__file__).parent
FEW = 400
"""Letters of a shown output up to which it is set in larger print."""
SETTINGS = (
    '{hash: true, width: 1280, height: 720, margin: 0.04, center: false, transition: "none", slideNumber: "c/t",'
    " plugins: [RevealNotes]}"
)


def page(columns: Iterable[Iterable[Slide]], *, lesson: str, title: str) -> str:
    """Return the file's text. reveal.js 6 and its notes window (MIT licence) stand in it, with their licence."""
    reveal = HERE / "reveal"
    label = escape(say("slides.deck.label", lesson=lesson, title=title))
    body = "\n".join(f"<section>\n{chr(10).join(map(_slide, column))}\n</section>" for column in columns)
    licence = (reveal / "LICENSE").read_text(encoding="utf-8").strip()
    style = "\n".join(_read(path) for path in (reveal / "reveal.css", HERE / "deck.css"))
    scripts = "".join(f"<script>{_read(reveal / name)}</script>\n" for name in ("reveal.js", "notes.js"))
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{label}</title>\n<!-- reveal.js\n{licence}\n-->\n<style>\n{style}\n</style>\n</head>\n"
        f'<body>\n<main aria-label="{label}">\n<div class="reveal"><div class="slides">\n{body}\n'
        f"</div></div>\n</main>\n"
        f"{scripts}<script>Reveal.initialize({SETTINGS});</script>\n</body>\n</html>\n"
    )


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _slide(slide: Slide) -> str:
    head = "h1" if slide.level == 1 else "h2"
    notes = f'<aside class="notes">{_markdown(slide.notes)}</aside>\n' if slide.notes else ""
    body = "\n".join(map(_piece, slide.pieces))
    return f"<section>\n<{head}>{_inline(slide.title)}</{head}>\n{body}\n{notes}</section>"


def _piece(piece: Piece) -> str:
    if piece.kind == "markdown":
        return _markdown(piece.text)
    if piece.kind == "html":
        label = escape(say("slides.deck.output"))
        few = " few" if _is_few(piece.text) else ""
        return f'<div class="shown{few}" tabindex="0" role="region" aria-label="{label}">{piece.text}</div>'
    kind = "code" if piece.kind == "code" else "output"
    return f'<pre class="{kind}" tabindex="0"><code>{escape(piece.text, quote=False)}</code></pre>'


def _is_few(html: str) -> bool:
    """Tell a few words, such as a refusal, from tables and views."""
    return "<table" not in html and len(re.sub(r"<style.*?</style>|<[^>]*>", "", html, flags=re.DOTALL)) < FEW


def _markdown(text: str) -> str:
    return parser().render(text)


def _inline(text: str) -> str:
    return parser().renderInline(text)
