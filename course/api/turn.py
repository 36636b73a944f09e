"""One turn of the model: what it sees, what it writes, the server tools that run in between, how it is signed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from course.api.constrain import Written, constrain
from course.api.conversation import Turn
from course.api.ids import Ids
from course.api.search import TOOLS, search
from course.api.signature import Signer, conversation_digests
from course.api.toolset import Toolset, toolset
from course.facts.models import Model
from course.mockmodel.model import MockModel, ModelRequest, Reply

__all__ = ["ask", "model_request", "sign"]

ROUNDS = 10
CALLS = {"tool_use": "toolu", "server_tool_use": "srvtoolu", "mcp_tool_use": "mcptoolu"}
UNAVAILABLE = ("web_search", "web_fetch", "code_execution", "bash_code_execution", "text_editor_code_execution")

Block = dict[str, Any]


def model_request(body: Mapping[str, Any], turns: Sequence[Turn], model: Model | None) -> tuple[ModelRequest, Toolset]:
    """Return what the model sees of a sound request, and its tools."""
    messages = tuple({"role": turn.role, "content": turn.blocks} for turn in turns)
    tools = body.get("tools") or ()
    offered = toolset(tools, messages)
    return (
        ModelRequest(
            model=body["model"],
            messages=messages,
            tools=offered.seen,
            deferred=offered.hidden,
            tool_choice=body.get("tool_choice") or {"type": "auto" if tools else "none"},
            system=_system(body.get("system")),
            thinking=_thinking(body.get("thinking"), model),
            max_tokens=body.get("max_tokens", 0),
            body=body,
        ),
        offered,
    )


def _system(system: Any) -> str:
    return system if isinstance(system, str) else "\n".join(block.get("text", "") for block in system or ())


def _thinking(asked: Mapping[str, Any] | None, model: Model | None) -> bool:
    if asked:
        return asked["type"] in ("adaptive", "enabled")
    return model is not None and model.thinking_default == "on"


def ask(
    mock: MockModel, asked: ModelRequest, offered: Toolset, model: Model | None, ids: Ids
) -> tuple[Written, list[Any]]:
    """Let the model write its turn, run the server tools it calls, and constrain the whole.

    A reply that ends with a server tool's call is answered by the API (tool search for real, the others with an
    `unavailable` error, unless the reply holds the result itself), and the model goes on from there within the same
    turn.
    """
    blocks: list[Block] = []
    explain: list[Any] = []
    prefix, request = _own(asked), asked
    for _ in range(ROUNDS):
        reply = mock.reply(request)
        explain.append(dict(reply.explain))
        blocks += _completed(reply.blocks, offered, ids, paused=reply.stop_reason is not None)
        if reply.stop_reason is not None or not _goes_on(reply, blocks):
            break
        messages = (*prefix, {"role": "assistant", "content": [*_begun(asked), *blocks]})
        known = toolset(asked.body.get("tools") or (), messages)
        request = replace(request, messages=messages, tools=known.seen, deferred=known.hidden)
    else:
        reply = replace(reply, stop_reason="pause_turn")
    whole = replace(reply, blocks=tuple(blocks))
    return constrain(whole, request, model), explain


def _own(asked: ModelRequest) -> tuple[Mapping[str, Any], ...]:
    return asked.messages[:-1] if asked.messages[-1]["role"] == "assistant" else asked.messages


def _begun(asked: ModelRequest) -> Sequence[Block]:
    return asked.messages[-1]["content"] if asked.messages[-1]["role"] == "assistant" else ()


def _goes_on(reply: Reply, blocks: list[Block]) -> bool:
    return bool(reply.blocks) and reply.blocks[-1]["type"] == "server_tool_use" and bool(blocks)


def _completed(written: Sequence[Mapping[str, Any]], offered: Toolset, ids: Ids, paused: bool) -> list[Block]:
    """Fill in what a model may leave out (ids, caller), and put the API's result after each unanswered server call."""
    answered = {block.get("tool_use_id") for block in written if str(block["type"]).endswith("_tool_result")}
    done: list[Block] = []
    last = ""
    for place, block in enumerate(written):
        kind = block["type"]
        if kind in CALLS:
            last = block.get("id") or ids.new(CALLS[kind])
            caller = {} if kind == "mcp_tool_use" else {"caller": block.get("caller") or {"type": "direct"}}
            done.append({**block, "id": last, "input": block.get("input") or {}, **caller})
            follows = written[place + 1]["type"] if place + 1 < len(written) else ""
            known = block.get("id") in answered or (
                follows.endswith("_tool_result") and "tool_use_id" not in written[place + 1]
            )
            if kind == "server_tool_use" and not known and not paused:
                done.append(_result(done[-1], offered))
        elif kind.endswith("_tool_result") and "tool_use_id" not in block:
            done.append({**block, "tool_use_id": last})
        else:
            done.append(dict(block))
    return done


def _result(call: Block, offered: Toolset) -> Block:
    name = call["name"]
    if name in TOOLS:
        kind, content = "tool_search_tool_result", search(name, call["input"], offered.catalogue)
    else:
        kind = f"{name if name in UNAVAILABLE else 'code_execution'}_tool_result"
        content = {"type": f"{kind}_error", "error_code": "unavailable"}
    return {"type": kind, "tool_use_id": call["id"], "content": content}


def sign(written: Written, asked: ModelRequest, model: Model | None, signer: Signer) -> None:
    """Give each thinking block its signature, and leave its text out where the request or the model says so."""
    thoughts = [block for block in written.blocks if block["type"] == "thinking"]
    if not thoughts:
        return
    config = asked.body.get("thinking") or {}
    display = config.get("display") or (model.thinking_display if model else "summarized")
    *_, conversation = conversation_digests(_own(asked), asked.system)
    start = sum(block["type"] == "thinking" for block in _begun(asked))
    for ordinal, block in enumerate(thoughts, start):
        if display == "omitted":
            block["thinking"] = ""
        block.setdefault("signature", signer.sign(block["thinking"], conversation, ordinal))
