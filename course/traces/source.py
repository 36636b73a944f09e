"""Find the conversation in whatever was given: messages, body, trace, error, chat export, log, Python objects."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from course.facts import say
from course.traces.assemble import assemble
from course.traces.encoding import Unreadable, decode
from course.traces.plain import plain
from course.traces.program import literals, program
from course.traces.salvage import salvage
from course.traces.trace import Answer, Exchange, Trace

__all__ = ["Case", "read"]

Kind = Literal["messages", "request", "trace", "answer", "error", "code"]

STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
BLOCK = re.compile(
    r"text|image|document|thinking|redacted_thinking|search_result|(server_|mcp_)?tool_use|\w*tool_result"
)
KEPT = {
    "text": ("type", "text"),
    "thinking": ("type", "thinking", "signature"),
    "tool_use": ("type", "id", "name", "input"),
    "tool_result": ("type", "tool_use_id", "content", "is_error"),
}
STREAM = re.compile(r"\s*(?:event:[^\n]*\n)?data:\s*\{")
NODES = 200_000


@dataclass(frozen=True)
class Case:
    """What was given, read: a trace, or the text of a program.

    repairs: what was done to read it, in words. names, gaps: as in `Salvage`.
    """

    kind: Kind
    trace: Trace
    repairs: tuple[str, ...] = ()
    code: str = ""
    names: frozenset[str] = frozenset()
    gaps: frozenset[str] = frozenset()


def read(source: Any) -> Case:
    """Read a Trace, a path, text, bytes, JSON data, SDK objects or an exception of the SDK.

    Raises Unreadable, with what to do, when there is no conversation in it.
    """
    if isinstance(source, Trace):
        return Case("trace", source)
    if isinstance(source, Path):
        return read(_file(source))
    if isinstance(source, bytes):
        return read(decode(source))
    if isinstance(source, BaseException):
        return _raised(source)
    if isinstance(source, str):
        if (code := program(source)) is not None:
            return _program(code)
        if STREAM.match(source):
            return _case((assemble(source),), (say("traces.repair.stream"),), source)
        found = salvage(source)
        case = replace(_case(found.values, found.repairs, source), names=found.names, gaps=found.gaps)
    else:
        case = _case((plain(source),), (), "")
    return case


def _program(code: str) -> Case:
    """Read a program: its code, and the conversations that stand in it as they are sent."""
    held = [value for value in literals(code) if _holds(value)]
    trace = _case(held, (), "").trace if held else Trace()
    return Case("code", trace, code=code)


def _file(path: Path) -> bytes:
    if path.is_dir():
        raise Unreadable(say("traces.unreadable.directory", path=path))
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise Unreadable(say("traces.unreadable.no_file", path=path)) from None
    except OSError as error:
        raise Unreadable(say("traces.unreadable.no_access", path=path, reason=error.strerror)) from None


def _raised(error: BaseException) -> Case:
    """Read an exception of the SDK: it carries the request that was sent and the answer."""
    request, body = getattr(error, "request", None), plain(getattr(error, "body", None))
    try:
        sent = json.loads(getattr(request, "content", b"") or b"{}")
    except (ValueError, TypeError):
        sent = {}
    if not isinstance(body, Mapping):
        body = {"type": "error", "error": {"type": type(error).__name__, "message": str(error)}}
    answer = Answer(status=int(getattr(error, "status_code", 0) or 0), body=dict(body))
    exchange = Exchange(request=sent if isinstance(sent, dict) else {}, response=answer)
    return Case("error", Trace(exchanges=(exchange,)))


# data ---------------------------------------------------------------------------------------------------------------


def _case(values: Sequence[Any], repairs: Sequence[str], text: str) -> Case:
    notes: list[str] = []
    pieces = [piece for value in values for piece in _pieces(value, notes)]
    if not pieces:
        raise Unreadable(say("traces.unreadable.no_conversation"))
    if len(pieces) == 1 and pieces[0][0] == "trace":
        trace, lost = _trace(pieces[0][1])
        return Case("trace", trace, (*repairs, *notes, *lost))
    exchanges = _fold(pieces, text)
    requests = [exchange.request for exchange in exchanges if exchange.request]
    framed = any(request.keys() & {"model", "max_tokens"} for request in requests)
    kind: Kind = "request" if framed else "messages"
    if not requests:
        kind = "error" if any(piece == "error" for piece, _ in pieces) else "answer"
    return Case(kind, Trace(exchanges=tuple(exchanges)), (*repairs, *notes))


def _pieces(value: Any, notes: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield what a value holds, by kind: trace, exchange, body, message, blocks, answer or error."""
    if isinstance(value, list):
        yield from _list_pieces(value, notes)
    elif not isinstance(value, dict):
        return
    elif "exchanges" in value:
        yield "trace", value
    elif isinstance(request := _decoded(value.get("request")), dict) and ("messages" in request or "model" in request):
        yield "exchange", (request, _decoded(value.get("response", value.get("error"))))
    elif "messages" in value or (isinstance(value.get("input"), list) and "model" in value):
        yield "body", value
    elif isinstance(choices := value.get("choices"), list) and choices and isinstance(choices[0], dict):
        yield from _pieces(choices[0], notes)
    elif value.get("type") == "error" and "error" in value:
        yield "error", value
    elif value.get("type") == "message" and "content" in value and value.get("role") == "assistant":
        yield "answer", value
    elif isinstance(value.get("chat_messages"), list):
        notes.append(say("traces.repair.export"))
        yield from (("message", message) for message in _exported(value["chat_messages"]))
    elif isinstance(line := value.get("message"), dict) and _is_message(line):
        if say("traces.repair.log") not in notes:
            notes.append(say("traces.repair.log"))
        yield "message", {"role": line.get("role"), "content": line.get("content")}
    elif _is_message(value):
        yield "message", value
    elif _is_block(value):
        yield "blocks", [value]
    elif value.keys() & {"model", "max_tokens", "tools"}:
        yield "body", value
    else:
        yield from _buried(value, notes)


