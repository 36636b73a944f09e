"""What can go wrong in a harness.

HarnessError
├── CallError         a tool was called from Python with arguments it cannot take; the message says how to call it
├── DefinitionError   a function, tool list or client cannot be used; the message says what to change
└── ToolError         raised by a tool on purpose: its content is what Claude is told
"""

from typing import Any

__all__ = ["CallError", "DefinitionError", "HarnessError", "ToolError"]


class HarnessError(Exception):
    """The harness cannot do what was asked."""


class DefinitionError(HarnessError, TypeError):
    """A tool cannot be made, or a list of tools cannot be offered."""


class CallError(HarnessError, TypeError):
    """A tool was called from Python in a way that its function cannot take."""


class ToolError(HarnessError):
    """A tool says, in words meant for Claude, what failed and what to do instead.

    `content` is anything a tool may return: a string, JSON data, or a list of content blocks. Any other exception is
    hidden from Claude, because its text may hold secrets.
    """

    def __init__(self, content: Any) -> None:
        super().__init__(content)
        self.content = content
