"""The body under treatment, and small looks at it that several mends need."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from course.facts import say
from course.traces.finding import Place

if TYPE_CHECKING:
    from course.api.rules import Violation

__all__ = [
    "GONE",
    "MAX_TOKENS",
    "Mending",
    "Patient",
    "as_text",
    "block_place",
    "decoded",
    "likely_role",
    "remove_block",
    "remove_place",
]

MAX_TOKENS = 4096
GONE = object()


class Patient:
    """The body under treatment. Removals are collected and done at the end of a round, so that places stay true."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.actions: list[str] = []
        self.leaving: dict[Place, None] = {}

    def did(self, action: str, place: Place, **values: Any) -> None:
        """Tell what was done."""
        self.actions.append(say(f"traces.action.{action}", place=".".join(map(str, place)), **values))

    def get(self, place: Place) -> Any:
        """Return what stands at `place`; GONE when nothing does."""
        node: Any = self.body
        for key in place:
            if isinstance(node, dict):
                node = node.get(str(key), GONE)
            elif isinstance(node, list) and isinstance(key, int) and key < len(node):
                node = node[key]
            else:
                return GONE
        return node

    def set(self, place: Place, value: Any, action: str = "set", **values: Any) -> None:
        """Put `value` at `place`, and tell."""
        parent = self.get(place[:-1])
        if isinstance(parent, dict | list):
            parent[place[-1]] = value  # type: ignore[index]
            self.did(action, place, value=_short(value), **values)

    def drop(self, place: Place, action: str = "removed") -> None:
        """Let what stands at `place` leave at the end of the round; the only message stays."""
        if place == ("messages", 0) and len(self.body["messages"]) == 1:
            return
        if place and place not in self.leaving and self.get(place) is not GONE:
            self.leaving[place] = None
            self.did(action, place)

    def remove(self) -> None:
        """Take out what was to leave, from the back, so that no place moves before its turn."""
        for place in sorted(self.leaving, key=lambda place: [(isinstance(k, str), k) for k in place], reverse=True):
            parent = self.get(place[:-1])
            if isinstance(parent, dict):
                parent.pop(str(place[-1]), None)
            elif isinstance(parent, list) and isinstance(place[-1], int) and place[-1] < len(parent):
                del parent[place[-1]]
        self.leaving = {}


Mending = Callable[[Patient, "Violation"], None]
"""Mends one fault of the body, or leaves it as it is."""


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def decoded(value: Any) -> Any:
    """Return what a string of JSON holds; GONE when it is none."""
    try:
        return json.loads(value) if isinstance(value, str) else GONE
    except (ValueError, RecursionError):
        return GONE


def block_place(place: Place) -> Place:
    """Return the place of the innermost content block around `place`."""
    end = max((n for n, key in enumerate(place) if isinstance(key, int) and n and place[n - 1] == "content"), default=1)
    return place[: end + 1]


def as_text(value: Any) -> dict[str, Any]:
    """Return a value as a text block: its own text where it has one, else its JSON."""
    text = value.get("text") if isinstance(value, dict) else value
    return {"type": "text", "text": text if isinstance(text, str) and text else json.dumps(value, ensure_ascii=False)}


def remove_place(patient: Patient, broken: "Violation") -> None:
    """Remove what stands at the place of the fault."""
    patient.drop(broken.place)


def remove_block(patient: Patient, broken: "Violation") -> None:
    """Remove the block in which the fault stands."""
    patient.drop(block_place(broken.place))


def likely_role(patient: Patient, place: Place) -> str:
    """Return the role that the blocks of a message, or else the message before it, speak for."""
    message = patient.get(place)
    content = message.get("content") if isinstance(message, dict) else None
    kinds = {block.get("type") for block in content if isinstance(block, dict)} if isinstance(content, list) else set()
    if "tool_use" in kinds:
        return "assistant"
    index = place[1]
    before = patient.get(("messages", index - 1, "role")) if isinstance(index, int) and index else "assistant"
    return "assistant" if before == "user" and "tool_result" not in kinds else "user"
