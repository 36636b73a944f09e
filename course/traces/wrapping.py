"""What a conversation is wrapped in when its text holds no JSON: escapes, line prefixes, percent signs, YAML."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote_plus

import yaml

__all__ = ["from_yaml", "unwrapped"]

SHARE = 0.8  # of the lines must begin alike
LONGEST = 160  # characters of a prefix
GUTTER = re.compile(r"^[ \t]*\d{1,6}[ \t]*[|:│→]?[ \t]?", re.MULTILINE)
ENCODED = re.compile(r"%(?:7B|5B)%?", re.IGNORECASE)
YAML_LINE = re.compile(r"^\s*(?:- )?(?:model|messages|role|content|tools|max_tokens)\s*:", re.MULTILINE)
ALIASED = re.compile(r"^[^\"'#\n]*:\s*[&*]\w|^\s*-\s*[&*]\w", re.MULTILINE)


def unwrapped(text: str) -> Iterator[tuple[str, str]]:
    """Yield (kind of the repair, text without the wrapping) for each wrapping that the text may have."""
    if '\\"' in text:
        yield "escaped", re.sub(r'\\(["\\/])', r"\1", text)
    if ENCODED.search(text):
        yield "percent", unquote_plus(text)
    if (bare := _without_prefix(text)) is not None:
        yield "prefix", bare
    if len(GUTTER.findall(text)) >= SHARE * (text.count("\n") + 1):
        yield "prefix", GUTTER.sub("", text)


def _without_prefix(text: str) -> str | None:
    """The text without what its lines begin with, digits aside: times, levels, quote marks. None where they differ."""
    lines = text.splitlines()
    shapes = [re.sub(r"\d", "0", line[:LONGEST]) for line in lines if line.strip()]
    if len(shapes) < 2:
        return None
    first, _ = Counter(shape[:2] for shape in shapes).most_common(1)[0]
    alike = [shape for shape in shapes if shape.startswith(first)]
    if len(alike) < SHARE * len(shapes):
        return None
    low, high = min(alike), max(alike)
    length = next((n for n, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    length = min(length, next((n for n, sign in enumerate(low) if sign in "{["), length))
    length = len(low[:length].rstrip()) + (1 if low[:length].endswith(" ") else 0)
    if not low[:length].strip():
        return None
    return "\n".join(line[length:] for line in lines)


class _Loader(yaml.SafeLoader):
    """Plain YAML whose dates and odd scalars stay text."""


_Loader.yaml_implicit_resolvers = {
    sign: [(tag, form) for tag, form in forms if tag.endswith((":bool", ":int", ":float", ":null"))]
    for sign, forms in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def from_yaml(text: str) -> Any:
    """Return the data of a YAML text that holds a conversation; None when it is none, or has aliases."""
    if not YAML_LINE.search(text) or ALIASED.search(text):
        return None
    try:
        value = yaml.load(text, Loader=_Loader)  # a SafeLoader
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None
