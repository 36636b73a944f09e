"""Token counts, estimated: the real tokenizer is not public, so every count here is a stand-in for it.

Characters of the JSON text divided by 3.7 (about what recorded exchanges of the 4.5 models show), and a third more for the
tokenizer of Opus 4.7 and later, as the Claude API docs say (snapshot of 2026-08-22).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["estimate"]

CHARACTERS = 3.7


def estimate(value: Any) -> int:
    """Return about how many tokens `value` (text, or anything JSON) takes: at least 1 for a text that is not empty."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) if value else ""
    return -(-len(text) * 10 // 37)
