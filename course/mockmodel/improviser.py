"""`Improviser`: a stand-in that answers anything, deterministically."""

import re
from collections.abc import Mapping
from typing import Any

from course.mockmodel.model import ModelRequest, Reply

__all__ = ["Improviser"]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower().replace("_", " "))


class Improviser:
    name = "Improviser"

    def reply(self, request: ModelRequest) -> Reply:
        last = request.messages[-1]
        blocks = last["content"]
        results = [b for b in blocks if b["type"] == "tool_result"]
        wish = " ".join(b["text"] for b in blocks if b["type"] == "text")
        kind = request.tool_choice["type"]
        tool = None if kind == "none" else self._choose(wish, request)
        if tool is None or (results and kind == "auto"):
            said = " ".join(str(r.get("content", "")) for r in results) or "I am the offline stand-in."
            return Reply(({"type": "text", "text": said},), explain={"model": self.name})
        places = re.findall(r"\b(?!What|How)[A-Z][a-z]+", wish) or ["Paris"]
        schema = tool.get("input_schema", {})
        given = {
            k: self._fill(v, places[0])
            for k, v in schema.get("properties", {}).items()
            if k in schema.get("required", [])
        }
        return Reply(({"type": "tool_use", "name": tool["name"], "input": given},), explain={"model": self.name})

    def _choose(self, wish: str, request: ModelRequest) -> Mapping[str, Any] | None:
        tools = [t for t in request.tools if "input_schema" in t]
        if request.tool_choice["type"] == "tool":
            return next(t for t in request.tools if t["name"] == request.tool_choice["name"])
        wanted = {w[:5] for w in _words(wish) if len(w) > 3}
        scored = [
            (len(wanted & {w[:5] for w in _words(t["name"] + " " + t.get("description", ""))}), -i)
            for i, t in enumerate(tools)
        ]
        best = max(scored, default=(0, 0))
        return tools[-best[1]] if best[0] or (tools and request.tool_choice["type"] == "any") else None

    def _fill(self, schema: Mapping[str, Any], word: str) -> Any:
        if "enum" in schema:
            return schema["enum"][0]
        return {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}.get(schema.get("type"), word)
