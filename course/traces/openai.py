"""Messages written for OpenAI's APIs: what would have to change, and the same conversation in Claude's shape.

Chat Completions (`tool_calls`, role `tool`, `function`) and Responses items (`function_call`, `function_call_output`),
as of openai 3.57.0, 2026-12-01.
"""

import json
from collections.abc import Mapping
from typing import Any

from course.facts import default_model, say
from course.traces.encoding import Unreadable
from course.traces.salvage import salvage

__all__ = ["is_openai", "translated"]

MARKS = {"tool_calls", "function_call", "tool_call_id"}
ROLES = ("tool", "function", "developer")
TAGS = ("function_call", "function_call_output", "input_text", "output_text", "image_url", "input_image")
SAME = {
    "model",
    "max_tokens",
    "messages",
    "tools",
    "system",
    "stream",
    "temperature",
    "top_p",
    "metadata",
    "tool_choice",
}
CHOICES = {"auto": "auto", "none": "none", "required": "any"}


def is_openai(body: Mapping[str, Any]) -> bool:
    """Tell whether a body (or bare conversation) is written for OpenAI's APIs."""
    messages = body.get("messages", body.get("input"))
    return any(map(_is_theirs, messages if isinstance(messages, list) else [])) or any(
        isinstance(tool, Mapping) and tool.get("type") == "function" for tool in _list(body.get("tools"))
    )


def _is_theirs(message: Any) -> bool:
    if not isinstance(message, Mapping):
        return False
    if message.keys() & MARKS or message.get("role") in ROLES or message.get("type") in TAGS:
        return True
    return any(isinstance(part, Mapping) and part.get("type") in TAGS for part in _list(message.get("content")))


