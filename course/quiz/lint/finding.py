"""One thing lint found."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.facts import say

__all__ = ["EXCUSABLE", "Finding", "Hit"]

EXCUSABLE = frozenset({"E02", "E07", "E08", "E11", "E13", "E14", "E15", "E17"})
"""Error codes that an item may break with a written reason (`excuses:`); every warning may be excused, too."""

Hit = tuple[str, tuple[Any, ...], dict[str, Any]]
"""What a rule yields: code, path of the field, values for the message."""


@dataclass(frozen=True)
class Finding:
    """code: E… stops the build, W… is advice. line counts from 1, 0 where unknown."""

    code: str
    item: str
    file: Path
    line: int
    field: str
    message: str

    @property
    def is_error(self) -> bool:
        """True when the finding stops the build."""
        return self.code.startswith("E")

    def __str__(self) -> str:
        return say(
            "quiz.lint.finding",
            code=self.code,
            file=self.file.name,
            line=self.line,
            name=" ".join(filter(None, (self.item, self.field))),
            message=self.message,
        )
