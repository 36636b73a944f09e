"""A printed paper and its key, two PDFs that share a footer: title, seed and the bank's digest.

The paper carries no key, no reason and no id (an id may hint at the answer). Same items, seed and
texts give the same bytes.
"""

import importlib.util
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from course.facts import language, say
from course.quiz.exports.cards import Card, card
from course.quiz.exports.typstdoc import blocks_typst, literal
from course.quiz.items import Item

__all__ = ["paper_source", "write_paper"]

SIZES = {"normal": "10.5pt", "large": "15pt"}
FONTS = '("Libertinus Serif", "Noto Serif KR", "Noto Sans KR")'


def write_paper(
    items: Sequence[Item],
    path: Path,
    *,
    seed: int | str = 1,
    title: str = "",
    digest: str = "",
    large: bool = False,
    orders: Mapping[str, Sequence[str]] | None = None,
    lang: str | None = None,
) -> tuple[Path, Path]:
    """Write the paper at `path` and its key beside it; return both paths.

    orders: item id → option ids as a form has drawn them; other items are shuffled by `seed`. large: large print.
    """
    import typst

    title = title or say("quiz.export.deck")
    cards = [card(item, seed=seed, order=(orders or {}).get(item.id), lang=lang) for item in items]
    answers = path.with_name(f"{path.stem}-{say('quiz.export.paper.key_suffix')}{path.suffix}")
    footer = say("quiz.export.paper.footer", title=title, seed=seed, bank=digest or "–")
    for target, with_key in ((path, False), (answers, True)):
        source = paper_source(cards, title=title, footer=footer, large=large, with_key=with_key, lang=lang)
        target.write_bytes(typst.compile(source.encode(), font_paths=_fonts()))
    return path, answers


def paper_source(
    cards: Sequence[Card], *, title: str, footer: str, large: bool, with_key: bool, lang: str | None
) -> str:
    """Return the typst source of the paper, or of its key."""
    head = say("quiz.export.paper.key_title", title=title) if with_key else title
    values = {
        "SIZE": SIZES["large" if large else "normal"],
        "TITLE": literal(head),
        "FONTS": FONTS,
        "LANG": literal(lang or language()),
        "FOOTER": literal(footer),
    }
    look = (Path(__file__).parent / "paper.typ").read_text(encoding="utf-8")
    look = re.sub(r"\b(SIZE|TITLE|FONTS|LANG|FOOTER)\b", lambda found: values[found[0]], look)
    parts = [look, f"#heading(level: 1)[#{literal(head)}]"]
    note = say("quiz.export.paper.key_note" if with_key else "quiz.export.paper.note", n=len(cards))
    parts.append(f"#par(text({literal(note)}))")
    if with_key:
        parts.append(_table(cards))
    for number, shown in enumerate(cards, 1):
        blocks = shown.answer if with_key else shown.question
        whole = "false" if with_key or any(block.kind in ("code", "lines") for block in blocks) else "true"
        name = literal(shown.id if with_key else "")
        parts.append(f"#question({literal(f'{number}.')}, {name}, {whole}, [\n{blocks_typst(blocks)}\n])")
    return "\n\n".join(parts) + "\n"


def _table(cards: Sequence[Card]) -> str:
    """Return the quick table of right marks, for marking by hand."""
    cells = ", ".join(
        f"[#{literal(f'{number}.')} #strong({literal(shown.marks)})]" for number, shown in enumerate(cards, 1)
    )
    return f"#grid(columns: 5, column-gutter: 1.2em, row-gutter: 0.7em, {cells})"


def _fonts() -> list[Any]:
    """Return the folder of the Korean fonts where that package is installed."""
    found = importlib.util.find_spec("pylopdf_fonts_ko")
    return [Path(folder) for folder in found.submodule_search_locations or ()] if found else []