def _list_pieces(items: list[Any], notes: list[str]) -> Iterator[tuple[str, Any]]:
    messages = sum(_is_message(item) for item in items)
    if messages and messages * 2 >= len(items):
        yield from (("message", item) for item in items)
    elif not items:
        yield "body", {"messages": []}
    elif all(_is_block(item) for item in items):
        yield "blocks", items
    else:
        for item in items:
            yield from _pieces(item, notes)


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or _is_block(value):
        return False
    if value.get("type") in ("function_call", "function_call_output"):
        return True
    return "role" in value and bool(value.keys() & {"content", "tool_calls", "function_call", "tool_call_id"})


def _is_block(value: Any) -> bool:
    if not isinstance(value, dict) or "role" in value:
        return False
    return isinstance(value.get("type"), str) and bool(BLOCK.fullmatch(value["type"]))


def _decoded(value: Any) -> Any:
    """Return JSON that was put into a string; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _buried(value: dict[str, Any], notes: list[str]) -> Iterator[tuple[str, Any]]:
    """Look for a conversation further inside, the nearest first."""
    level: list[tuple[str, Any]] = [("", value)]
    seen = 0
    while level and seen < NODES:
        below: list[tuple[str, Any]] = []
        for path, node in level:
            inner = node.items() if isinstance(node, dict) else enumerate(node)
            for key, item in inner:
                item = _decoded(item)
                if isinstance(item, dict | list):
                    below.append((f"{path}.{key}".lstrip("."), item))
                    seen += 1
        for path, item in below:
            if _holds(item):
                notes.append(say("traces.repair.buried", path=path))
                yield from _pieces(item, notes)
                return
        level = below


def _holds(item: Any) -> bool:
    if isinstance(item, list):
        return any(_is_message(part) for part in item)
    return isinstance(item.get("messages"), list) or _is_message(item) or "chat_messages" in item


def _exported(messages: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield the turns of a chat export; results that stand beside their calls become a user turn."""
    for message in messages:
        if not isinstance(message, dict):
            continue
        role = "user" if message.get("sender") in ("human", "user") else "assistant"
        content = message.get("content")
        blocks = (
            content if isinstance(content, list) and content else [{"type": "text", "text": message.get("text", "")}]
        )
        turn: list[Any] = []
        for block in blocks:
            kind = block.get("type") if isinstance(block, dict) else None
            side = "user" if kind == "tool_result" else role
            if turn and side != turn[0]:
                yield {"role": turn[0], "content": turn[1:]}
                turn = []
            kept = KEPT.get(str(kind))
            shown = {key: block[key] for key in kept if key in block} if kept else block
            turn = [*(turn or [side]), shown]
        if turn:
            yield {"role": turn[0], "content": turn[1:]}


