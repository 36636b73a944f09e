"""What can go wrong in a notebook: the error tree of this room.

LessonError
└── NothingAsked         `ask` was called with a value that is no wish and no history
"""

__all__ = ["LessonError", "NothingAsked"]


class LessonError(Exception):
    """Base of every error of this room; its text says what to do."""


class NothingAsked(LessonError):
    """`ask` was called with a value that is no wish and no history."""
