"""What can go wrong between a lesson source and its notebooks: the error tree of this room.

AuthoringError
├── SourceError          a lesson source or overlay breaks a rule of the format
├── EditedNotebook       a built file was changed by a person, and is left alone
└── ExecutionFailed      a solved lesson does not run, or leaves an output that no rebuild can repeat
"""

from pathlib import Path

from course.facts import say

__all__ = ["AuthoringError", "EditedNotebook", "ExecutionFailed", "SourceError"]


class AuthoringError(Exception):
    """Base of every error of this room; its text can be shown as it stands."""


class SourceError(AuthoringError):
    """A lesson source or overlay breaks a rule of the format."""

    @classmethod
    def at(cls, lesson: str, cell: str, key: str, **values: object) -> "SourceError":
        """Build the message from `authoring.source.<key>`, led by the lesson and the cell."""
        return cls(f"{lesson}, cell {cell}: " + say(f"authoring.source.{key}", **values))


class EditedNotebook(AuthoringError):
    """A built file was changed by a person; building leaves it alone."""

    def __init__(self, path: Path, number: str) -> None:
        super().__init__(say("authoring.edited", file=path.name, folder=path.parent.name, number=number))
        self.path = path


class ExecutionFailed(AuthoringError):
    """A solved lesson does not run, or leaves an output that no rebuild can repeat."""
