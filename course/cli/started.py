"""How the course was started, so that what it tells a person to type works where they are.

`start.py` names it in COURSE_STARTED: "make", or the call of start.py itself. Without it the command `course` is there.
"""

import os
import re
from collections.abc import Mapping

from course.cli import VERBS

__all__ = ["STARTED", "as_started", "command"]

STARTED = "COURSE_STARTED"
MADE = frozenset(
    {"lab", "build", "check", "quiz", "exam", "progress", "reset", "workshop", "report", "slides", "serve", "doctor"}
)
"""The verbs that make and start.py know, too."""
PLACE = ".venv\\Scripts\\course" if os.name == "nt" else ".venv/bin/course"
VALUE = r"[A-Z]{2,}|[a-z]+-[a-z]+|[a-z]*\d+"
TOLD = re.compile(rf"\bcourse ({'|'.join(VERBS)})\b((?: --[a-z-]+(?: (?:{VALUE})\b)?)*)")


def command(verb: str, *options: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return the line to type for a verb: `course quiz --due`, or `make quiz ARGS=--due` for those who use make."""
    how, words = environ.get(STARTED, ""), " ".join(options)
    if how == "make" and verb in MADE:
        return f"make {verb}" + (f' ARGS="{words}"' if " " in words else f" ARGS={words}" if words else "")
    start = "course" if not how else how if verb in MADE else PLACE
    return " ".join([start, verb, *options])


def as_started(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return a sentence in which every `course VERB --options` is the line that works here."""
    if not environ.get(STARTED):
        return text
    return TOLD.sub(lambda found: command(found[1], *found[2].split(), environ=environ), text)
