"""Where an objective is taught: the section of a lesson, read from the lesson sources."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["LESSONS", "Section", "sections"]

LESSONS = Path(__file__).resolve().parents[2] / "lessons"
CELL = re.compile(r'^# %% \[markdown\].*?objectives="([^"]*)".*\n(?:#\n)*# #+ (.+)$', re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """A section of a lesson: the notebook's file name and the heading."""

    notebook: str
    heading: str

    @property
    def href(self) -> str:
        """The link as JupyterLab makes it for a heading, relative to the folder of the notebooks."""
        return f"{self.notebook}#{self.heading.replace('`', '').replace(' ', '-')}"


@cache
def sections(folder: Path = LESSONS) -> Mapping[str, Section]:
    """Return the first section that teaches each objective; empty where there are no lessons."""
    found: dict[str, Section] = {}
    for file in sorted(folder.glob("[0-9]*.py")):
        for ids, heading in CELL.findall(file.read_text(encoding="utf-8")):
            for id in re.findall(r"[A-Z]+-\d+", ids):
                found.setdefault(id, Section(f"{file.stem}.ipynb", heading.strip()))
    return found
