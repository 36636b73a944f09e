"""Put a message together again from the server-sent events of a stream, as far as they came."""

import json
from collections.abc import Iterator
from typing import Any

__all__ = ["assemble"]


def assemble(stream: bytes | str) -> dict[str, Any]:
    """Return the message of an event stream, or its error envelope; a cut stream gives what had arrived.

    An input whose JSON never became whole is kept as `partial_json`, so that nobody takes it for the input.
    """
    message: dict[str, Any] = {"type": "message", "role": "assistant", "content": [], "stop_reason": None}
    inputs: dict[int, str] = {}
    for event in _events(stream if isinstance(stream, str) else stream.decode("utf-8", "replace")):
        match event.get("type"):
            case "error":
                return event
            case "message_start":
                message.update(event.get("message") or {})
                message["content"] = list(message.get("content") or [])
            case "content_block_start":
                message["content"].append(dict(event.get("content_block") or {}))
            case "content_block_delta" if 0 <= event.get("index", -1) < len(message["content"]):
                _add(message["content"][event["index"]], event.get("delta") or {}, inputs, event["index"])
            case "message_delta":
                message.update({k: v for k, v in (event.get("delta") or {}).items() if v is not None})
                message["usage"] = {**(message.get("usage") or {}), **(event.get("usage") or {})}
    for index, text in inputs.items():
        try:
            message["content"][index]["input"] = json.loads(text or "{}")
        except ValueError:
            message["content"][index]["partial_json"] = text
    return message


def _events(stream: str) -> Iterator[dict[str, Any]]:
    for line in stream.splitlines():
        if line.startswith("data:"):
            try:
                event = json.loads(line[5:])
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event


def _add(block: dict[str, Any], delta: dict[str, Any], inputs: dict[int, str], index: int) -> None:
    match delta.get("type"):
        case "text_delta":
            block["text"] = block.get("text", "") + delta.get("text", "")
        case "thinking_delta":
            block["thinking"] = block.get("thinking", "") + delta.get("thinking", "")
        case "signature_delta":
            block["signature"] = delta.get("signature", "")
        case "citations_delta":
            block["citations"] = [*(block.get("citations") or []), delta.get("citation")]
        case "input_json_delta":
            inputs[index] = inputs.get(index, "") + delta.get("partial_json", "")
