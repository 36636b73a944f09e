"""The errors of this room, one tree.

QuizError
    StoreError       the history could not be read or written; nothing was acknowledged that is not kept
    AttemptError     an attempt can't go on: finished, out of time, answered elsewhere meanwhile, unknown
    FormError        a form can't be assembled; the message lists what is missing
    HandInError      a result file or a class key can't be written or read
"""

__all__ = ["AttemptError", "FormError", "HandInError", "QuizError", "StoreError"]


class QuizError(Exception):
    """Something in the quiz could not be done; the message says what, why and what to do."""


class StoreError(QuizError):
    """The history could not be read or written."""


class AttemptError(QuizError):
    """An attempt can't go on as asked."""


class FormError(QuizError):
    """A form can't be assembled from the bank; the message lists what is missing."""


class HandInError(QuizError):
    """A result file or a class key can't be written or read as asked."""