# pieces to exchanges ------------------------------------------------------------------------------------------------


def _fold(pieces: Sequence[tuple[str, Any]], text: str) -> list[Exchange]:
    """Put the pieces together in their order: messages to one history, an answer to the request before it."""
    found: list[tuple[dict[str, Any], Answer | None]] = []
    early: Answer | None = None
    history: list[Any] | None = None
    for kind, value in pieces:
        if kind in ("message", "blocks"):
            if history is None:
                history = []
                found.append(({"messages": history}, None))
            history.append(value if kind == "message" else _turn(value))
            continue
        history = None
        if kind in ("answer", "error"):
            answer = _answer(value, text)
            if found and found[-1][1] is None:
                found[-1] = (found[-1][0], answer)
            elif not found and kind == "error":
                early = answer
            else:
                found.append(({}, answer))
        else:
            body, response = value if kind == "exchange" else (value, None)
            found.append((_opened(body), _response(response, text)))
    if early is not None:
        if found and found[-1][1] is None:
            found[-1] = (found[-1][0], early)
        else:
            found.append(({}, early))
    return [Exchange(request=request, response=answer) for request, answer in found]


def _opened(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a body whose messages or tools were put in as strings of JSON, decoded."""
    return {key: _decoded(value) if key in ("messages", "tools") else value for key, value in body.items()}


def _turn(blocks: list[Any]) -> dict[str, Any]:
    results = all(str(block.get("type")).endswith("tool_result") for block in blocks)
    return {"role": "user" if results else "assistant", "content": blocks}


def _response(value: Any, text: str) -> Answer | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("body"), dict) and "status" in value:
        return _answer(value["body"], text, value["status"])
    return _answer(value, text)


def _answer(body: dict[str, Any], text: str, status: Any = None) -> Answer:
    error = body.get("error")
    kind = error.get("type") if isinstance(error, dict) else None
    said = re.search(r"(?:Error code|status(?:_code)?)\W{1,3}(\d{3})", text[:2000])
    if not isinstance(status, int):
        status = STATUS.get(str(kind), int(said[1]) if said else 400) if isinstance(error, dict) else 200
    return Answer(status=status, body=body)


def _trace(document: Mapping[str, Any]) -> tuple[Trace, tuple[str, ...]]:
    """Return a trace document as a Trace; parts that are no part of one are left out and named."""
    try:
        return Trace.model_validate(document), ()
    except ValidationError:
        pass
    raw = document.get("exchanges")
    exchanges, lost = [], []
    for number, item in enumerate(raw if isinstance(raw, list) else [raw]):
        request = item.get("request") if isinstance(item, dict) else None
        if isinstance(request, dict):
            response = _response(item.get("response"), "")
            exchanges.append(Exchange(request=request, response=response))
        else:
            lost.append(say("traces.repair.exchange", number=number))
    if not exchanges:
        raise Unreadable(say("traces.unreadable.no_conversation"))
    about = {key: document[key] for key in ("id", "title", "notes") if isinstance(document.get(key), str)}
    return Trace(**about, exchanges=tuple(exchanges)), (say("traces.repair.trace"), *lost)
