"""The command `course`: a table of verbs, each in a module of its own that is imported only when it is called."""

import importlib
import os
import sys
from collections.abc import Sequence

from course import __version__
from course.facts.text import say

__all__ = ["VERBS", "main"]

VERBS = (
    "lab",
    "quiz",
    "exam",
    "progress",
    "check",
    "trace",
    "serve",
    "doctor",
    "reset",
    "workshop",
    "build",
    "lint",
    "coverage",
    "export",
    "rules",
    "slides",
    "report",
)


def _usage() -> str:
    width = max(map(len, VERBS))
    lines = [f"  {verb:<{width}}  {say(f'cli.verbs.{verb}')}" for verb in VERBS]
    return "\n".join([say("cli.usage"), "", *lines, "", say("cli.more")])


def main(argv: Sequence[str] | None = None) -> int:
    """Run `course VERB …`; return the exit code (2 for a verb that does not exist, 130 when Ctrl-C stopped it)."""
    try:
        code = _main(argv)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read our output, such as `head`, has gone: say no more, also not at exit.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
        return 0
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _main(argv: Sequence[str] | None) -> int:
    args = list(sys.argv[1:] if argv is None else argv)
    if not args or args[0] in ("-h", "--help", "help"):
        print(_usage())
        return 0
    if args[0] in ("-V", "--version"):
        print(f"course {__version__}")
        return 0
    verb, rest = args[0], args[1:]
    if verb not in VERBS:
        print(say("cli.unknown", verb=verb) + "\n\n" + _usage(), file=sys.stderr)
        return 2
    module = importlib.import_module(f"course.cli.{verb}")
    return module.run(rest)
