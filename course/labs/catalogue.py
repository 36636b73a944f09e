"""The invented catalogue of the overload lab: 120 tools over 12 services, and the wishes that score a choice."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import yaml

__all__ = ["STYLES", "LabTool", "Style", "Wish", "services", "tools", "wishes"]

Style = Literal["good", "alike", "word"]
STYLES: tuple[Style, ...] = ("good", "alike", "word")
FILE = Path(__file__).with_name("catalogue.yaml")


@dataclass(frozen=True)
class LabTool:
    """One tool: its service, parameters (name → description), and a description in each style."""

    name: str
    service: str
    params: Mapping[str, str]
    descriptions: Mapping[Style, str]

    def definition(self, style: Style = "good") -> dict[str, Any]:
        """Return the tool as a Messages API definition, described in `style`."""
        properties = {name: {"type": "string", "description": text} for name, text in self.params.items()}
        schema = {"type": "object", "properties": properties, "required": list(properties)}
        return {"name": self.name, "description": self.descriptions[style], "input_schema": schema}


@dataclass(frozen=True)
class Wish:
    """What a user might say, and the tool that serves it. held: never used to write a description."""

    text: str
    tool: str
    held: bool


@cache
def _rows() -> dict[str, list[dict[str, Any]]]:
    return yaml.load(FILE.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def services() -> tuple[str, ...]:
    """Return the names of the services, in the order of the file."""
    return tuple(_rows())


@cache
def tools() -> tuple[LabTool, ...]:
    """Return all tools, service by service."""
    return tuple(
        LabTool(
            name=row["name"],
            service=service,
            params=MappingProxyType({key: str(text) for key, text in row["params"].items()}),
            descriptions=MappingProxyType({style: row[style] for style in STYLES}),
        )
        for service, rows in _rows().items()
        for row in rows
    )


@cache
def wishes(held: bool | None = None) -> tuple[Wish, ...]:
    """Return the wishes: all, only those held back for scoring, or only those a learner may look at."""
    every = (
        Wish(text, row["name"], is_held)
        for rows in _rows().values()
        for row in rows
        for is_held, texts in ((False, [row["seen"]]), (True, row["held"]))
        for text in texts
    )
    return tuple(wish for wish in every if held is None or wish.held is held)
