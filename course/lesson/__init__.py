"""The names a notebook imports: `from course.lesson import *`.

Talk: client, async_client, ask, attempt, text_of, api, live, MODEL, FORCED_MODEL. Tools: tool, run, arun, call.
Look: show, check_conversation. Practise: predict, check, hint, look_back, quiz, sit, progress.

Importing this loads neither the SDK nor a widget; the first call of `ask` or `client` does.
"""

from course.facts import default_model, forced_model
from course.harness import arun, run, tool
from course.lesson.practice import check, hint, look_back, predict, progress, quiz, sit, two_truths
from course.lesson.talk import api, ask, async_client, attempt, client, live, text_of
from course.lesson.views import check_conversation, show
from course.mockmodel.scripted import call

__all__ = [
    "FORCED_MODEL",
    "MODEL",
    "api",
    "arun",
    "ask",
    "async_client",
    "attempt",
    "call",
    "check",
    "check_conversation",
    "client",
    "hint",
    "live",
    "look_back",
    "predict",
    "progress",
    "quiz",
    "run",
    "show",
    "sit",
    "text_of",
    "tool",
    "two_truths",
]

MODEL = default_model()
FORCED_MODEL = forced_model()
