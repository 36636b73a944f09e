"""A small invented code base for the exercise on built-in tools, and fakes of those tools that count what they read.

Grep searches contents, Glob searches paths, Read and Write take a whole file, Edit replaces one unique match.
"""

import re
from dataclasses import dataclass, field
from fnmatch import fnmatch

__all__ = ["FILES", "ToolFailed", "Workspace"]

FILES = {
    "src/app.py": "from src.orders import total\nfrom src.dates import parse_day\n\nprint(total([1, 2]))\n",
    "src/orders.py": "from src.money import rounded\n\n\ndef total(prices):\n    return rounded(sum(prices))\n",
    "src/money.py": "TIMEOUT = 5\n\n\ndef rounded(value):\n    return round(value, 2)\n",
    "src/dates.py": "TIMEOUT = 5\nRETRIES = 5\n\n\ndef parse_day(text):\n    return text.split('-')\n",
    "tests/test_orders.py": "from src.orders import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    "tests/test_dates.py": "from src.dates import parse_day\n",
    "README.md": "# Shop\n\nRun src/app.py. Prices go through rounded().\n",
}


class ToolFailed(Exception):
    """A tool could not do what it was asked; the message is what a coding agent would read."""


@dataclass
class Workspace:
    """Files by path, and what the tools did: (tool, what it was given, characters it returned)."""

    files: dict[str, str] = field(default_factory=lambda: dict(FILES))
    log: list[tuple[str, str, int]] = field(default_factory=list)

    def _noted(self, tool: str, given: str, text: str) -> str:
        self.log.append((tool, given, len(text)))
        return text

    def glob(self, pattern: str) -> list[str]:
        """Return the paths that match a pattern such as `**/test_*.py`; looks at names only."""
        plain = pattern.replace("**/", "*")
        found = sorted(path for path in self.files if fnmatch(path, plain) or fnmatch(path, pattern))
        self._noted("Glob", pattern, "\n".join(found))
        return found

    def grep(self, pattern: str, path: str = "") -> list[str]:
        """Return `path:line: text` for every line that a regular expression matches; looks at contents."""
        found = [
            f"{name}:{number}: {line}"
            for name in sorted(self.files)
            if name.startswith(path)
            for number, line in enumerate(self.files[name].splitlines(), 1)
            if re.search(pattern, line)
        ]
        self._noted("Grep", pattern, "\n".join(found))
        return found

    def read(self, path: str) -> str:
        """Return a whole file. Raises ToolFailed when there is none."""
        if path not in self.files:
            raise ToolFailed(f"There is no file {path}.")
        return self._noted("Read", path, self.files[path])

    def write(self, path: str, text: str) -> None:
        """Create or replace a whole file."""
        self.files[path] = text
        self._noted("Write", path, "")

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace one piece of text that occurs exactly once. Raises ToolFailed otherwise."""
        count = self.files.get(path, "").count(old)
        if count != 1:
            raise ToolFailed(f"{old!r} occurs {count} times in {path}; Edit needs exactly one. Give more context.")
        self.files[path] = self.files[path].replace(old, new)
        self._noted("Edit", path, "")
