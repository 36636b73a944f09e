"""One turn of the model: what it sees, what it writes, the server tools that run in between, how it is signed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course.api.constrain import Written, constrain
from course.api.conversation import merge
from course.api.edits import edit
from course.api.ids import Ids
from course.api.search import TOOLS, search
from course.api.signature import Signer, conversation_digests
from course.api.tokens import count
from course.api.toolset import Toolset, toolset
from course.facts.models import Model, models
from course.mockmodel.model import MockModel, ModelRequest, Reply

__all__ = ["Asked", "Lazily", "asked", "runs_code", "write"]

ROUNDS = 10
CALLS = {"tool_use": "toolu", "server_tool_use": "srvtoolu", "mcp_tool_use": "mcptoolu"}
CODE = ("code_execution", "bash_code_execution", "text_editor_code_execution")
RESULTS = {"web_search", "web_fetch", *CODE}

Block = dict[str, Any]
Message = Mapping[str, Any]


@dataclass
class Asked:
    """A sound request as the model's turn needs it. `model` is None for an id that `models.toml` lacks.

    Where the request has `context_management`, `edits` are those applied, `unedited` is the request before them.
    """

    request: ModelRequest
    tools: Toolset
    model: Model | None
    edits: list[dict[str, Any]] | None = None
    unedited: "Asked | None" = None
    _tokens: int = -1

    @property
    def before(self) -> tuple[Message, ...]:
        """The conversation before the turn to be written, which may have been begun (a prefill, or a pause)."""
        return self.request.messages[:-1] if self.begun else self.request.messages

    @property
    def begun(self) -> Sequence[Mapping[str, Any]]:
        """The blocks of the turn to be written that stand already."""
        last = self.request.messages[-1] if self.request.messages else {}
        return last["content"] if last.get("role") == "assistant" else ()

    @property
    def tokens(self) -> int:
        """The estimated input tokens, counted once."""
        if self._tokens < 0:
            self._tokens = count(
                self.model,
                messages=self.request.messages,
                system=self.request.body.get("system"),
                tools=self.tools.seen,
                choice=self.request.tool_choice["type"],
                any_tools=bool(self.request.body.get("tools")),
            )
        return self._tokens


class Lazily:
    """What a body asks for, worked out when it is first wanted: a body that a rule refuses need not make sense."""

    def __init__(self, body: Any) -> None:
        self._body = body
        self._asked: Asked | None = None

    @property
    def asked(self) -> Asked:
        """What a sound body asks for."""
        if self._asked is None:
            self._asked = asked(self._body)
        return self._asked


def asked(body: Mapping[str, Any]) -> Asked:
    """Return what a sound body asks for."""
    model = models().get(body["model"])
    messages = tuple([{"role": turn.role, "content": turn.blocks} for turn in merge(body["messages"])])
    tools = body.get("tools") or ()
    offered = toolset(tools, messages)
    request = ModelRequest(
        model=body["model"],
        messages=messages,
        tools=offered.seen,
        deferred=offered.hidden,
        tool_choice=body.get("tool_choice") or {"type": "auto" if tools else "none"},
        system=_system(body.get("system")),
        thinking=_thinking(body.get("thinking"), model),
        max_tokens=body.get("max_tokens", 0),
        body=body,
    )
    return _edited(Asked(request, offered, model))


def _edited(asked: Asked) -> Asked:
    wanted = asked.request.body.get("context_management")
    if not wanted:
        return asked
    messages, applied = edit(asked.request.messages, wanted.get("edits") or (), asked.tokens, asked.model)
    return Asked(replace(asked.request, messages=messages), asked.tools, asked.model, applied, asked)


def _system(system: Any) -> str:
    return system if isinstance(system, str) else "\n".join(block["text"] for block in system or ())


def _thinking(wanted: Mapping[str, Any] | None, model: Model | None) -> bool:
    if wanted:
        return wanted["type"] in ("adaptive", "enabled")
    return model is not None and model.thinking_default == "on"


def write(mock: MockModel, asked: Asked, ids: Ids, signer: Signer) -> tuple[Written, list[Any]]:
    """Let the model write its turn, constrain and sign it; return it with what the model says of each round.

    A reply that ends with a server tool's call is answered by the API (tool search for real, the others with an
    `unavailable` error), and the model goes on from there within the same turn. A reply may hold the results itself.
    """
    blocks, reply, rounds, request = _rounds(mock, asked, ids)
    room = asked.model.context - asked.tokens if asked.model else request.max_tokens
    written = constrain(blocks, reply, request, asked.model, max(room, 0))
    written.blocks = [
        _call(block, ids) if block["type"] in CALLS and "id" not in block else block for block in written.blocks
    ]
    _sign(written, asked, signer)
    return written, rounds


def _rounds(mock: MockModel, asked: Asked, ids: Ids) -> tuple[list[Block], Reply, list[Any], ModelRequest]:
    blocks: list[Block] = []
    explain: list[Any] = []
    request = asked.request
    for _ in range(ROUNDS):
        reply = mock.reply(request)
        explain.append(dict(reply.explain))
        blocks += _completed(reply, asked, ids)
        if reply.stop_reason or not reply.blocks or reply.blocks[-1]["type"] != "server_tool_use":
            break
        messages = (*asked.before, {"role": "assistant", "content": [*asked.begun, *blocks]})
        known = toolset(request.body.get("tools") or (), messages)
        request = replace(request, messages=messages, tools=known.seen, deferred=known.hidden)
    else:
        reply = replace(reply, stop_reason="pause_turn")
    return blocks, reply, explain, request


def _completed(reply: Reply, asked: Asked, ids: Ids) -> list[Block]:
    """Fill in what a model may leave out: ids, `caller`, and the results of server tools that it called.

    Code that has called one of the app's tools waits for it, and has no result yet.
    """
    done: list[Block] = []
    waiting = {(block.get("caller") or {}).get("tool_id") for block in reply.blocks if block["type"] == "tool_use"}
    open_call = next((b["id"] for b in reversed(asked.begun) if b["type"] == "server_tool_use"), "")
    kinds = [block["type"] for block in reply.blocks]
    for block, following in zip(reply.blocks, [*kinds[1:], ""], strict=False):
        kind = block["type"]
        if kind in CALLS:
            done.append(_call(block, ids))
            open_call = done[-1]["id"]
            answered = following.endswith("_tool_result") or open_call in waiting
            if kind == "server_tool_use" and not answered and not reply.stop_reason:
                done.append(_result(done[-1], asked.tools))
        elif kind.endswith("_tool_result"):
            done.append({"tool_use_id": open_call, **block})
        else:
            done.append(dict(block))
    return done


def _call(block: Mapping[str, Any], ids: Ids) -> Block:
    kind = block["type"]
    made = {"type": kind, "id": "", "name": block["name"], **block}
    made["id"] = made["id"] or ids.new(CALLS[kind])
    made["input"] = made.get("input") or {}
    if kind != "mcp_tool_use" and not made.get("caller"):
        made["caller"] = {"type": "direct"}
    return made


def _result(call: Block, tools: Toolset) -> Block:
    name = call["name"]
    if name in TOOLS:
        kind, content = "tool_search_tool_result", search(name, call["input"], tools.catalogue)
    else:
        kind = f"{name if name in RESULTS else 'code_execution'}_tool_result"
        content = {"type": f"{kind}_error", "error_code": "unavailable"}
    return {"type": kind, "tool_use_id": call["id"], "content": content}


def runs_code(blocks: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a turn used a container."""
    return any(block["type"] == "server_tool_use" and block["name"] in CODE for block in blocks)


def _sign(written: Written, asked: Asked, signer: Signer) -> None:
    """Give each thinking block its signature, and leave its text out where the request or the model says so."""
    thoughts = [block for block in written.blocks if block["type"] == "thinking"]
    if not thoughts:
        return
    wanted = (asked.request.body.get("thinking") or {}).get("display")
    display = wanted or (asked.model.thinking_display if asked.model else "summarized")
    *_, conversation = conversation_digests((asked.unedited or asked).before)
    first = sum(block["type"] == "thinking" for block in asked.begun)
    for ordinal, block in enumerate(thoughts, first):
        if display == "omitted":
            block["thinking"] = ""
        if not block.get("signature"):
            block["signature"] = signer.sign(block["thinking"], conversation, ordinal)
