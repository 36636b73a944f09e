"""Who answers behind the offline Messages API: stand-ins for Claude, deterministic and offline.

`Scripted` plays prepared turns; `Improviser` answers anything. Neither is a measurement of Claude.
"""

from course.mockmodel.improviser import Improviser
from course.mockmodel.model import MockModel, MockModelError, ModelRequest, Reply
from course.mockmodel.scripted import Scripted, ScriptEnded, call, text

__all__ = [
    "Improviser",
    "MockModel",
    "MockModelError",
    "ModelRequest",
    "Reply",
    "ScriptEnded",
    "Scripted",
    "call",
    "text",
]