def translated(body: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the body in Claude's shape, and what had to change, each kind of change once."""
    made = _Translation()
    result = made.body(body)
    return result, tuple(say(f"traces.openai.{change}") for change in made.changes)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


class _Translation:
    def __init__(self) -> None:
        self.changes: dict[str, None] = {}
        self.system: list[str] = []
        self.messages: list[dict[str, Any]] = []
        self.waiting: list[str] = []
        self.legacy = 0

    def changed(self, kind: str) -> None:
        self.changes[kind] = None

    def body(self, body: Mapping[str, Any]) -> dict[str, Any]:
        for message in _list(body.get("messages", body.get("input"))):
            self.message(message)
        result = {key: value for key, value in body.items() if key in SAME}
        result["messages"] = self.messages
        if isinstance(instructions := body.get("instructions"), str):
            self.changed("system")
            self.system.insert(0, instructions)
        if self.system:
            result["system"] = "\n\n".join(self.system)
        if "tools" in body:
            result["tools"] = [self.tool(tool) for tool in _list(body["tools"])]
        self.choice(body, result)
        self.frame(body, result)
        return result

    def frame(self, body: Mapping[str, Any], result: dict[str, Any]) -> None:
        for name in ("max_completion_tokens", "max_output_tokens"):
            if isinstance(body.get(name), int):
                self.changed("max_tokens")
                result["max_tokens"] = body[name]
        if "model" in body:
            if not str(body["model"]).startswith("claude"):
                self.changed("model")
                result["model"] = default_model()
            if "max_tokens" not in result:
                self.changed("max_tokens")
                result["max_tokens"] = 4096
        if (stop := body.get("stop")) is not None:
            self.changed("stop")
            result["stop_sequences"] = stop if isinstance(stop, list) else [stop]
        translated = {"messages", "input", "instructions", "max_completion_tokens", "max_output_tokens", "stop"}
        if body.keys() - SAME - translated - {"tool_choice", "parallel_tool_calls"}:
            self.changed("fields")

    # tools ------------------------------------------------------------------------------------------------------

    def tool(self, tool: Any) -> Any:
        if not isinstance(tool, Mapping) or tool.get("type") != "function":
            return tool
        self.changed("tools")
        given = tool.get("function")
        function = given if isinstance(given, Mapping) else tool
        made = {key: function[key] for key in ("name", "description") if key in function}
        made["input_schema"] = function.get("parameters") or {"type": "object", "properties": {}}
        return {**made, "strict": True} if function.get("strict") is True else made

    def choice(self, body: Mapping[str, Any], result: dict[str, Any]) -> None:
        choice = body.get("tool_choice")
        if choice is not None:
            result["tool_choice"] = choice
        if isinstance(choice, str):
            self.changed("choice")
            result["tool_choice"] = {"type": CHOICES.get(choice, "auto")}
        elif isinstance(choice, Mapping) and choice.get("type") == "function":
            self.changed("choice")
            function = choice.get("function")
            name = function.get("name") if isinstance(function, Mapping) else choice.get("name")
            result["tool_choice"] = {"type": "tool", "name": name}
        if body.get("parallel_tool_calls") is False and result.get("tools"):
            self.changed("parallel")
            chosen = result.get("tool_choice") or {"type": "auto"}
            result["tool_choice"] = {**chosen, "disable_parallel_tool_use": True}

    # messages ---------------------------------------------------------------------------------------------------

    def message(self, message: Any) -> None:
        if not isinstance(message, Mapping):
            self.messages.append({"role": "user", "content": str(message)})
            return
        role, kind = message.get("role"), message.get("type")
        if kind == "function_call":
            self.call(message.get("call_id"), message.get("name"), message.get("arguments"))
        elif kind == "function_call_output":
            self.result(message.get("call_id"), message.get("output"))
        elif role in ("system", "developer"):
            self.changed("system")
            self.system.append(_words(message.get("content")))
        elif role == "tool" and any(_is_result(part) for part in _list(message.get("content"))):
            self.changed("results")
            self.add("user", list(message["content"]))
        elif role in ("tool", "function"):
            self.result(message.get("tool_call_id"), message.get("content"))
        elif role in ("user", "assistant"):
            self.spoken(role, message)
        else:
            self.messages.append(dict(message))

    def spoken(self, role: str, message: Mapping[str, Any]) -> None:
        if message.keys() - {"role", "content", "tool_calls", "function_call", "type"}:
            self.changed("extra")
        content = message.get("content")
        if isinstance(content, list):
            self.add(role, [self.part(part) for part in content])
        elif isinstance(content, str) and content:
            self.add(role, [{"type": "text", "text": content}], whole=content)
        for call in _list(message.get("tool_calls")):
            function = call.get("function") if isinstance(call, Mapping) else None
            if isinstance(function, Mapping):
                self.call(call.get("id"), function.get("name"), function.get("arguments"))
        if isinstance(legacy := message.get("function_call"), Mapping):
            self.call(None, legacy.get("name"), legacy.get("arguments"))

    def add(self, role: str, blocks: list[Any], *, whole: str | None = None) -> None:
        """Append blocks to the last message of the same role, or start one."""
        last = self.messages[-1] if self.messages else None
        if last is not None and last.get("role") == role and isinstance(last.get("content"), str | list):
            if isinstance(last["content"], str):
                last["content"] = [{"type": "text", "text": last["content"]}]
            last["content"] += blocks
        else:
            self.messages.append({"role": role, "content": blocks if whole is None else whole})

    def call(self, id: Any, name: Any, arguments: Any) -> None:
        self.changed("calls")
        if not isinstance(id, str):
            self.legacy += 1
            id = f"call_{self.legacy}"
        self.waiting.append(id)
        self.add("assistant", [{"type": "tool_use", "id": id, "name": name, "input": self.input(arguments)}])

    def input(self, arguments: Any) -> Any:
        if not isinstance(arguments, str):
            return arguments if isinstance(arguments, Mapping) else {}
        self.changed("arguments")
        try:
            return json.loads(arguments or "{}")
        except ValueError:
            pass
        self.changed("arguments_broken")
        try:
            return salvage(arguments).values[0]
        except Unreadable:
            return {"arguments": arguments}

    def result(self, id: Any, content: Any) -> None:
        self.changed("results")
        if not isinstance(id, str):
            id = self.waiting[0] if self.waiting else "call_1"
        if id in self.waiting:
            self.waiting.remove(id)
        shown = [self.part(part) for part in content] if isinstance(content, list) else content
        block = {"type": "tool_result", "tool_use_id": id}
        self.add("user", [block if shown is None else {**block, "content": shown}])

    def part(self, part: Any) -> Any:
        if not isinstance(part, Mapping):
            return {"type": "text", "text": str(part)}
        kind = part.get("type")
        if kind in ("input_text", "output_text"):
            self.changed("parts")
            return {"type": "text", "text": part.get("text", "")}
        if kind in ("image_url", "input_image"):
            self.changed("parts")
            given = part.get("image_url")
            url = given.get("url") if isinstance(given, Mapping) else given
            return {"type": "image", "source": _source(str(url))}
        return dict(part)


def _is_result(part: Any) -> bool:
    return isinstance(part, Mapping) and part.get("type") == "tool_result"


def _source(url: str) -> dict[str, str]:
    head, comma, data = url.partition(",")
    if comma and head.startswith("data:") and head.endswith(";base64"):
        return {"type": "base64", "media_type": head[5:-7], "data": data}
    return {"type": "url", "url": url}


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in _list(content) if isinstance(part, Mapping))
